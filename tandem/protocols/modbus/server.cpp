#include "tandem/protocols/modbus/server.hpp"

#include <algorithm>
#include <deque>
#include <utility>

namespace tandem::modbus {
namespace {

constexpr int most_welcomes = 32;  // of one round
constexpr int most_reads = 8;      // from one client in one round

}  // namespace

struct Server::Connection {
  Connection(Device& device, net::TcpSocket connected, Instant now)
      : socket(std::move(connected)), session(device), began(now), moved(now), heard(now) {}

  std::size_t unsent() const { return output.size() - sent; }

  net::TcpSocket socket;
  Session session;
  std::vector<std::uint8_t> output;
  std::size_t sent = 0;  // bytes of output that have left
  struct Delayed {
    Instant at;
    std::vector<std::uint8_t> answer;
  };
  std::deque<Delayed> delayed;
  Instant began;         // when the request that is still incomplete began
  Instant moved;         // when output last got shorter, or was empty
  Instant heard;         // when the last whole request came
  bool backlog = false;  // whole requests wait for the output to drain
  bool leaving = false;  // closed as soon as the answers are out
  bool over = false;
};

Server::Server(Device& device, const ServerOptions& options) : device_(device), options_(options) {}
Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::listen(Device& device, const ServerOptions& options) {
  std::unique_ptr<Server> server(new Server(device, options));
  auto listener = net::TcpListener::listen(options.host, options.port);
  if (!listener) return within("Modbus server", std::move(listener).error());
  server->listener_ = std::move(*listener);
  return server;
}

void Server::close_connections() { connections_.clear(); }

void Server::poll(Instant deadline) {
  do {
    round(deadline);
  } while (system_clock().now() < deadline);
}

void Server::round(Instant deadline) {
  // Patience is looked after at least ten times a second.
  Instant until = std::min(deadline, system_clock().now() + 100ms);
  watches_.clear();
  watches_.push_back({.fd = listener_.fd()});
  for (const auto& connection : connections_) {
    const bool room = !connection->leaving && !connection->backlog;
    watches_.push_back({.fd = connection->socket.fd(), .want_read = room, .want_write = connection->unsent() > 0});
    if (!connection->delayed.empty()) until = std::min(until, connection->delayed.front().at);
  }
  if (!net::wait(watches_, until)) return;

  const Instant now = system_clock().now();
  for (std::size_t i = 0; i < connections_.size(); ++i) {
    Connection& connection = *connections_[i];
    const net::Watch& watch = watches_[i + 1];
    if (watch.ready_read) receive(connection, now);
    if (watch.ready_write || connection.backlog || !connection.delayed.empty()) answer(connection, now);
    check_patience(connection, now);
  }
  std::erase_if(connections_, [](const auto& connection) { return connection->over; });
  if (watches_[0].ready_read) welcome(now);
}

void Server::welcome(Instant now) {
  for (int i = 0; i < most_welcomes; ++i) {
    auto caller = listener_.accept(Instant{});
    if (!caller) return;
    ++counters_.accepted;
    if (connections_.size() >= options_.most_connections && !make_room(now)) {
      ++counters_.refused;
      continue;
    }
    caller->tap(options_.tap);
    connections_.push_back(std::make_unique<Connection>(device_, std::move(*caller), now));
  }
}

// Idle is who has never asked anything, or nothing for a while. One with answers on their way is not.
bool Server::make_room(Instant now) {
  const auto idle = [&](const Connection& connection) {
    if (connection.unsent() > 0 || !connection.delayed.empty()) return false;
    return connection.session.requests() == 0 || now - connection.heard > options_.active_time;
  };
  const auto longest =
      std::ranges::min_element(connections_, {}, [&](const auto& c) { return std::pair(!idle(*c), c->heard); });
  if (longest == connections_.end() || !idle(**longest)) return false;
  ++counters_.idle;
  connections_.erase(longest);
  return true;
}

void Server::receive(Connection& connection, Instant now) {
  for (int i = 0; i < most_reads && !connection.over && !connection.leaving && !connection.backlog; ++i) {
    const auto room = connection.session.room();
    const auto count = connection.socket.read_now(room);
    if (!count) {
      ++counters_.closed;
      connection.over = true;
      return;
    }
    if (*count == 0) return;
    if (!connection.session.partial()) connection.began = now;
    connection.session.received(*count);
    answer(connection, now);
    if (*count < room.size()) return;
  }
}

void Server::answer(Connection& connection, Instant now) {
  while (!connection.delayed.empty() && connection.delayed.front().at <= now) {
    const auto& due = connection.delayed.front().answer;
    connection.output.insert(connection.output.end(), due.begin(), due.end());
    connection.delayed.pop_front();
  }
  while (!connection.over && !connection.leaving) {
    connection.backlog = connection.unsent() >= options_.most_unsent || connection.delayed.size() >= 64;
    if (connection.backlog || !answer_one(connection, now)) break;
  }
  send(connection, now);
}

// False when there is no whole request left.
bool Server::answer_one(Connection& connection, Instant now) {
  const bool faulty = options_.fault != nullptr;
  answer_.clear();
  const auto answered = connection.session.answer_next(faulty ? answer_ : connection.output);
  if (!answered) {
    ++counters_.broken;
    last_complaint_ = answered.error().text;
    connection.leaving = true;
    return false;
  }
  if (!*answered) return false;
  ++counters_.requests;
  connection.heard = connection.began = now;
  if (!faulty || answer_.empty()) return true;
  const AnswerFate fate = options_.fault(answer_);
  if (fate.kind == AnswerFate::Kind::close) connection.leaving = true;
  if (fate.kind != AnswerFate::Kind::send) return true;
  if (fate.delay > Duration{0} || !connection.delayed.empty())
    connection.delayed.push_back({now + fate.delay, answer_});
  else
    connection.output.insert(connection.output.end(), answer_.begin(), answer_.end());
  return true;
}

void Server::send(Connection& connection, Instant now) {
  while (!connection.over && connection.unsent() > 0) {
    const auto count = connection.socket.write_now(Bytes(connection.output).subspan(connection.sent));
    if (!count) {
      ++counters_.closed;
      connection.over = true;
      return;
    }
    if (*count == 0) break;
    connection.sent += *count;
    connection.moved = now;
  }
  if (connection.unsent() == 0) {
    connection.moved = now;
    connection.output.clear();
    connection.sent = 0;
    if (connection.leaving) connection.over = true;
  } else if (connection.sent > connection.output.size() / 2) {
    connection.output.erase(connection.output.begin(),
                            connection.output.begin() + static_cast<std::ptrdiff_t>(connection.sent));
    connection.sent = 0;
  }
}

void Server::check_patience(Connection& connection, Instant now) {
  if (connection.over) return;
  const bool dawdles = connection.session.partial() && !connection.backlog && !connection.leaving &&
                       now - connection.began > options_.request_limit;
  const bool stalls = connection.unsent() > 0 && now - connection.moved > options_.stall_limit;
  const bool idles = options_.idle_limit > Duration{0} && now - connection.heard > options_.idle_limit;
  counters_.broken += dawdles;
  counters_.slow += !dawdles && stalls;
  counters_.idle += !dawdles && !stalls && idles;
  connection.over = dawdles || stalls || idles;
}

}  // namespace tandem::modbus
