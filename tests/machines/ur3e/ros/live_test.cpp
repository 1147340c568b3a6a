// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>

#include "tandem/machines/ur3e/description.hpp"
#include "tandem/machines/ur3e/ros/messages.hpp"
#include "tandem/ros2/calls/action_client.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/control_msgs_actions.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/std_srvs.hpp"
#include "tandem/ros2/types/conversions.hpp"
#include "tests/machines/ur3e/control/machine_rig.hpp"

using namespace tandem;
using namespace tandem::ur3e;
using ros2::eventually;

namespace {

using Follow = ros2::control_msgs::FollowJointTrajectory;
using MoveFingers = ros2::control_msgs::GripperCommandAction;
using ros2::GoalStatus;
using ros2::std_srvs::Trigger;

Follow::Goal going_to(const Six& q, double duration) {
  Follow::Goal goal;
  goal.trajectory.joint_names = joint_name_list();
  goal.trajectory.points.resize(1);
  goal.trajectory.points[0].positions.assign(q.begin(), q.end());
  goal.trajectory.points[0].time_from_start = ros2::message_from(duration_of(duration));
  return goal;
}

// The machine in one participant, its user in another.
struct World {
  ros2::ContextOptions options = ros2::loopback_options();
  ros2::Context here{options}, there{options};
  MachineRig rig{&here};
  ros2::Node user{there, "user"};
  ros2::ActionClient<Follow> follow{user, "/joint_trajectory_controller/follow_joint_trajectory"};
  Six turned(double by) const {
    Six q = rig.q();
    q[0] += by;
    return q;
  }
};

}  // namespace

TEST_CASE("the arm is seen on ROS and its description comes late joiners too") {
  World world;
  std::atomic<int> states = 0, fingers = 0, wrenches = 0;
  std::mutex mutex;
  std::string description;
  const auto joints = world.user.subscribe<ros2::sensor_msgs::JointState>(
      "/joint_states", ros2::Qos::sensor_data(), [&](const ros2::sensor_msgs::JointState& m, const ros2::MessageInfo&) {
        ++states;
        if (m.name.size() == 8) ++fingers;
      });
  const auto text = world.user.subscribe<ros2::std_msgs::String>(
      "/robot_description", ros2::Qos::latched(), [&](const ros2::std_msgs::String& m, const ros2::MessageInfo&) {
        const std::lock_guard lock(mutex);
        description = m.data;
      });
  const auto wrench = world.user.subscribe<ros2::geometry_msgs::WrenchStamped>(
      "/force_torque_sensor_broadcaster/wrench_filtered", ros2::Qos::sensor_data(),
      [&](const ros2::geometry_msgs::WrenchStamped& m, const ros2::MessageInfo&) {
        if (m.header.frame_id == "tool0_controller") ++wrenches;
      });
  CHECK(eventually([&] { return states > 20 && fingers > 5 && wrenches > 5; }));
  CHECK(eventually([&] {
    const std::lock_guard lock(mutex);
    return description.find("wrist_3_joint") != std::string::npos;
  }));
}

TEST_CASE("a goal is refused until armed and then drives the arm to a milliradian") {
  World world;
  REQUIRE(eventually([&] { return world.rig.live(); }));
  REQUIRE(world.follow.wait_for_server(20s));
  std::mutex mutex;
  std::string said;
  const auto rosout = world.user.subscribe<ros2::rcl_interfaces::Log>(
      "/rosout", ros2::Qos::rosout(), [&](const ros2::rcl_interfaces::Log& m, const ros2::MessageInfo&) {
        const std::lock_guard lock(mutex);
        said += m.msg + "\n";
      });
  const auto refused = world.follow.send(going_to(world.turned(0.3), 1.5));
  REQUIRE_FALSE(refused.ok());
  CHECK(eventually([&] {
    const std::lock_guard lock(mutex);
    return said.find("follow_joint_trajectory: refused: not armed") != std::string::npos;
  }));

  REQUIRE(world.rig.ready());
  const Six target = world.turned(0.3);
  std::atomic<int> feedback = 0;
  ros2::ActionClient<Follow>::Options options;
  options.on_feedback = [&](const Follow::Feedback& f) { feedback += f.actual.positions.size() == 6 ? 1 : 0; };
  const auto goal = world.follow.send(going_to(target, 1.5), options);
  REQUIRE_MESSAGE(goal.ok(), goal.error().text);
  const auto outcome = goal->wait(30s);
  REQUIRE_MESSAGE(outcome.ok(), outcome.error().text);
  CHECK_MESSAGE(outcome->status == GoalStatus::succeeded, outcome->result.error_string);
  CHECK(outcome->result.error_code == Follow::Result::SUCCESSFUL);
  for (std::size_t i = 0; i < 6; ++i) CHECK(std::abs(world.rig.q()[i] - target[i]) < 1e-3);
  CHECK(feedback > 3);
  // What the joints cannot do is refused before anything moves.
  CHECK_FALSE(world.follow.send(going_to(world.turned(3), 0.1)).ok());
}

