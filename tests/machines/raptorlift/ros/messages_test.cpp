// SPDX-License-Identifier: Apache-2.0
// Messages of the truck: what is told, and what is refused.
#include "tandem/machines/raptorlift/ros/messages.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

using namespace tandem;
using namespace tandem::raptorlift;
using ros2::sensor_msgs::JointState;

namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

JointState four() {
  JointState message;
  message.name.assign(joint_names.begin(), joint_names.end());
  message.position = {none, none, 0.2, 0.25};
  message.velocity = {3, 2.5, none, none};
  return message;
}

std::string refusal(const JointState& message) {
  const auto wheels = wheels_from(message, Description{}, {});
  return wheels ? "" : wheels.error().text;
}

}  // namespace

TEST_CASE("joint commands are taken from full arrays in any order") {
  JointState message = four();
  std::swap(message.name[0], message.name[3]);
  std::swap(message.position[0], message.position[3]);
  std::swap(message.velocity[0], message.velocity[3]);
  const auto wheels = wheels_from(message, Description{}, {});
  REQUIRE(wheels);
  CHECK(wheels->front_right == 3);
  CHECK(wheels->front_left == 2.5);
  CHECK(wheels->rear_right == 0.2);
  CHECK(wheels->rear_left == 0.25);
}

TEST_CASE("joint commands are taken from the compact arrays of the topic-based system") {
  JointState message;
  message.name = {"front_left_wheel_joint", "front_right_wheel_joint", "rear_left_steering_joint",
                  "rear_right_steering_joint"};
  message.position = {0.487, 0.373};
  message.velocity = {4.25, 5.75};
  const auto wheels = wheels_from(message, Description{}, {});
  REQUIRE(wheels);
  CHECK(wheels->front_left == 4.25);
  CHECK(wheels->front_right == 5.75);
  CHECK(wheels->rear_left == 0.487);
  CHECK(wheels->rear_right == 0.373);
}

TEST_CASE("with a prefix joints are known by it alone") {
  JointState message = four();
  CHECK(wheels_from(message, Description{}, {}, "left_").error().text ==
        "name: unknown joint 'front_right_wheel_joint'");
  for (std::string& name : message.name) name = "left_" + name;
  const auto wheels = wheels_from(message, Description{}, {}, "left_");
  REQUIRE(wheels);
  CHECK(wheels->front_right == 3);
  CHECK(wheels->rear_left == 0.25);
  CHECK(refusal(message) == "name: unknown joint 'left_front_right_wheel_joint'");
}

TEST_CASE("joint commands in metres a second are turned into radians") {
  JointState message = four();
  message.velocity = {0.1715, 0.343, 0, 0};
  const auto wheels = wheels_from(message, Description{}, {.per_radian = 0.1715});
  REQUIRE(wheels);
  CHECK(wheels->front_right == doctest::Approx(1));
  CHECK(wheels->front_left == doctest::Approx(2));
}

TEST_CASE("joint commands that cannot be carried out are refused with a reason") {
  JointState message = four();
  message.name[1] = "fork_joint";
  CHECK(refusal(message) == "name: unknown joint 'fork_joint'");
  message = four();
  message.name[1] = message.name[0];
  CHECK(refusal(message).find("appears twice") != std::string::npos);
  message = four();
  message.name.pop_back();
  CHECK(refusal(message).find("rear_left_steering_joint' is missing") != std::string::npos);
  message = four();
  message.velocity.pop_back();
  CHECK(refusal(message) == "velocity: expected 4 values, or 2, got 3");
  message = four();
  message.position.clear();
  CHECK(refusal(message) == "position: expected 4 values, or 2, got 0");
  message = four();
  message.velocity[0] = none;
  CHECK(refusal(message).find("velocity of front_right_wheel_joint") == 0);
  message = four();
  message.position[2] = 0.9;
  CHECK(refusal(message).find("position of rear_right_steering_joint") == 0);
  message = four();
  message.velocity[1] = std::numeric_limits<double>::infinity();
  CHECK(refusal(message).find("velocity of front_left_wheel_joint") == 0);
  CHECK(refusal(JointState{}).find("is missing") != std::string::npos);
}

