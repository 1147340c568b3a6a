// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/context_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>

namespace tandem::ros2 {
namespace {

constexpr unsigned highest_domain = 232;  // beyond it, the ports of RTPS do not fit in 16 bits
constexpr int safe_domain = 101;          // beyond it, they fall among Linux' ephemeral ports

struct Domain {
  int value = 0;
  bool whole = true;  // nothing behind the number
};

// As strtoul reads it, since rcl does: "010" is 8, "0x10" is 16, and what follows a number does not count.
Result<Domain> domain_from(const std::string& text) {
  char* end = nullptr;
  errno = 0;
  const unsigned long number = std::strtoul(text.c_str(), &end, 0);
  const bool found = end != text.c_str() && (number != 0 || *end == '\0') && text.find('-') == std::string::npos;
  if (!found || errno == ERANGE || number > highest_domain) {
    return Error{Fault::invalid,
                 fmt::format("ROS_DOMAIN_ID: expected a number from 0 to {}, got \"{}\"", highest_domain, text)};
  }
  return Domain{static_cast<int>(number), *end == '\0'};
}

std::optional<DiscoveryRange> range_from(std::string_view text) {
  if (text == "OFF") return DiscoveryRange::off;
  if (text == "LOCALHOST") return DiscoveryRange::localhost;
  if (text == "SUBNET") return DiscoveryRange::subnet;
  if (text == "SYSTEM_DEFAULT") return DiscoveryRange::system_default;
  return std::nullopt;
}

std::vector<std::string> peers_from(std::string_view text) {
  std::vector<std::string> peers;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(';'), text.size());
    if (end > 0) peers.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return peers;
}

using Variables = std::function<std::string(const char*)>;

Result<void> take_domain(const Variables& variable, EnvironmentOptions& found) {
  const std::string text = variable("ROS_DOMAIN_ID");
  if (text.empty()) return {};
  const Result<Domain> domain = domain_from(text);
  if (!domain) return domain.error();
  found.options.domain = domain->value;
  if (!domain->whole) {
    found.warnings.push_back(
        fmt::format("ROS_DOMAIN_ID=\"{}\": taken as {}, as ROS does; the rest is ignored", text, domain->value));
  }
  if (domain->value > safe_domain) {
    found.warnings.push_back(fmt::format("ROS_DOMAIN_ID={}: above {} the DDS ports are in the ephemeral range of Linux",
                                         domain->value, safe_domain));
  }
  return {};
}

void take_range(const Variables& variable, EnvironmentOptions& found) {
  ContextOptions& options = found.options;
  const std::string word = variable("ROS_AUTOMATIC_DISCOVERY_RANGE"), peers = variable("ROS_STATIC_PEERS");
  if (variable("ROS_LOCALHOST_ONLY") == "1") {
    options.range_is_asked_for = true;
    options.range = DiscoveryRange::localhost;
    options.static_peers.clear();
    if (!word.empty() || !peers.empty()) {
      found.warnings.emplace_back(
          "ROS_LOCALHOST_ONLY=1: ROS_AUTOMATIC_DISCOVERY_RANGE and ROS_STATIC_PEERS are ignored");
    }
    return;
  }
  if (!word.empty()) {
    options.range_is_asked_for = true;
    const std::optional<DiscoveryRange> range = range_from(word);
    options.range = range.value_or(DiscoveryRange::localhost);
    if (!range) {
      found.warnings.push_back(fmt::format(
          "ROS_AUTOMATIC_DISCOVERY_RANGE: expected OFF, LOCALHOST, SUBNET or SYSTEM_DEFAULT, got \"{}\"; taken as "
          "LOCALHOST",
          word));
    }
  }
  if (!peers.empty()) options.static_peers = peers_from(peers);
  const bool peers_count = options.range == DiscoveryRange::localhost || options.range == DiscoveryRange::subnet;
  if (!peers_count && !options.static_peers.empty()) {
    options.static_peers.clear();
    found.warnings.emplace_back("ROS_STATIC_PEERS: ignored, as the discovery range is OFF or SYSTEM_DEFAULT");
  }
}

// Security is on by the word "true" alone, and enforced by "Enforce" alone. A near miss would leave the machine open
// without a word, so that one is reported.
void take_security(const Variables& variable, EnvironmentOptions& found) {
  ContextOptions& options = found.options;
  const std::string enclave = variable("ROS_SECURITY_ENCLAVE_OVERRIDE");
  if (!enclave.empty()) options.enclave = enclave;
  const std::string enable = variable("ROS_SECURITY_ENABLE");
  if (enable != "true") {
    if (!enable.empty() && enable != "false") {
      found.warnings.push_back(fmt::format(
          "ROS_SECURITY_ENABLE: expected \"true\" to enable security, got \"{}\"; security is off", enable));
    }
    return;
  }
  const std::string strategy = variable("ROS_SECURITY_STRATEGY");
  if (!strategy.empty() && strategy != "Enforce" && strategy != "Permissive") {
    found.warnings.push_back(fmt::format(
        "ROS_SECURITY_STRATEGY: expected Enforce or Permissive, got \"{}\"; taken as Permissive", strategy));
  }
  options.security = Security{variable("ROS_SECURITY_KEYSTORE"),
                              strategy == "Enforce" ? Security::Strategy::enforce : Security::Strategy::permissive};
}

// The file wins over the variable, as in Fast DDS.
void take_servers(const Variables& variable, EnvironmentOptions& found) {
  std::string list = variable("ROS_DISCOVERY_SERVER");
  if (const std::string file = variable("FASTDDS_ENVIRONMENT_FILE"); !file.empty()) {
    const Result<std::string> said = servers_in_environment_file(file);
    if (!said) found.warnings.push_back(fmt::format("FASTDDS_ENVIRONMENT_FILE: {}; ignored", said.error().text));
    if (said && !said->empty()) list = *said;
  }
  ServerList read = servers_from(list);
  found.warnings.insert(found.warnings.end(), read.warnings.begin(), read.warnings.end());
  if (!list.empty() && read.servers.empty()) {
    found.warnings.emplace_back("ROS_DISCOVERY_SERVER: no server in it; others are looked for without one");
  }
  if (!read.servers.empty()) found.options.servers = std::move(read.servers);
  const std::string super = variable("ROS_SUPER_CLIENT");
  if (super == "TRUE" || super == "true" || super == "True" || super == "1") found.options.super_client = true;
  if (super == "FALSE" || super == "false" || super == "False" || super == "0") found.options.super_client = false;
}

const char* word_for(DiscoveryRange range) { return range == DiscoveryRange::off ? "off" : "localhost"; }

std::map<std::string, std::string, std::less<>>& taken_variables() {
  static std::map<std::string, std::string, std::less<>> taken;
  return taken;
}

}  // namespace

