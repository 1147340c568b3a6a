// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/programs/sockets.hpp"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "tandem/protocols/ur/gripper/gripper.hpp"

namespace tandem::ur3e {
namespace {

constexpr std::size_t most_sockets = 32;
constexpr std::size_t most_received = 1u << 20;  // bytes that wait for the program

}  // namespace

void ScriptSockets::allow(const std::string& addresses) {
  allowed_.clear();
  anywhere_ = addresses == "any";
  if (anywhere_ || addresses == "client") return;
  std::string_view rest = addresses;
  while (true) {
    const std::size_t comma = rest.find(',');
    const std::string address(rest.substr(0, comma));
    in_addr parsed{};
    if (inet_pton(AF_INET, address.c_str(), &parsed) != 1)
      throw std::invalid_argument(
          fmt::format("script_sockets: expected client, any or IPv4 addresses separated by commas, got '{}'", address));
    allowed_.push_back(ntohl(parsed.s_addr));
    if (comma == rest.npos) return;
    rest.remove_prefix(comma + 1);
  }
}

bool ScriptSockets::may_reach(const net::Endpoint& endpoint) const {
  if (anywhere_ || (client && endpoint.address == client())) return true;
  return std::ranges::find(allowed_, endpoint.address) != allowed_.end();
}

void ScriptSockets::open(std::string_view name, std::string_view address, std::uint16_t port) {
  close(name);
  if (connections_.size() >= most_sockets) return;
  const auto refuse = [this](const std::string& why) {
    if (refused) refused("socket_open: " + why);
  };
  // Names other than that of the loopback would ask a server of this computer's network.
  const std::string host(address == "localhost" ? "127.0.0.1" : address);
  in_addr parsed{};
  if (!anywhere_ && inet_pton(AF_INET, host.c_str(), &parsed) != 1)
    return refuse(
        fmt::format("expected an IPv4 address or localhost, got '{}'; names need the option script_sockets=any",
                    host.substr(0, 64)));
  auto endpoint = net::resolve(host, port);
  if (!endpoint) return;
  const bool is_gripper =
      gripper && (*endpoint == net::Endpoint{loopback, ur::gripper::tcp_port} || *endpoint == *gripper);
  if (is_gripper) *endpoint = *gripper;
  if (!is_gripper && !may_reach(*endpoint))
    return refuse(fmt::format("{} is not the address of the program's client; allow it with the option script_sockets",
                              endpoint->text()));
  auto socket = net::TcpSocket::start_connect(*endpoint);
  if (!socket) return;
  Connection& connection = connections_[std::string(name)];
  connection.socket = std::move(*socket);
  if (!is_gripper) connection.plug = net::PlugWatch(plug_);  // the gripper is within the controller
}

void ScriptSockets::close(std::string_view name) {
  if (const auto found = connections_.find(name); found != connections_.end()) connections_.erase(found);
}

ScriptSockets::Connection* ScriptSockets::find(std::string_view name) {
  const auto found = connections_.find(name);
  return found != connections_.end() ? &found->second : nullptr;
}

// A connection that was open while the plug was pulled is over when it is back in, with what came meanwhile.
bool ScriptSockets::is_cut(Connection& connection) {
  if (connection.plug.take_back_in()) {
    connection.socket.reset();
    connection.over = true;
  }
  return connection.plug.cut();
}

// Reads what has come in, and finds out whether the handshake is through.
void ScriptSockets::pump(Connection& connection) {
  if (is_cut(connection) || connection.over) return;
  std::array<net::Watch, 1> watch{
      {{.fd = connection.socket.fd(), .want_read = true, .want_write = !connection.connected}}};
  if (!net::wait(watch, Instant{})) return;
  if (watch[0].ready_write) connection.connected = true;
  if (!watch[0].ready_read) return;
  std::array<std::uint8_t, 4096> chunk;
  while (connection.received.size() - connection.taken < most_received) {
    const auto count = connection.socket.read_now(chunk);
    if (!count) {
      connection.over = true;
      return;
    }
    if (*count == 0) return;
    if (connection.taken == connection.received.size()) {
      connection.received.clear();
      connection.taken = 0;
    }
    connection.received.insert(connection.received.end(), chunk.begin(),
                               chunk.begin() + static_cast<std::ptrdiff_t>(*count));
    if (*count < chunk.size()) return;
  }
}

urscript::Sockets::Status ScriptSockets::status(std::string_view name) {
  Connection* connection = find(name);
  if (connection == nullptr) return Status::closed;
  pump(*connection);
  if (connection->over) return connection->taken < connection->received.size() ? Status::open : Status::closed;
  return connection->connected ? Status::open : Status::opening;
}

bool ScriptSockets::write(std::string_view name, Bytes bytes) {
  Connection* connection = find(name);
  if (connection == nullptr) return false;
  if (is_cut(*connection)) return !connection->over;  // into the system's buffer, and no further
  if (connection->over) return false;
  // A client that does not read what it asked for has lost it: nothing may wait here.
  const auto written = connection->socket.write_now(bytes);
  if (!written || *written < bytes.size()) connection->over = true;
  return !connection->over;
}

std::size_t ScriptSockets::available(std::string_view name) {
  Connection* connection = find(name);
  if (connection == nullptr) return 0;
  pump(*connection);
  return connection->received.size() - connection->taken;
}

std::size_t ScriptSockets::read(std::string_view name, std::span<std::uint8_t> into) {
  Connection* connection = find(name);
  if (connection == nullptr) return 0;
  const std::size_t count = std::min(into.size(), connection->received.size() - connection->taken);
  std::copy_n(connection->received.begin() + static_cast<std::ptrdiff_t>(connection->taken), count, into.begin());
  connection->taken += count;
  return count;
}

}  // namespace tandem::ur3e
