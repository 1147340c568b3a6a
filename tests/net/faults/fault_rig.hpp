// SPDX-License-Identifier: Apache-2.0
// A client, a device and the fault proxy between them, all on real sockets.
#pragma once

#include <sys/resource.h>

#include <cerrno>
#include <filesystem>
#include <functional>
#include <thread>

#include "tandem/net/faults/proxy.hpp"
#include "tests/net/loopback.hpp"

namespace tandem::net {

struct Rig {
  TcpListener listener = TcpListener::listen("127.0.0.1", 0).value();
  FaultProxy proxy = FaultProxy::start({.upstream = listener.local()}).value();
  TcpSocket client;
  TcpSocket device;

  Rig() { connect(); }
  void connect() {
    client = TcpSocket::connect("127.0.0.1", proxy.endpoint().port, soon()).value();
    device = listener.accept(soon()).value();
  }
  // One message each way, so that both know the line is up.
  void check_alive() {
    CHECK(passes(client, device));
    CHECK(passes(device, client));
  }
  static bool passes(TcpSocket& from, TcpSocket& to) {
    Buffer got(5);
    return from.write_all(as_bytes("hello"), soon()) && to.read_exact(got, soon()) &&
           got == Buffer{'h', 'e', 'l', 'l', 'o'};
  }
};

inline bool silent(TcpSocket& socket, Duration duration = 60ms) {
  Buffer into(16);
  const auto count = socket.read_some(into, in(duration));
  return !count && count.error().fault == Fault::timeout;
}

// How the connection ended: 0 for FIN, ECONNRESET for RST.
inline unsigned int end_code(TcpSocket& socket) {
  Buffer into(4096);
  while (true) {
    const auto count = socket.read_some(into, soon());
    if (count) continue;
    CHECK(count.error().fault == Fault::closed);
    return count.error().code;
  }
}

inline std::size_t open_descriptors() {
  using Each = std::filesystem::directory_iterator;
  return static_cast<std::size_t>(std::distance(Each("/proc/self/fd"), Each{}));
}

inline Duration processor_time_of_all() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return std::chrono::seconds(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         std::chrono::microseconds(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

inline bool eventually(const std::function<bool()>& holds) {
  for (const Instant end = soon(); in(0s) < end; std::this_thread::sleep_for(1ms)) {
    if (holds()) return true;
  }
  return false;
}

}  // namespace tandem::net
