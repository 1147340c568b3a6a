// SPDX-License-Identifier: Apache-2.0
// A TwinCAT PLC on real sockets: any ADS client may talk to it. One thread polls it and passes it the PLC's cycles.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/net/port_server.hpp"
#include "tandem/protocols/ads/server/faults.hpp"
#include "tandem/protocols/ads/server/route_service.hpp"
#include "tandem/protocols/ads/server/session.hpp"

namespace tandem::ads {

struct ServerOptions {
  std::string host = "127.0.0.1";
  std::uint16_t tcp_port = ads::tcp_port;  // 0: a free one
  std::uint16_t udp_port = ads::udp_port;  // 0: a free one
  bool udp = true;
  NetId net_id;           // empty: 127.0.0.1.1.1, and packets for any NetId are answered
  Duration cycle = 10ms;  // of the PLC task; task_cycle() is called that often
  std::string user;       // who may add a route; empty: any user
  std::string password;   // checked when one of the two is set
  net::Tap* tap = nullptr;
  net::Plug* plug = nullptr;  // of the device; null: never pulled
  ServerFaults* faults = nullptr;

  std::size_t most_connections = 256;
  std::size_t longest_packet = 1u << 20;  // bytes that a client may send in one
  std::size_t high_water = 1u << 20;      // unsent bytes from which on a client's requests wait
  std::size_t most_unsent = 16u << 20;    // unsent bytes at which a client is dropped
  Duration packet_deadline = 2s;          // from a packet's first byte to its last
  Duration stall_deadline = 5s;           // a client that takes nothing for this long is dropped
};

class Server {
 public:
  // The table stays the owner's, who may change it between calls.
  static Result<std::unique_ptr<Server>> listen(SymbolTable& table, const ServerOptions& options);
  ~Server();

  // Serves clients until the deadline, at least one round. Never throws, never waits for a client.
  void poll(Instant deadline);
  // A PLC cycle with the time stamp its values have: sends the notifications that are due.
  void task_cycle(UtcTime stamp, int cycles = 1);

  Device& device() { return plc_.device; }
  std::uint16_t tcp_port() const { return port_->port(); }
  std::uint16_t udp_port() const { return udp_.open() ? udp_.local().port : std::uint16_t{0}; }
  const std::vector<RouteRequest>& routes() const { return routes_.routes(); }
  std::size_t connections() const { return port_->connections(); }
  std::size_t notifications() const;
  // Ends all connections, as a restart of the PLC does.
  void close_connections() { port_->close_connections(); }

  struct Counters {
    std::uint64_t accepted = 0;
    std::uint64_t refused = 0;  // too many connections
    std::uint64_t requests = 0;
    std::uint64_t notifications = 0;  // packets
    std::uint64_t closed = 0;         // by the client
    std::uint64_t broken = 0;         // streams that made no sense, or packets that never ended
    std::uint64_t slow = 0;           // clients that did not take what they were sent
  };
  Counters counters() const;

 private:
  class Connection;
  Server(SymbolTable& table, const ServerOptions& options);
  std::unique_ptr<net::Session> welcome();
  void answer_datagrams();

  ServerOptions options_;
  Plc plc_;
  RouteService routes_;
  net::UdpSocket udp_;
  net::PlugWatch plug_;               // of the datagrams
  std::vector<std::uint8_t> packet_;  // the answer in the making, where faults are at work
  std::uint64_t requests_ = 0;
  std::uint64_t notifications_ = 0;  // packets
  std::uint64_t broken_ = 0;         // streams that made no sense
  std::vector<net::Watch> watches_;
  std::unique_ptr<net::PortServer> port_;
};

}  // namespace tandem::ads
