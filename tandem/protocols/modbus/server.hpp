// SPDX-License-Identifier: Apache-2.0
// A Modbus TCP server on a real socket: any client may talk to it. One thread polls it; nothing here waits for a
// client.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/net/port_server.hpp"
#include "tandem/protocols/modbus/server_session.hpp"

namespace tandem::modbus {

// What becomes of one answer, for servers that misbehave on purpose.
struct AnswerFate {
  enum class Kind { send, drop, close };
  Kind kind = Kind::send;
  Duration delay{0};  // later answers of the connection wait behind it
};

struct ServerOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = tcp_port;  // 0: a free one
  net::Tap* tap = nullptr;
  net::Plug* plug = nullptr;  // of the device; null: never pulled
  // Asked about every answer, which it may change; bytes of whole frames.
  std::function<AnswerFate(std::vector<std::uint8_t>& answer)> fault = {};

  std::size_t most_connections = 16;    // then the client that has been idle longest leaves for a new one
  Duration active_time = 2s;            // after a request a client is active, and keeps its place
  std::size_t most_unsent = 16 * 1024;  // bytes; from there on a client's requests wait
  Duration idle_limit{0};               // a client that asks nothing for this long is closed; 0: never
  Duration request_limit = 2s;          // from the first byte of a request to its last
  Duration stall_limit = 5s;            // a client that takes nothing for this long is dropped
};

class Server {
 public:
  // The device stays the owner's, who may change it between calls.
  static Result<std::unique_ptr<Server>> listen(Device& device, const ServerOptions& options);
  ~Server();

  // Serves clients until the deadline, at least one round.
  void poll(Instant deadline);
  // For who polls several: where clients come and ask, and when to poll though nothing has come.
  Instant watch(std::vector<net::Watch>& watches) const { return port_->watch(watches); }
  // For the same, without waiting or asking the system again: takes the entries of the last watch(), marked.
  void serve(std::span<const net::Watch> ready, Instant now) { port_->serve(ready, now); }

  std::uint16_t port() const { return port_->port(); }
  std::size_t connections() const { return port_->connections(); }
  // Ends all connections, as a restart of the device does.
  void close_connections() { port_->close_connections(); }

  struct Counters {
    std::uint64_t accepted = 0;
    std::uint64_t refused = 0;  // too many connections, all of them active
    std::uint64_t requests = 0;
    std::uint64_t closed = 0;  // by the client
    std::uint64_t broken = 0;  // streams that made no sense, or requests that never ended
    std::uint64_t idle = 0;    // closed as they asked nothing for long, or left for others
    std::uint64_t slow = 0;    // clients that did not take their answers
  };
  Counters counters() const;
  // Why the last connection was closed that made no sense.
  const std::string& last_complaint() const { return last_complaint_; }

 private:
  class Connection;
  Server(Device& device, const ServerOptions& options) : device_(device), options_(options) {}

  Device& device_;
  ServerOptions options_;
  std::uint64_t requests_ = 0;
  std::uint64_t broken_ = 0;  // streams that made no sense
  std::string last_complaint_;
  std::vector<std::uint8_t> answer_;  // in the making, where faults are at work
  std::vector<net::Watch> watches_;
  std::unique_ptr<net::PortServer> port_;
};

}  // namespace tandem::modbus
