// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "tandem/machines/ur3e/api/arm_plan.hpp"
#include "tandem/machines/ur3e/api/gripper.hpp"
#include "tandem/machines/ur3e/arm_commands.hpp"
#include "tandem/machines/ur3e/device/link.hpp"

using namespace tandem;
using namespace tandem::ur3e;

namespace {

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

std::string complaint(const command::Any& command) {
  const auto checked = command::check(command);
  return checked ? "" : checked.error().text;
}

bool names(const std::string& text, std::initializer_list<const char*> words) {
  for (const char* word : words)
    if (text.find(word) == std::string::npos) {
      MESSAGE("\"" << text << "\" does not say \"" << std::string(word) << "\"");
      return false;
    }
  return true;
}

}  // namespace

TEST_CASE("Joint values add and subtract and scale number by number") {
  const auto a = Joint6D::from_degrees({180, 90, -90, 0, 45, 360});
  CHECK(a.j1 == doctest::Approx(std::numbers::pi));
  CHECK(a[2] == doctest::Approx(-std::numbers::pi / 2));
  const auto b = Joint6D::from_radians({1, 2, 3, 4, 5, 6});
  CHECK((b + b) == b * 2);
  CHECK((b - b) == Joint6D{});
  CHECK((b * 3 / 3).j6 == doctest::Approx(6));
  CHECK(b.vector()[3] == 4);
  CHECK(Joint6D::from(b.vector()) == b);
}

TEST_CASE("Poses add their rotation parts and compose like poses") {
  const auto a = TCP6D::from_metres_radians({1, 2, 3, 0.5, 0, 0});
  const auto b = TCP6D::from_millimetres_radians({100, 200, 300, 0.25, 1, 0});
  CHECK(b.x == doctest::Approx(0.1));
  CHECK((a + b).rx == doctest::Approx(0.75));
  CHECK((a + b).ry == doctest::Approx(1));
  CHECK((a - b).z == doctest::Approx(2.7));
  CHECK((a / 2).rx == doctest::Approx(0.25));
  // By hand: half a turn about z, then 0.1 along the new x.
  const auto turned = TCP6D::from_metres_radians({1, 0, 0, 0, 0, std::numbers::pi});
  const auto out = compose(turned, TCP6D::from_metres_radians({0.1, 0, 0, 0, 0, 0}));
  CHECK(out.x == doctest::Approx(0.9));
  CHECK(std::abs(out.rz) == doctest::Approx(std::numbers::pi));
}

TEST_CASE("A direction is taken in the base or along the tool's own axis") {
  // Tool straight down: its z is the base's -z.
  const auto from = TCP6D::from_metres_radians({0.1, 0.2, 0.3, std::numbers::pi, 0, 0});
  CHECK(displaced(from, DirectionFeature::base, DirectionAxis::z_positive, 0.05).z == doctest::Approx(0.35));
  CHECK(displaced(from, DirectionFeature::base, DirectionAxis::x_negative, 0.05).x == doctest::Approx(0.05));
  const auto along = displaced(from, DirectionFeature::tool, DirectionAxis::z_positive, 0.05);
  CHECK(along.z == doctest::Approx(0.25));
  CHECK(along.rx == from.rx);
}

TEST_CASE("Way-points made from lists carry the limits and not the point as time") {
  const std::array joints = {Joint6D{1}, Joint6D{2}};
  const auto points = Joint6DDescriptor::list_of(joints, 1, 2, 3, 4);
  REQUIRE(points.size() == 2);
  CHECK(points[1].joints.j1 == 2);
  CHECK(points[1].t == 3);
  CHECK(Joint6DDescriptor{}.v == 2.05);
  const std::array poses = {TCP6D{1}, TCP6D{2}};
  CHECK(TCP6DDescriptor::list_of(poses)[1].t == 0);
  CHECK(TCP6DDescriptor{}.v == 0.25);
}

