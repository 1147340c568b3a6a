// A listening port whose connections are sessions: bytes in, packets out. One thread polls any number of such ports and
// tells them the controller's cycles; nothing here ever waits for a client.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/net/socket.hpp"
#include "tandem/protocols/ur/outbox.hpp"

namespace tandem::ur {

// One connection's side of a protocol, without its socket.
class Session {
 public:
  virtual ~Session() = default;

  // The connection stands: what the server says unasked goes out first.
  virtual void begin(Outbox&) {}
  // Any piece of the stream. False: it makes no sense or the client has said goodbye; the connection is closed once
  // the answers are out.
  virtual bool receive(Bytes bytes, Outbox& out) = 0;
  // A controller cycle has passed.
  virtual void cycle(Outbox&) {}

  struct Progress {
    std::uint64_t completed = 0;  // requests that made sense
    bool partial = false;         // part of one is held
  };
  virtual Progress progress() const { return {}; }
  // Packets that nobody reads may be lost, and the connection stays: there are clients that only ever write.
  virtual bool lossy() const { return false; }
};

struct PortOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;  // 0: a free one
  net::Tap* tap = nullptr;

  std::size_t most_connections = 64;
  bool silent_give_way = true;           // when all places are taken, one who has never asked anything gives his up
  std::size_t most_unsent = 256 * 1024;  // answers, bytes
  int send_buffer = 64 * 1024;     // bytes that the system may hold for a client: all of them old to one that stalls
  Duration request_deadline = 2s;  // from the first byte of a request to its last
  Duration stall_deadline = 10s;   // a client that takes nothing for so long is dropped, unless lossy
};

class PortServer {
 public:
  using Factory = std::function<std::unique_ptr<Session>(const net::Endpoint& client)>;

  static Result<std::unique_ptr<PortServer>> listen(const PortOptions& options, Factory factory);
  ~PortServer();

  // For whoever polls: appends what to wait for, then takes the same entries back.
  void watch(std::vector<net::Watch>& watches) const;
  std::size_t watch_count() const { return connections_.size() + 1; }
  void serve(std::span<const net::Watch> watches, Instant now);

  // A controller cycle: every session may send, and what can go out goes out.
  void cycle(Instant now);
  // The same packet to everybody.
  void broadcast(Bytes packet, Instant now);
  // Every session with its outbox.
  void each(const std::function<void(Session&, Outbox&)>& visit);
  void close_connections();

  std::uint16_t port() const { return listener_.local().port; }
  std::size_t connections() const { return connections_.size(); }

  struct Counters {
    std::uint64_t accepted = 0;
    std::uint64_t refused = 0;  // too many connections
    std::uint64_t closed = 0;   // by the client
    std::uint64_t ended = 0;    // by the session: a goodbye or a stream that made no sense
    std::uint64_t slow = 0;     // requests that never ended, answers that were never taken
  };
  const Counters& counters() const { return counters_; }

 private:
  struct Connection;
  PortServer(const PortOptions& options, Factory factory);

  void welcome(Instant now);
  void receive(Connection& connection, Instant now);
  void send(Connection& connection, Instant now);
  void check_patience(Connection& connection, Instant now);
  void sweep();

  PortOptions options_;
  Factory factory_;
  net::TcpListener listener_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<std::uint8_t> chunk_;
  Counters counters_;
};

// Serves all these ports until the deadline, at least one round. `watches` is kept by the caller between calls, so that
// a warm loop does not allocate.
void poll(std::span<PortServer* const> ports, std::vector<net::Watch>& watches, Instant deadline);

}  // namespace tandem::ur
