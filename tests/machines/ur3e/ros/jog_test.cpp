// SPDX-License-Identifier: Apache-2.0
// A jog as a short trajectory: smooth from where the arm is, within limits, and at rest in the end.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tandem/machines/ur3e/description.hpp"
#include "tandem/machines/ur3e/ros/jog.hpp"
#include "tests/machines/ur3e/control/machine_rig.hpp"

using namespace tandem;
using namespace tandem::ur3e;

TEST_CASE("a jog reaches its speed and ends at rest within a second") {
  Joints speeds = Joints::Zero();
  speeds[2] = 0.3;
  const auto points = jog_path({home(), Joints::Zero(), Joints::Zero()}, speeds);
  REQUIRE(points);
  REQUIRE(points->size() == 3);
  CHECK((*points)[0].qd->isApprox(speeds));
  CHECK(points->back().qd->isZero());
  CHECK(points->back().time < 1);
  CHECK(points->back().q[2] > home()[2] + 0.3 * 0.2);
  for (const Eigen::Index other : {0, 1, 3, 4, 5}) CHECK(points->back().q[other] == home()[other]);
  const auto wanted = std::make_shared<TrajectoryRequest>();
  wanted->points = *points;
  CHECK(Follower::begin(wanted, {home(), Joints::Zero(), Joints::Zero()}));
}

TEST_CASE("a jog let go brakes from the speed that it had") {
  Joints moving = Joints::Zero();
  moving[0] = -0.8;
  const auto points = jog_path({home(), moving, Joints::Zero()}, Joints::Zero());
  REQUIRE(points);
  REQUIRE(points->size() == 1);
  CHECK(points->front().qd->isZero());
  CHECK(points->front().time == doctest::Approx(0.4));
  CHECK(points->front().q[0] == doctest::Approx(home()[0] - 0.16));
}

TEST_CASE("a jog beyond a joint's range is refused by the joint's name") {
  Joints q = home();
  q[1] = arm_model.highest[1] - 0.01;
  Joints speeds = Joints::Zero();
  speeds[1] = 0.5;
  const auto points = jog_path({q, Joints::Zero(), Joints::Zero()}, speeds);
  REQUIRE_FALSE(points);
  CHECK(points.error().text.find("shoulder") != std::string::npos);
  CHECK(jog_path({q, Joints::Zero(), Joints::Zero()}, -speeds));
}

TEST_CASE("a set point is one gentle move whatever the way, and ends at rest") {
  const kinematics::trajectory::JointState standing{home(), Joints::Zero(), Joints::Zero()};
  for (const double way : {1e-4, 0.02, 0.3, 2.0, -3.0}) {
    CAPTURE(way);
    Joints target = home();
    target[5] += way;
    const auto points = set_point_path(standing, target);
    REQUIRE(points);
    const auto path = kinematics::trajectory::WaypointPath::make(arm_model, standing, *points);
    REQUIRE(path);
    CHECK(path->sample(path->duration()).q.isApprox(target, 1e-12));
    double fastest = 0, hardest = 0;
    for (int i = 0; i <= 1000; ++i) {
      const auto at = path->sample(path->duration() * i / 1000);
      fastest = std::max(fastest, at.qd.cwiseAbs().maxCoeff());
      hardest = std::max(hardest, at.qdd.cwiseAbs().maxCoeff());
    }
    CHECK(fastest <= set_point_speed + 1e-9);
    CHECK(hardest <= set_point_acceleration + 1e-9);
  }
}

TEST_CASE("an arm that moves brakes before it turns to a set point behind it") {
  Joints moving = Joints::Zero();
  moving[0] = 0.8;
  Joints target = home();
  target[0] -= 0.5;
  const auto points = set_point_path({home(), moving, Joints::Zero()}, target);
  REQUIRE(points);
  REQUIRE(points->size() == 2);
  CHECK(points->front().qd->isZero());
  CHECK(points->front().q[0] > home()[0]);
  CHECK(points->back().q.isApprox(target));
}

