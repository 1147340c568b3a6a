// SPDX-License-Identifier: Apache-2.0
// Decides whether a sample from the PLC may be believed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "tandem/base/clock.hpp"
#include "tandem/machines/em1500/description.hpp"
#include "tandem/machines/kit/verdict.hpp"

namespace tandem::em1500 {

struct PlcSample {
  PlcPose pose{};
  UtcTime stamp{};                         // of the PLC's task cycle, by the PLC's clock
  Instant received{};                      // its bytes were there
  std::optional<std::int32_t> rx_counter;  // MAIN.nRxCounter, where the PLC has one
  std::optional<bool> timed_out;           // MAIN.bTimout, the same
};

struct Verdict : machines::Verdict {
  // Nothing is wrong with it: it came too early for anything to show that it is new.
  bool early = false;
};

// ADS has no checksum, and a dead EtherCAT link behind the PLC looks like a platform standing still; so a sample
// must be finite and in range, newer than the last, not older than the stale limit, fed by a counter that counts,
// and not further from the last one than the platform can move.
class Gate {
 public:
  struct Limits {
    Duration stale = 100ms;   // age at which a sample is no longer passed on
    Duration frozen = 500ms;  // nRxCounter must move within this time
    double max_speed = 2.0;   // m/s; the real platform stays below 1 m/s
    double max_turn = 2.0;    // rad/s
  };

  explicit Gate(const Limits& limits) : limits_(limits) {}

  Verdict judge(const PlcSample& sample);
  // A new connection: nothing of the old one counts.
  void forget();
  // For a second, stamps and counter have both been behind what was seen before: the PLC's program and its clock
  // restarted, or a client replays an old stream. Only a new connection can tell.
  bool lost_track() const;

 private:
  Verdict judge_feed(const PlcSample& sample);
  Verdict judge_time(const PlcSample& sample);
  bool set_back(const PlcSample& sample);
  Verdict judge_step(const PlcSample& sample);
  bool steps_to(const PlcSample& from, const PlcSample& to, Verdict& verdict) const;

  Limits limits_;
  std::optional<PlcSample> last_;       // last one believed
  std::optional<PlcSample> candidate_;  // last one refused for its step
  int candidates_ = 0;                  // refused in a row that agree with each other
  bool doubted_ = false;                // the last one was no pose, or none since was believed
  UtcTime newest_stamp_{};
  UtcTime previous_stamp_{};            // of the sample before, believed or not
  std::array<UtcTime, 32> believed_{};  // the last stamps that were
  std::size_t next_believed_ = 0;
  int backward_ = 0;                // stamps in a row behind the newest that go on by themselves
  int replays_ = 0;                 // in a row whose counter was behind, too
  std::optional<Duration> offset_;  // smallest received - stamp seen: the two clocks' distance plus the fastest trip
  Instant offset_at_{};
  std::optional<std::int32_t> counter_;
  std::optional<Instant> counter_seen_, counter_moved_;  // first seen; last seen with another value
};

}  // namespace tandem::em1500
