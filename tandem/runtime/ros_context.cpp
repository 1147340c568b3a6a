// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/ros_context.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "tandem/net/url.hpp"
#include "tandem/ros2/node.hpp"

namespace tandem::runtime {

namespace {

const char* reach(ros2::DiscoveryRange range) {
  switch (range) {
    case ros2::DiscoveryRange::off:
      return "this process only";
    case ros2::DiscoveryRange::localhost:
      return "this computer only";
    case ros2::DiscoveryRange::subnet:
      return "the local network";
    case ros2::DiscoveryRange::system_default:
      return "as configured for Fast DDS";
  }
  return "?";
}

bool is_here(const MachineConfig& machine) {
  if (machine.is_virtual) return true;
  const auto url = net::parse_url(machine.device);
  return url && (url->host == "localhost" || url->host.starts_with("127."));
}

ros2::DiscoveryRange range_from(const std::string& word) {
  if (word == "off") return ros2::DiscoveryRange::off;
  if (word == "system_default") return ros2::DiscoveryRange::system_default;
  return word == "subnet" ? ros2::DiscoveryRange::subnet : ros2::DiscoveryRange::localhost;
}

}  // namespace

ros2::DiscoveryRange default_range(const Config& config) {
  const bool all_here = std::all_of(config.machines.begin(), config.machines.end(), is_here);
  return all_here ? ros2::DiscoveryRange::localhost : ros2::DiscoveryRange::subnet;
}

RosOptions ros_options(const Config& all, const std::function<const char*(const char*)>& environment) {
  const RosConfig& config = all.ros;
  // A variable that the configuration overrides is not even read: it may be wrong.
  const auto variable = [&](const char* name) -> const char* {
    const std::string_view word = name;
    const bool decides_range = word == "ROS_LOCALHOST_ONLY" || word == "ROS_AUTOMATIC_DISCOVERY_RANGE";
    const bool by_servers = config.discovery == "server" || !config.servers.empty();
    const bool names_servers = word == "ROS_DISCOVERY_SERVER" || word == "FASTDDS_ENVIRONMENT_FILE";
    if ((by_servers && decides_range) || (!config.servers.empty() && names_servers)) return nullptr;
    const bool overridden =
        (config.domain && word == "ROS_DOMAIN_ID") || (!config.discovery.empty() && decides_range) ||
        (config.static_peers && word == "ROS_STATIC_PEERS") || (config.security && word.starts_with("ROS_SECURITY_"));
    return overridden ? nullptr : environment(name);
  };
  ros2::ContextOptions defaults;
  const bool is_range = !config.discovery.empty() && config.discovery != "server";
  defaults.range = is_range ? range_from(config.discovery) : default_range(all);
  defaults.range_is_asked_for = is_range;
  auto found = ros2::context_options_from(variable, defaults);
  if (!found) throw std::runtime_error("ROS: " + found.error().text);
  RosOptions ros{std::move(found->options), std::move(found->warnings)};
  ros2::ContextOptions& options = ros.options;
  if (config.domain) options.domain = *config.domain;
  if (!config.servers.empty()) options.servers = config.servers;
  if (config.super_client) options.super_client = *config.super_client;
  if (config.discovery == "server" && options.servers.empty()) {
    throw std::runtime_error(
        "ros.discovery: server: expected discovery servers in ros.servers or ROS_DISCOVERY_SERVER, got none");
  }
  if (config.distro == "humble") options.distro = ros2::Distro::humble;
  if (config.distro == "jazzy") options.distro = ros2::Distro::jazzy;
  options.shared_memory = config.shared_memory;
  options.use_sim_time = config.use_sim_time;
  if (config.security) {
    options.security = config.security;
    options.enclave = config.enclave;
  }
  if (config.static_peers) {
    options.static_peers = *config.static_peers;
    const bool used = !options.servers.empty() || options.range == ros2::DiscoveryRange::localhost ||
                      options.range == ros2::DiscoveryRange::subnet;
    if (!used && !options.static_peers.empty()) {
      options.static_peers.clear();
      ros.warnings.emplace_back("ros.static_peers: ignored, as the discovery range is off or system_default");
    }
  }
  ros2::settle_servers(options, ros.warnings);
  return ros;
}

RosContext make_ros_context(const Config& all, const OnEvent& on_event, ros2::SampleTap* tap) {
  if (!all.ros.enabled) return {nullptr, "off"};
  RosOptions ros = ros_options(all, ros2::ros_variable);
  ros2::ContextOptions& options = ros.options;
  options.tap = tap;
  if (on_event) {
    for (const std::string& warning : ros.warnings) on_event({"", "ros", warning, true});
    options.on_event = [on_event](const ros2::Event& event) { on_event({"", "ros", event.text, true}); };
  }
  std::string text = fmt::format("domain {}, {}", options.domain, reach(options.range));
  if (const std::size_t count = options.servers.size(); count > 0) {
    text += fmt::format(" by {} discovery server{}", count, count == 1 ? "" : "s");
    if (!options.super_client) text += " (client: only what matches)";
  }
  if (!options.static_peers.empty()) text += fmt::format(" and {} static peers", options.static_peers.size());
  if (options.security) text += fmt::format(", secured as {}", options.enclave);
  return {std::make_shared<ros2::Context>(std::move(options)), std::move(text)};
}

std::vector<DiscoveryServerStatus> discovery_servers_of(const ros2::Context& context) {
  std::vector<DiscoveryServerStatus> servers;
  for (const ros2::ServerState& each : context.discovery_servers()) {
    servers.push_back({each.server.id, fmt::format("{}:{}", each.server.host, each.server.port), ros2::word(each.kind),
                       seconds(now() - each.since)});
  }
  return servers;
}

std::vector<std::string> published_topics(const ros2::Context& context) {
  const std::set<std::string_view> own = {"/rosout",    "/parameter_events", "/tf",
                                          "/tf_static", "/diagnostics",      "ros_discovery_info"};
  std::set<std::string> topics;
  for (const auto& endpoint : context.graph().endpoints) {
    if (endpoint.local && endpoint.writes && endpoint.topic.starts_with("/") && !own.contains(endpoint.topic))
      topics.insert(endpoint.topic);
  }
  return {topics.begin(), topics.end()};
}

}  // namespace tandem::runtime
