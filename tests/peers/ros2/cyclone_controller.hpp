// SPDX-License-Identifier: Apache-2.0
// A ROS 2 joint-trajectory controller with a Hand-E on Cyclone DDS, as rmw_cyclonedds serves it.
#pragma once

#include "tests/machines/ur3e/control/followed_arm.hpp"
#include "tests/peers/ros2/cyclone_action.hpp"
#include "trajectory.h"

namespace tandem::ros2 {

namespace cyclone {
#define CYCLONE_SERVICE(name, start)                                                 \
  struct name {                                                                      \
    using Request = start##_Request_;                                                \
    using Response = start##_Response_;                                              \
    static const dds_topic_descriptor_t& request() { return start##_Request__desc; } \
    static const dds_topic_descriptor_t& reply() { return start##_Response__desc; }  \
  }
CYCLONE_SERVICE(SendTrajectory, control_msgs_action_dds__FollowJointTrajectory_SendGoal);
CYCLONE_SERVICE(GetTrajectoryResult, control_msgs_action_dds__FollowJointTrajectory_GetResult);
#undef CYCLONE_SERVICE
}  // namespace cyclone

class CycloneController {
 public:
  explicit CycloneController(Cyclone& peer)
      : send_goal_(peer, follow + "/_action/send_goal"),
        get_result_(peer, follow + "/_action/get_result"),
        cancel_goal_(peer, follow + "/_action/cancel_goal"),
        fingers_{CycloneActionServer(peer, "/hande_controller_left/gripper_cmd"),
                 CycloneActionServer(peer, "/hande_controller_right/gripper_cmd")},
        status_(
            peer.writer(action_msgs_msg_dds__GoalStatusArray__desc, "rt" + follow + "/_action/status", Qos::latched())),
        states_(peer.writer(sensor_msgs_msg_dds__JointState__desc, "rt/joint_states", Qos::standard())) {
    peer.writer(control_msgs_action_dds__FollowJointTrajectory_FeedbackMessage__desc,
                "rt" + follow + "/_action/feedback", Qos::standard());
  }

  // Takes what has come, and moves on.
  void step() {
    send_goal_.take([this](const auto& asked) { take_goal(asked); });
    if (active_ && arm.follow()) end(GoalStatus::succeeded);
    while (const auto asked = cancel_goal_.take()) cancel(*asked);
    while (const auto asked = get_result_.take()) waiting_.push_back(*asked);
    if (!active_) answer_waiting();
    for (std::size_t i = 0; i < 2; ++i) grip(i);
    if (now() >= next_states_) publish();
  }

  ur3e::FollowedArm arm;

 private:
  const std::string follow = "/joint_trajectory_controller/follow_joint_trajectory";
  using SendTrajectory = CycloneServer<cyclone::SendTrajectory>;
  using GetTrajectoryResult = CycloneServer<cyclone::GetTrajectoryResult>;

  void take_goal(const SendTrajectory::Asked& asked) {
    if (active_) end(GoalStatus::aborted);
    answer_waiting();
    const auto& trajectory = asked.request.goal.trajectory;
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < trajectory.joint_names._length; ++i)
      names.emplace_back(trajectory.joint_names._buffer[i]);
    std::vector<ur3e::FollowedArm::Point> points;
    for (std::uint32_t i = 0; i < trajectory.points._length; ++i) {
      const auto& point = trajectory.points._buffer[i];
      points.push_back({point.time_from_start.sec + 1e-9 * point.time_from_start.nanosec,
                        {point.positions._buffer, point.positions._buffer + point.positions._length}});
    }
    arm.start(std::move(names), std::move(points));
    active_ = true;
    goal_ = asked.request.goal_id;
    CHECK(send_goal_.answer(asked, {0, 0, true, {1, 0}}));
    tell(GoalStatus::executing);
  }

  void end(GoalStatus status) {
    active_ = false;
    outcome_ = status;
    tell(status);
  }

  void tell(GoalStatus status) {
    std::vector<action_msgs_msg_dds__GoalStatus_> list{{{goal_, {1, 0}}, static_cast<std::int8_t>(status)}};
    CycloneStatuses array{};
    array.status_list = lent<decltype(array.status_list)>(list);
    CHECK(dds_write(status_, &array) == DDS_RETCODE_OK);
  }

  void answer_waiting() {
    char nothing[] = "";
    for (const auto& asked : waiting_)
      get_result_.answer(asked, {0, 0, static_cast<std::int8_t>(outcome_), {0, nothing}});
    waiting_.clear();
  }

  void cancel(const CycloneServer<cyclone::CancelGoal>::Asked& asked) {
    if (active_) end(GoalStatus::canceled);
    cancel_goal_.answer(asked, {});
  }

  void grip(std::size_t i) {
    while (const auto asked = fingers_[i].send_goal.take()) {
      arm.grip(i, asked->request.goal.position);
      fingers_[i].send_goal.answer(*asked, {0, 0, true, {1, 0}});
    }
    while (const auto asked = fingers_[i].get_result.take())
      fingers_[i].get_result.answer(*asked, CycloneActionServer::result(GoalStatus::succeeded, arm.fingers[i]));
  }

  void publish() {
    next_states_ = now() + 10ms;
    std::vector<std::string> names;
    std::vector<double> positions;
    arm.describe(names, positions);
    std::vector<char*> texts;
    for (std::string& name : names) texts.push_back(name.data());
    std::vector<double> unknown(names.size(), std::numeric_limits<double>::quiet_NaN());
    char frame[] = "";
    sensor_msgs_msg_dds__JointState_ message{};
    message.header.frame_id = frame;
    message.name = lent<decltype(message.name)>(texts);
    message.position = lent<decltype(message.position)>(positions);
    message.velocity = lent<decltype(message.velocity)>(unknown);
    message.effort = lent<decltype(message.effort)>(unknown);
    CHECK(dds_write(states_, &message) == DDS_RETCODE_OK);
  }

  SendTrajectory send_goal_;
  GetTrajectoryResult get_result_;
  CycloneServer<cyclone::CancelGoal> cancel_goal_;
  std::array<CycloneActionServer, 2> fingers_;
  dds_entity_t status_, states_;
  bool active_ = false;
  CycloneId goal_{};
  GoalStatus outcome_ = GoalStatus::unknown;
  std::vector<GetTrajectoryResult::Asked> waiting_;
  Instant next_states_{};
};

}  // namespace tandem::ros2
