// SPDX-License-Identifier: Apache-2.0
// What can be made to go wrong in a virtual PLC, on purpose and one by one, to test those who talk to it.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/protocols/ads/codec/ams.hpp"

namespace tandem::ads {

// Where the server asks. Without one it behaves.
class ServerFaults {
 public:
  enum class Welcome { serve, close, silence };
  enum class Fate { send, drop, close };
  struct Verdict {
    Fate fate = Fate::send;
    Duration delay{0};
  };

  virtual ~ServerFaults() = default;
  virtual Welcome accepted() = 0;
  // A request, before it is answered.
  virtual void request(const AmsHeader& /*header*/, Bytes /*payload*/) {}
  // A whole answer packet before it is sent; may be changed.
  virtual Verdict answer(const AmsHeader& request, std::vector<std::uint8_t>& packet) = 0;
  virtual Verdict notification(std::vector<std::uint8_t>& packet) = 0;
};

// Faults with counters: each happens for the next `count` occasions. Any thread may set them while the server runs.
class FaultScript final : public ServerFaults {
 public:
  enum Kind : std::size_t {
    // connections
    close_on_accept,    // as TwinCAT does with clients it has no route to
    silent_connection,  // accepted, never answered
    // answers
    no_answer,
    close_instead_of_answer,
    wrong_invoke_id,
    short_answer,     // the last four bytes are missing, lengths fitting
    long_answer,      // eight bytes too many, lengths fitting
    cut_answer,       // the last four bytes are missing, lengths as before: the stream is torn
    error_with_data,  // result 0x700 in front of data that look good
    ams_error,        // AMS error 0x006 and no payload
    garbage_answer,   // 200 bytes that are no packet
    huge_length,      // AMS/TCP length 0x7fffffff
    zero_length,      // AMS/TCP length 0
    length_mismatch,  // AMS length is not AMS/TCP length less 32
    delayed_answer,   // by delay()
    // notifications
    no_notification,
    lying_sample_size,   // the first sample's size is too large by one
    lying_sample_count,  // one sample more than there is
    stale_handle,        // a handle that was never given
    kind_count
  };
  static constexpr int always = 1 << 30;

  void next(Kind kind, int count = 1) { left_[kind].store(count); }
  void delay(Duration duration) { delay_.store(duration.count()); }
  // How often a fault has happened.
  int happened(Kind kind) const { return happened_[kind].load(); }

  Welcome accepted() override;
  Verdict answer(const AmsHeader& request, std::vector<std::uint8_t>& packet) override;
  Verdict notification(std::vector<std::uint8_t>& packet) override;

 private:
  bool due(Kind kind);

  std::array<std::atomic<int>, kind_count> left_{};
  std::array<std::atomic<int>, kind_count> happened_{};
  std::atomic<Duration::rep> delay_{0};
};

}  // namespace tandem::ads
