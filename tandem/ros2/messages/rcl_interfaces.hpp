// SPDX-License-Identifier: Apache-2.0
// rcl_interfaces: parameters and logs of nodes.
#pragma once

#include "tandem/ros2/messages/builtin_interfaces.hpp"
#include "tandem/ros2/messages/types.hpp"

namespace tandem::ros2::rcl_interfaces {

struct FloatingPointRange {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/FloatingPointRange";
  TANDEM_FIELDS(FloatingPointRange, from_value, to_value, step);
  double from_value = 0.0;
  double to_value = 0.0;
  double step = 0.0;
};

struct IntegerRange {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/IntegerRange";
  TANDEM_FIELDS(IntegerRange, from_value, to_value, step);
  std::int64_t from_value = 0;
  std::int64_t to_value = 0;
  std::uint64_t step = 0;
};

struct ListParametersResult {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/ListParametersResult";
  TANDEM_FIELDS(ListParametersResult, names, prefixes);
  std::vector<std::string> names;
  std::vector<std::string> prefixes;
};

struct Log {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/Log";
  TANDEM_FIELDS(Log, stamp, level, name, msg, file, function, line);

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
};

struct LoggerLevel {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/LoggerLevel";
  TANDEM_FIELDS(LoggerLevel, name, level);

  static constexpr std::uint8_t LOG_LEVEL_UNKNOWN = 0;
  static constexpr std::uint8_t LOG_LEVEL_DEBUG = 10;
  static constexpr std::uint8_t LOG_LEVEL_INFO = 20;
  static constexpr std::uint8_t LOG_LEVEL_WARN = 30;
  static constexpr std::uint8_t LOG_LEVEL_ERROR = 40;
  static constexpr std::uint8_t LOG_LEVEL_FATAL = 50;

  std::string name;
  std::uint32_t level = 0;
};

struct ParameterValue {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/ParameterValue";
  TANDEM_FIELDS(ParameterValue, type, bool_value, integer_value, double_value, string_value, byte_array_value,
                bool_array_value, integer_array_value, double_array_value, string_array_value);
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
};

struct Parameter {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/Parameter";
  TANDEM_FIELDS(Parameter, name, value);
  std::string name;
  ParameterValue value;
};

struct ParameterDescriptor {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/ParameterDescriptor";
  TANDEM_FIELDS(ParameterDescriptor, name, type, description, additional_constraints, read_only, dynamic_typing,
                floating_point_range, integer_range);
  std::string name;
  std::uint8_t type = 0;
  std::string description;
  std::string additional_constraints;
  bool read_only = false;
  bool dynamic_typing = false;
  BoundedVector<FloatingPointRange, 1> floating_point_range;
  BoundedVector<IntegerRange, 1> integer_range;
};

struct ParameterEvent {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/ParameterEvent";
  TANDEM_FIELDS(ParameterEvent, stamp, node, new_parameters, changed_parameters, deleted_parameters);
  builtin_interfaces::Time stamp;
  std::string node;
  std::vector<Parameter> new_parameters;
  std::vector<Parameter> changed_parameters;
  std::vector<Parameter> deleted_parameters;
};

struct ParameterEventDescriptors {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/ParameterEventDescriptors";
  TANDEM_FIELDS(ParameterEventDescriptors, new_parameters, changed_parameters, deleted_parameters);
  std::vector<ParameterDescriptor> new_parameters;
  std::vector<ParameterDescriptor> changed_parameters;
  std::vector<ParameterDescriptor> deleted_parameters;
};

struct ParameterType {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/ParameterType";
  TANDEM_FIELDS(ParameterType);

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
};

struct SetLoggerLevelsResult {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/SetLoggerLevelsResult";
  TANDEM_FIELDS(SetLoggerLevelsResult, successful, reason);
  bool successful = false;
  std::string reason;
};

struct SetParametersResult {
  static constexpr std::string_view type_name = "rcl_interfaces/msg/SetParametersResult";
  TANDEM_FIELDS(SetParametersResult, successful, reason);
  bool successful = false;
  std::string reason;
};

struct DescribeParameters {
  static constexpr std::string_view type_name = "rcl_interfaces/srv/DescribeParameters";
  struct Request {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/DescribeParameters_Request";
    TANDEM_FIELDS(Request, names);
    std::vector<std::string> names;
  };
  struct Response {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/DescribeParameters_Response";
    TANDEM_FIELDS(Response, descriptors);
    std::vector<ParameterDescriptor> descriptors;
  };
};

struct GetLoggerLevels {
  static constexpr std::string_view type_name = "rcl_interfaces/srv/GetLoggerLevels";
  struct Request {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/GetLoggerLevels_Request";
    TANDEM_FIELDS(Request, names);
    std::vector<std::string> names;
  };
  struct Response {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/GetLoggerLevels_Response";
    TANDEM_FIELDS(Response, levels);
    std::vector<LoggerLevel> levels;
  };
};

struct GetParameterTypes {
  static constexpr std::string_view type_name = "rcl_interfaces/srv/GetParameterTypes";
  struct Request {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/GetParameterTypes_Request";
    TANDEM_FIELDS(Request, names);
    std::vector<std::string> names;
  };
  struct Response {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/GetParameterTypes_Response";
    TANDEM_FIELDS(Response, types);
    std::vector<std::uint8_t> types;
  };
};

struct GetParameters {
  static constexpr std::string_view type_name = "rcl_interfaces/srv/GetParameters";
  struct Request {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/GetParameters_Request";
    TANDEM_FIELDS(Request, names);
    std::vector<std::string> names;
  };
  struct Response {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/GetParameters_Response";
    TANDEM_FIELDS(Response, values);
    std::vector<ParameterValue> values;
  };
};

struct ListParameters {
  static constexpr std::string_view type_name = "rcl_interfaces/srv/ListParameters";
  struct Request {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/ListParameters_Request";
    TANDEM_FIELDS(Request, prefixes, depth);

