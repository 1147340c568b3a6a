// SPDX-License-Identifier: Apache-2.0
// Decides which telemetry of the autopilot is believed. MAVLink frames have a checksum, but a message may be overtaken
// by a newer one, repeated by a frozen sender, or come from a second vehicle with the same address; and an estimate may
// jump although the vehicle did not.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <optional>

#include "tandem/protocols/mavlink/link/boot_clock.hpp"

namespace tandem::orca {

class Gate {
 public:
  // Streams whose stamps must rise, each by itself.
  enum class Stream : std::uint8_t { attitude, position, height };

  struct Verdict {
    bool believed = false;
    bool rebooted = false;         // the autopilot was restarted: everything from before is over
    std::optional<Duration> step;  // of the stamps, since the last one believed of this stream
  };
  Verdict judge(Stream stream, std::uint32_t boot_ms, Instant now);

  // Two vehicles answer to one address: neither is to be believed.
  bool doubled(Instant now) const { return doubled_at_ != Instant{} && now - doubled_at_ < 10s; }

 private:
  mavlink::BootClock boot_;
  std::array<std::optional<std::uint32_t>, 3> last_;  // stamps believed, by stream, ms since boot
  Instant doubled_at_{};
};

// Whether a position moved further (m) than its velocities before and after (m/s) explain: the estimate was reset.
bool position_jumped(const Eigen::Vector3d& moved, const Eigen::Vector3d& before, const Eigen::Vector3d& after,
                     Duration step);
// Whether an attitude turned further (rad) than its rate (rad/s) explains: the same.
bool attitude_jumped(double turned, double rate, Duration step);

}  // namespace tandem::orca
