// SPDX-License-Identifier: Apache-2.0
#include "tandem/net/port_server.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <utility>

namespace tandem::net {
namespace {

constexpr std::size_t chunk_size = 16 * 1024;  // bytes read from one client at a time
constexpr int most_welcomes = 32;              // of one round
constexpr int most_hung_up = 10'000;           // callers that came while the plug was pulled

}  // namespace

struct PortServer::Connection {
  Connection(TcpSocket connected, std::unique_ptr<Session> made, std::size_t most_unsent, Instant now)
      : socket(std::move(connected)),
        session(std::move(made)),
        out(most_unsent, session->lossy()),
        progress(session->progress()),
        began(now),
        heard(now),
        moved(now) {}

  bool readable() const { return !over && !leaving && !progress.full; }

  TcpSocket socket;
  std::uint64_t number = 0;  // in the order of their coming, from 1
  std::unique_ptr<Session> session;
  Outbox out;
  Session::Progress progress;
  Instant began;         // when the request that is still incomplete began
  Instant heard;         // when the last whole request came
  Instant moved;         // when something last went out, or nothing had to
  Instant left{};        // when it began to leave
  bool leaving = false;  // closed as soon as the answers are out
  bool over = false;
};

PortServer::PortServer(const PortOptions& options, Factory factory)
    : options_(options), factory_(std::move(factory)), plug_(options.plug), chunk_(chunk_size) {}

PortServer::~PortServer() = default;

Result<std::unique_ptr<PortServer>> PortServer::listen(const PortOptions& options, Factory factory) {
  std::unique_ptr<PortServer> server(new PortServer(options, std::move(factory)));
  auto listener = TcpListener::listen(options.host, options.port);
  if (!listener) return within(options.name, std::move(listener).error());
  server->listener_ = std::move(*listener);
  return server;
}

Instant PortServer::watch(std::vector<Watch>& watches) const {
  if (plug_.cut()) {
    watches.insert(watches.end(), watch_count(), {.fd = -1, .want_read = false});
    return plug_.pulled() ? Instant::max() : Instant{};
  }
  Instant until = Instant::max();
  watches.push_back({.fd = listener_.fd()});
  for (const auto& connection : connections_) {
    watches.push_back({.fd = connection->socket.fd(),
                       .want_read = connection->readable(),
                       .want_write = connection->out.unsent() > 0,
                       .connection = connection->number});
    if (!connection->leaving) until = std::min(until, connection->session->wake(connection->out));
  }
  return until;
}

void PortServer::serve(std::span<const Watch> watches, Instant now) {
  if (watches.size() != watch_count() || cut_off()) return;
  for (std::size_t i = 0; i < connections_.size(); ++i) {
    Connection& connection = *connections_[i];
    const Watch& watch = watches[i + 1];
    if (watch.ready_write) send(connection, now);
    if (watch.ready_read) receive(connection, now);
    if (!connection.over && !connection.leaving && connection.session->wake(connection.out) <= now)
      take(connection, {}, now);
    check_patience(connection, now);
  }
  sweep();
  if (watches[0].ready_read) welcome(now);
}

// What was open while the plug was pulled is reset once it is back in, before anything more is read.
bool PortServer::cut_off() {
  if (plug_.take_back_in()) {
    hang_up();
    return true;
  }
  return plug_.cut();
}

void PortServer::hang_up() {
  for (auto& connection : connections_) connection->socket.reset();
  connections_.clear();
  for (int i = 0; i < most_hung_up; ++i) {
    auto caller = listener_.accept(Instant{});
    if (caller) caller->reset();
    if (!caller && caller.error().fault != Fault::busy) return;
  }
}

void PortServer::welcome(Instant now) {
  for (int i = 0; i < most_welcomes; ++i) {
    auto caller = listener_.accept(Instant{});
    if (!caller) return;
    ++counters_.accepted;
    if (connections_.size() >= options_.most_connections && !make_room(now)) {
      ++counters_.refused;
      continue;
    }
    caller->tap(options_.tap);
    // Without success the system's own size stays, which only makes a stalled client's data older.
    if (options_.send_buffer > 0)
      setsockopt(caller->fd(), SOL_SOCKET, SO_SNDBUF, &options_.send_buffer, sizeof options_.send_buffer);
    if (const unsigned never = 0; options_.outlast_silence)
      setsockopt(caller->fd(), IPPROTO_TCP, TCP_USER_TIMEOUT, &never, sizeof never);
    auto session = factory_(caller->peer());
    if (session == nullptr) continue;
    connections_.push_back(
        std::make_unique<Connection>(std::move(*caller), std::move(session), options_.most_unsent, now));
    connections_.back()->number = counters_.accepted;
    Connection& connection = *connections_.back();
    connection.session->begin(connection.out);
    send(connection, now);
  }
}

bool PortServer::make_room(Instant now) {
  const auto busy = [&](const auto& connection) {
    if (connection->progress.completed == 0 || connection->leaving) return false;
    return connection->out.unsent() > 0 || connection->session->wake(connection->out) != Instant::max() ||
           now - connection->heard <= options_.active_time;
  };
  const auto longest =
      std::ranges::min_element(connections_, {}, [&](const auto& c) { return std::pair(busy(c), c->heard); });
  if (!options_.idle_give_way || longest == connections_.end() || busy(*longest)) return false;
  ++counters_.gave_way;
  connections_.erase(longest);
  return true;
}

void PortServer::receive(Connection& connection, Instant now) {
  for (int i = 0; i < options_.most_reads && connection.readable(); ++i) {
    const auto room = connection.session->room(chunk_);
    const auto count = connection.socket.read_now(room);
    if (!count) {
      ++counters_.closed;
      connection.over = true;
      return;
    }
    if (*count == 0) return;
    take(connection, room.first(*count), now);
    if (*count < room.size()) return;
  }
}

void PortServer::take(Connection& connection, Bytes bytes, Instant now) {
  if (!connection.session->receive(bytes, connection.out)) {
    ++counters_.ended;
    connection.leaving = true;
    connection.left = now;
  }
  const Session::Progress before = std::exchange(connection.progress, connection.session->progress());
  const bool heard = connection.progress.completed != before.completed;
  if (heard) connection.heard = now;
  if (heard || !before.partial || before.full) connection.began = now;  // nothing was read while it was full
  send(connection, now);
}

void PortServer::send(Connection& connection, Instant now) {
  if (connection.over) return;
  if (connection.out.aborted()) {
    connection.over = true;
    return;
  }
  const auto moved = connection.out.flush(connection.socket);
  if (!moved) {
    ++counters_.closed;
    connection.over = true;
    return;
  }
  if (*moved || connection.out.unsent() == 0) connection.moved = now;
  if (connection.leaving && connection.out.unsent() == 0) connection.over = true;
  if (connection.out.overflowed()) {
    ++counters_.slow;
    connection.over = true;
  }
}

void PortServer::check_patience(Connection& connection, Instant now) {
  if (connection.over) return;
  const bool overdue =
      connection.progress.partial && connection.readable() && now - connection.began > options_.request_deadline;
  const bool stays = connection.leaving && now - connection.left > options_.leave_deadline;
  const bool stalls = stays || (!connection.session->lossy() && connection.out.unsent() > 0 &&
                                now - connection.moved > options_.stall_deadline);
  const bool idles = options_.idle_limit > Duration{0} && now - connection.heard > options_.idle_limit;
  counters_.overdue += overdue;
  counters_.slow += !overdue && stalls;
  counters_.idle += !overdue && !stalls && idles;
  connection.over = overdue || stalls || idles;
}

void PortServer::cycle(Instant now) {
  if (cut_off()) return;
  for (auto& connection : connections_) {
    if (connection->leaving) continue;
    connection->session->cycle(connection->out);
    send(*connection, now);
  }
  sweep();
}

void PortServer::broadcast(Bytes packet, Instant now) {
  if (cut_off()) return;
  for (auto& connection : connections_) {
    if (connection->leaving) continue;
    connection->out.send(packet);
    send(*connection, now);
  }
  sweep();
}

void PortServer::each(const std::function<void(Session&, Outbox&)>& visit) {
  for (auto& connection : connections_) visit(*connection->session, connection->out);
}

void PortServer::close_connections() {
  if (!plug_.cut()) connections_.clear();  // behind a pulled plug no end arrives; they are reset later
}

void PortServer::sweep() {
  std::erase_if(connections_, [](const auto& connection) { return connection->over; });
}

void poll(std::span<PortServer* const> ports, std::vector<Watch>& watches, Instant deadline, int also,
          const std::function<void()>& on_also) {
  do {
    // Patience is checked at least ten times a second.
    Instant until = std::min(deadline, now() + 100ms);
    watches.assign(1, {.fd = also, .want_read = also >= 0});
    for (const PortServer* port : ports) until = std::min(until, port->watch(watches));
    if (!wait(watches, until)) return;
    const Instant at = now();
    if (watches[0].ready_read) on_also();
    std::span<const Watch> rest = std::span(watches).subspan(1);
    for (PortServer* port : ports) {
      const std::size_t count = port->watch_count();
      port->serve(rest.first(count), at);
      rest = rest.subspan(count);
    }
  } while (now() < deadline);
}

}  // namespace tandem::net
