// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "tandem/machines/ur3e/description.hpp"
#include "tandem/machines/ur3e/options.hpp"
#include "tandem/machines/ur3e/ros/goals.hpp"
#include "tandem/machines/ur3e/ros/messages.hpp"
#include "tandem/machines/ur3e/ros/services.hpp"
#include "tandem/ros2/types/conversions.hpp"

using namespace tandem;
using namespace tandem::ur3e;

namespace {

State some_state() {
  State state;
  state.controller.actual_q = {1.19, -1.13, 1.05, -1.60, -1.52, 1.05};
  state.controller.actual_qd = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6};
  state.controller.actual_current = {1, 1, 1, 1, 1, 1};
  const auto q = Joint6D::from_radians(state.controller.actual_q).vector();
  state.controller.actual_tcp_pose = TCP6D::from(kinematics::ur::forward(arm_model, q)).list();
  state.controller.actual_tcp_force = {1, 2, 3, 0.1, 0.2, 0.3};
  state.reference = state.controller.actual_q;
  state.hand.known = true;
  state.hand.finger = 0.01;
  return state;
}

ros2::trajectory_msgs::JointTrajectory trajectory() {
  ros2::trajectory_msgs::JointTrajectory message;
  // Not in the machine's order.
  message.joint_names = {"elbow_joint",   "shoulder_lift_joint", "shoulder_pan_joint",
                         "wrist_1_joint", "wrist_2_joint",       "wrist_3_joint"};
  message.points.resize(2);
  message.points[0].positions = {3, 2, 1, 4, 5, 6};
  message.points[0].time_from_start.sec = 1;
  message.points[1].positions = {0.3, 0.2, 0.1, 0.4, 0.5, 0.6};
  message.points[1].velocities = {0, 0, 0.7, 0, 0, 0};
  message.points[1].time_from_start.sec = 2;
  message.points[1].time_from_start.nanosec = 500'000'000;
  return message;
}

std::string refusal(const ros2::trajectory_msgs::JointTrajectory& message) {
  const auto points = waypoints_from(message);
  REQUIRE_FALSE(points.ok());
  return points.error().text;
}

}  // namespace

TEST_CASE("joint states name the six joints and the fingers while the gripper answers") {
  State state = some_state();
  ros2::sensor_msgs::JointState message;
  fill(message, state, {12, 34});
  REQUIRE(message.name.size() == 8);
  CHECK(message.header.stamp.sec == 12);
  CHECK(message.name[0] == "shoulder_pan_joint");
  CHECK(message.name[5] == "wrist_3_joint");
  CHECK(message.name[6] == "robotiq_hande_left_finger_joint");
  CHECK(message.position[2] == 1.05);
  CHECK(message.velocity[5] == 0.6);
  CHECK(message.effort[0] == doctest::Approx(12));
  CHECK(message.position[7] == 0.01);
  state.hand.known = false;
  fill(message, state, {});
  CHECK(message.name.size() == 6);
  CHECK(message.position.size() == 6);
}

TEST_CASE("the chain of frames ends where the kinematics put tool0") {
  const State state = some_state();
  MovingFrames moving = moving_frames();
  CHECK(fill(moving, state, {}) == 9);
  std::vector<ros2::geometry_msgs::TransformStamped> all(moving.begin(), moving.end());
  for (const auto& frame : fixed_frames(UtcTime{})) all.push_back(frame);
  // From tool0 up to base_link, by the names alone.
  Pose X_base_link_tool0 = Pose::Identity();
  std::string child = "tool0";
  for (int steps = 0; child != "base_link" && steps < 20; ++steps) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const auto& t) { return t.child_frame_id == child; });
    REQUIRE(found != all.end());
    X_base_link_tool0 = ros2::pose_from(found->transform) * X_base_link_tool0;
    child = found->header.frame_id;
  }
  const auto q = Joint6D::from_radians(state.controller.actual_q).vector();
  const Pose expected = kinematics::ur::base_link_from_base() * kinematics::ur::forward(arm_model, q);
  CHECK((X_base_link_tool0.matrix() - expected.matrix()).norm() < 1e-9);
}

TEST_CASE("pose and wrench are told in the frames of their names") {
  const State state = some_state();
  ros2::geometry_msgs::PoseStamped pose;
  fill(pose, state, {});
  CHECK(pose.header.frame_id == "base");
  CHECK(pose.pose.position.x == doctest::Approx(-0.026859).epsilon(1e-4));
  ros2::geometry_msgs::WrenchStamped wrench;
  fill(wrench, state, {});
  CHECK(wrench.header.frame_id == "tool0_controller");
  const Eigen::Vector3d force(wrench.wrench.force.x, wrench.wrench.force.y, wrench.wrench.force.z);
  CHECK((ros2::pose_from(pose.pose).linear() * force - Eigen::Vector3d(1, 2, 3)).norm() < 1e-9);
}

