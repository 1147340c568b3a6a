// SPDX-License-Identifier: Apache-2.0
// A listening port whose connections are sessions: bytes in, bytes out. One thread polls any number of such ports and
// runs their cycles; nothing here ever waits for a client.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/net/outbox.hpp"
#include "tandem/net/plug.hpp"
#include "tandem/net/socket.hpp"

namespace tandem::net {

// One connection's side of a protocol, without its socket.
class Session {
 public:
  virtual ~Session() = default;

  // The connection is open: what the server sends unasked goes out first.
  virtual void begin(Outbox&) {}
  // Where the next bytes go: a buffer that all connections share, or the session's own.
  virtual std::span<std::uint8_t> room(std::span<std::uint8_t> shared) { return shared; }
  // Any piece of the stream, in the room that was given; none when it is time to wake(). False: the stream is invalid
  // or the client has said goodbye; the connection is closed once the answers are out.
  virtual bool receive(Bytes bytes, Outbox& out) = 0;
  // A cycle of the device has passed.
  virtual void cycle(Outbox&) {}

  struct Progress {
    std::uint64_t completed = 0;  // valid requests
    bool partial = false;         // part of one is held
    bool full = false;            // requests wait for room in the outbox: nothing more is read
  };
  virtual Progress progress() const { return {}; }
  // When receive() is to be called though nothing has come.
  virtual Instant wake(const Outbox&) const { return Instant::max(); }
  // Packets that are not read may be lost, and the connection stays: there are clients that only ever write.
  virtual bool lossy() const { return false; }
};

struct PortOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;  // 0: a free one
  Tap* tap = nullptr;
  std::string name = "port server";  // in front of errors
  Plug* plug = nullptr;              // of the device that listens; null: never pulled

  // When all places are taken, the client that has been idle longest leaves for a new one. Idle is a client that has
  // never asked anything, or has all its answers and has asked nothing for `active_time`.
  std::size_t most_connections = 64;
  bool idle_give_way = true;
  Duration active_time = Duration::max();
  std::size_t most_unsent = 256 * 1024;  // bytes at which a client is dropped
  int send_buffer = 64 * 1024;  // bytes that the system may hold for a client: all old to one that stalls; 0: default
  bool outlast_silence = true;  // a client that stalls is dropped by stall_deadline alone, not by its TCP
  int most_reads = 8;           // from one client in one round
  Duration request_deadline = 2s;  // from the first byte of a request to its last
  Duration stall_deadline = 10s;   // a client that takes nothing for this time is dropped, unless lossy
  Duration leave_deadline = 10s;   // from the end of a session until its last answers are taken
  Duration idle_limit{0};          // a client that asks nothing for this time is closed; 0: never
};

class PortServer {
 public:
  using Factory = std::function<std::unique_ptr<Session>(const Endpoint& client)>;

  static Result<std::unique_ptr<PortServer>> listen(const PortOptions& options, Factory factory);
  ~PortServer();

  // For the thread that polls: appends what to wait for and gives the time until which to wait at most; then takes the
  // same entries back.
  Instant watch(std::vector<Watch>& watches) const;
  std::size_t watch_count() const { return connections_.size() + 1; }
  void serve(std::span<const Watch> watches, Instant now);

  // A cycle of the device: every session may send, and what can go out goes out.
  void cycle(Instant now);
  // The same packet to every client.
  void broadcast(Bytes packet, Instant now);
  // Every session with its outbox.
  void each(const std::function<void(Session&, Outbox&)>& visit);
  void close_connections();

  std::uint16_t port() const { return listener_.local().port; }
  std::size_t connections() const { return connections_.size(); }

  struct Counters {
    std::uint64_t accepted = 0;
    std::uint64_t refused = 0;   // too many connections
    std::uint64_t gave_way = 0;  // closed for a new client
    std::uint64_t closed = 0;    // by the client
    std::uint64_t ended = 0;     // by the session: a goodbye or an invalid stream
    std::uint64_t overdue = 0;   // requests that were never completed
    std::uint64_t slow = 0;      // answers that were never taken
    std::uint64_t idle = 0;      // asked nothing for idle_limit
  };
  const Counters& counters() const { return counters_; }

 private:
  struct Connection;
  PortServer(const PortOptions& options, Factory factory);

  bool cut_off();
  void hang_up();
  void welcome(Instant now);
  bool make_room(Instant now);
  void receive(Connection& connection, Instant now);
  void take(Connection& connection, Bytes bytes, Instant now);
  void send(Connection& connection, Instant now);
  void check_patience(Connection& connection, Instant now);
  void sweep();

  PortOptions options_;
  Factory factory_;
  PlugWatch plug_;
  TcpListener listener_;
  std::vector<std::unique_ptr<Connection>> connections_;
  std::vector<std::uint8_t> chunk_;
  Counters counters_;
};

// Serves all these ports until the deadline, at least one round. `watches` is kept by the caller between calls, so that
// a warm loop does not allocate. A further `also` is watched for reading; `on_also` is called when it is ready.
void poll(std::span<PortServer* const> ports, std::vector<Watch>& watches, Instant deadline, int also = -1,
          const std::function<void()>& on_also = {});

}  // namespace tandem::net
