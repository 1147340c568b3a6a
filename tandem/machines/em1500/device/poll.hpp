// SPDX-License-Identifier: Apache-2.0
// Samples by request, for a PLC that sends no notifications.
#pragma once

#include <array>
#include <optional>
#include <string>

#include "tandem/machines/em1500/device/gate.hpp"
#include "tandem/machines/em1500/device/symbols.hpp"
#include "tandem/protocols/ads/client/client.hpp"

namespace tandem::em1500 {

// One request in flight, however long its answer takes: when the PLC answers slower than the cycle, the rate drops and
// nothing piles up. All variables in one sum read; one after the other when the PLC refuses that.
// In real time, not by the machine's clock: its deadlines are those of sockets.
class PlcPoll {
 public:
  PlcPoll() = default;
  PlcPoll(const PlcPoll&) = delete;
  PlcPoll& operator=(const PlcPoll&) = delete;

  // From nothing, after the handles were looked up.
  void start(const PlcHandles& handles, Duration cycle);

  // Forgets the request in flight: its answer would be old when reading goes on.
  void stop(ads::Client& client);

  // The next sample; nothing when the deadline passes first, and the request stays in flight, or when its answer may
  // have waited here for long (this process was paused). An error of Fault::timeout when two requests in a row were
  // not answered; ads::is_refusal() holds for the error when the PLC refuses to give the pose.
  Result<std::optional<PlcSample>> next(ads::Client& client, Instant deadline);

  // How long an answer may take.
  static Duration answer_limit(const ads::Client& client);
  bool in_flight() const { return request_.has_value(); }
  // Why there are plain reads: the PLC's answer to the sum read; empty with sum reads.
  const std::string& sum_refusal() const { return sum_refusal_; }

 private:
  // One variable and where its bytes go.
  struct Read {
    std::uint32_t handle = 0;
    std::span<std::uint8_t> into;
    bool good = false;
  };

  Result<void> ask(ads::Client& client);
  Result<bool> take(ads::Client& client);
  Result<bool> take_sum(ads::Client& client);
  Result<bool> take_one(ads::Client& client);
  PlcSample sample() const;

  std::array<std::uint8_t, sizeof(PlcPose)> pose_{};
  std::array<std::uint8_t, 4> counter_{};
  std::array<std::uint8_t, 1> timeout_{};
  std::array<Read, 3> reads_{};  // the pose last: it is as new as what vouches for it
  std::size_t count_ = 0;
  bool has_counter_ = false;
  Duration cycle_{10ms};
  bool sum_ = true;
  bool sum_worked_ = false;
  std::string sum_refusal_;
  std::optional<ads::RequestId> request_;
  std::size_t at_ = 0;  // of the reads, one after the other
  Instant due_{}, asked_{}, received_{};
  int unanswered_ = 0;  // in a row
};

}  // namespace tandem::em1500
