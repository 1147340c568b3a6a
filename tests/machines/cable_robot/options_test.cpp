// SPDX-License-Identifier: Apache-2.0
// The cable robot's configuration: defaults that agree with the description, errors by name.
#include "tandem/machines/cable_robot/options.hpp"

#include <doctest/doctest.h>

#include "tandem/runtime/config/config.hpp"

using namespace tandem;
using namespace tandem::cable_robot;

namespace {

machines::Options with(const std::vector<std::string>& settings) {
  return runtime::options_from_settings(bridge_options(), settings);
}

}  // namespace

TEST_CASE("defaults agree with the description of the winches and with the controller") {
  const machines::Options options = with({});
  const Times times, told = times_from(options);
  CHECK(told.cycle == doctest::Approx(times.cycle));
  CHECK(told.feedback == times.feedback);
  CHECK(told.response == times.response);
  CHECK(told.link == times.link);
  CHECK(told.log == times.log);
  const WinchLimits limits, found = winch_limits_from(options, cables::Robot::standard());
  CHECK(found.shortest == limits.shortest);
  CHECK(found.longest > 1);
  CHECK(found.speed == limits.speed);
  CHECK(found.acceleration == limits.acceleration);
  CHECK(found.least_tension == limits.least_tension);
  CHECK(found.most_tension == limits.most_tension);
  CHECK(found.following == limits.following);
  CHECK(found.watchdog == limits.watchdog);
  const ControlOptions control, read = control_options_from(options);
  CHECK(read.mode == control.mode);
  CHECK(read.aim == control.aim);
  CHECK(read.path.outside == control.path.outside);
  CHECK(read.path.border.reserve == control.path.border.reserve);
  CHECK(read.path.limits.speed == control.path.limits.speed);
  CHECK(read.path.limits.acceleration == control.path.limits.acceleration);
  CHECK(read.path.limits.angular_speed == control.path.limits.angular_speed);
  CHECK(read.path.limits.angular_acceleration == control.path.limits.angular_acceleration);
}

TEST_CASE("the address of the winches is read strictly") {
  const modbus::Peer plain = winch_peer_from("modbus://192.168.2.1");
  CHECK(plain.host == "192.168.2.1");
  CHECK(plain.port == 1503);
  CHECK(plain.unit == 1);
  CHECK(winch_peer_from("modbus://winches.local:502?unit=255").unit == 255);
  CHECK_THROWS_AS(winch_peer_from("ads://192.168.2.1"), std::invalid_argument);
  CHECK_THROWS_AS(winch_peer_from("modbus://192.168.2.1?unit=256"), std::invalid_argument);
  CHECK_THROWS_AS(winch_peer_from("modbus://192.168.2.1?slave=1"), std::invalid_argument);
}

TEST_CASE("limits that contradict each other are refused by name") {
  const cables::Robot& robot = cables::Robot::standard();
  CHECK_THROWS_WITH(winch_limits_from(with({"shortest=3", "longest=2"}), robot),
                    "shortest: expected less than longest (2 m), got 3 m");
  CHECK_THROWS_WITH(winch_limits_from(with({"slack_tension=9", "overload_tension=5"}), robot),
                    "slack_tension: expected less than overload_tension (5 N), got 9 N");
  CHECK(control_options_from(with({"winch_mode=tension"})).mode == WinchMode::tension);
  CHECK(control_options_from(with({"outside=project"})).path.outside == Outside::project);
  CHECK(control_options_from(with({"aim=least"})).aim == cables::Aim::least);
}
