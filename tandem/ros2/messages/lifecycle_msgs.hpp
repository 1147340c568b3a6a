// SPDX-License-Identifier: Apache-2.0
// lifecycle_msgs: states of managed nodes and the ways between them.
#pragma once

#include "tandem/ros2/messages/types.hpp"
#include "tandem/ros2/types/message.hpp"

namespace tandem::ros2::lifecycle_msgs {

struct State {
  static constexpr std::string_view type_name = "lifecycle_msgs/msg/State";
  TANDEM_FIELDS(State, id, label);

  static constexpr std::uint8_t PRIMARY_STATE_UNKNOWN = 0;
  static constexpr std::uint8_t PRIMARY_STATE_UNCONFIGURED = 1;
  static constexpr std::uint8_t PRIMARY_STATE_INACTIVE = 2;
  static constexpr std::uint8_t PRIMARY_STATE_ACTIVE = 3;
  static constexpr std::uint8_t PRIMARY_STATE_FINALIZED = 4;
  static constexpr std::uint8_t TRANSITION_STATE_CONFIGURING = 10;
  static constexpr std::uint8_t TRANSITION_STATE_CLEANINGUP = 11;
  static constexpr std::uint8_t TRANSITION_STATE_SHUTTINGDOWN = 12;
  static constexpr std::uint8_t TRANSITION_STATE_ACTIVATING = 13;
  static constexpr std::uint8_t TRANSITION_STATE_DEACTIVATING = 14;
  static constexpr std::uint8_t TRANSITION_STATE_ERRORPROCESSING = 15;

  std::uint8_t id = 0;
  std::string label;
};

struct Transition {
  static constexpr std::string_view type_name = "lifecycle_msgs/msg/Transition";
  TANDEM_FIELDS(Transition, id, label);

  static constexpr std::uint8_t TRANSITION_CREATE = 0;
  static constexpr std::uint8_t TRANSITION_CONFIGURE = 1;
  static constexpr std::uint8_t TRANSITION_CLEANUP = 2;
  static constexpr std::uint8_t TRANSITION_ACTIVATE = 3;
  static constexpr std::uint8_t TRANSITION_DEACTIVATE = 4;
  static constexpr std::uint8_t TRANSITION_UNCONFIGURED_SHUTDOWN = 5;
  static constexpr std::uint8_t TRANSITION_INACTIVE_SHUTDOWN = 6;
  static constexpr std::uint8_t TRANSITION_ACTIVE_SHUTDOWN = 7;
  static constexpr std::uint8_t TRANSITION_DESTROY = 8;
  static constexpr std::uint8_t TRANSITION_ON_CONFIGURE_SUCCESS = 10;
  static constexpr std::uint8_t TRANSITION_ON_CONFIGURE_FAILURE = 11;
  static constexpr std::uint8_t TRANSITION_ON_CONFIGURE_ERROR = 12;
  static constexpr std::uint8_t TRANSITION_ON_CLEANUP_SUCCESS = 20;
  static constexpr std::uint8_t TRANSITION_ON_CLEANUP_FAILURE = 21;
  static constexpr std::uint8_t TRANSITION_ON_CLEANUP_ERROR = 22;
  static constexpr std::uint8_t TRANSITION_ON_ACTIVATE_SUCCESS = 30;
  static constexpr std::uint8_t TRANSITION_ON_ACTIVATE_FAILURE = 31;
  static constexpr std::uint8_t TRANSITION_ON_ACTIVATE_ERROR = 32;
  static constexpr std::uint8_t TRANSITION_ON_DEACTIVATE_SUCCESS = 40;
  static constexpr std::uint8_t TRANSITION_ON_DEACTIVATE_FAILURE = 41;
  static constexpr std::uint8_t TRANSITION_ON_DEACTIVATE_ERROR = 42;
  static constexpr std::uint8_t TRANSITION_ON_SHUTDOWN_SUCCESS = 50;
  static constexpr std::uint8_t TRANSITION_ON_SHUTDOWN_FAILURE = 51;
  static constexpr std::uint8_t TRANSITION_ON_SHUTDOWN_ERROR = 52;
  static constexpr std::uint8_t TRANSITION_ON_ERROR_SUCCESS = 60;
  static constexpr std::uint8_t TRANSITION_ON_ERROR_FAILURE = 61;
  static constexpr std::uint8_t TRANSITION_ON_ERROR_ERROR = 62;
  static constexpr std::uint8_t TRANSITION_CALLBACK_SUCCESS = 97;
  static constexpr std::uint8_t TRANSITION_CALLBACK_FAILURE = 98;
  static constexpr std::uint8_t TRANSITION_CALLBACK_ERROR = 99;

  std::uint8_t id = 0;
  std::string label;
};

struct TransitionDescription {
  static constexpr std::string_view type_name = "lifecycle_msgs/msg/TransitionDescription";
  TANDEM_FIELDS(TransitionDescription, transition, start_state, goal_state);
  Transition transition;
  State start_state;
  State goal_state;
};

struct TransitionEvent {
  static constexpr std::string_view type_name = "lifecycle_msgs/msg/TransitionEvent";
  TANDEM_FIELDS(TransitionEvent, timestamp, transition, start_state, goal_state);
  std::uint64_t timestamp = 0;
  Transition transition;
  State start_state;
  State goal_state;
};

struct ChangeState {
  static constexpr std::string_view type_name = "lifecycle_msgs/srv/ChangeState";
  struct Request {
    static constexpr std::string_view type_name = "lifecycle_msgs/srv/ChangeState_Request";
    TANDEM_FIELDS(Request, transition);
    Transition transition;
  };
  struct Response {
    static constexpr std::string_view type_name = "lifecycle_msgs/srv/ChangeState_Response";
    TANDEM_FIELDS(Response, success);
    bool success = false;
  };
};

struct GetAvailableStates {
  static constexpr std::string_view type_name = "lifecycle_msgs/srv/GetAvailableStates";
  struct Request {
    static constexpr std::string_view type_name = "lifecycle_msgs/srv/GetAvailableStates_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "lifecycle_msgs/srv/GetAvailableStates_Response";
    TANDEM_FIELDS(Response, available_states);
    std::vector<State> available_states;
  };
};

struct GetAvailableTransitions {
  static constexpr std::string_view type_name = "lifecycle_msgs/srv/GetAvailableTransitions";
  struct Request {
    static constexpr std::string_view type_name = "lifecycle_msgs/srv/GetAvailableTransitions_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "lifecycle_msgs/srv/GetAvailableTransitions_Response";
    TANDEM_FIELDS(Response, available_transitions);
    std::vector<TransitionDescription> available_transitions;
  };
};

struct GetState {
  static constexpr std::string_view type_name = "lifecycle_msgs/srv/GetState";
  struct Request {
    static constexpr std::string_view type_name = "lifecycle_msgs/srv/GetState_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "lifecycle_msgs/srv/GetState_Response";
    TANDEM_FIELDS(Response, current_state);
    State current_state;
  };
};

using Messages = Types<State, Transition, TransitionDescription, TransitionEvent>;
using Services = Types<ChangeState, GetAvailableStates, GetAvailableTransitions, GetState>;
using Actions = Types<>;

}  // namespace tandem::ros2::lifecycle_msgs
