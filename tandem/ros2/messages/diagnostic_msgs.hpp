// SPDX-License-Identifier: Apache-2.0
// diagnostic_msgs: the health of parts, in words.
#pragma once

#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::diagnostic_msgs {

struct KeyValue {
  static constexpr std::string_view type_name = "diagnostic_msgs/msg/KeyValue";
  TANDEM_FIELDS(KeyValue, key, value);
  std::string key;
  std::string value;
};

struct DiagnosticStatus {
  static constexpr std::string_view type_name = "diagnostic_msgs/msg/DiagnosticStatus";
  TANDEM_FIELDS(DiagnosticStatus, level, name, message, hardware_id, values);

  static constexpr std::byte OK{0};
  static constexpr std::byte WARN{1};
  static constexpr std::byte ERROR{2};
  static constexpr std::byte STALE{3};

  std::byte level{};
  std::string name;
  std::string message;
  std::string hardware_id;
  std::vector<KeyValue> values;
};

struct DiagnosticArray {
  static constexpr std::string_view type_name = "diagnostic_msgs/msg/DiagnosticArray";
  TANDEM_FIELDS(DiagnosticArray, header, status);
  std_msgs::Header header;
  std::vector<DiagnosticStatus> status;
};

struct AddDiagnostics {
  static constexpr std::string_view type_name = "diagnostic_msgs/srv/AddDiagnostics";
  struct Request {
    static constexpr std::string_view type_name = "diagnostic_msgs/srv/AddDiagnostics_Request";
    TANDEM_FIELDS(Request, load_namespace);
    std::string load_namespace;
  };
  struct Response {
    static constexpr std::string_view type_name = "diagnostic_msgs/srv/AddDiagnostics_Response";
    TANDEM_FIELDS(Response, success, message);
    bool success = false;
    std::string message;
  };
};

struct SelfTest {
  static constexpr std::string_view type_name = "diagnostic_msgs/srv/SelfTest";
  struct Request {
    static constexpr std::string_view type_name = "diagnostic_msgs/srv/SelfTest_Request";
    TANDEM_FIELDS(Request);
  };
  struct Response {
    static constexpr std::string_view type_name = "diagnostic_msgs/srv/SelfTest_Response";
    TANDEM_FIELDS(Response, id, passed, status);
    std::string id;
    std::byte passed{};
    std::vector<DiagnosticStatus> status;
  };
};

using Messages = Types<DiagnosticArray, DiagnosticStatus, KeyValue>;
using Services = Types<AddDiagnostics, SelfTest>;
using Actions = Types<>;

}  // namespace tandem::ros2::diagnostic_msgs