void take_discovery_server_variables() {
  for (const char* name : discovery_server_variables) {
    if (const char* value = std::getenv(name)) taken_variables()[name] = value;
    unsetenv(name);
  }
}

const char* ros_variable(const char* name) {
  if (const char* value = std::getenv(name)) return value;
  const auto found = taken_variables().find(std::string_view(name));
  return found == taken_variables().end() ? nullptr : found->second.c_str();
}

void settle_servers(ContextOptions& options, std::vector<std::string>& warnings) {
  if (options.servers.empty()) return;
  const auto is_here = [](const DiscoveryServer& server) { return is_on_this_computer(server.host); };
  const auto elsewhere = std::ranges::find_if_not(options.servers, is_here);
  const bool off = options.range == DiscoveryRange::off;
  const bool stays_here = off || options.range == DiscoveryRange::localhost;
  if (off || (options.range_is_asked_for && stays_here && elsewhere != options.servers.end())) {
    const DiscoveryServer& named = elsewhere == options.servers.end() ? options.servers.front() : *elsewhere;
    warnings.push_back(fmt::format(
        "discovery {} and discovery {} contradict each other: the servers are ignored; for several computers set "
        "ros: {{discovery: server}}, or unset ROS_LOCALHOST_ONLY and ROS_AUTOMATIC_DISCOVERY_RANGE",
        word_for(options.range), named.text()));
    options.servers.clear();
    return;
  }
  if (!options.range_is_asked_for) {
    const bool on_loopback =
        std::ranges::all_of(options.servers, [](const auto& server) { return is_loopback_host(server.host); });
    options.range = on_loopback ? DiscoveryRange::localhost : DiscoveryRange::subnet;
  }
  if (options.static_peers.empty()) return;
  warnings.emplace_back("static peers: ignored, as discovery servers are set; Fast DDS uses one of the two");
  options.static_peers.clear();
}

Result<EnvironmentOptions> context_options_from(const std::function<const char*(const char*)>& variable,
                                                ContextOptions defaults) {
  EnvironmentOptions found{std::move(defaults), {}};
  const Variables text_of = [&](const char* name) {
    const char* text = variable(name);
    return std::string(text == nullptr ? "" : text);  // rcl takes an empty variable as not set
  };
  if (const Result<void> taken = take_domain(text_of, found); !taken) return taken.error();
  take_range(text_of, found);
  take_security(text_of, found);
  take_servers(text_of, found);
  settle_servers(found.options, found.warnings);
  return found;
}

Result<EnvironmentOptions> context_options_from_environment(ContextOptions defaults) {
  return context_options_from(ros_variable, std::move(defaults));
}

}  // namespace tandem::ros2
