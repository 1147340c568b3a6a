// SPDX-License-Identifier: Apache-2.0
// param list, get, set, describe, dump.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "tandem/app/commands/option_checks.hpp"
#include "tandem/app/ros/call.hpp"
#include "tandem/app/ros/commands.hpp"
#include "tandem/app/ros/graph_view.hpp"
#include "tandem/app/ros/text/parameter_text.hpp"
#include "tandem/app/ros/text/yaml_text.hpp"
#include "tandem/base/nearest.hpp"

namespace tandem::app::ros {
namespace {

namespace rcl = ros2::rcl_interfaces;

struct ParamOptions {
  std::string node, name, value;
  std::vector<std::string> names;
  bool hidden = false, types = false, hide_type = false;
  double timeout = 5;  // s
  CallTimes times() const { return {duration_of(timeout), duration_of(timeout)}; }
};

std::string node_of(const ParamOptions& options) {
  return options.node.empty() || options.node.starts_with('/') ? options.node : "/" + options.node;
}

// Without the services that every node with parameters has, the node is not there or has none.
Error no_parameters(Session& session, const std::string& node, const Error& error) {
  if (error.fault != Fault::not_found) return error;
  Names known;
  for (const ros2::GraphNode& each : session.context().graph().nodes) {
    if (!each.local && !is_hidden(each.name)) known.push_back({each.full_name(), {}});
  }
  if (find(known, node) != nullptr) return {Fault::not_found, node + " has no parameter services"};
  return {Fault::not_found, unknown_name("node", node, known)};
}

Result<std::vector<std::string>> names_of(Session& session, const std::string& node, const CallTimes& times) {
  const auto response = call<rcl::ListParameters>(session, node + "/list_parameters", {}, times);
  if (!response) return no_parameters(session, node, response.error());
  std::vector<std::string> names = response->result.names;
  std::ranges::sort(names);
  return names;
}

Result<std::vector<ros2::ParameterValue>> values_of(Session& session, const std::string& node,
                                                    const std::vector<std::string>& names, const CallTimes& times) {
  rcl::GetParameters::Request request;
  request.names = names;
  const auto response = call<rcl::GetParameters>(session, node + "/get_parameters", request, times);
  if (!response) return no_parameters(session, node, response.error());
  std::vector<ros2::ParameterValue> values;
  for (const rcl::ParameterValue& each : response->values) values.push_back(ros2::value_from(each));
  // rclcpp answers nothing at all when it does not know one of them.
  if (values.empty()) values.resize(names.size());
  if (values.size() == names.size()) return values;
  return Error{Fault::device, fmt::format("{}: expected {} values, got {}", node, names.size(), values.size())};
}

int stopped(Session& session, const Error& error) { return session.over() ? 130 : fail(error.text); }

// "no parameter `spede` of /lift; did you mean 'speed'?"
int unknown_parameter(Session& session, const std::string& node, const std::string& name, const CallTimes& times) {
  const auto names = names_of(session, node, times);
  Names known;
  if (names) {
    for (const std::string& each : *names) known.push_back({each, {}});
  }
  return fail(fmt::format("{}: {}", node, unknown_name("parameter", name, known)));
}

// Nodes that serve parameters.
std::vector<std::string> nodes_with_parameters(const ros2::Graph& graph, bool hidden) {
  constexpr std::string_view ending = "/list_parameters";
  std::vector<std::string> nodes;
  for (const NamedTypes& each : services(graph, true, Role::reader)) {
    if (!each.name.ends_with(ending)) continue;
    const std::string node = each.name.substr(0, each.name.size() - ending.size());
    if (hidden || !is_hidden(node)) nodes.push_back(node);
  }
  return nodes;
}

int list_parameters(Session& session, const ParamOptions& options) {
  const ros2::Graph graph = session.discover();
  std::vector<std::string> nodes = nodes_with_parameters(graph, options.hidden);
  if (!options.node.empty()) nodes = {node_of(options)};
  bool all = true;
  for (const std::string& node : nodes) {
    const auto names = names_of(session, node, options.times());
    if (!names && session.over()) return 130;
    if (options.node.empty()) session.print(node + ":\n");
    if (!names) fail(names.error().text);
    all = all && names.ok();
    std::vector<ros2::ParameterValue> values;
    if (names && options.types) {
      auto got = values_of(session, node, *names, options.times());
      if (got) values = std::move(*got);
    }
    for (std::size_t i = 0; names && i < names->size(); ++i) {
      session.print(i < values.size() ? fmt::format("  {} (type: {})\n", terminal_text((*names)[i]),
                                                    ros2::parameter_type_name(values[i].index()))
                                      : fmt::format("  {}\n", terminal_text((*names)[i])));
    }
  }
  return all ? success : failure;
}

int read(Session& session, const ParamOptions& options) {
  const std::string node = node_of(options);
  const auto values = values_of(session, node, {options.name}, options.times());
  if (!values) return stopped(session, values.error());
  if (values->front().index() == 0) return unknown_parameter(session, node, options.name, options.times());
  session.print(
      (options.hide_type ? python_from_parameter(values->front()) : sentence_from_parameter(values->front())) + "\n");
  return success;
}

int write(Session& session, const ParamOptions& options) {
  const std::string node = node_of(options);
  const auto before = values_of(session, node, {options.name}, options.times());
  if (!before && (session.over() || before.error().fault == Fault::not_found)) return stopped(session, before.error());
  const auto value = parameter_from_text(options.value, before ? before->front().index() : 0);
  if (!value) return fail(value.error().text, usage);
  rcl::SetParameters::Request request;
  request.parameters.push_back({options.name, ros2::message_from(*value)});
  const auto response = call<rcl::SetParameters>(session, node + "/set_parameters", request, options.times());
  if (!response) return stopped(session, response.error());
  if (response->results.empty()) return fail(node + " does not report whether it accepted the value");
  const rcl::SetParametersResult& result = response->results.front();
  if (!result.successful) return fail("setting the parameter failed: " + terminal_text(result.reason));
  session.print("Set parameter successful\n");
  return success;
}

std::string description_text(const rcl::ParameterDescriptor& descriptor) {
  std::string out = fmt::format("Parameter name: {}\n  Type: {}\n", terminal_text(descriptor.name),
                                ros2::parameter_type_name(descriptor.type));
  if (!descriptor.description.empty()) out += fmt::format("  Description: {}\n", terminal_text(descriptor.description));
  std::string limits;
  if (descriptor.read_only) limits += "    Read only: true\n";
  if (descriptor.dynamic_typing) limits += "    Dynamic typing: true\n";
  const auto range = [&](const auto& each, const auto& text) {
    limits += fmt::format("    Min value: {}\n    Max value: {}\n", text(each.from_value), text(each.to_value));
    if (each.step > 0) limits += fmt::format("    Step: {}\n", text(each.step));
  };
  for (const auto& each : descriptor.integer_range) range(each, [](auto number) { return std::to_string(number); });
  for (const auto& each : descriptor.floating_point_range) range(each, python_number);
  if (!descriptor.additional_constraints.empty()) {
    limits += fmt::format("    Additional constraints: {}\n", terminal_text(descriptor.additional_constraints));
  }
  return out + (limits.empty() ? "" : "  Constraints:\n" + limits);
}

int describe(Session& session, const ParamOptions& options) {
  const std::string node = node_of(options);
  rcl::DescribeParameters::Request request;
  request.names = options.names;
  const auto response = call<rcl::DescribeParameters>(session, node + "/describe_parameters", request, options.times());
  if (!response) return stopped(session, no_parameters(session, node, response.error()));
  for (std::size_t i = 0; i < options.names.size(); ++i) {
    const bool there = i < response->descriptors.size() && response->descriptors[i].type != 0;
    if (!there) return unknown_parameter(session, node, options.names[i], options.times());
    session.print(description_text(response->descriptors[i]));
  }
  return success;
}

// Names with dots are maps within maps.
struct Level {
  std::map<std::string, Level> below;
  std::string value;