TEST_CASE("twists are taken and those of no truck are refused") {
  ros2::geometry_msgs::Twist message;
  message.linear.x = 0.5;
  message.angular.z = -0.2;
  const auto twist = twist_from(message);
  REQUIRE(twist);
  CHECK(twist->v == 0.5);
  CHECK(twist->w == -0.2);
  message.linear.y = 0.1;
  CHECK(twist_from(message).error().text.find("linear.y") == 0);
  message.linear.y = 0;
  message.angular.z = none;
  CHECK(twist_from(message).error().text.find("angular.z") == 0);
  message.angular.z = 0;
  message.linear.x = 1e9;
  CHECK(twist_from(message).error().text.find("linear.x") == 0);
}

TEST_CASE("a truck is only put where there is floor") {
  ros2::control_msgs::SetOdometry::Request request;
  request.x = 2;
  request.yaw = 1;
  const auto pose = pose_from(request);
  REQUIRE(pose);
  CHECK(pose->x == 2);
  CHECK(pose->yaw == 1);
  request.z = 1;
  CHECK_FALSE(pose_from(request));
  request.z = 0;
  request.y = none;
  CHECK_FALSE(pose_from(request));
}

TEST_CASE("messages tell the state in SI and in the order of the joints") {
  State state;
  state.measured = {3, 2, 0.2, 0.3};
  state.wheel_angles = {30, 20};
  state.torques = {1, 2, 3, 4};
  state.X_odom_base = {1, 2, 0.5};
  state.twist = {0.4, -0.1, 0.2};
  JointState joints;
  fill(joints, state, {}, {});
  CHECK(joints.name[2] == "rear_right_steering_joint");
  CHECK(joints.position == std::vector<double>{30, 20, 0.2, 0.3});
  CHECK(joints.velocity[0] == 3);
  CHECK(joints.effort == std::vector<double>{1, 2, 3, 4});
  fill(joints, state, {}, {.per_radian = 0.1715});
  CHECK(joints.velocity[1] == doctest::Approx(0.343));
  ros2::nav_msgs::Odometry odometry;
  fill(odometry, state, {});
  CHECK(odometry.pose.pose.position.x == 1);
  CHECK(odometry.pose.pose.orientation.z == doctest::Approx(std::sin(0.25)));
  CHECK(odometry.twist.twist.linear.y == -0.1);
  CHECK(odometry.pose.covariance[35] == 0.01);
  CHECK(odometry.pose.covariance[0] == 0.001);
  ros2::control_msgs::SteeringControllerStatus status;
  state.targets = {5, 4, 0.1, 0.15};
  fill(status, state, {});
  CHECK(status.linear_velocity_command == std::vector<double>{5, 4});
  CHECK(status.steer_positions == std::vector<double>{0.2, 0.3});
}

TEST_CASE("the diagnosis says why there is nothing to see") {
  State state;
  CHECK(diagnosis(state, "a", "b").level == ros2::diagnostic_msgs::DiagnosticStatus::ERROR);
  state.quality = Quality::stale;
  state.why = "no answer";
  CHECK(diagnosis(state, "a", "b").message == "no answer");
  state = {};
  state.quality = Quality::live;
  state.activity = Activity::driving;
  CHECK(diagnosis(state, "a", "b").message == "enabled, at standstill (no command)");
  state.at_standstill = false;
  state.input = "teleop";
  CHECK(diagnosis(state, "a", "b").message == "driving (teleop)");
  state.activity = Activity::stopping;
  CHECK(activity_text(state) == "stopping (no reason given)");
  state.stopped = "disarmed";
  CHECK(activity_text(state) == "stopping (disarmed)");
}
