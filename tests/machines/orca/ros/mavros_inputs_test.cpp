// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/ros/mavros_inputs.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace tandem;
using namespace tandem::orca;
using ros2::mavros_msgs::ManualControl;
using ros2::mavros_msgs::OverrideRCIn;
using ros2::mavros_msgs::PositionTarget;

namespace {

constexpr StickScale half_scale{0.5, 2};  // m/s and rad/s of a full stick
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

std::string why_refused(const auto& result) { return result ? "" : result.error().text; }

PositionTarget raw_target(std::uint8_t frame, std::uint16_t mask) {
  PositionTarget target;
  target.coordinate_frame = frame;
  target.type_mask = mask;
  target.position.x = 1;
  target.position.y = 2;
  target.position.z = -3;
  target.velocity.x = 0.1;
  target.velocity.y = 0.2;
  target.velocity.z = -0.3;
  target.yaw = 0.7F;
  target.yaw_rate = 0.25F;
  return target;
}

}  // namespace

TEST_CASE("Sticks of mavros are twists of the body with left and up positive") {
  ManualControl sticks;
  sticks.x = 1000;
  sticks.y = 500;
  sticks.z = 0;
  sticks.r = -1000;
  const auto twist = twist_from_sticks(sticks, half_scale, Instant(7s));
  REQUIRE(twist.ok());
  CHECK(twist->linear[0] == doctest::Approx(0.5));
  CHECK(twist->linear[1] == doctest::Approx(-0.25));
  CHECK(twist->linear[2] == doctest::Approx(-0.5));
  CHECK(twist->yaw_rate == doctest::Approx(2));
  CHECK(twist->at == Instant(7s));
  CHECK_FALSE(twist->in_map);
}

TEST_CASE("G18 sticks with buttons or beyond their range or no numbers are refused") {
  ManualControl sticks;
  sticks.z = 500;
  CHECK(twist_from_sticks(sticks, half_scale, {}).ok());
  sticks.buttons = 64;
  CHECK(why_refused(twist_from_sticks(sticks, half_scale, {})).find("arm latch") != std::string::npos);
  sticks.buttons = 0;
  for (const float bad : {1001.F, -1001.F, not_a_number, std::numeric_limits<float>::infinity()}) {
    for (float ManualControl::*const axis :
         {&ManualControl::x, &ManualControl::y, &ManualControl::z, &ManualControl::r}) {
      ManualControl wrong = sticks;
      wrong.*axis = bad;
      CHECK_FALSE(twist_from_sticks(wrong, half_scale, {}).ok());
    }
  }
}

TEST_CASE("Channels of a remote control are read as ArduSub numbers them") {
  OverrideRCIn channels;
  channels.channels.fill(OverrideRCIn::CHAN_NOCHANGE);
  CHECK_FALSE(twist_from_channels(channels, half_scale, {}).ok());  // nobody steers
  channels.channels[2] = 1900;
  channels.channels[3] = 1300;
  channels.channels[4] = 1100;
  channels.channels[5] = 2100;  // beyond the end of the stick
  const auto twist = twist_from_channels(channels, half_scale, {});
  REQUIRE(twist.ok());
  CHECK(twist->linear[0] == doctest::Approx(-0.5));
  CHECK(twist->linear[1] == doctest::Approx(-0.5));
  CHECK(twist->linear[2] == doctest::Approx(0.5));
  CHECK(twist->yaw_rate == doctest::Approx(1));
  channels.channels[4] = 40;
  CHECK(why_refused(twist_from_channels(channels, half_scale, {})).find("channels[4]") != std::string::npos);
  channels.channels[4] = 1500;
  channels.channels[0] = 1600;
  CHECK_FALSE(twist_from_channels(channels, half_scale, {}).ok());
}

TEST_CASE("Raw targets are places or velocities of the world or the body") {
  const auto place = target_from_raw(raw_target(PositionTarget::FRAME_LOCAL_NED, 0x9F8), Instant(3s));
  REQUIRE(place.ok());
  const auto& goal = std::get<GoalCommand>(*place);
  CHECK(goal.position == std::array<double, 3>{1, 2, -3});
  CHECK(goal.yaw == doctest::Approx(0.7));
  CHECK_FALSE(goal.keep_yaw);
  const auto headless = target_from_raw(raw_target(PositionTarget::FRAME_LOCAL_NED, 0xDF8), {});
  CHECK(std::get<GoalCommand>(*headless).keep_yaw);
  const auto world = target_from_raw(raw_target(PositionTarget::FRAME_LOCAL_NED, 0x5C7), {});
  REQUIRE(world.ok());
  CHECK(std::get<TwistCommand>(*world).in_map);
  CHECK(std::get<TwistCommand>(*world).linear == std::array<double, 3>{0.1, 0.2, -0.3});
  CHECK(std::get<TwistCommand>(*world).yaw_rate == doctest::Approx(0.25));
  const auto body = target_from_raw(raw_target(PositionTarget::FRAME_BODY_NED, 0xDC7), {});
  REQUIRE(body.ok());
  CHECK_FALSE(std::get<TwistCommand>(*body).in_map);
  CHECK(std::get<TwistCommand>(*body).yaw_rate == 0);
}

TEST_CASE("Raw targets that ask for something else are refused by the name of the field") {
  const auto why = [](std::uint8_t frame, std::uint16_t mask) {
    return why_refused(target_from_raw(raw_target(frame, mask), {}));
  };
  CHECK(why(1, 0x1F8 & ~0x1C0).find("accelerations") != std::string::npos);
  CHECK(why(1, 0x1C0).find("type_mask") != std::string::npos);  // both
  CHECK(why(1, 0x1FF).find("type_mask") != std::string::npos);  // neither
  CHECK(why(1, 0x1F9).find("type_mask") != std::string::npos);  // half a place
  CHECK(why(8, 0x9F8).find("coordinate_frame") != std::string::npos);
  CHECK(why(6, 0x5C7).find("coordinate_frame") != std::string::npos);
  auto target = raw_target(1, 0x9F8);
  target.position.y = std::numeric_limits<double>::infinity();
  CHECK_FALSE(target_from_raw(target, {}).ok());
  target = raw_target(1, 0x5C7);
  target.velocity.z = 1e9;
  CHECK_FALSE(target_from_raw(target, {}).ok());
  target = raw_target(1, 0x5C7);
  target.yaw_rate = not_a_number;
  CHECK_FALSE(target_from_raw(target, {}).ok());
}
