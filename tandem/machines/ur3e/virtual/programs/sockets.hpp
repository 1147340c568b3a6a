// SPDX-License-Identifier: Apache-2.0
// The connections that programs open: to their clients, and nowhere else unless that is allowed.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tandem/net/plug.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/urscript/run/sockets.hpp"

namespace tandem::ur3e {

inline constexpr std::uint32_t loopback = 0x7f000001;  // 127.0.0.1, host byte order

// Without the limit, any client that may send a program could reach other hosts, and the loopback, through this one.
class ScriptSockets final : public urscript::Sockets {
 public:
  // "client": only the address that the program came from; "any"; or addresses, joined by commas. Throws
  // std::invalid_argument for anything else.
  void allow(const std::string& addresses);
  // The client of the program that calls, its address in host byte order.
  std::function<std::uint32_t()> client;
  // Called with the reason when a connection is refused.
  std::function<void(const std::string&)> refused;
  // The controller's network plug: while it is pulled, connections to others pass nothing; null: never pulled.
  void behind(net::Plug* plug) { plug_ = plug; }
  // What every program reaches as 127.0.0.1:63352, as on a real controller, wherever it really listens.
  std::optional<net::Endpoint> gripper;

  void open(std::string_view name, std::string_view address, std::uint16_t port) override;
  void close(std::string_view name) override;
  Status status(std::string_view name) override;
  bool write(std::string_view name, Bytes bytes) override;
  std::size_t available(std::string_view name) override;
  std::size_t read(std::string_view name, std::span<std::uint8_t> into) override;

  void close_all() { connections_.clear(); }

 private:
  struct Connection {
    net::TcpSocket socket;
    std::vector<std::uint8_t> received;
    std::size_t taken = 0;  // of received
    net::PlugWatch plug;
    bool connected = false;
    bool over = false;  // the peer has closed
  };

  bool may_reach(const net::Endpoint& endpoint) const;
  Connection* find(std::string_view name);
  void pump(Connection& connection);
  static bool is_cut(Connection& connection);

  std::map<std::string, Connection, std::less<>> connections_;
  net::Plug* plug_ = nullptr;
  bool anywhere_ = false;
  std::vector<std::uint32_t> allowed_;  // besides the client
};

}  // namespace tandem::ur3e
