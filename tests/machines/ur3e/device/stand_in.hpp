// SPDX-License-Identifier: Apache-2.0
// A ROS 2 joint-trajectory controller with a Hand-E, on our own DDS library, which is Fast DDS. Its joint states have
// speeds and efforts that are NaN, as joint_state_broadcaster gives where the hardware has none.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include "tandem/ros2/calls/action_server.hpp"
#include "tandem/ros2/messages/control_msgs_actions.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/node.hpp"
#include "tests/machines/ur3e/control/followed_arm.hpp"

namespace tandem::ur3e {

enum class GripperKind { gripper_command, parallel_gripper_command };

class StandIn {
 public:
  using Follow = ros2::control_msgs::FollowJointTrajectory;
  using Grip = ros2::control_msgs::GripperCommandAction;
  using ParallelGrip = ros2::control_msgs::ParallelGripperCommand;

  explicit StandIn(const ros2::ContextOptions& options, GripperKind kind = GripperKind::gripper_command)
      : context_(options), node_(context_, "controller") {
    Server::Handlers handlers;
    handlers.accept = [this](const Follow::Goal&) {
      asked = true;
      while (hangs) std::this_thread::sleep_for(5ms);
      return !refuses;
    };
    handlers.execute = [this](const ros2::ServerGoal<Follow>& goal) {
      const std::lock_guard lock(mutex_);
      goal_.emplace(goal);
      trajectories.push_back(goal.goal().trajectory);
      std::vector<FollowedArm::Point> points;
      for (const auto& point : goal.goal().trajectory.points)
        points.push_back({point.time_from_start.sec + 1e-9 * point.time_from_start.nanosec, point.positions});
      arm.start(goal.goal().trajectory.joint_names, std::move(points));
    };
    server_ = std::make_unique<Server>(node_, "/joint_trajectory_controller/follow_joint_trajectory", handlers,
                                       Server::Options{ros2::Preemption::newest, {}});
    for (std::size_t i = 0; i < 2; ++i) {
      const char* name = i == 0 ? "/hande_controller_left/gripper_cmd" : "/hande_controller_right/gripper_cmd";
      if (kind == GripperKind::gripper_command) {
        serve<Grip>(i, name, [](const Grip::Goal& goal) { return goal.command.position; });
      } else {
        serve<ParallelGrip>(i, name, [](const ParallelGrip::Goal& goal) { return goal.command.position.at(0); });
      }
    }
    states_.emplace(node_.advertise<ros2::sensor_msgs::JointState>("/joint_states"));
    thread_ = std::jthread([this](std::stop_token stop) { run(stop); });
  }

  std::mutex& mutex() { return mutex_; }
  FollowedArm arm;
  std::vector<ros2::trajectory_msgs::JointTrajectory> trajectories;
  std::atomic<bool> silent{false};
  std::atomic<bool> fails{false};
  std::atomic<bool> refuses{false};   // new goals
  std::atomic<bool> hangs{false};     // before it answers a new goal
  std::atomic<bool> asked{false};     // a goal has come in
  std::atomic<bool> canceled{false};  // a goal was

 private:
  using Server = ros2::ActionServer<Follow>;

  template <typename Action, typename Position>
  void serve(std::size_t finger, const char* name, Position position) {
    typename ros2::ActionServer<Action>::Handlers handlers;
    handlers.execute = [this, finger, position](const ros2::ServerGoal<Action>& goal) {
      const std::lock_guard lock(mutex_);
      arm.grip(finger, position(goal.goal()));
      goal.succeed({});
    };
    grips_[finger] = std::make_shared<ros2::ActionServer<Action>>(node_, name, handlers);
  }

  void run(std::stop_token stop) {
    for (; !stop.stop_requested(); std::this_thread::sleep_for(10ms)) {
      const std::lock_guard lock(mutex_);
      follow();
      if (!silent) publish();
    }
  }

  void follow() {
    if (!goal_ || !goal_->active()) return;
    Follow::Result result;
    if (goal_->canceling()) {
      canceled = true;
      goal_->canceled(result);
      return;
    }
    const bool arrived = arm.follow();
    if (fails && arm.elapsed() > 0.1) {
      result.error_code = Follow::Result::PATH_TOLERANCE_VIOLATED;
      result.error_string = "shoulder_pan_joint left its path";
      goal_->abort(result);
    } else if (arrived) {
      goal_->succeed(result);
    }
  }

  void publish() {
    ros2::sensor_msgs::JointState message;
    arm.describe(message.name, message.position);
    message.velocity.assign(message.name.size(), std::numeric_limits<double>::quiet_NaN());
    message.effort = message.velocity;
    states_->publish(message);
  }

  std::mutex mutex_;
  std::optional<ros2::ServerGoal<Follow>> goal_;
  ros2::Context context_;
  ros2::Node node_;
  std::unique_ptr<Server> server_;
  std::array<std::shared_ptr<void>, 2> grips_;
  std::optional<ros2::Publisher<ros2::sensor_msgs::JointState>> states_;
  std::jthread thread_;
};

}  // namespace tandem::ur3e