  void print(std::string& out, int indent) const {
    for (const auto& [name, level] : below) {
      out += fmt::format("{:{}}{}:{}{}\n", "", indent, yaml_text(name, indent), level.value.empty() ? "" : " ",
                         level.value);
      level.print(out, indent + 2);
    }
  }
};

int dump(Session& session, const ParamOptions& options) {
  const std::string node = node_of(options);
  const auto names = names_of(session, node, options.times());
  if (!names) return stopped(session, names.error());
  const auto values = values_of(session, node, *names, options.times());
  if (!values) return stopped(session, values.error());
  Level root;
  for (std::size_t i = 0; i < names->size(); ++i) {
    Level* at = &root;
    std::string_view rest = (*names)[i];
    for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
      at = &at->below[std::string(rest.substr(0, dot))];
      rest.remove_prefix(dot + 1);
    }
    at->below[std::string(rest)].value = yaml_from_parameter((*values)[i]);
  }
  std::string out = node + ":\n  ros__parameters:\n";
  root.print(out, 4);
  session.print(out);
  return success;
}

}  // namespace

void add_param_commands(Commands& commands) {
  const auto options = std::make_shared<ParamOptions>();
  CLI::App* param = commands.group("param", "list, get, set, describe, dump");
  const auto add = [&](const char* name, const char* help, const char* examples, auto body) {
    CLI::App* command = commands.add(param, name, help, examples,
                                     [options, body](Session& session) { return body(session, *options); });
    command->add_option("--timeout", options->timeout, "timeout (s)")
        ->type_name("SECONDS")
        ->check(seconds_check())
        ->capture_default_str();
    return command;
  };
  CLI::App* command =
      add("list", "list the parameters of all nodes, or of one",
          "  tandem ros param list\n  tandem ros param list /ackermann_steering_controller --param-type\n",
          list_parameters);
  command->add_option("NODE", options->node, "such as /ackermann_steering_controller");
  command->add_flag("-a,--include-hidden-nodes", options->hidden, "include hidden nodes");
  command->add_flag("--param-type", options->types, "show types");

  command = add("get", "print the value of a parameter",
                "  tandem ros param get /ackermann_steering_controller use_sim_time\n", read);
  command->add_option("NODE", options->node, "such as /ackermann_steering_controller")->required();
  command->add_option("NAME", options->name, "such as use_sim_time")->required();
  command->add_flag("--hide-type", options->hide_type, "print the value only");

  command = add("set", "change a parameter",
                "  tandem ros param set /ackermann_steering_controller use_sim_time true\n", write);
  command->add_option("NODE", options->node, "such as /ackermann_steering_controller")->required();
  command->add_option("NAME", options->name, "such as use_sim_time")->required();
  command->add_option("VALUE", options->value, "YAML: true, 5, 0.5, text, [1, 2]")->required();

  command = add("describe", "print type, description and limits of parameters",
                "  tandem ros param describe /ackermann_steering_controller cycle_hz\n", describe);
  command->add_option("NODE", options->node, "such as /ackermann_steering_controller")->required();
  command->add_option("NAME", options->names, "such as use_sim_time")->required();

  command = add("dump", "print all parameters of a node as a parameter file",
                "  tandem ros param dump /ackermann_steering_controller > lift.yaml\n", dump);
  command->add_option("NODE", options->node, "such as /ackermann_steering_controller")->required();
}

}  // namespace tandem::app::ros
