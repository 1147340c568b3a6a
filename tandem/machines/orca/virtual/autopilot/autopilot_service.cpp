// SPDX-License-Identifier: Apache-2.0
// What a workshop wants of the virtual autopilot: calibration, reboot, tests of motors and servos, home, settings.
#include <algorithm>
#include <cmath>

#include "tandem/machines/orca/virtual/autopilot/autopilot.hpp"
#include "tandem/machines/orca/virtual/autopilot/parameters.hpp"

namespace tandem::orca {

using mavlink::CommandRequest;
using mavlink::CommandResult;

// Here (p1 = 1, or no place) or at latitude, longitude and altitude.
CommandResult Autopilot::place_home(const CommandRequest& request) {
  const auto& p = request.params;
  const bool here = p[0] == 1 || (p[4] == 0 && p[5] == 0);
  if (!origin_ || (!here && std::isfinite(p[0]) && p[0] != 0)) return CommandResult::failed;
  if (here) {
    if (!estimator_.estimate().position_good) return CommandResult::failed;
    home_ = global_from_ned(*origin_, estimator_.estimate().position);
    home_->altitude = 0;  // the surface, wherever the vehicle is below it
  } else {
    const double scale = request.frame ? 1 : 1e7;  // COMMAND_INT has whole numbers
    const double latitude = p[4] * scale, longitude = p[5] * scale;
    const auto altitude = altitude_of(request.frame.value_or(0), p[6], home_.value_or(*origin_).altitude);
    if (!altitude || !(std::abs(latitude) <= 90e7 && std::abs(longitude) <= 180e7)) return CommandResult::denied;
    home_ = GlobalPlace{static_cast<std::int32_t>(std::lround(latitude)),
                        static_cast<std::int32_t>(std::lround(longitude)), *altitude};
  }
  load_mission();
  for (std::size_t i = 0; i < link_count_; ++i) send_home(*links_[i].outlet);
  return CommandResult::accepted;
}

// p1 gyros, p3 barometer, p5 accelerometers (2 level, 4 simple, 76 as they are), p2 = 76 compasses as they are. What
// would require someone to turn the vehicle is not supported.
CommandResult Autopilot::calibrate(const CommandRequest& request) {
  const auto& p = request.params;
  if (pilot_.armed()) {
    say(mavlink::severity::notice, "Disarm to allow calibration");
    return CommandResult::failed;
  }
  if (p[2] == 1) {
    say(mavlink::severity::info, "Updating barometer calibration");
    say(mavlink::severity::info, "Barometer calibration complete");
    return CommandResult::accepted;
  }
  const bool known = p[0] == 1 || p[1] == 76 || p[4] == 2 || p[4] == 4 || p[4] == 76;
  return known ? CommandResult::accepted : CommandResult::unsupported;
}

CommandResult Autopilot::reboot(const CommandRequest& request) {
  const auto& p = request.params;
  constexpr double force = 20190226;
  if (pilot_.armed() && p[5] != force) return CommandResult::failed;
  if (p[0] != 1 && p[0] != 3) return CommandResult::unsupported;
  restart_wanted_ = true;
  return CommandResult::accepted;
}

// p1 motor from 0, p2 = 0 percent or 1 us, p3 how much, p6 = 2. To be repeated twice a second while it lasts.
CommandResult Autopilot::test_motor(const CommandRequest& request) {
  const auto& p = request.params;
  if (!pilot_.armed()) {
    say(mavlink::severity::warning, "Arm motors before testing motors.");
    return CommandResult::failed;
  }
  constexpr double by_board = 2;
  const bool percent = p[1] == 0, pulse = p[1] == 1;
  const double most = percent ? 100 : 1900, least = percent ? 0 : 1100;
  if (p[5] != by_board || !(percent || pulse) || !(p[0] >= 0 && p[0] < thruster_count) || !std::isfinite(p[2]))
    return CommandResult::failed;
  if (!motor_test_) tested_ = still;
  motor_test_ = now_;
  const double asked = std::clamp(p[2], least, most);
  tested_[static_cast<std::size_t>(p[0])] = percent ? pwm_stop - pwm_swing + 2 * pwm_swing * asked / 100 : asked;
  return CommandResult::accepted;
}

void Autopilot::tend_motor_test(Instant now) {
  if (!motor_test_) return;
  if (!pilot_.armed()) {
    motor_test_.reset();
  } else if (now - *motor_test_ > 500ms) {
    motor_test_.reset();
    say(mavlink::severity::info, "Motor test timed out!");
    disarm();
  } else {
    pulses_ = tested_;
  }
}

// p1 output from 1, p2 us. Those of the thrusters are in use.
CommandResult Autopilot::move_servo(const CommandRequest& request) {
  const auto& p = request.params;
  if (!(p[0] > thruster_count && p[0] <= static_cast<double>(servos_.size())) || !(p[1] >= 0 && p[1] <= 3000))
    return CommandResult::failed;
  servos_[static_cast<std::size_t>(p[0]) - 1] = static_cast<std::uint16_t>(p[1]);
  return CommandResult::accepted;
}

// p1 item.
CommandResult Autopilot::choose_item(const CommandRequest& request, mavlink::Outlet& outlet) {
  const double item = request.params[0];
  if (!(item >= 0 && item < static_cast<double>(missions_.items().size()))) return CommandResult::denied;
  missions_.choose(static_cast<std::uint16_t>(item), outlet);
  load_mission();
  return CommandResult::accepted;
}

// p1 = 2.
CommandResult Autopilot::forget_parameters(const CommandRequest& request) {
  if (request.params[0] != 2) return CommandResult::denied;
  for (const auto& served : parameter_table()) parameters_.assign(served.parameter.name, served.parameter.value);
  refresh_settings();
  say(mavlink::severity::warning, "All parameters reset, reboot board");
  return CommandResult::accepted;
}

}  // namespace tandem::orca
