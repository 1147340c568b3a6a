// rcl_interfaces: parameters and logs of nodes.
#pragma once

#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::rcl_interfaces {

struct FloatingPointRange {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/FloatingPointRange";
  static constexpr auto fields() {
    return Fields{field("from_value", &FloatingPointRange::from_value),
                  field("to_value", &FloatingPointRange::to_value), field("step", &FloatingPointRange::step)};
  }
  double from_value = 0.0;
  double to_value = 0.0;
  double step = 0.0;
  bool operator==(const FloatingPointRange&) const = default;
};

struct IntegerRange {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/IntegerRange";
  static constexpr auto fields() {
    return Fields{field("from_value", &IntegerRange::from_value), field("to_value", &IntegerRange::to_value),
                  field("step", &IntegerRange::step)};
  }
  std::int64_t from_value = 0;
  std::int64_t to_value = 0;
  std::uint64_t step = 0;
  bool operator==(const IntegerRange&) const = default;
};

struct ListParametersResult {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/ListParametersResult";
  static constexpr auto fields() {
    return Fields{field("names", &ListParametersResult::names), field("prefixes", &ListParametersResult::prefixes)};
  }
  std::vector<std::string> names;
  std::vector<std::string> prefixes;
  bool operator==(const ListParametersResult&) const = default;
};

struct Log {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/Log";
  static constexpr auto fields() {
    return Fields{field("stamp", &Log::stamp), field("level", &Log::level), field("name", &Log::name),
                  field("msg", &Log::msg),     field("file", &Log::file),   field("function", &Log::function),
                  field("line", &Log::line)};
  }

  static constexpr std::uint8_t DEBUG = 10;
  static constexpr std::uint8_t INFO = 20;
  static constexpr std::uint8_t WARN = 30;
  static constexpr std::uint8_t ERROR = 40;
  static constexpr std::uint8_t FATAL = 50;

  builtin_interfaces::Time stamp;
  std::uint8_t level = 0;
  std::string name;
  std::string msg;
  std::string file;
  std::string function;
  std::uint32_t line = 0;
  bool operator==(const Log&) const = default;
};

struct LoggerLevel {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/LoggerLevel";
  static constexpr auto fields() {
    return Fields{field("name", &LoggerLevel::name), field("level", &LoggerLevel::level)};
  }

  static constexpr std::uint8_t LOG_LEVEL_UNKNOWN = 0;
  static constexpr std::uint8_t LOG_LEVEL_DEBUG = 10;
  static constexpr std::uint8_t LOG_LEVEL_INFO = 20;
  static constexpr std::uint8_t LOG_LEVEL_WARN = 30;
  static constexpr std::uint8_t LOG_LEVEL_ERROR = 40;
  static constexpr std::uint8_t LOG_LEVEL_FATAL = 50;

  std::string name;
  std::uint32_t level = 0;
  bool operator==(const LoggerLevel&) const = default;
};

struct ParameterValue {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/ParameterValue";
  static constexpr auto fields() {
    return Fields{field("type", &ParameterValue::type),
                  field("bool_value", &ParameterValue::bool_value),
                  field("integer_value", &ParameterValue::integer_value),
                  field("double_value", &ParameterValue::double_value),
                  field("string_value", &ParameterValue::string_value),
                  field("byte_array_value", &ParameterValue::byte_array_value),
                  field("bool_array_value", &ParameterValue::bool_array_value),
                  field("integer_array_value", &ParameterValue::integer_array_value),
                  field("double_array_value", &ParameterValue::double_array_value),
                  field("string_array_value", &ParameterValue::string_array_value)};
  }
  std::uint8_t type = 0;
  bool bool_value = false;
  std::int64_t integer_value = 0;
  double double_value = 0.0;
  std::string string_value;
  std::vector<std::byte> byte_array_value;
  std::vector<bool> bool_array_value;
  std::vector<std::int64_t> integer_array_value;
  std::vector<double> double_array_value;
  std::vector<std::string> string_array_value;
  bool operator==(const ParameterValue&) const = default;
};

struct Parameter {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/Parameter";
  static constexpr auto fields() { return Fields{field("name", &Parameter::name), field("value", &Parameter::value)}; }
  std::string name;
  ParameterValue value;
  bool operator==(const Parameter&) const = default;
};