TEST_CASE("a goal is canceled on its way and a newer one takes over") {
  World world;
  REQUIRE(world.rig.ready());
  REQUIRE(world.follow.wait_for_server(20s));
  const auto moving = [&] { return world.rig.state().activity == Activity::trajectory && world.rig.fastest() > 0.05; };
  const auto goal = world.follow.send(going_to(world.turned(1.0), 8));
  REQUIRE(goal.ok());
  REQUIRE(eventually(moving));
  REQUIRE(world.follow.cancel(*goal).ok());
  auto outcome = goal->wait(20s);
  REQUIRE(outcome.ok());
  CHECK(outcome->status == GoalStatus::canceled);
  CHECK(eventually([&] { return world.rig.fastest() < 1e-3; }));
  CHECK(world.rig.armed());

  const Six target = world.turned(-0.2);
  const auto first = world.follow.send(going_to(world.turned(1.0), 8));
  REQUIRE(first.ok());
  REQUIRE(eventually(moving));
  const auto second = world.follow.send(going_to(target, 2));
  REQUIRE(second.ok());
  outcome = first->wait(20s);
  REQUIRE(outcome.ok());
  CHECK(outcome->status == GoalStatus::aborted);
  outcome = second->wait(20s);
  REQUIRE(outcome.ok());
  CHECK_MESSAGE(outcome->status == GoalStatus::succeeded, outcome->result.error_string);
  CHECK(std::abs(world.rig.q()[0] - target[0]) < 1e-3);
}

TEST_CASE("a goal is judged by its own tolerances and starts at its stamp") {
  World world;
  REQUIRE(world.rig.ready());
  REQUIRE(world.follow.wait_for_server(20s));
  const auto outcome_of = [&](const Follow::Goal& goal) {
    const auto sent = world.follow.send(goal);
    REQUIRE_MESSAGE(sent.ok(), sent.error().text);
    const auto outcome = sent->wait(30s);
    REQUIRE_MESSAGE(outcome.ok(), outcome.error().text);
    return *outcome;
  };
  Follow::Goal exact = going_to(world.turned(0.2), 1);
  exact.goal_tolerance.resize(1);
  exact.goal_tolerance[0].name = "shoulder_pan_joint";
  exact.goal_tolerance[0].position = 1e-9;
  exact.goal_time_tolerance = ros2::message_from(Duration(1ms));  // the servo still lags behind
  auto outcome = outcome_of(exact);
  CHECK(outcome.status == GoalStatus::aborted);
  CHECK(outcome.result.error_code == Follow::Result::GOAL_TOLERANCE_VIOLATED);

  Follow::Goal strict = going_to(world.turned(0.8), 2);
  strict.path_tolerance = exact.goal_tolerance;
  strict.path_tolerance[0].position = 1e-5;
  outcome = outcome_of(strict);
  CHECK(outcome.status == GoalStatus::aborted);
  CHECK(outcome.result.error_code == Follow::Result::PATH_TOLERANCE_VIOLATED);
  CHECK(eventually([&] { return world.rig.fastest() < 1e-3; }));
  CHECK(std::abs(world.rig.q()[0] - strict.trajectory.points[0].positions[0]) > 0.5);

  const double from = world.rig.q()[0];
  Follow::Goal later = going_to(world.turned(-0.2), 1);
  const UtcTime start = system_clock().utc() + 1500ms;
  later.trajectory.header.stamp = ros2::message_from(start);
  const auto sent = world.follow.send(later);
  REQUIRE_MESSAGE(sent.ok(), sent.error().text);
  while (system_clock().utc() < start - 100ms) {
    CHECK(std::abs(world.rig.q()[0] - from) < 1e-3);
    std::this_thread::sleep_for(20ms);
  }
  const auto arrived = sent->wait(30s);
  REQUIRE(arrived.ok());
  CHECK_MESSAGE(arrived->status == GoalStatus::succeeded, arrived->result.error_string);
  CHECK(system_clock().utc() > start + 900ms);
}

