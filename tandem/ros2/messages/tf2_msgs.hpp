// SPDX-License-Identifier: Apache-2.0
// tf2_msgs: what goes over /tf and /tf_static, and the ways to ask about it.
#pragma once

#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::tf2_msgs {

struct TF2Error {
  static constexpr std::string_view type_name = "tf2_msgs/msg/TF2Error";
  TANDEM_FIELDS(TF2Error, error, error_string);

  static constexpr std::uint8_t NO_ERROR = 0;
  static constexpr std::uint8_t LOOKUP_ERROR = 1;
  static constexpr std::uint8_t CONNECTIVITY_ERROR = 2;
  static constexpr std::uint8_t EXTRAPOLATION_ERROR = 3;
  static constexpr std::uint8_t INVALID_ARGUMENT_ERROR = 4;
  static constexpr std::uint8_t TIMEOUT_ERROR = 5;
  static constexpr std::uint8_t TRANSFORM_ERROR = 6;

  std::uint8_t error = 0;
  std::string error_string;
};

struct TFMessage {
  static constexpr std::string_view type_name = "tf2_msgs/msg/TFMessage";
  TANDEM_FIELDS(TFMessage, transforms);
  std::vector<geometry_msgs::TransformStamped> transforms;
};

struct FrameGraph {
  static constexpr std::string_view type_name = "tf2_msgs/srv/FrameGraph";
  struct Request {
    static constexpr std::string_view type_name = "tf2_msgs/srv/FrameGraph_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "tf2_msgs/srv/FrameGraph_Response";
    TANDEM_FIELDS(Response, frame_yaml);
    std::string frame_yaml;
  };
};

struct LookupTransform {
  static constexpr std::string_view type_name = "tf2_msgs/action/LookupTransform";
  struct Goal {
    static constexpr std::string_view type_name = "tf2_msgs/action/LookupTransform_Goal";
    TANDEM_FIELDS(Goal, target_frame, source_frame, source_time, timeout, target_time, fixed_frame, advanced);
    std::string target_frame;
    std::string source_frame;
    builtin_interfaces::Time source_time;
    builtin_interfaces::Duration timeout;
    builtin_interfaces::Time target_time;
    std::string fixed_frame;
    bool advanced = false;
  };
  struct Result {
    static constexpr std::string_view type_name = "tf2_msgs/action/LookupTransform_Result";
    TANDEM_FIELDS(Result, transform, error);
    geometry_msgs::TransformStamped transform;
    TF2Error error;
  };
  struct Feedback {
    static constexpr std::string_view type_name = "tf2_msgs/action/LookupTransform_Feedback";
    TANDEM_FIELDS(Feedback);
  };
};

using Messages = Types<TF2Error, TFMessage>;
using Services = Types<FrameGraph>;
using Actions = Types<LookupTransform>;

}  // namespace tandem::ros2::tf2_msgs
