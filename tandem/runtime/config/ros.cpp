// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/config/ros.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "tandem/base/nearest.hpp"
#include "tandem/yaml/values.hpp"

namespace tandem::runtime {

namespace {

using machines::Option;
using machines::OptionKind;

constexpr std::array<std::string_view, 5> discoveries = {"off", "localhost", "subnet", "system_default", "server"};
constexpr std::array<std::string_view, 3> distros = {"auto", "humble", "jazzy"};
constexpr std::array<std::string_view, 2> strategies = {"enforce", "permissive"};

constexpr std::array<Option, 11> table = {{
    {"enabled", OptionKind::flag, "true", "enable ROS 2"},
    {"domain", OptionKind::number, "0", "DDS domain ID", 0, 232},
    {"discovery", OptionKind::choice, "localhost", "discovery range", -1e300, 1e300, 0, discoveries},
    {"static_peers", OptionKind::texts, "[]", "addresses or host names of further peers, with localhost and subnet"},
    {"servers", OptionKind::texts, "[]",
     "discovery servers: HOST[:PORT], the ids in order from 0; or {id: N, address: HOST[:PORT]}"},
    {"super_client", OptionKind::flag, "true",
     "discover everything that the servers know; false: only what matches topics of this process"},
    {"distro", OptionKind::choice, "auto", "ROS distribution whose graph message format is sent", -1e300, 1e300, 0,
     distros},
    {"shared_memory", OptionKind::flag, "false",
     "shared memory transport between processes of this computer (/dev/shm)"},
    {"use_sim_time", OptionKind::flag, "false", "use the time on /clock"},
    {"publish_clock", OptionKind::flag, "false", "publish the time of this process on /clock (100 Hz)"},
    {"security", OptionKind::text, "", "certificates: keystore, enclave, strategy"},
}};
constexpr std::array<Option, 3> security_table = {{
    {"keystore", OptionKind::text, "", "keystore folder as made by `ros2 security create_keystore`"},
    {"enclave", OptionKind::text, "/", "enclave of this process in the keystore"},
    {"strategy", OptionKind::choice, "enforce", "behaviour without valid certificates", -1e300, 1e300, 0, strategies},
}};

// "2@10.9.0.1:11811".
Result<ros2::DiscoveryServer> server_from_text(const std::string& text) {
  const std::size_t at = text.find('@');
  return ros2::server_from(std::string_view(text).substr(at + 1), std::stoi(text.substr(0, at)));
}

Error wrong_server(std::size_t place, const std::string& why) {
  return {Fault::invalid, fmt::format("element {}: {}", place, why)};
}

struct ServerEntry {
  int id = 0;
  std::string address;
};

Result<ServerEntry> server_entry(const yaml::Node& item, std::size_t place) {
  if (item.kind == yaml::Node::Kind::scalar) return ServerEntry{static_cast<int>(place - 1), item.scalar};
  if (item.kind != yaml::Node::Kind::map) {
    return wrong_server(place, fmt::format("expected HOST[:PORT] or {{id, address}}, got {}", seen(item)));
  }
  std::optional<int> id;
  std::optional<std::string> address;
  for (std::size_t i = 0; i < item.keys.size(); ++i) {
    const std::string& key = item.keys[i].scalar;
    const yaml::Node& value = item.items[i];
    const auto number = yaml::number_from(value);
    if (key == "id" && number && *number >= 0 && *number <= ros2::DiscoveryServer::highest_id &&
        *number == static_cast<int>(*number)) {
      id = static_cast<int>(*number);
    } else if (key == "id") {
      return wrong_server(place, fmt::format("id: expected a whole number from 0 to {}, got {}",
                                             ros2::DiscoveryServer::highest_id, seen(value)));
    } else if (key == "address" && value.kind == yaml::Node::Kind::scalar) {
      address = value.scalar;
    } else if (key == "address") {
      return wrong_server(place, fmt::format("address: expected HOST[:PORT], got {}", seen(value)));
    } else {
      return wrong_server(place, fmt::format("unknown key '{}' (known: id, address)", printable(key)));
    }
  }
  if (!id || !address) return wrong_server(place, fmt::format("missing key '{}'", id ? "address" : "id"));
  return ServerEntry{*id, *address};
}

void apply_security(RosConfig& config, const std::string& key, const machines::Options& options) {
  if (!config.security) config.security.emplace();
  if (key == "keystore") config.security->keystore = options.text("keystore");
  if (key == "enclave") config.enclave = options.text("enclave");
  if (key == "strategy") {
    config.security->strategy = options.text("strategy") == "permissive" ? ros2::Security::Strategy::permissive
                                                                         : ros2::Security::Strategy::enforce;
  }
}

}  // namespace

std::span<const Option> ros_options() { return table; }
std::span<const Option> ros_security_options() { return security_table; }

Result<yaml::Node> server_texts(const yaml::Node& list) {
  if (list.kind != yaml::Node::Kind::sequence || list.items.empty()) {
    return Error{
        Fault::invalid,
        fmt::format("expected a list of discovery servers, got {}",
                    list.items.empty() && list.kind == yaml::Node::Kind::sequence ? "an empty one" : seen(list))};
  }
  yaml::Node texts = list;
  std::vector<int> ids;
  for (std::size_t i = 0; i < list.items.size(); ++i) {
    const Result<ServerEntry> entry = server_entry(list.items[i], i + 1);
    if (!entry) return entry.error();
    if (const auto server = ros2::server_from(entry->address, entry->id); !server) {
      return wrong_server(i + 1, server.error().text);
    }
    if (std::ranges::find(ids, entry->id) != ids.end()) {
      return wrong_server(i + 1, fmt::format("id {} is another server's already", entry->id));
    }
    ids.push_back(entry->id);
    texts.items[i] = yaml::Node{yaml::Node::Kind::scalar,
                                list.items[i].line,
                                list.items[i].column,
                                true,
                                fmt::format("{}@{}", entry->id, entry->address),
                                {},
                                {}};
  }
  return texts;
}

void apply_ros(RosConfig& config, const std::string& path, const machines::Options& options) {
  constexpr std::string_view nested = "ros.security.";
  if (path.starts_with(nested)) return apply_security(config, path.substr(nested.size()), options);
  if (path == "ros.enabled") config.enabled = options.flag("enabled");
  if (path == "ros.domain") config.domain = static_cast<int>(options.number("domain"));
  if (path == "ros.discovery") config.discovery = options.text("discovery");
  if (path == "ros.static_peers") config.static_peers = options.texts("static_peers");
  if (path == "ros.servers") {
    config.servers.clear();
    for (const std::string& text : options.texts("servers")) config.servers.push_back(*server_from_text(text));
  }
  if (path == "ros.super_client") config.super_client = options.flag("super_client");
  if (path == "ros.distro") config.distro = options.text("distro");
  if (path == "ros.shared_memory") config.shared_memory = options.flag("shared_memory");
  if (path == "ros.publish_clock") config.publish_clock = options.flag("publish_clock");
  if (path == "ros.use_sim_time") config.use_sim_time = options.flag("use_sim_time");
}

}  // namespace tandem::runtime
