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
  void raw(Bytes bytes) { static_cast<void>(socket_.write_all(bytes, soon()).ok()); }
  void answer(const Frame& request, const char* pdu) { raw(framed(hex(pdu), request.transaction, request.unit)); }
  void wait_for_end() {
    while (request()) {
    }
  }
  net::TcpSocket& socket() { return socket_; }

 private:
  net::TcpSocket socket_;
  Framer framer_;
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

  Client connect() {
    auto client = Client::connect({"127.0.0.1", listener_.local().port, 1}, soon());
    REQUIRE(client);
    return std::move(*client);
  }

 private:
  net::TcpListener listener_;
  std::thread thread_;
};

}  // namespace tandem::modbus::test
