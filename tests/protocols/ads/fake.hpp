// SPDX-License-Identifier: Apache-2.0
// A scripted device on loopback: each test says byte by byte what it answers.
#pragma once

#include <doctest/doctest.h>

#include <functional>
#include <thread>
#include <vector>

#include "tandem/protocols/ads/client/client.hpp"
#include "tests/deadline.hpp"
#include "tests/protocols/ads/golden.hpp"

namespace tandem::ads {

using Buffer = std::vector<std::uint8_t>;

// The device's end of one connection, in the hands of the script.
class FakeDevice {
 public:
  explicit FakeDevice(net::TcpSocket socket) : socket_(std::move(socket)) {}

  // The next request, or nothing when the client is gone. Its payload lives until the next call.
  std::optional<Frame> request() {
    while (true) {
      auto frame = framer_.next();
      if (!frame) return std::nullopt;
      if (*frame) return **frame;
      auto count = socket_.read_some(framer_.room(4096), soon());
      if (!count) return std::nullopt;
      framer_.received(*count);
    }
  }

  template <typename Payload>
  void answer(const AmsHeader& request, const Payload& payload) {
    Buffer out;
    append_frame(out, response_to(request), payload);
    raw(out);
  }
  void answer_raw(const AmsHeader& header, Bytes payload) {
    Buffer out;
    const std::size_t begun_at = begin_frame(out, header);
    ByteWriter(out).bytes(payload);
    finish_frame(out, begun_at);
    raw(out);
  }
  // One sample in a packet of its own.
  void notify(const AmsHeader& subscription, std::uint32_t handle, Bytes data, FileTime stamp = 1) {
    Buffer payload;
    NotificationWriter writer(payload);
    writer.stamp(stamp);
    writer.sample(handle, data);
    writer.finish();
    notify_raw(subscription, payload);
  }
  void notify_raw(const AmsHeader& subscription, Bytes payload) {
    AmsHeader header = response_to(subscription);
    header.command = Command::notification;
    header.flags = flag::ads_command;
    answer_raw(header, payload);
  }
  void raw(Bytes bytes) { static_cast<void>(socket_.write_all(bytes, soon()).ok()); }
  // Until the client goes.
  void wait_for_end() {
    while (request()) {
    }
  }
  net::TcpSocket& socket() { return socket_; }

 private:
  net::TcpSocket socket_;
  Framer framer_{1 << 20};
};

// Listens, accepts one connection, runs the script on it and closes it.
class FakeServer {
 public:
  explicit FakeServer(std::function<void(FakeDevice&)> script) {
    auto listener = net::TcpListener::listen("127.0.0.1", 0);
    REQUIRE(listener);
    port_ = listener->local().port;
    thread_ = std::thread([listener = std::move(*listener), script = std::move(script)]() mutable {
      auto socket = listener.accept(soon());
      if (!socket) return;
      FakeDevice device(std::move(*socket));
      script(device);
    });
  }
  ~FakeServer() { thread_.join(); }
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

  Peer peer() const { return {"127.0.0.1", port_, {NetId{{5, 1, 2, 3, 1, 1}}, port::plc}, {}}; }
  Client connect() const {
    auto client = Client::connect(peer(), soon());
    REQUIRE(client);
    return std::move(*client);
  }

 private:
  std::uint16_t port_ = 0;
  std::thread thread_;
};

}  // namespace tandem::ads
