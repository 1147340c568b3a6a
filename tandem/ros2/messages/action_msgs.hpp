// SPDX-License-Identifier: Apache-2.0
// action_msgs: goals of actions, their states, and the way to cancel them.
#pragma once

#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/types.hpp"
#include "tandem/ros2/messages/unique_identifier_msgs.hpp"

namespace tandem::ros2::action_msgs {

struct GoalInfo {
  static constexpr std::string_view type_name = "action_msgs/msg/GoalInfo";
  TANDEM_FIELDS(GoalInfo, goal_id, stamp);
  unique_identifier_msgs::UUID goal_id;
  builtin_interfaces::Time stamp;
};

struct GoalStatus {
  static constexpr std::string_view type_name = "action_msgs/msg/GoalStatus";
  TANDEM_FIELDS(GoalStatus, goal_info, status);

  static constexpr std::int8_t STATUS_UNKNOWN = 0;
  static constexpr std::int8_t STATUS_ACCEPTED = 1;
  static constexpr std::int8_t STATUS_EXECUTING = 2;
  static constexpr std::int8_t STATUS_CANCELING = 3;
  static constexpr std::int8_t STATUS_SUCCEEDED = 4;
  static constexpr std::int8_t STATUS_CANCELED = 5;
  static constexpr std::int8_t STATUS_ABORTED = 6;

  GoalInfo goal_info;
  std::int8_t status = 0;
};

struct GoalStatusArray {
  static constexpr std::string_view type_name = "action_msgs/msg/GoalStatusArray";
  TANDEM_FIELDS(GoalStatusArray, status_list);
  std::vector<GoalStatus> status_list;
};

struct CancelGoal {
  static constexpr std::string_view type_name = "action_msgs/srv/CancelGoal";
  struct Request {
    static constexpr std::string_view type_name = "action_msgs/srv/CancelGoal_Request";
    TANDEM_FIELDS(Request, goal_info);
    GoalInfo goal_info;
  };
  struct Response {
    static constexpr std::string_view type_name = "action_msgs/srv/CancelGoal_Response";
    TANDEM_FIELDS(Response, return_code, goals_canceling);

    static constexpr std::int8_t ERROR_NONE = 0;
    static constexpr std::int8_t ERROR_REJECTED = 1;
    static constexpr std::int8_t ERROR_UNKNOWN_GOAL_ID = 2;
    static constexpr std::int8_t ERROR_GOAL_TERMINATED = 3;

    std::int8_t return_code = 0;
    std::vector<GoalInfo> goals_canceling;
  };
};

using Messages = Types<GoalInfo, GoalStatus, GoalStatusArray>;
using Services = Types<CancelGoal>;
using Actions = Types<>;

}  // namespace tandem::ros2::action_msgs