TEST_CASE("a protective stop aborts the goal with the reason and the arm stays disarmed") {
  World world;
  REQUIRE(world.rig.ready());
  REQUIRE(world.follow.wait_for_server(20s));
  const auto goal = world.follow.send(going_to(world.turned(1.0), 8));
  REQUIRE(goal.ok());
  REQUIRE(eventually([&] { return world.rig.fastest() > 0.05; }));
  world.rig.pendant.protective_stop = true;
  const auto outcome = goal->wait(20s);
  REQUIRE(outcome.ok());
  CHECK(outcome->status == GoalStatus::aborted);
  CHECK_MESSAGE(outcome->result.error_string.find("PROTECTIVE_STOP") != std::string::npos,
                outcome->result.error_string);
  CHECK(eventually([&] { return !world.rig.armed(); }));
  CHECK_FALSE(world.follow.send(going_to(world.turned(0.1), 2)).ok());
  CHECK(world.rig.state().controller.safety_mode == ur::SafetyMode::protective_stop);
}

TEST_CASE("the gripper closes and opens by its actions") {
  World world;
  REQUIRE(world.rig.ready());
  ros2::ActionClient<MoveFingers> left(world.user, "/hande_controller_left/gripper_cmd");
  REQUIRE(left.wait_for_server(20s));
  REQUIRE(eventually([&] { return world.rig.state().hand.known; }));
  for (const double position : {0.005, 0.02}) {
    MoveFingers::Goal goal;
    goal.command.position = position;
    goal.command.max_effort = 60;
    const auto sent = left.send(goal);
    REQUIRE_MESSAGE(sent.ok(), sent.error().text);
    const auto outcome = sent->wait(30s);
    REQUIRE(outcome.ok());
    CHECK(outcome->status == GoalStatus::succeeded);
    CHECK(outcome->result.reached_goal);
    CHECK(std::abs(outcome->result.position - position) < 1e-3);
  }
  MoveFingers::Goal wide;
  wide.command.position = 0.1;
  CHECK_FALSE(left.send(wide).ok());
}

TEST_CASE("dashboard and output services reach the controller") {
  World world;
  REQUIRE(world.rig.ready());
  ros2::Client<Trigger> close_popup(world.user, "/dashboard_client/close_popup");
  REQUIRE(close_popup.wait_for_server(20s));
  const auto closed = close_popup.call({});
  REQUIRE_MESSAGE(closed.ok(), closed.error().text);
  CHECK_MESSAGE(closed->success, closed->message);
  ros2::Client<ros2::ur_msgs::SetIO> set_io(world.user, "/io_and_status_controller/set_io");
  REQUIRE(set_io.wait_for_server(20s));
  ros2::ur_msgs::SetIO::Request request;
  request.fun = ros2::ur_msgs::SetIO::Request::FUN_SET_DIGITAL_OUT;
  request.pin = 2;
  request.state = 1;
  const auto done = set_io.call(request);
  REQUIRE_MESSAGE(done.ok(), done.error().text);
  CHECK(done->success);
  CHECK(eventually([&] { return (world.rig.state().controller.actual_digital_output_bits >> 2 & 1) == 1; }));
  ros2::Client<ros2::ur_msgs::SetSpeedSliderFraction> slider(world.user, "/io_and_status_controller/set_speed_slider");
  REQUIRE(slider.wait_for_server(20s));
  ros2::ur_msgs::SetSpeedSliderFraction::Request half;
  half.speed_slider_fraction = 0.5;
  const auto slid = slider.call(half);
  REQUIRE(slid.ok());
  CHECK(slid->success);
  CHECK(eventually([&] { return std::abs(world.rig.state().controller.target_speed_fraction - 0.5) < 1e-3; }));
}
