// diagnostic_msgs: the health of parts, in words.
#pragma once

#include "tandem/ros2/messages/std_msgs.hpp"

namespace tandem::ros2::diagnostic_msgs {

struct KeyValue {
  static constexpr std::string_view type_name = "diagnostic_msgs/msg/KeyValue";
  static constexpr auto fields() { return std::tuple{field("key", &KeyValue::key), field("value", &KeyValue::value)}; }
  std::string key;
  std::string value;
  bool operator==(const KeyValue&) const = default;
};

struct DiagnosticStatus {
  static constexpr std::string_view type_name = "diagnostic_msgs/msg/DiagnosticStatus";
  static constexpr auto fields() {
    return std::tuple{field("level", &DiagnosticStatus::level), field("name", &DiagnosticStatus::name),
                      field("message", &DiagnosticStatus::message),
                      field("hardware_id", &DiagnosticStatus::hardware_id), field("values", &DiagnosticStatus::values)};
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
    return std::tuple{field("header", &DiagnosticArray::header), field("status", &DiagnosticArray::status)};
  }
  std_msgs::Header header;
  std::vector<DiagnosticStatus> status;
  bool operator==(const DiagnosticArray&) const = default;
};

}  // namespace tandem::ros2::diagnostic_msgs
