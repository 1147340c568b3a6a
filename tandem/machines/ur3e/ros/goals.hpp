// SPDX-License-Identifier: Apache-2.0
// Goals from ROS: trajectories by action and by topic, grips by action. They are checked here, in the threads that they
// come in, and handed to the machine's.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/latest.hpp"
#include "tandem/machines/kit/ros/inbox.hpp"
#include "tandem/machines/ur3e/goals.hpp"
#include "tandem/ros2/calls/action_server.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/control_msgs_actions.hpp"

namespace tandem::ur3e {

using ros2::control_msgs::FollowJointTrajectory;
using ros2::control_msgs::GripperCommandAction;

// The trajectory as the machine drives it, joints in its own order; on ROS their names are behind the prefix. The
// error says what is wrong with it.
Result<std::vector<kinematics::trajectory::Waypoint>> waypoints_from(
    const ros2::trajectory_msgs::JointTrajectory& message, std::string_view prefix = "");
// Tolerances that are given take the place of the usual ones, as joint_trajectory_controller takes them: 0 leaves the
// default, a negative one is no limit.
Result<void> read_tolerances(const FollowJointTrajectory::Goal& goal, TrajectoryRequest& wanted,
                             std::string_view prefix = "");

// When a trajectory with that stamp starts, on the clock's monotonic time; a zero stamp: at once.
Instant start_from(const ros2::builtin_interfaces::Time& stamp, const Clock& clock);

class RosGoals {
 public:
  RosGoals(ros2::FullNode& node, bool has_hand, std::string prefix, const Latest<State>& state, Commands& commands,
           machines::Refusals& refusals);
  ~RosGoals();

  // Trajectories that were not heard, as another publisher owns their topic.
  std::uint64_t ignored() const { return inbox_.ignored(); }

 private:
  using Follow = FollowJointTrajectory;
  using Grip = GripperCommandAction;

  std::unique_ptr<ros2::ActionServer<Follow>> follow_server(std::string_view name);
  std::unique_ptr<ros2::ActionServer<Grip>> grip_server(std::string_view name, std::size_t finger);
  // What is to be driven, planned from where the arm is; or why it is not.
  Result<std::shared_ptr<TrajectoryRequest>> request_from(const Follow::Goal& goal) const;
  Result<std::shared_ptr<GripRequest>> request_from(const Grip::Goal& goal) const;
  // Why nothing can be driven now; "" when it can.
  std::string not_ready() const;
  // An action's answer has no words: why a goal is refused is logged.
  template <typename Request>
  std::shared_ptr<Request> accepted(std::string_view action, Result<std::shared_ptr<Request>> request) const;
  void begin(const ros2::ServerGoal<Follow>& goal, const std::shared_ptr<TrajectoryRequest>& wanted);
  void begin(const ros2::ServerGoal<Grip>& goal, const std::shared_ptr<GripRequest>& wanted, std::size_t finger);
  Result<void> take(const ros2::trajectory_msgs::JointTrajectory& message);

  ros2::FullNode& node_;
  const std::string prefix_;
  const Latest<State>& state_;
  Commands& commands_;
  machines::Refusals& refusals_;
  std::vector<std::unique_ptr<ros2::ActionServer<Follow>>> followers_;
  std::vector<std::unique_ptr<ros2::ActionServer<Grip>>> grippers_;
  machines::Inbox inbox_;  // last
};

}  // namespace tandem::ur3e
