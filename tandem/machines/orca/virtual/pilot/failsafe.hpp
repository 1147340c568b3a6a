// SPDX-License-Identifier: Apache-2.0
// What the virtual autopilot does when no one steers it any more, or when something in the hull is wrong: ArduSub's
// failsafes by the numbers of its parameters.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "tandem/base/clock.hpp"

namespace tandem::orca {

struct FailsafeSettings {
  int pilot_input = 1;           // FS_PILOT_INPUT: 0 nothing, 1 neutral sticks, 2 those and disarm
  Duration pilot_timeout = 3s;   // FS_PILOT_TIMEOUT
  int ground = 2;                // FS_GCS_ENABLE: 0 nothing, 1 say so, 2 disarm, 3 ALT_HOLD, 4 SURFACE
  Duration ground_timeout = 5s;  // FS_GCS_TIMEOUT
  int leak = 1;                  // FS_LEAK_ENABLE: 0 nothing, 1 say so, 2 SURFACE
  int battery = 0;               // BATT_FS_LOW_ACT: 0 say so, 2 disarm, 3 SURFACE
  double low_voltage = 14;       // V, BATT_LOW_VOLT; 0: never low
};

enum class FailsafeAction : std::uint8_t { none, disarm, alt_hold, surface };

struct FailsafeVerdict {
  FailsafeAction action = FailsafeAction::none;
  std::uint8_t severity = 2;
  std::string_view text;
};

class Failsafe {
 public:
  void settings(const FailsafeSettings& settings) { settings_ = settings; }

  void heard_pilot(Instant now);
  void heard_ground(Instant now);
  // The last sticks are in force. Without FS_PILOT_INPUT they stay so indefinitely, as on a board without a radio
  // receiver.
  bool sticks_count(Instant now) const;

  // Something new to do or to say; ask until there is nothing.
  std::optional<FailsafeVerdict> update(Instant now, bool armed, bool leak, double voltage);
  // Some of it still holds, for the heartbeat's system status.
  bool active() const { return pilot_lost_ || ground_lost_ || leaking_ || battery_low_; }
  bool leaking() const { return leaking_; }
  bool battery_low() const { return battery_low_; }

 private:
  FailsafeSettings settings_;
  std::optional<Instant> pilot_, ground_, ground_told_;
  Instant leak_told_{};
  bool pilot_lost_ = false, ground_lost_ = false, leaking_ = false, battery_low_ = false;
};

}  // namespace tandem::orca