TEST_CASE("a set point beyond a joint's range is refused by the joint's name") {
  Joints target = home();
  target[3] = arm_model.highest[3] + 0.01;
  const auto points = set_point_path({home(), Joints::Zero(), Joints::Zero()}, target);
  REQUIRE_FALSE(points);
  CHECK(points.error().text.find("wrist 1") != std::string::npos);
}

TEST_CASE("a set point said once ends the task and brings the arm there") {
  const ros2::ContextOptions options = ros2::loopback_options();
  ros2::Context here(options), there(options);
  MachineRig rig(&here, "pick_and_place");
  ros2::Node user(there, "user");
  const auto places = user.advertise<ros2::std_msgs::Float64MultiArray>("/forward_position_controller/commands");
  REQUIRE(rig.ready());
  REQUIRE(ros2::eventually([&] { return rig.state().activity == Activity::task && places.matched() == 1; }));
  ros2::std_msgs::Float64MultiArray place;
  const Six from = rig.q();
  place.data.assign(from.begin(), from.end());
  place.data[0] += 0.4;
  places.publish(place);
  CHECK(ros2::eventually([&] { return rig.state().activity == Activity::trajectory; }));
  CHECK(ros2::eventually([&] { return rig.state().activity == Activity::idle && rig.fastest() < 1e-3; }));
  for (std::size_t i = 0; i < 6; ++i) CHECK(std::abs(rig.q()[i] - place.data[i]) < 5e-3);
}

TEST_CASE("who jogs goes before the task and has stopped the arm when falling silent") {
  const ros2::ContextOptions options = ros2::loopback_options();
  ros2::Context here(options), there(options);
  MachineRig rig(&here, "pick_and_place");
  ros2::Node user(there, "user");
  const auto speeds = user.advertise<ros2::std_msgs::Float64MultiArray>("/forward_velocity_controller/commands");
  ros2::std_msgs::Float64MultiArray turn;
  turn.data = {-0.3, 0, 0, 0, 0, 0};
  const auto jogged = [&](auto condition) {
    return ros2::eventually([&] {
      speeds.publish(turn);
      system_clock().sleep_until(system_clock().now() + 50ms);
      return condition();
    });
  };
  REQUIRE(rig.ready());
  REQUIRE(ros2::eventually([&] { return rig.state().activity == Activity::task; }));
  CHECK(jogged([&] { return rig.state().activity == Activity::trajectory; }));
  const double from = rig.q()[0];
  CHECK(jogged([&] { return rig.q()[0] < from - 0.2; }));
  CHECK(ros2::eventually([&] { return rig.state().activity == Activity::idle && rig.fastest() < 1e-3; }));
  CHECK(rig.armed());
  CHECK(rig.text("task").find("stop, reset and arm") != std::string::npos);
  // What is no speed for an arm moves nothing.
  turn.data = {9, 0, 0, 0, 0, 0};
  for (int i = 0; i < 5; ++i) speeds.publish(turn);
  turn.data = {0.1};
  for (int i = 0; i < 5; ++i) speeds.publish(turn);
  system_clock().sleep_until(system_clock().now() + 300ms);
  CHECK(rig.state().activity == Activity::idle);
  CHECK(rig.text("refused").find("expected six speeds") != std::string::npos);
  // Somebody else is not heard while the first one speaks, and the status says so.
  const auto others = user.advertise<ros2::std_msgs::Float64MultiArray>("/forward_velocity_controller/commands");
  CHECK(ros2::eventually([&] {
    speeds.publish(turn);
    others.publish(turn);
    system_clock().sleep_until(system_clock().now() + 20ms);
    return rig.text("not heard") == "another publisher owns the topic";
  }));
  rig.disarm();
  REQUIRE(ros2::eventually([&] { return !rig.state().armed; }));
  rig.arm();
  CHECK(ros2::eventually([&] { return rig.state().activity == Activity::task; }));
}
