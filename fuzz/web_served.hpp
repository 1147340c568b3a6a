// SPDX-License-Identifier: Apache-2.0
// The page's server on a thread of its own, for clients that say anything. Nothing may control it, since the token of
// the run is random.
#pragma once

#include <sys/socket.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tandem/net/socket.hpp"
#include "tandem/web/server/server.hpp"

namespace tandem::web::fuzz {

inline void require(bool holds) {
  if (!holds) std::abort();
}

// Answers with the path, and says again what it hears.
struct Viewers final : Handler {
  Outlet* outlet = nullptr;

  Response get(const Request& request) override {
    require(!request.may_control);
    Response response;
    response.status = 200;
    response.body = std::make_shared<const std::vector<std::uint8_t>>(request.path.begin(), request.path.end());
    return response;
  }
  std::string choose(const std::vector<std::string>& offered) override { return offered.empty() ? "" : offered[0]; }
  void opened(const Client& client) override { require(!client.may_control && !client.only_looks.empty()); }
  void text(ClientId client, std::string_view message) override {
    outlet->send(client, {.text = true,
                          .body = std::make_shared<const std::vector<std::uint8_t>>(message.begin(), message.end())});
  }
  void binary(ClientId client, Bytes message) override {
    outlet->send(client, {.body = std::make_shared<const std::vector<std::uint8_t>>(message.begin(), message.end())});
  }
  void closed(ClientId) override {}
  void tick() override {}
};

struct Served {
  Viewers viewers;
  Server server;
  std::jthread thread;

  static ServerOptions options() {
    ServerOptions options;
    options.listen = "127.0.0.1:0";
    return options;
  }
  Served() : server(options(), viewers) {
    viewers.outlet = &server;
    thread = std::jthread([this](const std::stop_token& stop) { server.run(stop); });
  }
};

// A connection that is reset in the end: no port waits for late packets, of which there would soon be none left.
inline net::TcpSocket connected(const Served& served) {
  auto socket = net::TcpSocket::connect("127.0.0.1", served.server.local().port, now() + 4s);
  require(static_cast<bool>(socket));
  const linger at_once{1, 0};
  require(::setsockopt(socket->fd(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once) == 0);
  return std::move(*socket);
}

}  // namespace tandem::web::fuzz
