// SPDX-License-Identifier: Apache-2.0
// service list, type, find, call.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tandem/app/commands/option_checks.hpp"
#include "tandem/app/ros/call.hpp"
#include "tandem/app/ros/commands.hpp"
#include "tandem/app/ros/graph_view.hpp"
#include "tandem/app/ros/text/message_text.hpp"
#include "tandem/app/ros/text/yaml_input.hpp"
#include "tandem/app/ros/types.hpp"

namespace tandem::app::ros {
namespace {

struct ServiceOptions {
  std::string name, type, values;
  bool types = false, count = false, hidden = false;
  double timeout = 30;         // s
  std::optional<double> rate;  // Hz; none: once
};

int list_services(Session& session, const ServiceOptions& options) {
  const Names names = services(session.discover(), options.hidden);
  if (options.count) {
    session.print(fmt::format("{}\n", names.size()));
    return success;
  }
  for (const NamedTypes& each : names) {
    session.print(options.types ? fmt::format("{} {}\n", each.name, type_list(each)) : each.name + "\n");
  }
  return success;
}

int type(Session& session, const std::string& text) {
  const std::string name = full_name(text);
  const ros2::Graph graph = session.discover();
  const Names all = services(graph, true);
  const NamedTypes* service = find(all, name);
  if (service == nullptr) return fail(unknown_name("service", name, services(graph, is_hidden(name))));
  session.print(fmt::format("{}\n", fmt::join(service->types, "\n")));
  return success;
}

int find_by_type(Session& session, const std::string& text) {
  const std::string type = full_type_name(text, "srv");
  for (const NamedTypes& each : services(session.discover(), false)) {
    if (std::ranges::count(each.types, type) > 0) session.print(each.name + "\n");
  }
  return success;
}

int call(Session& session, const ServiceOptions& options) {
  const std::string name = full_name(options.name), type = full_type_name(options.type, "srv");
  const ros2::Graph graph = session.discover();
  const Result<FoundType> request = find_type(session, graph, type + "_Request", type);
  if (!request) return fail(request.error().text, usage);
  const Result<FoundType> response = find_type(session, graph, type + "_Response", type);
  if (!response) return fail(response.error().text, usage);
  const auto bytes = message_from_yaml(request->type, options.values);
  if (!bytes) return fail(bytes.error().text, usage);

  TextOptions python;
  python.format = TextFormat::python;
  python.longest = std::nullopt;
  const ros2::AnyClient client(session.node(), name, {type, request->hash, response->hash});
  const auto stopped = [&](const Error& error) {
    return session.over() ? 130 : fail(error.text, error.fault == Fault::unsupported ? usage : failure);
  };
  if (auto there = await_server(session, client, type, duration_of(options.timeout)); !there)
    return stopped(there.error());
  for (Instant next = system_clock().now(); !session.over();) {
    if (auto text = message_text(request->type, *bytes, python)) {
      session.print(fmt::format("requester: making request: {}\n", *text));
    }
    const auto answer = call_raw(session, client, *bytes, {.timeout = duration_of(options.timeout)});
    if (!answer) return stopped(answer.error());
    const auto text = message_text(response->type, *answer, python);
    if (!text) return fail(text.error().text);
    session.print(fmt::format("response:\n{}\n", *text));
    if (!options.rate) break;
    next += duration_of(1 / *options.rate);
    session.wait(next - system_clock().now());
  }
  return success;
}

}  // namespace

void add_service_commands(Commands& commands) {
  const auto options = std::make_shared<ServiceOptions>();
  CLI::App* service = commands.group("service", "list, type, find, call");
  CLI::App* command = commands.add(service, "list", "list all services", "  tandem ros service list -t\n",
                                   [options](Session& session) { return list_services(session, *options); });
  command->add_flag("-t,--show-types", options->types, "show types");
  command->add_flag("-c,--count-services", options->count, "print only the count");
  command->add_flag("-a,--all,--include-hidden-services", options->hidden,
                    "include hidden services (those of actions)");

  command = commands.add(service, "type", "print the type of a service",
                         "  tandem ros service type /ackermann_steering_controller/arm\n",
                         [options](Session& session) { return type(session, options->name); });
  command->add_option("NAME", options->name, "such as /ackermann_steering_controller/arm")->required();

  command =
      commands.add(service, "find", "list the services of a type", "  tandem ros service find std_srvs/srv/Trigger\n",
                   [options](Session& session) { return find_by_type(session, options->type); });
  command->add_option("TYPE", options->type, "such as std_srvs/srv/Trigger")->required();

  command = commands.add(service, "call", "call a service and print its answer",
                         "  tandem ros service call /ackermann_steering_controller/arm std_srvs/srv/Trigger\n"
                         "  tandem ros service call /slam_bridge/set_mode mavros_msgs/srv/SetMode "
                         "'{custom_mode: ALT_HOLD}' --timeout 5\n",
                         [options](Session& session) { return call(session, *options); });
  command->add_option("NAME", options->name, "such as /ackermann_steering_controller/arm")->required();
  command->add_option("TYPE", options->type, "such as std_srvs/srv/Trigger")->required();
  command->add_option("YAML", options->values, "values; omitted fields keep their defaults");
  command->add_option("--timeout", options->timeout, "timeout for the server and its answer (s)")
      ->type_name("SECONDS")
      ->check(seconds_check())
      ->capture_default_str();
  command->add_option("-r,--rate", options->rate, "call repeatedly at this rate (Hz)")
      ->check(number_check(0.001, 1000.0));
}

}  // namespace tandem::app::ros
