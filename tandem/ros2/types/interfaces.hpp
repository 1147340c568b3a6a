// SPDX-License-Identifier: Apache-2.0
// What makes two messages a service and three an action, and the messages that follow from them.
//
//   struct SetBool {
//     static constexpr std::string_view type_name = "std_srvs/srv/SetBool";
//     struct Request { static constexpr std::string_view type_name = "std_srvs/srv/SetBool_Request"; ... };
//     struct Response { static constexpr std::string_view type_name = "std_srvs/srv/SetBool_Response"; ... };
//   };
#pragma once

#include <algorithm>

#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/service_msgs.hpp"
#include "tandem/ros2/messages/unique_identifier_msgs.hpp"
#include "tandem/ros2/types/message.hpp"

namespace tandem::ros2 {

template <typename S>
concept ServiceType = requires {
  { S::type_name } -> std::convertible_to<std::string_view>;
  requires Message<typename S::Request>;
  requires Message<typename S::Response>;
};

template <typename A>
concept ActionType = requires {
  { A::type_name } -> std::convertible_to<std::string_view>;
  requires Message<typename A::Goal>;
  requires Message<typename A::Result>;
  requires Message<typename A::Feedback>;
};

namespace detail {

template <std::size_t size>
struct Suffix {
  consteval Suffix(const char (&literal)[size]) { std::copy_n(literal, size, text); }
  char text[size];
};

// "pkg/action/Name" and "_Goal", joined by the compiler.
template <typename T, Suffix suffix>
struct Joined {
  static constexpr auto characters = [] {
    constexpr std::string_view start = T::type_name, end(suffix.text, sizeof(suffix.text) - 1);
    std::array<char, start.size() + end.size()> joined{};
    std::copy(end.begin(), end.end(), std::copy(start.begin(), start.end(), joined.begin()));
    return joined;
  }();
  static constexpr std::string_view name{characters.data(), characters.size()};
};

}  // namespace detail

// What introspection publishes of a service; only described here, never sent.
template <ServiceType S>
struct ServiceEvent {
  static constexpr std::string_view type_name = detail::Joined<S, "_Event">::name;
  TANDEM_FIELDS(ServiceEvent, info, request, response);
  service_msgs::ServiceEventInfo info;
  BoundedVector<typename S::Request, 1> request;
  BoundedVector<typename S::Response, 1> response;
};

// The service as one type, for its description and hash.
template <ServiceType S>
struct WholeService {
  static constexpr std::string_view type_name = S::type_name;
  static constexpr auto fields() {
    return Fields{field("request_message", &WholeService::request), field("response_message", &WholeService::response),
                  field("event_message", &WholeService::event)};
  }
  typename S::Request request;
  typename S::Response response;
  ServiceEvent<S> event;
  bool operator==(const WholeService&) const = default;
};

// The services and the message that every action has.
template <ActionType A>
struct SendGoal {
  static constexpr std::string_view type_name = detail::Joined<A, "_SendGoal">::name;
  struct Request {
    static constexpr std::string_view type_name = detail::Joined<A, "_SendGoal_Request">::name;
    TANDEM_FIELDS(Request, goal_id, goal);
    unique_identifier_msgs::UUID goal_id;
    typename A::Goal goal;
  };
  struct Response {
    static constexpr std::string_view type_name = detail::Joined<A, "_SendGoal_Response">::name;
    TANDEM_FIELDS(Response, accepted, stamp);
    bool accepted = false;
    builtin_interfaces::Time stamp;
  };
};

template <ActionType A>
struct GetResult {
  static constexpr std::string_view type_name = detail::Joined<A, "_GetResult">::name;
  struct Request {
    static constexpr std::string_view type_name = detail::Joined<A, "_GetResult_Request">::name;
    TANDEM_FIELDS(Request, goal_id);
    unique_identifier_msgs::UUID goal_id;
  };
  struct Response {
    static constexpr std::string_view type_name = detail::Joined<A, "_GetResult_Response">::name;
    TANDEM_FIELDS(Response, status, result);
    std::int8_t status = 0;
    typename A::Result result;
  };
};

template <ActionType A>
struct FeedbackMessage {
  static constexpr std::string_view type_name = detail::Joined<A, "_FeedbackMessage">::name;
  TANDEM_FIELDS(FeedbackMessage, goal_id, feedback);
  unique_identifier_msgs::UUID goal_id;
  typename A::Feedback feedback;
};

// The action as one type, for its description and hash.
template <ActionType A>
struct WholeAction {
  static constexpr std::string_view type_name = A::type_name;
  static constexpr auto fields() {
    return Fields{
        TANDEM_EACH(field, WholeAction, goal, result, feedback), field("send_goal_service", &WholeAction::send_goal),
        field("get_result_service", &WholeAction::get_result), TANDEM_EACH(field, WholeAction, feedback_message)};
  }
  typename A::Goal goal;
  typename A::Result result;
  typename A::Feedback feedback;
  WholeService<SendGoal<A>> send_goal;
  WholeService<GetResult<A>> get_result;
  FeedbackMessage<A> feedback_message;
  bool operator==(const WholeAction&) const = default;
};

}  // namespace tandem::ros2
