// SPDX-License-Identifier: Apache-2.0
// What the stage does and sees, into the recording: actions from their beginning to their end, the truth of the
// physics, goals, and moments in which the host was late. Any thread.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "tandem/machines/machine.hpp"
#include "tandem/net/tap.hpp"
#include "tandem/prove/schedule/action.hpp"
#include "tandem/record/recorder.hpp"
#include "tandem/runtime/recording/field_tap.hpp"

namespace tandem::prove {

class Marks {
 public:
  // `about` goes into the metadata of the channel of marks: the seed, the schedule.
  Marks(record::Recorder& recorder, std::map<std::string, std::string> about);

  // The action begins; gives the number by which it ends.
  std::uint64_t begin(const Action& action);
  void end(std::uint64_t number, bool ok);
  void say(std::string_view verb, double lasts = 0);  // "begin", "end", "stall"
  void truth(const std::string& machine, const machines::TrueMotion& motion);
  void goal(const std::string& machine, std::string_view goal, std::string_view state);

  record::Recorder& recorder() { return recorder_; }
  const runtime::FileClock& clock() const { return clock_; }

 private:
  void put(record::ChannelId channel, const std::string& json);

  record::Recorder& recorder_;
  const runtime::FileClock clock_;
  const record::ChannelId marks_, truth_, goals_;
  std::atomic<std::uint64_t> next_{1};
};

// The device's side of a fault proxy: as the field frames of a machine, but what comes in is what the device said.
class DeviceTap final : public net::Tap {
 public:
  DeviceTap(Marks& marks, const std::string& machine);

  void opened(const net::Flow& flow, Instant stamp) noexcept override;
  void passed(const net::Flow& flow, net::Direction direction, Bytes bytes, Instant stamp) noexcept override;
  void closed(const net::Flow& flow, net::Ending ending, Instant stamp) noexcept override;

 private:
  void put(const net::Flow& flow, std::uint8_t kind, Bytes data, Instant stamp) noexcept;

  Marks& marks_;
  const record::ChannelId channel_;
};

}  // namespace tandem::prove
