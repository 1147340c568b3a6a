// diagnostic_msgs: the health of parts, in words.
#pragma once

#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::diagnostic_msgs {

struct KeyValue {
  static constexpr std::string_view type_name = "diagnostic_msgs/msg/KeyValue";
  static constexpr auto fields() { return Fields{field("key", &KeyValue::key), field("value", &KeyValue::value)}; }
  std::string key;
  std::string value;
  bool operator==(const KeyValue&) const = default;
};

struct DiagnosticStatus {
  static constexpr std::string_view type_name = "diagnostic_msgs/msg/DiagnosticStatus";
  static constexpr auto fields() {
    return Fields{field("level", &DiagnosticStatus::level), field("name", &DiagnosticStatus::name),
                  field("message", &DiagnosticStatus::message), field("hardware_id", &DiagnosticStatus::hardware_id),
                  field("values", &DiagnosticStatus::values)};
  }

  static constexpr std::byte OK{0};
  static constexpr std::byte WARN{1};
  static constexpr std::byte ERROR{2};
  static constexpr std::byte STALE{3};

  std::byte level{};
  std::string name;
  std::string message;
  std::string hardware_id;
  std::vector<KeyValue> values;
  bool operator==(const DiagnosticStatus&) const = default;
};

struct DiagnosticArray {
  static constexpr std::string_view type_name = "diagnostic_msgs/msg/DiagnosticArray";
  static constexpr auto fields() {
    return Fields{field("header", &DiagnosticArray::header), field("status", &DiagnosticArray::status)};
  }
  std_msgs::Header header;
  std::vector<DiagnosticStatus> status;
  bool operator==(const DiagnosticArray&) const = default;
};

struct AddDiagnostics {
  static constexpr std::string_view type_name = "diagnostic_msgs/srv/AddDiagnostics";
  struct Request {
    static constexpr std::string_view type_name = "diagnostic_msgs/srv/AddDiagnostics_Request";
    static constexpr auto fields() { return Fields{field("load_namespace", &Request::load_namespace)}; }
    std::string load_namespace;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "diagnostic_msgs/srv/AddDiagnostics_Response";
    static constexpr auto fields() {
      return Fields{field("success", &Response::success), field("message", &Response::message)};
    }
    bool success = false;
    std::string message;
    bool operator==(const Response&) const = default;
  };
};

struct SelfTest {
  static constexpr std::string_view type_name = "diagnostic_msgs/srv/SelfTest";
  struct Request {
    static constexpr std::string_view type_name = "diagnostic_msgs/srv/SelfTest_Request";
    static constexpr auto fields() { return Fields{}; }
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "diagnostic_msgs/srv/SelfTest_Response";
    static constexpr auto fields() {
      return Fields{field("id", &Response::id), field("passed", &Response::passed), field("status", &Response::status)};
    }
    std::string id;
    std::byte passed{};
    std::vector<DiagnosticStatus> status;
    bool operator==(const Response&) const = default;
  };
};

using Messages = Types<DiagnosticArray, DiagnosticStatus, KeyValue>;
using Services = Types<AddDiagnostics, SelfTest>;
using Actions = Types<>;

}  // namespace tandem::ros2::diagnostic_msgs
