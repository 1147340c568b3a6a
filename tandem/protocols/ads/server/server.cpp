// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/server/server.hpp"

#include <algorithm>
#include <array>

namespace tandem::ads {
namespace {

constexpr std::size_t chunk = 64 * 1024;  // bytes read from one client at a time
constexpr int most_datagrams = 64;        // of one round

// As TwinCAT chooses it: the address it listens on and ".1.1"; loopback's when that is every address.
NetId own_net_id(const ServerOptions& options) {
  if (!options.net_id.empty()) return options.net_id;
  const auto endpoint = net::resolve(options.host, options.tcp_port);
  return endpoint && endpoint->address != INADDR_ANY ? NetId::from_ipv4(endpoint->address)
                                                     : NetId::from_ipv4(INADDR_LOOPBACK);
}

}  // namespace

class Server::Connection final : public net::Session {
 public:
  Connection(Server& server, bool silent)
      : server_(server), framer_(server.options_.longest_packet), session_(server.plc_), silent_(silent) {}

  std::span<std::uint8_t> room(std::span<std::uint8_t>) override { return framer_.room(chunk).first(chunk); }
  bool receive(Bytes bytes, net::Outbox& out) override;
  void cycle(net::Outbox& out) override;
  Progress progress() const override { return {completed_, framer_.partial(), silent_ || full_}; }
  Instant wake(const net::Outbox& out) const override;
  std::size_t notifications() const { return session_.notifications(); }

 private:
  bool has_room(const net::Outbox& out) const { return out.unsent() < server_.options_.high_water; }
  void answer(const Frame& request, net::Outbox& out);
  void enqueue(const ServerFaults::Verdict& verdict, Bytes packet, net::Outbox& out);

