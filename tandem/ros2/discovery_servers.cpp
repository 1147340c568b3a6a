// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/discovery_servers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

#include "tandem/base/nearest.hpp"
#include "tandem/ros2/transport/neighbours.hpp"

namespace tandem::ros2 {
namespace {

constexpr std::size_t longest_host = 253;      // of a name in DNS
constexpr std::size_t largest_file = 1 << 16;  // bytes

Error no_server(std::string_view text, std::string_view why) {
  return {Fault::invalid,
          fmt::format("expected ADDRESS[:PORT] of a discovery server, got \"{}\"{}", printable(text), why)};
}

std::optional<std::uint16_t> port_from(std::string_view text) {
  std::uint16_t port = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (fault != std::errc() || end != text.data() + text.size() || port == 0) return {};
  return port;
}

bool is_host(std::string_view text) {
  const auto fits = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '-' ||
           c == '_';
  };
  return !text.empty() && text.size() <= longest_host && std::ranges::all_of(text, fits);
}

// Four numbers with points: an address, or a mistake in one.
bool looks_like_address(std::string_view text) { return text.find_first_not_of("0123456789.") == std::string::npos; }

}  // namespace

std::string DiscoveryServer::text() const { return fmt::format("server {} at {}:{}", id, host, port); }

const char* word(ServerState::Kind kind) {
  switch (kind) {
    case ServerState::Kind::searching:
      return "searching";
    case ServerState::Kind::connected:
      return "connected";
    case ServerState::Kind::lost:
      return "lost";
  }
  return "?";
}

Result<DiscoveryServer> server_from(std::string_view address, int id) {
  constexpr std::string_view udp = "UDPv4:";
  std::string_view rest = address;
  if (id < 0 || id > DiscoveryServer::highest_id) {
    return Error{Fault::invalid, fmt::format("expected the id of a discovery server from 0 to {}, got {}",
                                             DiscoveryServer::highest_id, id)};
  }
  if (rest.starts_with("TCP")) return no_server(address, "; TCP is not supported, use UDP");
  if (rest.starts_with("UDPv6:")) return no_server(address, "; IPv6 is not supported");
  const bool by_transport = rest.starts_with(udp);
  if (by_transport) rest.remove_prefix(udp.size());
  std::string_view host = rest, port;
  if (rest.starts_with("[")) {
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) return no_server(address, "");
    host = rest.substr(1, end - 1);
    port = rest.substr(end + 1);
    if (!port.empty() && port.front() != ':') return no_server(address, "");
    if (host.find(':') != std::string_view::npos) return no_server(address, "; IPv6 is not supported");
  } else if (const std::size_t colon = rest.find(':'); colon != std::string_view::npos) {
    if (rest.find(':', colon + 1) != std::string_view::npos) return no_server(address, "; IPv6 is not supported");
    host = rest.substr(0, colon);
    port = rest.substr(colon);
  }
  if (!is_host(host)) return no_server(address, "");
  DiscoveryServer server{id, std::string(host)};
  if (looks_like_address(host)) {
    const std::optional<Ipv4> parsed = ipv4_from(server.host);
    if (!parsed || is_multicast(*parsed)) return no_server(address, "");
    if (server.host == "0.0.0.0") server.host = "127.0.0.1";  // as Fast DDS takes it
  }
  if (port.empty()) return server;
  const std::optional<std::uint16_t> number = port_from(port.substr(1));
  if (!number) return no_server(address, "; a port is a number from 1 to 65535");
  server.port = *number;
  return server;
}

ServerList servers_from(std::string_view variable) {
  ServerList list;
  for (int id = 0; !variable.empty(); ++id) {
    const std::size_t end = std::min(variable.find(';'), variable.size());
    const std::string_view entry = variable.substr(0, end);
    variable.remove_prefix(std::min(end + 1, variable.size()));
    if (entry.empty()) continue;
    Result<DiscoveryServer> server = server_from(entry, id);
    if (server) {
      list.servers.push_back(std::move(*server));
    } else {
      list.warnings.push_back(fmt::format("ROS_DISCOVERY_SERVER: {}; this entry is ignored", server.error().text));
    }
    if (id == DiscoveryServer::highest_id) break;
  }
  return list;
}

Result<std::string> servers_in_environment_file(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string text(largest_file + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.empty()) return Error{Fault::invalid, fmt::format("{}: cannot be read, or is empty", file)};
  if (text.size() > largest_file) return Error{Fault::invalid, fmt::format("{}: larger than 64 KiB", file)};
  const nlohmann::json whole = nlohmann::json::parse(text, nullptr, false);
  if (!whole.is_object()) return Error{Fault::invalid, fmt::format("{}: expected a JSON object", file)};
  const auto variables = whole.find("environment_variables");
  if (variables == whole.end() || !variables->is_object()) return std::string();
  const auto value = variables->find("ROS_DISCOVERY_SERVER");
  if (value == variables->end()) return std::string();
  if (!value->is_string()) return Error{Fault::invalid, fmt::format("{}: ROS_DISCOVERY_SERVER: expected text", file)};
  return value->get<std::string>();
}

std::array<std::uint8_t, 12> server_prefix(int id) {
  return {0x44, 0x53, static_cast<std::uint8_t>(id), 0x5f, 0x45, 0x50, 0x52, 0x4f, 0x53, 0x49, 0x4d, 0x41};
}

bool is_loopback_host(std::string_view host) {
  if (host == "localhost") return true;
  const std::optional<Ipv4> address = ipv4_from(std::string(host));
  return address && is_loopback(*address);
}

bool is_on_this_computer(const std::string& host) { return is_loopback_host(host) || own_addresses().contains(host); }

}  // namespace tandem::ros2
