// SPDX-License-Identifier: Apache-2.0
// A controller's ports on a thread of their own, and a peer that says what a test wrote for it.
#pragma once

#include <ctime>

#include <atomic>
#include <functional>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tandem/net/port_server.hpp"
#include "tests/deadline.hpp"

namespace tandem::ur::test {

// Polls one port and tells it a cycle every 2 ms; `step` runs before each cycle.
class Served {
 public:
  Served(net::PortServer::Factory factory, std::function<void()> step = {}, net::PortOptions options = {})
      : step_(std::move(step)) {
    auto made = net::PortServer::listen(options, std::move(factory));
    if (!made) throw std::runtime_error(made.error().text);
    server = std::move(*made);
    port = server->port();
    thread_ = std::jthread([this](std::stop_token stop) { run(stop); });
  }
  ~Served() {
    thread_.request_stop();
    thread_.join();
  }

  // Stops serving and cycling for as long as it is set.
  std::atomic<bool> frozen{false};
  std::atomic<std::uint64_t> cycles{0};
  std::atomic<std::size_t> connections{0};
  std::atomic<double> processor_time{0};  // of the serving thread, s
  std::unique_ptr<net::PortServer> server;
  std::uint16_t port = 0;

 private:
  void run(std::stop_token stop) {
    std::vector<net::Watch> watches;
    net::PortServer* const ports[] = {server.get()};
    Instant next = system_clock().now();
    while (!stop.stop_requested()) {
      next = std::max(next + 2ms, system_clock().now() - 20ms);
      if (frozen) {
        system_clock().sleep_until(next);
        continue;
      }
      poll(ports, watches, next);
      if (step_) step_();
      server->cycle(system_clock().now());
      connections = server->connections();
      timespec used{};
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
      processor_time = static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
      ++cycles;
    }
  }

  std::function<void()> step_;
  std::jthread thread_;
};

// Accepts one connection after the other and does with each what the test says.
class Peer {
 public:
  explicit Peer(std::function<void(net::TcpSocket&)> act) : act_(std::move(act)) {
    auto made = net::TcpListener::listen("127.0.0.1", 0);
    if (!made) throw std::runtime_error(made.error().text);
    listener_ = std::move(*made);
    port = listener_.local().port;
    thread_ = std::jthread([this](std::stop_token stop) {
      while (!stop.stop_requested()) {
        auto caller = listener_.accept(soon(20ms));
        if (caller) act_(*caller);
      }
    });
  }
  ~Peer() {
    thread_.request_stop();
    thread_.join();
  }
  std::uint16_t port = 0;

 private:
  std::function<void(net::TcpSocket&)> act_;
  net::TcpListener listener_;
  std::jthread thread_;
};

// Reads so many bytes; short when they do not come.
inline std::vector<std::uint8_t> read_bytes(net::TcpSocket& socket, std::size_t size, Duration patience = 3s) {
  std::vector<std::uint8_t> bytes(size);
  if (!socket.read_exact(bytes, soon(patience))) bytes.clear();
  return bytes;
}

// Reads one RTDE packet.
inline std::vector<std::uint8_t> read_rtde(net::TcpSocket& socket, Duration patience = 3s) {
  auto packet = read_bytes(socket, 3, patience);
  if (packet.empty()) return packet;
  const auto rest = read_bytes(socket, (packet[0] << 8 | packet[1]) - std::size_t{3}, patience);
  packet.insert(packet.end(), rest.begin(), rest.end());
  return packet;
}

inline bool write_bytes(net::TcpSocket& socket, Bytes bytes) { return socket.write_all(bytes, soon()).ok(); }

// Waits until the other end has closed, at most two seconds; true when it has.
inline bool sees_close(net::TcpSocket& socket, Duration patience = 5s) {
  std::vector<std::uint8_t> buffer(4096);
  const Instant end = soon(patience);
  while (system_clock().now() < end) {
    const auto count = socket.read_some(buffer, end);
    if (!count) return count.error().fault == Fault::closed;
  }
  return false;
}

}  // namespace tandem::ur::test
