// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/pilot/failsafe.hpp"

namespace tandem::orca {
namespace {

constexpr Duration leak_told_again = 20s, ground_told_again = 30s;

FailsafeAction ground_action(int setting) {
  switch (setting) {
    case 2:
      return FailsafeAction::disarm;
    case 3:
      return FailsafeAction::alt_hold;
    case 4:
      return FailsafeAction::surface;
    default:
      return FailsafeAction::none;
  }
}

FailsafeAction battery_action(int setting) {
  if (setting == 2) return FailsafeAction::disarm;
  return setting == 3 ? FailsafeAction::surface : FailsafeAction::none;
}

}  // namespace

void Failsafe::heard_pilot(Instant now) {
  pilot_ = now;
  pilot_lost_ = false;
}

void Failsafe::heard_ground(Instant now) {
  ground_ = now;
  ground_lost_ = false;
  ground_told_.reset();
}

bool Failsafe::sticks_count(Instant now) const {
  return pilot_ && (settings_.pilot_input == 0 || now - *pilot_ <= settings_.pilot_timeout);
}

std::optional<FailsafeVerdict> Failsafe::update(Instant now, bool armed, bool leak, double voltage) {
  if (pilot_ && !pilot_lost_ && !sticks_count(now)) {
    pilot_lost_ = true;
    return FailsafeVerdict{settings_.pilot_input == 2 ? FailsafeAction::disarm : FailsafeAction::none, 2,
                           "Lost manual control"};
  }
  // Said at once, and done as soon as it is armed: a vehicle that is armed without its ground station does not stay so.
  if (settings_.ground != 0 && ground_ && now - *ground_ > settings_.ground_timeout) {
    const bool acts = armed && !ground_lost_, speaks = !ground_told_ || now - *ground_told_ > ground_told_again;
    ground_lost_ = ground_lost_ || armed;
    if (speaks) ground_told_ = now;
    if (acts || speaks)
      return FailsafeVerdict{acts ? ground_action(settings_.ground) : FailsafeAction::none, 4,
                             speaks ? "MYGCS: heartbeat lost" : ""};
  }
  const bool told = leaking_ && now - leak_told_ < leak_told_again;
  leaking_ = leak && settings_.leak != 0;
  if (leaking_ && !told) {
    leak_told_ = now;
    return FailsafeVerdict{settings_.leak == 2 && armed ? FailsafeAction::surface : FailsafeAction::none, 2,
                           "Leak Detected"};
  }
  const bool low = settings_.low_voltage > 0 && voltage < settings_.low_voltage;
  const bool newly = low && !battery_low_;
  battery_low_ = low;
  if (newly)
    return FailsafeVerdict{armed ? battery_action(settings_.battery) : FailsafeAction::none, 4, "Battery 1 is low"};
  return std::nullopt;
}

}  // namespace tandem::orca
