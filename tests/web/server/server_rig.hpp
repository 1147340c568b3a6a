// SPDX-License-Identifier: Apache-2.0
// A server with a handler that writes down what it is told and echoes, and clients that speak to it byte by byte.
#pragma once

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>

#include "tandem/net/socket.hpp"
#include "tandem/web/server/server.hpp"
#include "tests/deadline.hpp"

namespace tandem::web {

using Buffer = std::vector<std::uint8_t>;

inline std::shared_ptr<const Buffer> shared_body(std::string_view text) {
  return std::make_shared<const Buffer>(text.begin(), text.end());
}

template <typename Holds>
bool eventually(Holds holds) {
  for (const Instant deadline = soon(); now() < deadline; std::this_thread::sleep_for(2ms)) {
    if (holds()) return true;
  }
  return false;
}

// Echoes. "close" asks to be closed with 4000, "throw" and the path "/throw" make it fail, "lossless N" and "data N"
// for N messages of 60 kB.
struct EchoHandler : Handler {
  Outlet* outlet = nullptr;
  std::mutex mutex;
  std::map<ClientId, Client> clients;  // under the mutex
  std::vector<Client> ever;            // likewise
  std::atomic<int> closes{0}, ticks{0};
  std::function<void()> on_tick;

  Response get(const Request& request) override {
    Response response;
    if (request.path == "/throw") throw std::runtime_error("the request was too much");
    if (request.path == "/metrics") response.body = shared_body("up 1\n");
    if (request.path == "/control") response.body = shared_body(request.may_control ? "yes" : "no");
    if (response.body) response.status = 200;
    return response;
  }
  std::string choose(const std::vector<std::string>& offered) override {
    for (const auto& name : offered) {
      if (name == "echo.v1" || name == "echo.v2") return name;
    }
    return "";
  }
  void opened(const Client& client) override {
    const std::lock_guard lock(mutex);
    clients[client.id] = client;
    ever.push_back(client);
  }
  void text(ClientId client, std::string_view message) override {
    if (message == "throw") throw std::runtime_error("the message was too much");
    if (message == "close") return outlet->close(client, 4000, "as you wish");
    const bool droppable = message.starts_with("data ");
    if (droppable || message.starts_with("lossless ")) {
      const int count = std::stoi(std::string(message.substr(message.find(' '))));
      const auto body = std::make_shared<const Buffer>(60000, std::uint8_t{7});
      for (int i = 0; i < count; ++i) outlet->send(client, {.droppable = droppable, .body = body});
      return;
    }
    outlet->send(client, {.text = true, .body = shared_body(message)});
  }
  void binary(ClientId client, Bytes message) override {
    // The first bytes travel in the head, as those of a subscription do.
    Frame frame;
    frame.head_size = std::min<std::size_t>(message.size(), 13);
    std::copy_n(message.begin(), frame.head_size, frame.head.begin());
    if (message.size() > 13) frame.body = std::make_shared<const Buffer>(message.begin() + 13, message.end());
    outlet->send(client, std::move(frame));
  }
  void closed(ClientId client) override {
    const std::lock_guard lock(mutex);
    CHECK(clients.erase(client) == 1);
    ++closes;
  }
  void tick() override {
    ++ticks;
    if (on_tick) on_tick();
  }
};

inline ServerOptions free_port() {
  ServerOptions options;
  options.listen = "127.0.0.1:0";
  return options;
}

struct ServerRig {
  EchoHandler handler;
  Server server;
  std::jthread thread;

  explicit ServerRig(ServerOptions options = free_port(), std::function<void()> on_tick = {})
      : server(std::move(options), handler) {
    handler.outlet = &server;
    handler.on_tick = std::move(on_tick);
    thread = std::jthread([this](const std::stop_token& stop) { server.run(stop); });
  }
  std::uint16_t port() const { return server.local().port; }
};

struct HttpReply {
  int status = 0;  // 0: the connection ended without one
  std::string head, body;
  std::string header(std::string_view name) const {
    const auto at = head.find(fmt::format("\r\n{}: ", name));
    if (at == std::string::npos) return {};
    const auto start = at + name.size() + 4;
    return head.substr(start, head.find("\r\n", start) - start);
  }
};

struct WireFrame {
  int opcode = -1;  // -1: the connection ended
  Buffer payload;
  std::string text() const { return {payload.begin(), payload.end()}; }
  int close_code() const { return payload.size() < 2 ? 0 : payload[0] << 8 | payload[1]; }
};

// One connection of somebody else's making.
class WireClient {
 public:
  explicit WireClient(std::uint16_t port) : port_(port) {
    auto connected = net::TcpSocket::connect("127.0.0.1", port, soon());
    REQUIRE(connected);
    socket = std::move(*connected);
  }
  explicit WireClient(const ServerRig& rig) : WireClient(rig.port()) {}

