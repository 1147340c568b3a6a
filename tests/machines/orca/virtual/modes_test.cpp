// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/pilot/modes.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tandem/machines/orca/virtual/pilot/failsafe.hpp"
#include "tandem/machines/orca/virtual/pilot/joystick.hpp"
#include "tandem/machines/orca/virtual/pilot/mission.hpp"

namespace tandem::orca {
namespace {

Estimate standing(double depth, bool position) {
  Estimate estimate;
  estimate.position.z() = depth;
  estimate.attitude_good = true;
  estimate.position_good = position;
  return estimate;
}

mavlink::MissionItemInt item(std::uint16_t seq, std::uint16_t command, double north, double hold = 0) {
  const GlobalPlace place = global_from_ned({476302000, -1223982391, 0}, {north, 0, 1});
  return {.seq = seq,
          .frame = 3,
          .command = command,
          .param1 = static_cast<float>(hold),
          .x = place.latitude,
          .y = place.longitude,
          .z = -1};
}

}  // namespace

TEST_CASE("modes that need a position are refused without one and CIRCLE always") {
  Pilot pilot;
  CHECK(pilot.mode() == Mode::manual);
  const Estimate blind = standing(1, false), seeing = standing(1, true);
  for (const Mode mode : {Mode::poshold, Mode::guided, Mode::automatic}) {
    CHECK(pilot.change(mode, blind) == "requires position");
    CHECK(pilot.mode() == Mode::manual);
  }
  CHECK(pilot.change(Mode::alt_hold, blind).empty());
  CHECK(pilot.change(Mode::poshold, seeing).empty());
  CHECK(pilot.change(Mode::automatic, seeing) == "missing mission");
  CHECK(pilot.change(Mode::circle, seeing) == "not available");
  CHECK(pilot.mode() == Mode::poshold);
  Estimate nothing;
  CHECK(pilot.change(Mode::stabilize, nothing) == "requires attitude");
  CHECK(pilot.change(Mode::manual, nothing).empty());
}

TEST_CASE("modes are known by ArduSub numbers") {
  CHECK(mode_from(16) == Mode::poshold);
  CHECK(mode_name(Mode::poshold) == "POSHOLD");
  CHECK_FALSE(mode_from(5));
  CHECK_FALSE(mode_from(-1));
  CHECK_FALSE(mode_from(1e9));
  CHECK_FALSE(mode_from(2.5));
  CHECK_FALSE(mode_from(std::nan("")));
}

TEST_CASE("nothing moves before arming and after disarming") {
  Pilot pilot;
  const PilotInput full{1, 0, 1, 1, 1, 1};
  const Estimate estimate = standing(1, true);
  CHECK(pilot.step(estimate, full, 0.0025) == Demand{});
  CHECK(pilot.arm(Estimate{}, false) == "AHRS: waiting for EKF");
  CHECK_FALSE(pilot.armed());
  CHECK(pilot.arm(estimate, false).empty());
  CHECK(pilot.step(estimate, full, 0.0025).forward == doctest::Approx(1));
  pilot.disarm();
  CHECK(pilot.step(estimate, full, 0.0025) == Demand{});
  CHECK(pilot.arm(Estimate{}, true).empty());  // by force
}

TEST_CASE("depth hold pushes up when it is too deep") {
  Pilot pilot;
  REQUIRE(pilot.change(Mode::alt_hold, standing(1, false)).empty());
  REQUIRE(pilot.arm(standing(1, false), false).empty());
  CHECK(pilot.step(standing(1.3, false), {}, 0.0025).throttle > 0.02);
  CHECK(pilot.step(standing(0.7, false), {}, 0.0025).throttle < -0.02);
}

TEST_CASE("set points count in GUIDED only and velocities only for a while") {
  Pilot pilot;
  const Estimate estimate = standing(1, true);
  GuidedTarget target{.kind = GuidedTarget::Kind::velocity, .velocity = {0.5, 0, 0}};
  CHECK_FALSE(pilot.guide(target, estimate));
  REQUIRE(pilot.change(Mode::guided, estimate).empty());
  REQUIRE(pilot.arm(estimate, false).empty());
  CHECK(pilot.guide(target, estimate));
  CHECK(pilot.step(estimate, {}, 0.01).forward > 0.05);
  for (int i = 0; i < 310; ++i) pilot.step(estimate, {}, 0.01);
  CHECK(pilot.destination().has_value());  // it holds where it is
  target.velocity.x() = std::nan("");
  CHECK_FALSE(pilot.guide(target, estimate));
}

TEST_CASE("without position GUIDED holds depth and pushes nowhere") {
  Pilot pilot;
  REQUIRE(pilot.change(Mode::guided, standing(1, true)).empty());
  REQUIRE(pilot.arm(standing(1, true), false).empty());
  REQUIRE(pilot.guide({.position = {5, 0, 1}}, standing(1, true)));
  for (int i = 0; i < 100; ++i) pilot.step(standing(1, true), {}, 0.01);
  const Demand lost = pilot.step(standing(1, false), {}, 0.01);
  CHECK(lost.forward == 0);
  CHECK(lost.lateral == 0);
  CHECK(pilot.mode() == Mode::guided);
}

TEST_CASE("items of a mission that cannot be flown are refused by name") {
  using mavlink::MissionResult;
  CHECK(judge_item(item(1, mission_command::waypoint, 1)) == MissionResult::accepted);
  CHECK(judge_item(item(1, 22, 1)) == MissionResult::unsupported);  // take off
  CHECK(judge_item(item(1, mission_command::go_home, 0)) == MissionResult::accepted);
  CHECK(judge_item(item(1, 201, 0)) == MissionResult::accepted);  // look somewhere: passed over
  mavlink::MissionItemInt local = item(1, mission_command::waypoint, 1);
  local.frame = 1;
  CHECK(judge_item(local) == MissionResult::unsupported_frame);
  local.frame = 2;  // MAV_FRAME_MISSION
  CHECK(judge_item(local) == MissionResult::accepted);
  mavlink::MissionItemInt wild = item(1, mission_command::waypoint, 1);
  wild.z = std::nanf("");
  CHECK(judge_item(wild) == MissionResult::invalid);
  wild = item(1, mission_command::waypoint, 1);
  wild.x = 2000000000;
  CHECK(judge_item(wild) == MissionResult::invalid);
}

TEST_CASE("items come back as ArduPilot stores them") {
  mavlink::MissionItemInt placed = item(1, mission_command::waypoint, 1);
  placed.x = 476302000;
  placed.z = -2;
  placed.autocontinue = 0;
  struct Case {
    std::uint8_t given, kept;
  };
  for (const Case& one : {Case{0, 0}, Case{2, 0}, Case{5, 0}, Case{3, 3}, Case{6, 3}}) {
    placed.frame = one.given;
    const auto kept = kept_item(placed);
    CHECK(kept.frame == one.kept);
    CHECK(kept.x == placed.x);
    CHECK(kept.z == placed.z);
    CHECK(kept.autocontinue == 1);
  }
  mavlink::MissionItemInt speed = placed;  // has no place
  speed.command = mission_command::speed;
  speed.frame = 2;
  speed.param2 = 0.3F;
  const auto kept = kept_item(speed);
  CHECK(kept.frame == 0);
  CHECK(kept.x == 0);
  CHECK(kept.z == 0);
  CHECK(kept.param2 == 0.3F);
  const auto home = kept_item(item(0, mission_command::waypoint, 0), GlobalPlace{1, 2, 7.5});
  CHECK(home.frame == 0);
  CHECK(home.x == 1);
  CHECK(home.z == 7.5F);
}

TEST_CASE("a mission in MAV_FRAME_MISSION is flown at altitudes above the sea") {
  const GlobalPlace origin{476302000, -1223982391, 10}, home{476302000, -1223982391, 7};
  mavlink::MissionItemInt above_sea = item(1, mission_command::waypoint, 1);
  above_sea.x = origin.latitude;
  above_sea.y = origin.longitude;
  above_sea.z = 8.5F;
  above_sea.frame = 2;
  MissionFlight flight;
  flight.load(std::vector{item(0, mission_command::waypoint, 0), above_sea}, origin, home);
  Estimate estimate;
  const auto* leg = flight.step(estimate, 0.1, 0.01);
  REQUIRE(leg != nullptr);
  REQUIRE(leg->destination);
  CHECK(leg->destination->z() == doctest::Approx(1.5));
}

TEST_CASE("a mission leads from item to item and stays as long as it is told") {
  const GlobalPlace origin{476302000, -1223982391, 0};
  MissionFlight flight;
  const mavlink::MissionItemInt items[] = {item(0, 16, 0), item(1, 16, 2), item(2, 19, 4, 1.0)};
  flight.load(items, origin, origin);
  CHECK_FALSE(flight.empty());
  Estimate estimate;
  const MissionFlight::Leg* leg = flight.step(estimate, 0.2, 0.1);
  REQUIRE(leg != nullptr);
  CHECK((*leg->destination - Eigen::Vector3d(2, 0, 1)).norm() < 0.02);
  estimate.position = *leg->destination;
  leg = flight.step(estimate, 0.2, 0.1);
  CHECK(flight.take_reached() == std::uint16_t{1});
  REQUIRE(leg != nullptr);
  estimate.position = *leg->destination;
  for (int i = 0; i < 9; ++i) CHECK(flight.step(estimate, 0.2, 0.1) != nullptr);
  CHECK(flight.step(estimate, 0.2, 0.11) == nullptr);
  CHECK(flight.done());
  CHECK(flight.take_reached() == std::uint16_t{2});
}

TEST_CASE("a mission goes home at its depth and lands where it is and passes over cameras") {
  const GlobalPlace origin{476302000, -1223982391, 0};
  MissionFlight flight;
  mavlink::MissionItemInt land = item(3, mission_command::land, 0);
  land.x = land.y = 0;
  const mavlink::MissionItemInt items[] = {item(0, 16, 0), item(1, 205, 3), item(2, mission_command::go_home, 0), land};
  flight.load(items, origin, origin);
  Estimate estimate;
  estimate.position = {5, 1, 2};
  const MissionFlight::Leg* leg = flight.step(estimate, 0.2, 0.1);
  CHECK(flight.take_reached() == std::uint16_t{1});
  REQUIRE(leg != nullptr);
  CHECK((*leg->destination - Eigen::Vector3d(0, 0, 2)).norm() < 1e-6);
  estimate.position = *leg->destination;
  leg = flight.step(estimate, 0.2, 0.1);
  REQUIRE(leg != nullptr);
  CHECK((*leg->destination - Eigen::Vector3d(0, 0, 0.1)).norm() < 1e-6);
}

TEST_CASE("an attitude counts in GUIDED for a second and a lean in ALT_HOLD for five") {
  Pilot pilot;
  const Estimate estimate = standing(1, true);
  REQUIRE(pilot.change(Mode::guided, estimate).empty());
  REQUIRE(pilot.arm(estimate, false).empty());
  GuidedTarget target;
  target.kind = GuidedTarget::Kind::attitude;
  target.q_ned_frd = Eigen::AngleAxisd(0.3, Eigen::Vector3d::UnitZ());
  target.climb = -0.2;
  REQUIRE(pilot.guide(target, estimate));
  const Demand told = pilot.step(estimate, {}, 0.01);
  CHECK(told.yaw > 0.01);
  CHECK(told.throttle < -0.01);
  CHECK_FALSE(pilot.destination());
  for (int i = 0; i < 110; ++i) pilot.step(estimate, {}, 0.01);
  REQUIRE(pilot.change(Mode::alt_hold, estimate).empty());
  CHECK(std::abs(pilot.step(estimate, {}, 0.01).yaw) < 1e-6);
  pilot.lean(target.q_ned_frd);
  CHECK(pilot.step(estimate, {}, 0.01).yaw > 0.01);
  pilot.hold(2);
  CHECK(pilot.step(estimate, {}, 0.01).throttle < -0.01);
}

TEST_CASE("a gamepad moves by its gain and its buttons act once") {
  Joystick joystick;
  JoystickSettings settings;
  settings.functions[0] = {button::gain_more, button::lights1_brighter};
  settings.functions[1] = {button::shift, 0};
  settings.functions[2] = {button::arm, 0};
  settings.functions[3] = {button::mode_depth_hold, 0};
  settings.functions[4] = {button::hold, 0};
  joystick.settings(settings);
  RcPulses channels{};
  Instant now{1h};
  mavlink::ManualControl sticks{.target = 1, .x = 1000, .y = -500, .z = 0, .r = 200};
  ButtonCommands commands = joystick.take(sticks, now, channels);
  CHECK_FALSE(commands.armed);
  CHECK(channels[rc_forward] == 1700);
  CHECK(channels[rc_lateral] == 1400);
  CHECK(channels[rc_throttle] == 1300);
  CHECK(channels[rc_yaw] == 1540);
  const auto press = [&](std::uint16_t buttons) {
    sticks.buttons = buttons;
    commands = joystick.take(sticks, now += 200ms, channels);
  };
  press(1);
  REQUIRE(commands.gain);
  CHECK(*commands.gain == doctest::Approx(0.75));
  press(1);  // held
  CHECK_FALSE(commands.gain);
  CHECK(channels[rc_forward] == 1800);
  press(0);
  press(3);  // with shift
  CHECK_FALSE(commands.gain);
  CHECK(joystick.lights(0) == 1200);
  press(4);
  CHECK(commands.armed == true);
  press(8);
  CHECK(commands.mode == Mode::alt_hold);
  press(16);
  CHECK(commands.holding == true);
  sticks.x = 0;
  press(0);
  CHECK(channels[rc_forward] == 1800);
  sticks = {.target = 1, .z = 500};
  press(16);
  CHECK(commands.holding == false);
  CHECK(channels[rc_forward] == 1500);
  CHECK(channels[rc_throttle] == 1500);
}

TEST_CASE("places on Earth come back from local ones") {
  const GlobalPlace origin{476302000, -1223982391, 12.5};
  const Eigen::Vector3d ned(120.5, -300.25, 4);
  const GlobalPlace place = global_from_ned(origin, ned);
  CHECK((ned_from_global(origin, place) - ned).norm() < 0.02);
  // A minute of latitude is a nautical mile.
  CHECK(ned_from_global(origin, {476302000 + 166667, -1223982391, 12.5}).x() == doctest::Approx(1852).epsilon(0.005));
}

TEST_CASE("the last sticks stay in force without the failsafe for them and end with it") {
  for (const int setting : {0, 1, 2}) {
    Failsafe failsafe;
    FailsafeSettings settings;
    settings.pilot_input = setting;
    failsafe.settings(settings);
    Instant now{1h};
    CHECK_FALSE(failsafe.sticks_count(now));  // none came yet
    failsafe.heard_pilot(now);
    now += 2900ms;
    CHECK(failsafe.sticks_count(now));
    now += 1h;
    CHECK(failsafe.sticks_count(now) == (setting == 0));
    const auto verdict = failsafe.update(now, true, false, 16);
    REQUIRE(verdict.has_value() == (setting != 0));
    if (verdict) CHECK((verdict->action == FailsafeAction::disarm) == (setting == 2));
  }
}

TEST_CASE("a vehicle that is armed after its ground station was lost is disarmed at once") {
  Failsafe failsafe;
  failsafe.settings({});
  Instant now{1h};
  failsafe.heard_ground(now);
  now += 6s;
  auto verdict = failsafe.update(now, false, false, 16);
  REQUIRE(verdict);
  CHECK(verdict->text == "MYGCS: heartbeat lost");
  CHECK(verdict->action == FailsafeAction::none);
  CHECK_FALSE(failsafe.update(now, false, false, 16));
  verdict = failsafe.update(now, true, false, 16);
  REQUIRE(verdict);
  CHECK(verdict->action == FailsafeAction::disarm);
  CHECK_FALSE(failsafe.update(now, true, false, 16));
  failsafe.heard_ground(now);
  CHECK_FALSE(failsafe.update(now, true, false, 16));
}

TEST_CASE("failsafes act once and by their parameters") {
  Failsafe failsafe;
  FailsafeSettings settings;
  settings.pilot_input = 2;
  settings.ground = 4;
  settings.leak = 2;
  settings.battery = 2;
  failsafe.settings(settings);
  Instant now{1h};
  CHECK_FALSE(failsafe.update(now, true, false, 16));  // nobody was ever heard
  failsafe.heard_pilot(now);
  failsafe.heard_ground(now);
  now += 3100ms;
  CHECK_FALSE(failsafe.sticks_count(now));
  auto verdict = failsafe.update(now, true, false, 16);
  REQUIRE(verdict);
  CHECK(verdict->action == FailsafeAction::disarm);
  CHECK(verdict->text == "Lost manual control");
  CHECK_FALSE(failsafe.update(now, true, false, 16));
  now += 2s;
  verdict = failsafe.update(now, true, false, 16);
  REQUIRE(verdict);
  CHECK(verdict->action == FailsafeAction::surface);
  verdict = failsafe.update(now, true, true, 16);
  REQUIRE(verdict);
  CHECK(verdict->text == "Leak Detected");
  verdict = failsafe.update(now, true, true, 13);
  REQUIRE(verdict);
  CHECK(verdict->action == FailsafeAction::disarm);
  CHECK(failsafe.active());
  CHECK_FALSE(failsafe.update(now, true, true, 13));
}

}  // namespace tandem::orca
