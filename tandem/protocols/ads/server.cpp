#include "tandem/protocols/ads/server.hpp"

#include <algorithm>
#include <array>

namespace tandem::ads {
namespace {

constexpr std::size_t chunk = 64 * 1024;  // bytes read from one client at a time
constexpr int most_datagrams = 64;        // of one round
constexpr int most_welcomes = 64;         // of one round

// As TwinCAT chooses it: the address it listens on and ".1.1"; loopback's when that is every address.
NetId own_net_id(const ServerOptions& options) {
  if (!options.net_id.empty()) return options.net_id;
  const auto endpoint = net::resolve(options.host, options.tcp_port);
  return endpoint && endpoint->address != INADDR_ANY ? NetId::from_ipv4(endpoint->address)
                                                     : NetId::from_ipv4(INADDR_LOOPBACK);
}

}  // namespace

struct Server::Connection {
  Connection(Plc& plc, net::TcpSocket connected, std::size_t longest, Instant since)
      : socket(std::move(connected)), framer(longest), session(plc), moved(since), began(since) {}

  std::size_t unsent() const { return output.size() - sent; }

  net::TcpSocket socket;
  Framer framer;
  Session session;
  std::vector<std::uint8_t> output;
  std::size_t sent = 0;  // bytes of output that have left
  struct Delayed {
    Instant at;
    std::vector<std::uint8_t> packet;
  };
  std::vector<Delayed> delayed;
  Instant moved;         // when output last got shorter, or was empty
  Instant began;         // when the packet that is still incomplete began
  bool partial = false;  // one is
  bool backlog = false;  // whole packets wait for the output to drain
  bool heard = false;    // has sent a packet that made sense
  bool silent = false;   // a fault: nothing is read
  bool over = false;
};

Server::Server(SymbolTable& table, const ServerOptions& options)
    : options_(options),
      plc_(table),
      routes_({.net_id = own_net_id(options), .user = options.user, .password = options.password}) {
  plc_.any_net_id = options.net_id.empty();
  plc_.net_id = own_net_id(options);
  plc_.cycle = std::max(options.cycle, Duration{1us});
  plc_.moment.stamp = filetime_from_utc(system_clock().utc());
}

Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::listen(SymbolTable& table, const ServerOptions& options) {
  std::unique_ptr<Server> server(new Server(table, options));
  auto listener = net::TcpListener::listen(options.host, options.tcp_port);
  if (!listener) return within("ADS server", std::move(listener).error());
  server->listener_ = std::move(*listener);
  if (options.udp) {
    auto udp = net::UdpSocket::bind(options.host, options.udp_port);
    if (!udp) return within("ADS server", std::move(udp).error());
    server->udp_ = std::move(*udp);
    server->udp_.tap(options.tap);
  }
  return server;
}

std::size_t Server::notifications() const {
  std::size_t sum = 0;
  for (const auto& connection : connections_) sum += connection->session.notifications();
  return sum;
}

void Server::close_connections() { connections_.clear(); }

void Server::poll(Instant deadline) {
  do {
    round(deadline);
  } while (now() < deadline);
}

void Server::task_cycle(UtcTime stamp, int cycles) {
  plc_.moment.cycle += static_cast<std::uint64_t>(cycles);
  plc_.moment.stamp = filetime_from_utc(stamp);
  const Instant at = now();
  for (auto& connection : connections_) {
    if (connection->over) continue;
    connection->session.cycle(
        [this, &connection](std::vector<std::uint8_t>& packet) { enqueue_notification(*connection, packet); });
    send(*connection, at);
  }
  sweep();
}

void Server::round(Instant deadline) {
  // Patience is looked after at least ten times a second.
  Instant until = std::min(deadline, now() + 100ms);
  watches_.clear();
  watches_.push_back({.fd = listener_.fd()});
  watches_.push_back({.fd = udp_.fd(), .want_read = udp_.open()});
  for (const auto& connection : connections_) {
    const bool room = connection->unsent() < options_.high_water && !connection->silent;
    watches_.push_back({.fd = connection->socket.fd(), .want_read = room, .want_write = connection->unsent() > 0});
    if (room && connection->backlog) until = Instant{};
    for (const auto& delayed : connection->delayed) until = std::min(until, delayed.at);
  }
  if (!net::wait(watches_, until)) return;

  const Instant at = now();
  for (std::size_t i = 0; i < connections_.size(); ++i) {
    Connection& connection = *connections_[i];
    const net::Watch& watch = watches_[i + 2];
    if (watch.ready_write) send(connection, at);
    if (watch.ready_read && !connection.over) receive(connection, at);
    if (watch.ready_read || connection.backlog) serve(connection, at);
    if (!connection.delayed.empty()) release_delayed(connection, at);
    check_patience(connection, at);
  }
  if (watches_[1].ready_read) answer_datagrams();
  sweep();
  if (watches_[0].ready_read) welcome();
}

void Server::welcome() {
  for (int i = 0; i < most_welcomes; ++i) {
    auto caller = listener_.accept(Instant{});
    if (!caller) return;
    ++counters_.accepted;
    if (connections_.size() >= options_.most_connections) make_room();
    if (connections_.size() >= options_.most_connections) {
      ++counters_.refused;
      continue;
    }
    caller->tap(options_.tap);
    auto welcome = ServerFaults::Welcome::serve;
    if (options_.faults != nullptr) welcome = options_.faults->accepted();
    if (welcome == ServerFaults::Welcome::close) continue;
    connections_.push_back(std::make_unique<Connection>(plc_, std::move(*caller), options_.longest_packet, now()));
    connections_.back()->silent = welcome == ServerFaults::Welcome::silence;
  }
}

// When all places are taken, whoever has held one longest without ever asking anything gives it up.
void Server::make_room() {
  const auto idle = std::ranges::find_if(connections_, [](const auto& connection) { return !connection->heard; });
  if (idle == connections_.end()) return;
  ++counters_.refused;
  connections_.erase(idle);
}

void Server::answer_datagrams() {
  std::array<std::uint8_t, 2048> buffer;
  for (int i = 0; i < most_datagrams; ++i) {
    const auto datagram = udp_.receive(buffer, Instant{});
    if (!datagram) return;
    const auto answer = routes_.answer(Bytes(buffer).first(datagram->size));
    // Nobody waits for the outcome: a lost answer is asked for again.
    if (!answer.empty()) static_cast<void>(udp_.send(answer, datagram->from).ok());
  }
}

void Server::receive(Connection& connection, Instant at) {
  const auto room = connection.framer.room(chunk);
  const auto count = connection.socket.read_now(room.first(chunk));
  if (!count) {
    ++counters_.closed;
    connection.over = true;
    return;
  }
  if (!connection.framer.partial()) connection.began = at;
  connection.framer.received(*count);
}

void Server::serve(Connection& connection, Instant at) {
  connection.backlog = false;
  while (!connection.over) {
    if (connection.unsent() >= options_.high_water) send(connection, at);
    if (connection.unsent() >= options_.high_water) {
      connection.backlog = true;
      break;
    }
    const auto frame = connection.framer.next();
    if (!frame) {
      ++counters_.broken;
      connection.over = true;
      return;
    }
    if (!*frame) break;
    connection.heard = true;
    connection.began = at;
    ++counters_.requests;
    if (options_.faults == nullptr) {
      connection.session.answer(**frame, connection.output);
    } else {
      packet_.clear();
      options_.faults->request((**frame).header, (**frame).payload);
      connection.session.answer(**frame, packet_);
      enqueue_answer(connection, (**frame).header);
    }
  }
  connection.partial = connection.framer.partial();
  send(connection, at);
}

void Server::send(Connection& connection, Instant at) {
  while (!connection.over && connection.unsent() > 0) {
    const auto count = connection.socket.write_now(Bytes(connection.output).subspan(connection.sent));
    if (!count) {
      ++counters_.closed;
      connection.over = true;
      return;
    }
    if (*count == 0) break;
    connection.sent += *count;
    connection.moved = at;
  }
  if (connection.unsent() == 0) {
    connection.moved = at;
    connection.output.clear();
    connection.sent = 0;
  } else if (connection.sent > connection.output.size() / 2) {
    connection.output.erase(connection.output.begin(),
                            connection.output.begin() + static_cast<std::ptrdiff_t>(connection.sent));
    connection.sent = 0;
  }
  if (connection.unsent() > options_.most_unsent) {
    ++counters_.slow;
    connection.over = true;
  }
}

void Server::enqueue_answer(Connection& connection, const AmsHeader& request) {
  if (packet_.empty()) return;
  // First the verdict: it may change the packet and its size.
  const auto verdict = options_.faults->answer(request, packet_);
  enqueue(connection, verdict, packet_);
}

void Server::enqueue_notification(Connection& connection, std::vector<std::uint8_t>& packet) {
  ++counters_.notifications;
  const auto verdict = options_.faults != nullptr ? options_.faults->notification(packet) : ServerFaults::Verdict{};
  enqueue(connection, verdict, packet);
}

void Server::enqueue(Connection& connection, const ServerFaults::Verdict& verdict, Bytes packet) {
  if (verdict.fate == ServerFaults::Fate::drop) return;
  if (verdict.fate == ServerFaults::Fate::close) {
    connection.over = true;
  } else if (verdict.delay > Duration{0}) {
    connection.delayed.push_back({now() + verdict.delay, {packet.begin(), packet.end()}});
  } else {
    connection.output.insert(connection.output.end(), packet.begin(), packet.end());
  }
}

void Server::release_delayed(Connection& connection, Instant at) {
  for (const auto& delayed : connection.delayed)
    if (delayed.at <= at)
      connection.output.insert(connection.output.end(), delayed.packet.begin(), delayed.packet.end());
  std::erase_if(connection.delayed, [at](const auto& delayed) { return delayed.at <= at; });
  send(connection, at);
}

void Server::check_patience(Connection& connection, Instant at) {
  if (connection.over) return;
  if (connection.partial && !connection.backlog && at - connection.began > options_.packet_deadline) {
    ++counters_.broken;
    connection.over = true;
  } else if (connection.unsent() > 0 && at - connection.moved > options_.stall_deadline) {
    ++counters_.slow;
    connection.over = true;
  }
}

void Server::sweep() {
  std::erase_if(connections_, [](const auto& connection) { return connection->over; });
}

}  // namespace tandem::ads
