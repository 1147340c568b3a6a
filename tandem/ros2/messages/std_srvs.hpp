// SPDX-License-Identifier: Apache-2.0
// std_srvs: services that need no type of their own.
#pragma once

#include "tandem/ros2/messages/types.hpp"
#include "tandem/ros2/types/message.hpp"

namespace tandem::ros2::std_srvs {

struct Empty {
  static constexpr std::string_view type_name = "std_srvs/srv/Empty";
  struct Request {
    static constexpr std::string_view type_name = "std_srvs/srv/Empty_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "std_srvs/srv/Empty_Response";
    TANDEM_FIELDS(Response);
  };
};

struct SetBool {
  static constexpr std::string_view type_name = "std_srvs/srv/SetBool";
  struct Request {
    static constexpr std::string_view type_name = "std_srvs/srv/SetBool_Request";
    TANDEM_FIELDS(Request, data);
    bool data = false;
  };
  struct Response {
    static constexpr std::string_view type_name = "std_srvs/srv/SetBool_Response";
    TANDEM_FIELDS(Response, success, message);
    bool success = false;
    std::string message;
  };
};

struct Trigger {
  static constexpr std::string_view type_name = "std_srvs/srv/Trigger";
  struct Request {
    static constexpr std::string_view type_name = "std_srvs/srv/Trigger_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "std_srvs/srv/Trigger_Response";
    TANDEM_FIELDS(Response, success, message);
    bool success = false;
    std::string message;
  };
};

using Messages = Types<>;
using Services = Types<Empty, SetBool, Trigger>;
using Actions = Types<>;

}  // namespace tandem::ros2::std_srvs
