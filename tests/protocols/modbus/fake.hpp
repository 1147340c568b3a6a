// SPDX-License-Identifier: Apache-2.0
// A scripted device on loopback: each test says byte by byte what it answers.
#pragma once

#include <functional>
#include <thread>

#include "tandem/protocols/modbus/client.hpp"
#include "tests/deadline.hpp"
#include "tests/protocols/modbus/golden.hpp"

namespace tandem::modbus::test {

// The device's end of one connection, in the hands of the script.
class FakeDevice {
 public:
  explicit FakeDevice(net::TcpSocket socket) : socket_(std::move(socket)) {}

  // The next request, or nothing when the client is gone. Its PDU lives until the next call.
  std::optional<Frame> request() {
    while (true) {
      auto frame = framer_.next();
      if (!frame) return std::nullopt;
      if (*frame) return **frame;
      auto count = socket_.read_some(framer_.room(), soon());
      if (!count) return std::nullopt;
      framer_.received(*count);
    }
  }
  // As pymodbus 3.7 and later: the first request of a segment; those behind it are lost and counted.
  std::optional<Frame> first_of_segment() {
    framer_.clear();
    auto count = socket_.read_some(framer_.room(), soon());
    if (!count) return std::nullopt;
    framer_.received(*count);
    auto first = framer_.next();
    if (!first || !*first) return std::nullopt;
    kept_.assign((*first)->pdu.begin(), (*first)->pdu.end());
    Frame frame = **first;
    frame.pdu = kept_;
    for (auto more = framer_.next(); more && *more; more = framer_.next()) ++lost;
    return frame;
  }
  void raw(Bytes bytes) { static_cast<void>(socket_.write_all(bytes, soon()).ok()); }
  void answer(const Frame& request, const char* pdu) { raw(framed(hex(pdu), request.transaction, request.unit)); }
  void wait_for_end() {
    while (request()) {
    }
  }
  net::TcpSocket& socket() { return socket_; }
  int lost = 0;

 private:
  net::TcpSocket socket_;
  Framer framer_;
  Buffer kept_;
};

// Listens, accepts one connection, runs the script on it and closes it.
class FakeServer {
 public:
  explicit FakeServer(std::function<void(FakeDevice&)> script) {
    auto listener = net::TcpListener::listen("127.0.0.1", 0);
    REQUIRE(listener);
    listener_ = std::move(*listener);
    thread_ = std::thread([this, script = std::move(script)] {
      auto caller = listener_.accept(soon());
      if (!caller) return;
      FakeDevice device(std::move(*caller));
      script(device);
    });
  }
  ~FakeServer() { thread_.join(); }
  FakeServer(const FakeServer&) = delete;
  FakeServer& operator=(const FakeServer&) = delete;

  Client connect(bool pipelining = false) {
    auto client = Client::connect({"127.0.0.1", listener_.local().port, 1, pipelining}, soon());
    REQUIRE(client);
    return std::move(*client);
  }

 private:
  net::TcpListener listener_;
  std::thread thread_;
};

}  // namespace tandem::modbus::test
