// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/replay/ports.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/net/url.hpp"

namespace tandem::runtime {
namespace {

constexpr net::FrameRules bytes_as_they_are{.name = "bytes"};
constexpr std::uint16_t nobodys_port = 1;  // refuses, wherever nothing was recorded

bool is_serial(const Conversation& conversation) { return !conversation.datagram && port_of(conversation.peer) == 0; }

ReplayRole role_of(const Conversation& conversation, const net::Url& url) {
  if (conversation.datagram) {
    const bool machine_first =
        !conversation.pieces.empty() && conversation.pieces.front().direction == net::Direction::out;
    return machine_first ? ReplayRole::receives : ReplayRole::sends;
  }
  return url.value("link").value_or("") == "tcpin" ? ReplayRole::calls : ReplayRole::listens;
}

bool calls_machine(ReplayRole role) { return role == ReplayRole::calls || role == ReplayRole::sends; }

std::uint16_t number_of(const Conversation& conversation, ReplayRole role) {
  return port_of(calls_machine(role) ? conversation.local : conversation.peer);
}

// Which of the device's ports it is: as the URL says, or by its usual number, or the only one there is.
Result<machines::FieldPort> field_port(std::span<const machines::FieldPort> known, const net::Url& url,
                                       std::uint16_t number) {
  if (known.empty())
    return Error{Fault::unsupported, fmt::format("{}: no machine supports replay of {}://", url.text(), url.scheme)};
  if (known.size() == 1) return known.front();
  const auto named = [&](const machines::FieldPort& port) {
    if (port.key.empty()) return url.port == number;
    return url.value(port.key).value_or("") == std::to_string(number);
  };
  if (const auto found = std::ranges::find_if(known, named); found != known.end()) return *found;
  const auto usual = std::ranges::find(known, number, &machines::FieldPort::standard);
  if (usual != known.end()) return *usual;
  return Error{Fault::invalid, fmt::format("port {} of the recording is not used by {}", number, url.text())};
}

Result<void> open_port(ReplayPort& port, const ReplayOptions& options) {
  const auto number = static_cast<std::uint16_t>(options.port && port.key.empty() ? *options.port
                                                 : options.port == 0              ? 0
                                                                                  : port.recorded);
  if (calls_machine(port.role)) {
    const std::uint16_t there = number != 0 ? number : port.recorded;
    auto machine = net::resolve(options.listen == "0.0.0.0" ? "127.0.0.1" : options.listen, there);
    if (!machine) return std::move(machine).error();
    port.machine = *machine;
    if (port.role == ReplayRole::calls) return {};
  }
  if (port.role == ReplayRole::listens) {
    auto listener = net::TcpListener::listen(options.listen, number);
    if (!listener) return std::move(listener).error();
    port.listener = std::move(*listener);
    port.served = port.listener.local().port;
    return {};
  }
  auto socket = net::UdpSocket::bind(options.listen, port.role == ReplayRole::sends ? std::uint16_t{0} : number);
  if (!socket) return std::move(socket).error();
  port.udp = std::move(*socket);
  return {};
}

}  // namespace

Result<std::vector<ReplayPort>> replay_ports(const FieldRecording& recording, const ReplayOptions& options) {
  if (recording.conversations.empty())
    return Error{Fault::not_found,
                 fmt::format("the recording contains no connection of {} to its device", recording.machine)};
  auto url = net::parse_url(recording.device);
  if (!url) return within("device of the recording", std::move(url).error());
  std::vector<ReplayPort> ports;
  for (std::size_t i = 0; i < recording.conversations.size(); ++i) {
    const Conversation& conversation = recording.conversations[i];
    if (conversation.datagram && conversation.pieces.empty()) continue;
    const ReplayRole role = role_of(conversation, *url);
    const std::uint16_t number = number_of(conversation, role);
    const auto same = [&](const ReplayPort& port) { return port.role == role && port.recorded == number; };
    if (std::ranges::any_of(ports, same)) continue;
    auto field = field_port(options.ports, *url, number);
    if (!field) return std::move(field).error();
    ReplayPort port;
    port.role = role;
    port.recorded = number;
    port.key = field->key;
    port.protocol = field->rules != nullptr ? field->rules : &bytes_as_they_are;
    if (auto opened = open_port(port, options); !opened) return std::move(opened).error();
    ports.push_back(std::move(port));
  }
  refill(ports, recording);
  return ports;
}

Result<bool> is_there(ReplayPort& port, const ReplayOptions& options, Instant now) {
  if (now < port.away_until) return false;
  if (port.role != ReplayRole::listens || port.listener.open() || port.waiting.empty()) return true;
  auto listener = net::TcpListener::listen(options.listen, port.served);
  if (!listener) return std::move(listener).error();
  port.listener = std::move(*listener);
  return true;
}

void refill(std::vector<ReplayPort>& ports, const FieldRecording& recording) {
  const auto url = net::parse_url(recording.device);
  for (ReplayPort& port : ports) port.waiting.clear();
  for (std::size_t i = 0; url && i < recording.conversations.size(); ++i) {
    const Conversation& conversation = recording.conversations[i];
    const ReplayRole role = role_of(conversation, *url);
    for (ReplayPort& port : ports)
      if (port.role == role && port.recorded == number_of(conversation, role)) port.waiting.push_back(i);
  }
}

std::string replay_url(const FieldRecording& recording, const ReplayOptions& options,
                       const std::vector<ReplayPort>& ports) {
  auto url = net::parse_url(recording.device);
  if (!url) return recording.device;
  url->host = options.listen == "0.0.0.0" ? "127.0.0.1" : options.listen;
  const bool serial = std::ranges::any_of(recording.conversations, is_serial);
  const auto set = [&](std::string_view key, std::string value) {
    const auto found = std::ranges::find(url->query, key, &std::pair<std::string, std::string>::first);
    if (found != url->query.end()) {
      found->second = std::move(value);
    } else {
      url->query.emplace_back(key, std::move(value));
    }
  };
  if (serial) url->query = {{"link", "tcp"}};  // a serial line is replayed on a TCP port
  for (const machines::FieldPort& field : options.ports) {
    const auto served = std::ranges::find(ports, field.key, &ReplayPort::key);
    std::uint16_t number = options.port == 0 ? nobodys_port : std::uint16_t{0};
    if (served != ports.end()) {
      number = calls_machine(served->role)           ? served->machine.port
               : served->role == ReplayRole::listens ? served->listener.local().port
                                                     : served->udp.local().port;
    }
    if (number == 0) continue;
    if (field.key.empty()) {
      url->port = number;
    } else {
      set(field.key, std::to_string(number));
    }
  }
  return url->text();
}

}  // namespace tandem::runtime
