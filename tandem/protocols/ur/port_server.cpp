#include "tandem/protocols/ur/port_server.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>

namespace tandem::ur {
namespace {

constexpr std::size_t chunk_size = 16 * 1024;  // bytes read from one client at a time
constexpr int most_chunks = 8;                 // from one client in one round
constexpr int most_welcomes = 32;              // of one round

}  // namespace

struct PortServer::Connection {
  Connection(net::TcpSocket connected, std::unique_ptr<Session> made, std::size_t most_unsent, Instant now)
      : socket(std::move(connected)),
        session(std::move(made)),
        out(most_unsent, session->lossy()),
        began(now),
        moved(now) {}

  net::TcpSocket socket;
  std::unique_ptr<Session> session;
  Outbox out;
  Session::Progress progress;
  Instant began;         // when the request that is still incomplete began
  Instant moved;         // when something last went out, or nothing had to
  bool leaving = false;  // closed as soon as the answers are out
  bool over = false;
};

PortServer::PortServer(const PortOptions& options, Factory factory)
    : options_(options), factory_(std::move(factory)), chunk_(chunk_size) {}

PortServer::~PortServer() = default;

Result<std::unique_ptr<PortServer>> PortServer::listen(const PortOptions& options, Factory factory) {
  std::unique_ptr<PortServer> server(new PortServer(options, std::move(factory)));
  auto listener = net::TcpListener::listen(options.host, options.port);
  if (!listener) return within("UR controller", std::move(listener).error());
  server->listener_ = std::move(*listener);
  return server;
}

void PortServer::watch(std::vector<net::Watch>& watches) const {
  watches.push_back({.fd = listener_.fd()});
  for (const auto& connection : connections_)
    watches.push_back(
        {.fd = connection->socket.fd(), .want_read = !connection->leaving, .want_write = connection->out.unsent() > 0});
}

void PortServer::serve(std::span<const net::Watch> watches, Instant now) {
  if (watches.size() != watch_count()) return;
  for (std::size_t i = 0; i < connections_.size(); ++i) {
    Connection& connection = *connections_[i];
    const net::Watch& watch = watches[i + 1];
    if (watch.ready_read && !connection.over) receive(connection, now);
    if (watch.ready_read || watch.ready_write) send(connection, now);
    check_patience(connection, now);
  }
  sweep();
  if (watches[0].ready_read) welcome(now);
}

void PortServer::welcome(Instant now) {
  for (int i = 0; i < most_welcomes; ++i) {
    auto caller = listener_.accept(Instant{});
    if (!caller) return;
    ++counters_.accepted;
    if (connections_.size() >= options_.most_connections) {
      ++counters_.refused;
      const auto silent = std::ranges::find_if(
          connections_, [](const auto& connection) { return connection->progress.completed == 0; });
      if (!options_.silent_give_way || silent == connections_.end()) continue;
      connections_.erase(silent);
    }
    caller->tap(options_.tap);
    // Without success the system's own size stays, which only makes a stalled client's data older.
    setsockopt(caller->fd(), SOL_SOCKET, SO_SNDBUF, &options_.send_buffer, sizeof options_.send_buffer);
    // Nor does the system judge a client that lives and does not read: that is what stall_deadline is for.
    const unsigned never = 0;
    setsockopt(caller->fd(), IPPROTO_TCP, TCP_USER_TIMEOUT, &never, sizeof never);
    auto session = factory_(caller->peer());
    if (session == nullptr) continue;
    connections_.push_back(
        std::make_unique<Connection>(std::move(*caller), std::move(session), options_.most_unsent, now));
    Connection& connection = *connections_.back();
    connection.session->begin(connection.out);
    send(connection, now);
  }
}

void PortServer::receive(Connection& connection, Instant now) {
  for (int i = 0; i < most_chunks && !connection.leaving; ++i) {
    const auto count = connection.socket.read_now(chunk_);
    if (!count) {
      ++counters_.closed;
      connection.over = true;
      return;
    }
    if (*count == 0) break;
    if (!connection.session->receive(Bytes(chunk_).first(*count), connection.out)) {
      ++counters_.ended;
      connection.leaving = true;
    }
    if (connection.out.unsent() > options_.most_unsent / 4) send(connection, now);
    if (connection.over || *count < chunk_.size()) break;
  }
  const Session::Progress before = connection.progress;
  connection.progress = connection.session->progress();
  if (!before.partial || connection.progress.completed != before.completed) connection.began = now;
}

void PortServer::send(Connection& connection, Instant now) {
  if (connection.over) return;
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
  const bool dawdles = connection.progress.partial && now - connection.began > options_.request_deadline;
  const bool stalls =
      !connection.session->lossy() && connection.out.unsent() > 0 && now - connection.moved > options_.stall_deadline;
  if (!dawdles && !stalls) return;
  ++counters_.slow;
  connection.over = true;
}

void PortServer::cycle(Instant now) {
  for (auto& connection : connections_) {
    if (connection->leaving) continue;
    connection->session->cycle(connection->out);
    send(*connection, now);
  }
  sweep();
}

void PortServer::broadcast(Bytes packet, Instant now) {
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

void PortServer::close_connections() { connections_.clear(); }

void PortServer::sweep() {
  std::erase_if(connections_, [](const auto& connection) { return connection->over; });
}

void poll(std::span<PortServer* const> ports, std::vector<net::Watch>& watches, Instant deadline) {
  do {
    watches.clear();
    for (const PortServer* port : ports) port->watch(watches);
    // Patience is looked after at least ten times a second.
    const auto ready = net::wait(watches, std::min(deadline, system_clock().now() + 100ms));
    if (!ready) return;
    const Instant now = system_clock().now();
    std::span<const net::Watch> rest(watches);
    for (PortServer* port : ports) {
      const std::size_t count = port->watch_count();
      port->serve(rest.first(count), now);
      rest = rest.subspan(count);
    }
  } while (system_clock().now() < deadline);
}

}  // namespace tandem::ur