struct ParameterDescriptor {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/ParameterDescriptor";
  static constexpr auto fields() {
    return Fields{field("name", &ParameterDescriptor::name),
                  field("type", &ParameterDescriptor::type),
                  field("description", &ParameterDescriptor::description),
                  field("additional_constraints", &ParameterDescriptor::additional_constraints),
                  field("read_only", &ParameterDescriptor::read_only),
                  field("dynamic_typing", &ParameterDescriptor::dynamic_typing),
                  field("floating_point_range", &ParameterDescriptor::floating_point_range),
                  field("integer_range", &ParameterDescriptor::integer_range)};
  }
  std::string name;
  std::uint8_t type = 0;
  std::string description;
  std::string additional_constraints;
  bool read_only = false;
  bool dynamic_typing = false;
  BoundedVector<FloatingPointRange, 1> floating_point_range;
  BoundedVector<IntegerRange, 1> integer_range;
  bool operator==(const ParameterDescriptor&) const = default;
};

struct ParameterEvent {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/ParameterEvent";
  static constexpr auto fields() {
    return Fields{field("stamp", &ParameterEvent::stamp), field("node", &ParameterEvent::node),
                  field("new_parameters", &ParameterEvent::new_parameters),
                  field("changed_parameters", &ParameterEvent::changed_parameters),
                  field("deleted_parameters", &ParameterEvent::deleted_parameters)};
  }
  builtin_interfaces::Time stamp;
  std::string node;
  std::vector<Parameter> new_parameters;
  std::vector<Parameter> changed_parameters;
  std::vector<Parameter> deleted_parameters;
  bool operator==(const ParameterEvent&) const = default;
};

struct ParameterEventDescriptors {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/ParameterEventDescriptors";
  static constexpr auto fields() {
    return Fields{field("new_parameters", &ParameterEventDescriptors::new_parameters),
                  field("changed_parameters", &ParameterEventDescriptors::changed_parameters),
                  field("deleted_parameters", &ParameterEventDescriptors::deleted_parameters)};
  }
  std::vector<ParameterDescriptor> new_parameters;
  std::vector<ParameterDescriptor> changed_parameters;
  std::vector<ParameterDescriptor> deleted_parameters;
  bool operator==(const ParameterEventDescriptors&) const = default;
};

struct ParameterType {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/ParameterType";
  static constexpr auto fields() { return Fields{}; }

  static constexpr std::uint8_t PARAMETER_NOT_SET = 0;
  static constexpr std::uint8_t PARAMETER_BOOL = 1;
  static constexpr std::uint8_t PARAMETER_INTEGER = 2;
  static constexpr std::uint8_t PARAMETER_DOUBLE = 3;
  static constexpr std::uint8_t PARAMETER_STRING = 4;
  static constexpr std::uint8_t PARAMETER_BYTE_ARRAY = 5;
  static constexpr std::uint8_t PARAMETER_BOOL_ARRAY = 6;
  static constexpr std::uint8_t PARAMETER_INTEGER_ARRAY = 7;
  static constexpr std::uint8_t PARAMETER_DOUBLE_ARRAY = 8;
  static constexpr std::uint8_t PARAMETER_STRING_ARRAY = 9;
  bool operator==(const ParameterType&) const = default;
};

struct SetLoggerLevelsResult {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/SetLoggerLevelsResult";
  static constexpr auto fields() {
    return Fields{field("successful", &SetLoggerLevelsResult::successful),
                  field("reason", &SetLoggerLevelsResult::reason)};
  }
  bool successful = false;
  std::string reason;
  bool operator==(const SetLoggerLevelsResult&) const = default;
};

struct SetParametersResult {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/SetParametersResult";
  static constexpr auto fields() {
    return Fields{field("successful", &SetParametersResult::successful), field("reason", &SetParametersResult::reason)};
  }
  bool successful = false;
  std::string reason;
  bool operator==(const SetParametersResult&) const = default;
};

struct DescribeParameters {
  static constexpr std::string_view type_name = "rcl_interfaces/srv/DescribeParameters";
  struct Request {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/DescribeParameters_Request";
    static constexpr auto fields() { return Fields{field("names", &Request::names)}; }
    std::vector<std::string> names;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/DescribeParameters_Response";
    static constexpr auto fields() { return Fields{field("descriptors", &Response::descriptors)}; }
    std::vector<ParameterDescriptor> descriptors;
    bool operator==(const Response&) const = default;
  };
};

