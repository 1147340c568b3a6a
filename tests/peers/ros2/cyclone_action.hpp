// SPDX-License-Identifier: Apache-2.0
// Actions on Cyclone DDS as rmw_cyclonedds has them, three services and two topics, and a server of ours to meet them.
#pragma once

#include "tandem/ros2/calls/action_client.hpp"
#include "tandem/ros2/calls/action_server.hpp"
#include "tandem/ros2/messages/control_msgs_actions.hpp"
#include "tests/peers/ros2/cyclone_service.hpp"

namespace tandem::ros2 {

using Action = control_msgs::GripperCommandAction;
using CycloneFeedback = control_msgs_action_dds__GripperCommand_FeedbackMessage_;
using CycloneStatuses = action_msgs_msg_dds__GoalStatusArray_;
using CycloneId = unique_identifier_msgs_msg_dds__UUID_;
using CancelResponse = action_msgs::CancelGoal::Response;

inline GoalId id_from(const CycloneId& id) {
  GoalId ours;
  std::ranges::copy(id.uuid, ours.uuid.begin());
  return ours;
}

inline CycloneId numbered(int number) {
  CycloneId id{};
  id.uuid[0] = static_cast<std::uint8_t>(number >> 8);
  id.uuid[15] = static_cast<std::uint8_t>(number);
  return id;
}

// The five endpoints' worth of an action client, and a few lines of what rclcpp does with them.
struct CycloneActionClient {
  CycloneActionClient(Cyclone& cyclone, const std::string& action)
      : peer(cyclone),
        send_goal(cyclone, action + "/_action/send_goal"),
        get_result(cyclone, action + "/_action/get_result"),
        cancel_goal(cyclone, action + "/_action/cancel_goal"),
        feedback(cyclone.reader(control_msgs_action_dds__GripperCommand_FeedbackMessage__desc,
                                "rt" + action + "/_action/feedback", Qos::standard())),
        status(cyclone.reader(action_msgs_msg_dds__GoalStatusArray__desc, "rt" + action + "/_action/status",
                              Qos::latched())) {
    REQUIRE(eventually([&] { return send_goal.ready() && get_result.ready() && cancel_goal.ready(); }));
  }
  ~CycloneActionClient() {
    peer.remove(feedback);
    peer.remove(status);
  }
  CycloneActionClient(const CycloneActionClient&) = delete;
  CycloneActionClient& operator=(const CycloneActionClient&) = delete;
  bool send(const CycloneId& id, double position) {
    bool accepted = false;
    CHECK(send_goal.call({0, 0, id, {position, 10.0}}, [&](const auto& response) {
      accepted = response.accepted;
      CHECK((response.stamp.sec > 0) == true);
    }));
    return accepted;
  }
  std::int8_t cancel(const CycloneId& id, std::uint32_t* canceling = nullptr) {
    std::int8_t code = -1;
    CHECK(cancel_goal.call({0, 0, {id, {0, 0}}}, [&](const auto& response) {
      code = response.return_code;
      if (canceling != nullptr) *canceling = response.goals_canceling._length;
      if (response.goals_canceling._length == 1) {
        CHECK(id_from(response.goals_canceling._buffer[0].goal_id) == id_from(id));
      }
    }));
    return code;
  }
  // Until the status topic says so of the goal.
  bool becomes(const CycloneId& id, GoalStatus expected) {
    return eventually([&] {
      bool seen = false;
      take<CycloneStatuses>(status, [&](const CycloneStatuses& array) {
        for (std::uint32_t i = 0; i < array.status_list._length; ++i) {
          const auto& entry = array.status_list._buffer[i];
          if (id_from(entry.goal_info.goal_id) != id_from(id)) continue;
          seen = entry.status == static_cast<std::int8_t>(expected);
        }
      });
      return seen;
    });
  }

  Cyclone& peer;
  CycloneClient<cyclone::SendGoal> send_goal;
  CycloneClient<cyclone::GetResult> get_result;
  CycloneClient<cyclone::CancelGoal> cancel_goal;
  dds_entity_t feedback, status;
};

// Our server, whose goals wait in a list for the test to end them.
struct OurServer {
  explicit OurServer(Node& node) {
    ActionServer<Action>::Handlers handlers;
    handlers.accept = [](const Action::Goal& goal) { return goal.command.position >= 0.0; };
    handlers.execute = [this](const ServerGoal<Action>& goal) {
      const std::lock_guard lock(mutex);
      goals.push_back(goal);
    };
    server = std::make_unique<ActionServer<Action>>(node, "gripper_cmd", handlers);
  }
  bool has(std::size_t count) {
    return eventually([&] {
      const std::lock_guard lock(mutex);
      return goals.size() == count;
    });
  }
  std::mutex mutex;
  std::vector<ServerGoal<Action>> goals;
  std::unique_ptr<ActionServer<Action>> server;
};

// A server on Cyclone that works each goal off at once when its position is not negative, and waits with those that
// are to be canceled.
struct CycloneActionServer {
  CycloneActionServer(Cyclone& cyclone, const std::string& action)
      : send_goal(cyclone, action + "/_action/send_goal"),
        get_result(cyclone, action + "/_action/get_result"),
        cancel_goal(cyclone, action + "/_action/cancel_goal"),
        feedback(cyclone.writer(control_msgs_action_dds__GripperCommand_FeedbackMessage__desc,
                                "rt" + action + "/_action/feedback", Qos::standard())),
        status(cyclone.writer(action_msgs_msg_dds__GoalStatusArray__desc, "rt" + action + "/_action/status",
                              Qos::latched())) {}

  void tell(const CycloneId& id, GoalStatus value) {
    std::vector<action_msgs_msg_dds__GoalStatus_> list{{{id, {1, 0}}, static_cast<std::int8_t>(value)}};
    CycloneStatuses array{};
    array.status_list = lent<decltype(array.status_list)>(list);
    CHECK(dds_write(status, &array) == DDS_RETCODE_OK);
  }
  void tell_feedback(const CycloneId& id, double position) {
    const CycloneFeedback message{id, {position, 1.0, false, true}};
    CHECK(dds_write(feedback, &message) == DDS_RETCODE_OK);
  }
  static cyclone::GetResult::Response result(GoalStatus status, double position) {
    return {0, 0, static_cast<std::int8_t>(status), {position, 0.5, true, false}};
  }

  CycloneServer<cyclone::SendGoal> send_goal;
  CycloneServer<cyclone::GetResult> get_result;
  CycloneServer<cyclone::CancelGoal> cancel_goal;
  dds_entity_t feedback, status;
};

}  // namespace tandem::ros2