    static constexpr std::uint64_t DEPTH_RECURSIVE = 0;

    std::vector<std::string> prefixes;
    std::uint64_t depth = 0;
  };
  struct Response {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/ListParameters_Response";
    TANDEM_FIELDS(Response, result);
    ListParametersResult result;
  };
};

struct SetLoggerLevels {
  static constexpr std::string_view type_name = "rcl_interfaces/srv/SetLoggerLevels";
  struct Request {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/SetLoggerLevels_Request";
    TANDEM_FIELDS(Request, levels);
    std::vector<LoggerLevel> levels;
  };
  struct Response {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/SetLoggerLevels_Response";
    TANDEM_FIELDS(Response, results);
    std::vector<SetLoggerLevelsResult> results;
  };
};

struct SetParametersAtomically {
  static constexpr std::string_view type_name = "rcl_interfaces/srv/SetParametersAtomically";
  struct Request {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/SetParametersAtomically_Request";
    TANDEM_FIELDS(Request, parameters);
    std::vector<Parameter> parameters;
  };
  struct Response {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/SetParametersAtomically_Response";
    TANDEM_FIELDS(Response, result);
    SetParametersResult result;
  };
};

struct SetParameters {
  static constexpr std::string_view type_name = "rcl_interfaces/srv/SetParameters";
  struct Request {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/SetParameters_Request";
    TANDEM_FIELDS(Request, parameters);
    std::vector<Parameter> parameters;
  };
  struct Response {
    static constexpr std::string_view type_name = "rcl_interfaces/srv/SetParameters_Response";
    TANDEM_FIELDS(Response, results);
    std::vector<SetParametersResult> results;
  };
};

using Messages = Types<FloatingPointRange, IntegerRange, ListParametersResult, Log, LoggerLevel, Parameter,
                       ParameterDescriptor, ParameterEvent, ParameterEventDescriptors, ParameterType, ParameterValue,
                       SetLoggerLevelsResult, SetParametersResult>;
using Services = Types<DescribeParameters, GetLoggerLevels, GetParameterTypes, GetParameters, ListParameters,
                       SetLoggerLevels, SetParametersAtomically, SetParameters>;
using Actions = Types<>;

}  // namespace tandem::ros2::rcl_interfaces
