// SPDX-License-Identifier: Apache-2.0
// A line between a client and a device that fails on command, the same way every time for the same seed.
#pragma once

#include <memory>
#include <string>

#include "tandem/net/faults/path.hpp"
#include "tandem/net/socket.hpp"

namespace tandem::net {

struct Faults {
  PathFaults to_device{};
  PathFaults to_client{};
  static Faults both(const PathFaults& faults) { return {faults, faults}; }
};

struct ProxyCounts {
  std::uint64_t connections = 0;  // accepted so far; for UDP the clients seen
  std::uint64_t open = 0;         // of them still there
  std::uint64_t turned_away = 0;  // came when too many were open
  std::uint64_t cuts = 0;         // connections ended by cut() or a limit
  PathCounts to_device;
  PathCounts to_client;
};

// Listens on a port, of loopback by default, and forwards to `upstream`, on one thread of its own. All calls may come
// from any thread and have taken effect when they return. Memory is bounded: 64 connections, 1 MiB waiting in each
// direction; past that a stream is not read on and a datagram is lost.
class FaultProxy {
 public:
  struct Options {
    Endpoint upstream;
    bool udp = false;
    std::uint64_t seed = 1;
    std::uint16_t port = 0;  // 0 takes a free one
    std::string listen = "127.0.0.1";
    Tap* tap = nullptr;      // on the device's side: what reaches the device, and what it says. May be null
  };
  static Result<FaultProxy> start(const Options& options);
  FaultProxy(FaultProxy&&) noexcept;
  FaultProxy& operator=(FaultProxy&&) noexcept;
  ~FaultProxy();  // closes everything

  // Where clients connect instead of the device; stays the same for life. 127.0.0.1 where it listens on all addresses.
  Endpoint endpoint() const;

  // For what comes in from now on; what already waits keeps its time.
  void apply(const Faults& faults);
  // The same with chances drawn anew from a seed, as if the open connections had just begun.
  void apply(const Faults& faults, std::uint64_t seed);
  void clear() { apply({}); }

  // Ends every connection now; what waits in them is lost (but goes out before a half close).
  void cut(Cut how);

  // Bytes that the other side never sent, into every open connection (UDP: a datagram to every client seen).
  void inject_to_device(Bytes bytes);
  void inject_to_client(Bytes bytes);

  // New connections are refused (UDP: datagrams of clients vanish); open ones stay. The port stays ours.
  void stop_listening();
  Result<void> listen_again();

  // The device for connections from now on.
  void redirect(const Endpoint& upstream);

  ProxyCounts counts() const;

 private:
  class Engine;
  explicit FaultProxy(std::unique_ptr<Engine> engine);
  std::unique_ptr<Engine> engine_;
};

}  // namespace tandem::net
