// SPDX-License-Identifier: Apache-2.0
// What the configuration means.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tandem/machines/cable_robot/geometry/file.hpp"
#include "tandem/machines/cable_robot/options.hpp"
#include "tandem/machines/kit/option_keys.hpp"

namespace tandem::cable_robot {
namespace {

constexpr double most_unwound = 200;  // m, as the option has it; 214 m is what a register holds

cables::Aim aim_from(const std::string& word) {
  for (const auto aim : cables::all_aims)
    if (word == cables::name(aim)) return aim;
  throw std::invalid_argument(fmt::format("aim: expected {}, got '{}'", cables::aims_in_words, word));
}

// The longest way between two of the frame's points.
double across(const cables::Robot& robot) {
  double farthest = 0;
  for (int i = 0; i < robot.cables(); ++i)
    for (int j = 0; j < i; ++j) farthest = std::max(farthest, (robot.cable(i).frame - robot.cable(j).frame).norm());
  return farthest;
}

double or_else(double given, double otherwise) { return given > 0 ? given : otherwise; }

}  // namespace

cables::Robot robot_from(const machines::Options& options) {
  const std::string& file = options.text("geometry");
  if (file.empty()) return cables::Robot::standard();
  return machines::must_be(robot_from_file(file));
}

Times times_from(const machines::Options& options) {
  return {.cycle = 1 / options.number("cycle_hz"),
          .feedback = options.number("feedback_timeout"),
          .response = options.number("response_timeout"),
          .link = options.number("link_timeout"),
          .log = options.number("log_interval")};
}

WinchLimits winch_limits_from(const machines::Options& options, const cables::Robot& robot) {
  const cables::TensionRange& tension = robot.design().tension;
  WinchLimits limits{.shortest = options.number("shortest"),
                     .longest = or_else(options.number("longest"), std::min(2 * across(robot), most_unwound)),
                     .speed = options.number("winch_speed"),
                     .acceleration = options.number("winch_acceleration"),
                     .least_tension = or_else(options.number("slack_tension"), 0.5 * tension.least),
                     .most_tension = or_else(options.number("overload_tension"), 1.5 * tension.most),
                     .following = options.number("following"),
                     .watchdog = options.number("watchdog")};
  if (limits.shortest >= limits.longest)
    throw std::invalid_argument(
        fmt::format("shortest: expected less than longest ({} m), got {} m", limits.longest, limits.shortest));
  if (limits.least_tension >= limits.most_tension)
    throw std::invalid_argument(fmt::format("slack_tension: expected less than overload_tension ({} N), got {} N",
                                            limits.most_tension, limits.least_tension));
  return limits;
}

ControlOptions control_options_from(const machines::Options& options) {
  ControlOptions control;
  control.mode = options.text("winch_mode") == "tension" ? WinchMode::tension : WinchMode::length;
  control.aim = aim_from(options.text("aim"));
  control.path.outside = options.text("outside") == "project" ? Outside::project : Outside::refuse;
  control.path.border.reserve = options.number("reserve");
  control.path.limits = {.speed = options.number("speed"),
                         .acceleration = options.number("acceleration"),
                         .angular_speed = options.number("angular_speed"),
                         .angular_acceleration = options.number("angular_acceleration")};
  return control;
}

Task task_from(const machines::Options& options, const cables::Robot& robot) {
  return machines::must_be(Task::about_home(robot, control_options_from(options).path, options.number("task_period")));
}

modbus::Peer winch_peer_from(const std::string& device) { return machines::modbus_peer_from(device, standard_port); }

LinkOptions link_options_from(const machines::Setup& setup, const cables::Robot& robot) {
  LinkOptions link;
  link.peer = winch_peer_from(setup.device);
  link.peer.pipelining = setup.options.flag("pipelining");
  link.winches = robot.cables();
  link.limits = winch_limits_from(setup.options, robot);
  link.times = times_from(setup.options);
  link.reset_pulse = setup.options.number("reset_pulse");
  link.truth = setup.options.flag("truth");
  link.tap = setup.tap;
  return link;
}

}  // namespace tandem::cable_robot