TEST_CASE("every name of joints and frames stands behind the prefix of its arm") {
  const State state = some_state();
  const std::string prefix = "left_";
  const auto behind = [&](const std::string& name) {
    CAPTURE(name);
    return name.starts_with(prefix) && !name.starts_with(prefix + prefix);
  };
  ros2::sensor_msgs::JointState joints;
  fill(joints, state, {}, prefix);
  REQUIRE(joints.name.size() == 8);
  CHECK(joints.name[0] == "left_shoulder_pan_joint");
  CHECK(joints.name[7] == "left_robotiq_hande_right_finger_joint");
  ros2::geometry_msgs::PoseStamped pose;
  ros2::geometry_msgs::WrenchStamped wrench;
  ros2::control_msgs::JointTrajectoryControllerState controller;
  for (int round = 0; round < 2; ++round) {
    fill(pose, state, {}, prefix);
    fill(wrench, state, {}, prefix);
    fill(controller, state, {}, prefix);
    CHECK(pose.header.frame_id == "left_base");
    CHECK(wrench.header.frame_id == "left_tool0_controller");
    CHECK(controller.joint_names[5] == "left_wrist_3_joint");
  }
  for (const auto& frame : moving_frames(prefix))
    CHECK((behind(frame.header.frame_id) && behind(frame.child_frame_id)));
  for (const auto& frame : fixed_frames(UtcTime{}, prefix))
    CHECK((behind(frame.header.frame_id) && behind(frame.child_frame_id)));
}

TEST_CASE("goals for an arm with a prefix name its joints so") {
  auto message = trajectory();
  CHECK_FALSE(waypoints_from(message, "left_").ok());
  for (std::string& name : message.joint_names) name = "left_" + name;
  const auto points = waypoints_from(message, "left_");
  REQUIRE(points.ok());
  for (int i = 0; i < 6; ++i) CHECK((*points)[0].q[i] == i + 1);
  CHECK_FALSE(waypoints_from(message, "right_").ok());
  CHECK_FALSE(waypoints_from(message).ok());
  FollowJointTrajectory::Goal goal;
  goal.path_tolerance.resize(1);
  goal.path_tolerance[0].name = "left_elbow_joint";
  goal.path_tolerance[0].position = 0.07;
  TrajectoryRequest wanted;
  REQUIRE(read_tolerances(goal, wanted, "left_").ok());
  CHECK(wanted.path[2].position == 0.07);
  CHECK_FALSE(read_tolerances(goal, wanted).ok());
  goal.path_tolerance[0].name = "elbow_joint";
  CHECK_FALSE(read_tolerances(goal, wanted, "left_").ok());
}

TEST_CASE("a prefix that is no part of a name is refused") {
  machines::Options options;
  options.put("tf_prefix", std::string("left_"));
  CHECK(frame_prefix_from(options) == "left_");
  for (const char* bad : {"left/", "<a>", "le ft", "links\xC3\xA4"}) {
    options.put("tf_prefix", std::string(bad));
    CHECK_THROWS_AS(static_cast<void>(frame_prefix_from(options)), std::invalid_argument);
  }
}

TEST_CASE("the filtered wrench follows a step as a low pass of 50 ms does") {
  ros2::geometry_msgs::WrenchStamped wrench, filtered;
  wrench.header.frame_id = "tool0_controller";
  wrench.wrench.force.x = 2;
  smooth(filtered, wrench, 1e9);
  CHECK(filtered.wrench.force.x == 2);
  CHECK(filtered.header.frame_id == "tool0_controller");
  wrench.wrench.force.x = 12;
  wrench.wrench.torque.z = -1;
  for (int i = 0; i < 50; ++i) smooth(filtered, wrench, 0.001);
  // After its time the way left is 1/e; steps of 1 ms are a little slower.
  CHECK(filtered.wrench.force.x == doctest::Approx(12 - 10 * std::exp(-1.0)).epsilon(0.01));
  CHECK(filtered.wrench.torque.z == doctest::Approx(-1 + std::exp(-1.0)).epsilon(0.01));
  for (int i = 0; i < 1000; ++i) smooth(filtered, wrench, 0.001);
  CHECK(filtered.wrench.force.x == doctest::Approx(12).epsilon(1e-6));
}