TEST_CASE("Commands that cannot be meant are refused with what was expected and got") {
  CHECK(complaint(command::MoveJoints{}).empty());
  CHECK(names(complaint(command::MoveJoints{{0, nan_value, 0, 0, 0, 0}}),
              {"movej", "joint 2 (shoulder_lift_joint)", "finite", "nan"}));
  CHECK(names(complaint(command::MoveJoints{{0, 0, 0, 7, 0, 0}}), {"joint 4", "6.28", "got 7"}));
  CHECK(names(complaint(command::MoveJoints{{}, 0, 1}), {"acceleration a", "above 0", "got 0"}));
  CHECK(names(complaint(command::MoveJoints{{}, 1, -1}), {"speed v", "above 0", "got -1"}));
  CHECK(names(complaint(command::MoveJoints{{}, 1, 1, -2}), {"time t", "0 or", "got -2"}));
  CHECK(names(complaint(command::MoveLine{{}, 1, 1, 0, -0.1}), {"movel", "blend radius r", "got -0.1"}));
  CHECK(names(complaint(command::MoveLine{{0, 0, nan_value, 0, 0, 0}}), {"movel", "pose z", "finite"}));
  CHECK(names(complaint(command::MoveProcess{{300, 0, 0, 0, 0, 0}}), {"movep", "pose x", "-10 to 10 m", "got 300"}));
  CHECK(names(complaint(command::MoveCircle{{nan_value, 0, 0, 0, 0, 0}}), {"movec", "via pose x"}));
  CHECK(names(complaint(command::MovePath{}), {"way-points", "at least one"}));
  command::MovePath path{{command::MoveJoints{}, command::MoveJoints{{}, -1}}};
  CHECK(names(complaint(path), {"way-point 2", "acceleration a"}));
  path.points.assign(101, command::MoveJoints{});
  CHECK(names(complaint(path), {"at most 100", "got 101"}));
  CHECK(names(complaint(command::Servo{{}, 0.008, 0.5}), {"servoj", "lookahead_time", "0.03 to 0.2", "got 0.5"}));
  CHECK(names(complaint(command::Servo{{}, 0.008, 0.1, 5}), {"gain", "100 to 2000", "got 5"}));
  CHECK(names(complaint(command::SpeedJoints{{0, 9, 0, 0, 0, 0}}), {"speedj", "speed of joint 2", "got 9"}));
  CHECK(names(complaint(command::StopJoints{0}), {"stopj", "acceleration a"}));
  CHECK(names(complaint(command::Payload{9}), {"set_payload", "payload mass", "0 to 3", "got 9"}));
  CHECK(
      names(complaint(command::DigitalOut{command::Bank::tool, 2, true}), {"number of the digital output", "0 to 1"}));
  CHECK(names(complaint(command::AnalogOut{0, 1.5}), {"analog output", "0 to 1", "got 1.5"}));
  CHECK(names(complaint(command::ForceMode{}), {"force_mode", "limit of force mode"}));
}

TEST_CASE("A way out of reach is refused before anything moves") {
  const auto from = Joint6D::from_radians({0, -1.57, 1.57, -1.57, -1.57, 0});
  const auto far = plan(command::MoveLine{{0.9, 0, 0.3, 0, 3.14, 0}}, from, {});
  REQUIRE(!far);
  CHECK(names(far.error().text, {"movel"}));
  const auto near = plan(command::MoveJoints{{0.5, -1.57, 1.57, -1.57, -1.57, 0}, 1.4, 1.05}, from, {});
  REQUIRE(near);
  // Half a radian at 1.05 rad/s with ramps of 1.4 rad/s^2: too short for the speed, so twice the root of d / a.
  CHECK(near->duration() == doctest::Approx(2 * std::sqrt(0.5 / 1.4)));
}

TEST_CASE("A controller is named by host or by URL") {
  const auto host = controller_address("192.168.1.10");
  REQUIRE(host);
  CHECK(host->host == "192.168.1.10");
  CHECK(host->rtde == 30004);
  CHECK(host->primary == 30001);
  const auto url = controller_address("rtde://127.0.0.1:4000?dashboard=1&primary=2&gripper=3&realtime=9&secondary=8");
  REQUIRE(url);
  CHECK(url->rtde == 4000);
  CHECK(url->dashboard == 1);
  CHECK(url->primary == 2);
  CHECK(url->gripper == 3);
  CHECK(!controller_address("ads://127.0.0.1"));
  CHECK(!controller_address("rtde://127.0.0.1?speed=1"));
  CHECK(!controller_address("rtde://127.0.0.1?gripper=99999"));
  CHECK(!controller_address(""));
}

TEST_CASE("The opening of the gripper is counted as its users do") {
  CHECK(opening_mm(3, 40) == doctest::Approx(40));
  CHECK(opening_mm(250, 40) == 0);
  CHECK(opening_mm(0, 40) == 40);
  CHECK(opening_mm(255, 40) == 0);
  CHECK(opening_mm(126, 50) == doctest::Approx((250 - 126) * 50 / 247.0));
}