  bool write(std::string_view text) { return socket.write_all(as_bytes(text), soon()).ok(); }

  // The request line without "HTTP/1.1", more headers each with its end of line.
  HttpReply ask(const std::string& request, const std::string& headers = {}) {
    write(fmt::format("{} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n{}\r\n", request, port_, headers));
    return reply(request.starts_with("HEAD"));
  }

  HttpReply reply(bool head_only = false) {
    HttpReply reply;
    while (pending_.find("\r\n\r\n") == std::string::npos) {
      if (!more()) return reply;
    }
    const auto end = pending_.find("\r\n\r\n") + 4;
    reply.head = pending_.substr(0, end);
    pending_.erase(0, end);
    reply.status = std::stoi(reply.head.substr(9, 3));
    const std::string length = reply.header("Content-Length");
    const std::size_t size = head_only || length.empty() ? 0 : std::stoul(length);
    while (pending_.size() < size) {
      if (!more()) break;
    }
    reply.body = pending_.substr(0, size);
    pending_.erase(0, size);
    return reply;
  }

  static std::string upgrade_headers(const std::string& protocols = "echo.v1") {
    return fmt::format(
        "Upgrade: websocket\r\nConnection: keep-alive, Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Protocol: {}\r\n",
        protocols);
  }
  HttpReply upgrade(const std::string& target = "/", const std::string& more_headers = {}) {
    return ask("GET " + target, upgrade_headers() + more_headers);
  }

  bool send(int opcode, Bytes payload, bool final = true, bool masked = true) {
    Buffer frame{static_cast<std::uint8_t>((final ? 0x80 : 0) | opcode)};
    const auto size = payload.size();
    const auto mask_bit = static_cast<std::uint8_t>(masked ? 0x80 : 0);
    if (size < 126) {
      frame.push_back(static_cast<std::uint8_t>(mask_bit | size));
    } else {
      frame.push_back(static_cast<std::uint8_t>(mask_bit | (size < 65536 ? 126 : 127)));
      for (int i = size < 65536 ? 1 : 7; i >= 0; --i) frame.push_back(static_cast<std::uint8_t>(size >> (8 * i)));
    }
    const std::uint8_t mask[] = {0x11, 0xF2, 0x33, 0x84};
    if (masked) frame.insert(frame.end(), mask, mask + 4);
    for (std::size_t i = 0; i < size; ++i) frame.push_back(masked ? payload[i] ^ mask[i % 4] : payload[i]);
    return socket.write_all(frame, soon()).ok();
  }
  bool send_text(std::string_view text) { return send(1, as_bytes(text)); }

  WireFrame frame(Instant deadline = soon()) {
    const auto need = [&](std::size_t size) {
      while (pending_.size() < size) {
        if (!more(deadline)) return false;
      }
      return true;
    };
    const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(pending_[i]); };
    if (!need(2)) return {};
    std::size_t head = 2;
    std::uint64_t size = byte(1);
    CHECK((byte(0) & 0xF0) == 0x80);  // whole, nothing reserved
    CHECK(size < 128);                // never masked
    if (size >= 126) {
      head += size == 126 ? 2 : 8;
      if (!need(head)) return {};
      size = 0;
      for (std::size_t i = 2; i < head; ++i) size = size << 8 | byte(i);
    }
    if (!need(head + size)) return {};
    WireFrame frame{byte(0) & 15, Buffer(pending_.begin() + static_cast<std::ptrdiff_t>(head),
                                         pending_.begin() + static_cast<std::ptrdiff_t>(head + size))};
    pending_.erase(0, head + size);
    return frame;
  }

  bool ended() {  // nothing more comes, and nothing did
    return pending_.empty() && !more();
  }

  net::TcpSocket socket;

 private:
  bool more(Instant deadline = soon()) {
    Buffer chunk(65536);
    const auto count = socket.read_some(chunk, deadline);
    if (!count) return false;
    pending_.append(chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(*count));
    return true;
  }

  std::uint16_t port_;
  std::string pending_;
};

}  // namespace tandem::web
