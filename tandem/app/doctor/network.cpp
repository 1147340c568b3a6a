// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/doctor/network.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <exception>

#include "tandem/net/own_address.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/net/url.hpp"
#include "tandem/protocols/mqtt/client.hpp"

namespace tandem::app::doctor {

namespace {

using machines::Reach;

Finding reached(const std::string& who, const std::string& text) { return {Grade::fine, who, text}; }

Finding tcp_port(const std::string& who, const std::string& host, std::uint16_t port, std::string_view if_refused,
                 Duration patience) {
  const auto connected = net::TcpSocket::connect(host, port, now() + patience);
  if (connected) return reached(who, fmt::format("{}:{} is open", host, port));
  const Error& error = connected.error();
  std::string fix = "check the cable, the device's power, and that it is in this network";
  if (error.code == ECONNREFUSED) fix = fmt::format("the host is reachable: {}", if_refused);
  return {Grade::wrong, who, fmt::format("{}:{}: {}", host, port, error.text), fix};
}

Finding serial_line(const std::string& who, const std::string& file) {
  if (::access(file.c_str(), F_OK) != 0)
    return {Grade::wrong, who, fmt::format("{} does not exist", file), "plug it in; `ls /dev/serial/by-id` lists them"};
  if (::access(file.c_str(), R_OK | W_OK) != 0)
    return {Grade::wrong, who, fmt::format("{}: this user may not open it", file),
            "usermod -aG dialout USER, and log in again"};
  return reached(who, fmt::format("{} exists and can be opened", file));
}

// Where we wait and the vehicle calls.
Finding awaited(const std::string& who, const std::string& host, std::uint16_t port, bool tcp) {
  std::string trouble;
  if (tcp) {
    if (const auto free = net::TcpListener::listen(host, port); !free) trouble = free.error().text;
  } else {
    if (const auto free = net::UdpSocket::bind(host, port); !free) trouble = free.error().text;
  }
  const char* const kind = tcp ? "TCP" : "UDP";
  if (trouble.empty())
    return reached(who, fmt::format("{} {}:{} is free: configure the device to send to it", kind, host, port));
  return {Grade::note, who, fmt::format("{} {}:{}: {}", kind, host, port, trouble),
          "if it is not a running tandem but a ground station (see ss -lnp): give each its own port"};
}

bool is_ours(const Reach& way) { return way.kind != Reach::Kind::connects && way.kind != Reach::Kind::routed; }

Finding own_end(const std::string& who, const Reach& way) {
  if (way.kind == Reach::Kind::serial) return serial_line(who, way.where);
  return awaited(who, way.where, way.port, way.kind == Reach::Kind::awaits_tcp);
}

Finding device_port(const std::string& who, const Reach& way, Duration patience) {
  Finding found = tcp_port(who, way.where, way.port, way.if_refused, patience);
  if (found.grade == Grade::wrong && way.optional) found.grade = Grade::note;
  if (!way.key.empty()) found.text = fmt::format("{}: {}", way.key, found.text);
  return found;
}

// TCP to each port of the device, its own first.
std::vector<Reach> ways_by_ports(const machines::MachineType& type, const net::Url& url) {
  std::vector<Reach> ways;
  for (const machines::FieldPort& port : type.ports) {
    if (port.if_refused.empty()) continue;
    std::uint16_t number = url.port.value_or(port.standard);
    if (!port.key.empty()) {
      const auto named = url.number(port.key, port.standard, 1, 65535);
      if (!named) continue;  // the configuration's own check says so
      number = static_cast<std::uint16_t>(*named);
    }
    ways.push_back({Reach::Kind::connects, url.host, number, port.if_refused, port.key, port.optional});
  }
  return ways;
}

}  // namespace

Findings look_at_device(const runtime::MachineConfig& machine, Duration patience) {
  const std::string& who = machine.name;
  if (machine.is_virtual) return {reached(who, "virtual: runs in the same process, nothing to test")};
  const auto url = net::parse_url(machine.device);
  if (!url) return {{Grade::wrong, who, url.error().text, "see the docs for its device URL"}};
  if (machine.type == nullptr) return {};
  const auto ways = machine.type->reach != nullptr ? machine.type->reach(*url) : ways_by_ports(*machine.type, *url);
  Findings findings;
  bool main_found = false;
  for (const machines::Reach& each : ways) {
    if (is_ours(each)) {
      findings.push_back(own_end(who, each));
      continue;
    }
    if (!main_found) {
      const auto way = net::own_address_towards(each.where, now() + 3s);
      if (!way) {
        findings.push_back({Grade::wrong, who, way.error().text,
                            "give this computer an address in the device's network (ip address add ...), or use the "
                            "device's IP address"});
        return findings;
      }
      findings.push_back(reached(who, fmt::format("packets to {} leave from {}", each.where, *way)));
      if (each.kind == Reach::Kind::connects) findings.push_back(device_port(who, each, patience));
      const auto advice = machine.type->advice != nullptr ? machine.type->advice(*url, *way) : std::nullopt;
      if (advice) findings.push_back({Grade::note, who, advice->text, advice->fix});
      if (!all_well(findings)) return findings;
      main_found = true;
    } else if (each.kind == Reach::Kind::connects) {
      findings.push_back(device_port(who, each, patience));
    }
  }
  return findings;
}

Findings look_at_ports(const runtime::Config& config) {
  Findings findings;
  if (!config.web.listen.empty()) {
    const std::size_t colon = config.web.listen.rfind(':');
    const std::string host = config.web.listen.substr(0, colon);
    const int port = colon == std::string::npos ? 0 : std::atoi(config.web.listen.c_str() + colon + 1);
    const auto free = net::TcpListener::listen(host, static_cast<std::uint16_t>(port));
    if (free) {
      findings.push_back({Grade::fine, "ports", fmt::format("{} is free for the page", config.web.listen)});
    } else {
      findings.push_back({Grade::note, "ports", fmt::format("page: {}", free.error().text),
                          "another tandem may run: `tandem status`; or choose one: --web 127.0.0.1:8090"});
    }
  }
  return findings;
}

Findings look_at_broker(const mqtt::BrokerOptions& broker, Duration patience) {
  if (broker.url.empty()) return {};
  const std::string who = "MQTT broker";
  try {
    mqtt::Loop loop;
    mqtt::Client client(loop, broker, fmt::format("tandem_doctor_{}", ::getpid()), mqtt::shortest_keep_alive, {});
    const Instant until = now() + patience;
    mqtt::Counters seen;
    for (; now() < until; system_clock().sleep_until(now() + 10ms)) {
      seen = client.counters();
      if (!seen.connected) continue;
      client.leave({}, now() + patience);
      return {reached(who, fmt::format("{} accepts this computer", broker.url))};
    }
    return {{Grade::wrong, who,
             seen.trouble.empty() ? fmt::format("{}: no answer within {:.1f} s", broker.url, seconds(patience))
                                  : seen.trouble,
             "is the broker running, on that address, with this user? mosquitto without a configuration listens on "
             "loopback only"}};
  } catch (const std::exception& error) {
    return {{Grade::wrong, who, error.what(), "correct the section `mqtt`"}};
  }
}

}  // namespace tandem::app::doctor
