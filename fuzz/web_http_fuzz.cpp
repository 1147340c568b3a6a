// SPDX-License-Identifier: Apache-2.0
// Any bytes on a connection to the page, in two pieces: an HTTP answer or a closed connection, the server goes on, and
// nothing may control, since the token of the run is random.
#include <sys/socket.h>

#include <cstdlib>
#include <memory>
#include <thread>

#include "tandem/net/socket.hpp"
#include "tandem/web/server/server.hpp"

namespace {

using namespace tandem;
using namespace tandem::web;

void require(bool holds) {
  if (!holds) std::abort();
}

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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static Served served;
  auto socket = net::TcpSocket::connect("127.0.0.1", served.server.local().port, now() + 4s);
  require(static_cast<bool>(socket));
  // A reset at the end: no port waits for late packets, of which there would soon be none left.
  const linger at_once{1, 0};
  require(::setsockopt(socket->fd(), SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once) == 0);
  const std::size_t half = size / 2;
  if (!socket->write_all({data, half}, now() + 4s)) return 0;
  if (!socket->write_all({data + half, size - half}, now() + 4s)) return 0;
  ::shutdown(socket->fd(), SHUT_WR);
  std::string answer;
  std::array<std::uint8_t, 65536> some;
  for (auto count = socket->read_some(some, now() + 4s); count && *count > 0;
       count = socket->read_some(some, now() + 4s)) {
    answer.append(some.begin(), some.begin() + static_cast<std::ptrdiff_t>(*count));
  }
  require(answer.empty() || answer.starts_with("HTTP/1.1 "));
  require(answer.find("Set-Cookie") == std::string::npos);
  return 0;
}