TEST_CASE("inputs and outputs are told pin by pin") {
  State state = some_state();
  state.controller.actual_digital_output_bits = 1U << 17 | 1U << 3;
  state.controller.standard_analog_input = {0.004, 5};
  state.controller.analog_io_types = 2;
  ros2::ur_msgs::IOStates io;
  fill(io, state);
  REQUIRE(io.digital_out_states.size() == 18);
  for (std::size_t i = 0; i < 18; ++i) CHECK(io.digital_out_states[i].state == (i == 3 || i == 17));
  CHECK(io.analog_in_states[0].domain == ros2::ur_msgs::Analog::CURRENT);
  CHECK(io.analog_in_states[1].domain == ros2::ur_msgs::Analog::VOLTAGE);
}

TEST_CASE("a trajectory is put in the order of the joints") {
  const auto points = waypoints_from(trajectory());
  REQUIRE(points.ok());
  REQUIRE(points->size() == 2);
  for (int i = 0; i < 6; ++i) CHECK((*points)[0].q[i] == i + 1);
  CHECK((*points)[1].time == doctest::Approx(2.5));
  CHECK_FALSE((*points)[0].qd.has_value());
  REQUIRE((*points)[1].qd.has_value());
  CHECK((*(*points)[1].qd)[0] == 0.7);
}

TEST_CASE("D8 trajectories that cannot be followed are refused with the reason") {
  auto message = trajectory();
  message.points[1].positions.pop_back();
  CHECK(refusal(message).find("point 1: positions: expected one for each of 6 joints, got 5") != std::string::npos);
  message = trajectory();
  message.points[1].time_from_start = message.points[0].time_from_start;
  CHECK(refusal(message).find("is not after point 0") != std::string::npos);
  message = trajectory();
  message.joint_names[2] = "sholder_pan_joint";
  CHECK(refusal(message).find("did you mean 'shoulder_pan_joint'") != std::string::npos);
  message = trajectory();
  message.points[0].positions[0] = std::nan("");
  CHECK(refusal(message).find("got NaN or infinity") != std::string::npos);
  message.points.clear();
  CHECK(refusal(message).find("no points") != std::string::npos);
}

TEST_CASE("tolerances are taken by joint and a negative one is none") {
  FollowJointTrajectory::Goal goal;
  goal.path_tolerance.resize(1);
  goal.path_tolerance[0].name = "elbow_joint";
  goal.path_tolerance[0].position = -1;
  goal.goal_tolerance.resize(1);
  goal.goal_tolerance[0].name = "wrist_3_joint";
  goal.goal_tolerance[0].position = 0.003;
  goal.goal_time_tolerance.nanosec = 250'000'000;
  TrajectoryRequest wanted;
  REQUIRE(read_tolerances(goal, wanted).ok());
  CHECK(wanted.path[2].position == -1);
  CHECK(wanted.path[0].position == 0.2);
  CHECK(wanted.goal[5].position == 0.003);
  CHECK(wanted.goal[5].given);
  CHECK_FALSE(wanted.goal[0].given);
  CHECK(wanted.overtime == 0.25);
  goal.goal_time_tolerance = {-1, 0};
  REQUIRE(read_tolerances(goal, wanted).ok());
  CHECK(std::isinf(wanted.overtime));
  goal.goal_tolerance[0].name = "wrist_4_joint";
  CHECK_FALSE(read_tolerances(goal, wanted).ok());
}

TEST_CASE("requests for outputs and payload are checked before anything is sent") {
  using Request = ros2::ur_msgs::SetIO::Request;
  Request request;
  request.fun = Request::FUN_SET_DIGITAL_OUT;
  request.pin = 11;
  request.state = 1;
  const auto write = write_from(request);
  REQUIRE(write.ok());
  CHECK(write->code == script::Code::configurable_out);
  CHECK(write->one == 3);
  CHECK(write->two == 1);
  request.pin = 18;
  CHECK_FALSE(write_from(request).ok());
  request.fun = Request::FUN_SET_ANALOG_OUT;
  request.pin = 1;
  request.state = 1.5F;
  CHECK_FALSE(write_from(request).ok());
  request.state = 0.5F;
  CHECK(write_from(request)->first[0] == 0.5);
  request.fun = Request::FUN_SET_TOOL_VOLTAGE;
  CHECK(write_from(request).error().fault == Fault::unsupported);
  ros2::ur_msgs::SetPayload::Request payload;
  payload.mass = 4;
  CHECK_FALSE(write_from(payload).ok());
  payload.mass = 1;
  CHECK(write_from(payload)->first[0] == 1);
}