  Server& server_;
  Framer framer_;
  ads::Session session_;
  struct Delayed {
    Instant at;
    std::vector<std::uint8_t> packet;
  };
  std::vector<Delayed> delayed_;
  std::uint64_t completed_ = 0;
  bool full_ = false;  // whole packets wait for room
  bool silent_;        // a fault: nothing is read
};

bool Server::Connection::receive(Bytes bytes, net::Outbox& out) {
  framer_.received(bytes.size());
  std::erase_if(delayed_, [&, at = now()](const Delayed& delayed) {
    if (delayed.at > at) return false;
    out.stream().insert(out.stream().end(), delayed.packet.begin(), delayed.packet.end());
    return true;
  });
  for (full_ = false; !out.aborted(); ++completed_) {
    full_ = !has_room(out);
    if (full_) break;
    const auto frame = framer_.next();
    if (!frame) {
      ++server_.broken_;
      out.abort();
      break;
    }
    if (!*frame) break;
    ++server_.requests_;
    answer(**frame, out);
  }
  return true;
}

Instant Server::Connection::wake(const net::Outbox& out) const {
  Instant earliest = full_ && has_room(out) ? Instant{} : Instant::max();
  for (const auto& delayed : delayed_) earliest = std::min(earliest, delayed.at);
  return earliest;
}

void Server::Connection::answer(const Frame& request, net::Outbox& out) {
  ServerFaults* const faults = server_.options_.faults;
  if (faults == nullptr) return session_.answer(request, out.stream());
  auto& packet = server_.packet_;
  packet.clear();
  faults->request(request.header, request.payload);
  session_.answer(request, packet);
  if (packet.empty()) return;
  // First the verdict: it may change the packet and its size.
  const auto verdict = faults->answer(request.header, packet);
  enqueue(verdict, packet, out);
}

void Server::Connection::cycle(net::Outbox& out) {
  ServerFaults* const faults = server_.options_.faults;
  session_.cycle([&](std::vector<std::uint8_t>& packet) {
    ++server_.notifications_;
    const auto verdict = faults != nullptr ? faults->notification(packet) : ServerFaults::Verdict{};
    enqueue(verdict, packet, out);
  });
}

void Server::Connection::enqueue(const ServerFaults::Verdict& verdict, Bytes packet, net::Outbox& out) {
  if (verdict.fate == ServerFaults::Fate::drop) return;
  if (verdict.fate == ServerFaults::Fate::close) {
    out.abort();
  } else if (verdict.delay > Duration{0}) {
    delayed_.push_back({now() + verdict.delay, {packet.begin(), packet.end()}});
  } else {
    out.stream().insert(out.stream().end(), packet.begin(), packet.end());
  }
}

Server::Server(SymbolTable& table, const ServerOptions& options)
    : options_(options),
      plc_(table),
      routes_({.net_id = own_net_id(options), .user = options.user, .password = options.password}),
      plug_(options.plug) {
  plc_.any_net_id = options.net_id.empty();
  plc_.net_id = own_net_id(options);
  plc_.cycle = std::max(options.cycle, Duration{1us});
  plc_.moment.stamp = filetime_from_utc(system_clock().utc());
}

Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::listen(SymbolTable& table, const ServerOptions& options) {
  std::unique_ptr<Server> server(new Server(table, options));
  auto port = net::PortServer::listen({.host = options.host,
                                       .port = options.tcp_port,
                                       .tap = options.tap,
                                       .name = "ADS server",
                                       .plug = options.plug,
                                       .most_connections = options.most_connections,
                                       .most_unsent = options.most_unsent,
                                       .send_buffer = 0,
                                       .outlast_silence = false,
                                       .most_reads = 1,
                                       .request_deadline = options.packet_deadline,
                                       .stall_deadline = options.stall_deadline},
                                      [owner = server.get()](const net::Endpoint&) { return owner->welcome(); });
  if (!port) return std::move(port).error();
  server->port_ = std::move(*port);
  if (options.udp) {
    auto udp = net::UdpSocket::bind(options.host, options.udp_port);
    if (!udp) return within("ADS server", std::move(udp).error());
    server->udp_ = std::move(*udp);
    server->udp_.tap(options.tap);
  }
  return server;
}

std::unique_ptr<net::Session> Server::welcome() {
  auto welcome = ServerFaults::Welcome::serve;
  if (options_.faults != nullptr) welcome = options_.faults->accepted();
  if (welcome == ServerFaults::Welcome::close) return nullptr;
  return std::make_unique<Connection>(*this, welcome == ServerFaults::Welcome::silence);
}

std::size_t Server::notifications() const {
  std::size_t sum = 0;
  port_->each([&](net::Session& session, net::Outbox&) { sum += static_cast<Connection&>(session).notifications(); });
  return sum;
}

void Server::poll(Instant deadline) {
  net::PortServer* const port = port_.get();
  net::poll({&port, 1}, watches_, deadline, udp_.fd(), [this] { answer_datagrams(); });
}

void Server::task_cycle(UtcTime stamp, int cycles) {
  plc_.moment.cycle += static_cast<std::uint64_t>(cycles);
  plc_.moment.stamp = filetime_from_utc(stamp);
  port_->cycle(now());
}

void Server::answer_datagrams() {
  std::array<std::uint8_t, 2048> buffer;
  const bool pulled = plug_.take_back_in() || plug_.cut();  // what came meanwhile is thrown away
  for (int i = 0; i < most_datagrams; ++i) {
    const auto datagram = udp_.receive(buffer, Instant{});
    if (!datagram) return;
    if (pulled) continue;
    const auto answer = routes_.answer(Bytes(buffer).first(datagram->size));
    // No one waits for the outcome: a lost answer is asked for again.
    if (!answer.empty()) static_cast<void>(udp_.send(answer, datagram->from).ok());
  }
}

Server::Counters Server::counters() const {
  const auto& port = port_->counters();
  return {.accepted = port.accepted,
          .refused = port.refused + port.gave_way,
          .requests = requests_,
          .notifications = notifications_,
          .closed = port.closed,
          .broken = broken_ + port.overdue,
          .slow = port.slow};
}

}  // namespace tandem::ads