struct GetLoggerLevels {
  static constexpr std::string_view type_name = "rcl_interfaces/srv/GetLoggerLevels";
  struct Request {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/GetLoggerLevels_Request";
    static constexpr auto fields() { return Fields{field("names", &Request::names)}; }
    std::vector<std::string> names;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/GetLoggerLevels_Response";
    static constexpr auto fields() { return Fields{field("levels", &Response::levels)}; }
    std::vector<LoggerLevel> levels;
    bool operator==(const Response&) const = default;
  };
};

struct GetParameterTypes {
  static constexpr std::string_view type_name = "rcl_interfaces/srv/GetParameterTypes";
  struct Request {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/GetParameterTypes_Request";
    static constexpr auto fields() { return Fields{field("names", &Request::names)}; }
    std::vector<std::string> names;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/GetParameterTypes_Response";
    static constexpr auto fields() { return Fields{field("types", &Response::types)}; }
    std::vector<std::uint8_t> types;
    bool operator==(const Response&) const = default;
  };
};

struct GetParameters {
  static constexpr std::string_view type_name = "rcl_interfaces/srv/GetParameters";
  struct Request {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/GetParameters_Request";
    static constexpr auto fields() { return Fields{field("names", &Request::names)}; }
    std::vector<std::string> names;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/GetParameters_Response";
    static constexpr auto fields() { return Fields{field("values", &Response::values)}; }
    std::vector<ParameterValue> values;
    bool operator==(const Response&) const = default;
  };
};

struct ListParameters {
  static constexpr std::string_view type_name = "rcl_interfaces/srv/ListParameters";
  struct Request {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/ListParameters_Request";
    static constexpr auto fields() {
      return Fields{field("prefixes", &Request::prefixes), field("depth", &Request::depth)};
    }

    static constexpr std::uint64_t DEPTH_RECURSIVE = 0;

    std::vector<std::string> prefixes;
    std::uint64_t depth = 0;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/ListParameters_Response";
    static constexpr auto fields() { return Fields{field("result", &Response::result)}; }
    ListParametersResult result;
    bool operator==(const Response&) const = default;
  };
};

struct SetLoggerLevels {
  static constexpr std::string_view type_name = "rcl_interfaces/srv/SetLoggerLevels";
  struct Request {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/SetLoggerLevels_Request";
    static constexpr auto fields() { return Fields{field("levels", &Request::levels)}; }
    std::vector<LoggerLevel> levels;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/SetLoggerLevels_Response";
    static constexpr auto fields() { return Fields{field("results", &Response::results)}; }
    std::vector<SetLoggerLevelsResult> results;
    bool operator==(const Response&) const = default;
  };
};

struct SetParametersAtomically {
  static constexpr std::string_view type_name = "rcl_interfaces/srv/SetParametersAtomically";
  struct Request {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/SetParametersAtomically_Request";
    static constexpr auto fields() { return Fields{field("parameters", &Request::parameters)}; }
    std::vector<Parameter> parameters;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/SetParametersAtomically_Response";
    static constexpr auto fields() { return Fields{field("result", &Response::result)}; }
    SetParametersResult result;
    bool operator==(const Response&) const = default;
  };
};

struct SetParameters {
  static constexpr std::string_view type_name = "rcl_interfaces/srv/SetParameters";
  struct Request {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/SetParameters_Request";
    static constexpr auto fields() { return Fields{field("parameters", &Request::parameters)}; }
    std::vector<Parameter> parameters;
    bool operator==(const Request&) const = default;
  };
  struct Response {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/SetParameters_Response";
    static constexpr auto fields() { return Fields{field("results", &Response::results)}; }
    std::vector<SetParametersResult> results;
    bool operator==(const Response&) const = default;
  };
};

using Messages = Types<FloatingPointRange, IntegerRange, ListParametersResult, Log, LoggerLevel, Parameter,
                       ParameterDescriptor, ParameterEvent, ParameterEventDescriptors, ParameterType, ParameterValue,
                       SetLoggerLevelsResult, SetParametersResult>;
using Services = Types<DescribeParameters, GetLoggerLevels, GetParameterTypes, GetParameters, ListParameters,
                       SetLoggerLevels, SetParametersAtomically, SetParameters>;
using Actions = Types<>;

}  // namespace tandem::ros2::rcl_interfaces
