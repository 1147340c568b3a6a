// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/modbus/server.hpp"

#include <deque>
#include <limits>

namespace tandem::modbus {
namespace {

constexpr std::size_t most_delayed = 64;  // answers

}  // namespace

class Server::Connection final : public net::Session {
 public:
  explicit Connection(Server& server) : server_(server), session_(server.device_) {}

  std::span<std::uint8_t> room(std::span<std::uint8_t>) override { return session_.room(); }
  bool receive(Bytes bytes, net::Outbox& out) override;
  Progress progress() const override { return {session_.requests(), session_.partial(), full_}; }
  Instant wake(const net::Outbox& out) const override;

 private:
  enum class Outcome { answered, nothing, ended };
  Outcome answer_next(std::vector<std::uint8_t>& out);
  bool has_room(const net::Outbox& out) const {
    return out.unsent() < server_.options_.most_unsent && delayed_.size() < most_delayed;
  }

  Server& server_;
  modbus::Session session_;
  struct Delayed {
    Instant at;
    std::vector<std::uint8_t> answer;
  };
  std::deque<Delayed> delayed_;
  bool full_ = false;  // whole requests wait for room
};

bool Server::Connection::receive(Bytes bytes, net::Outbox& out) {
  session_.received(bytes.size());
  for (; !delayed_.empty() && delayed_.front().at <= now(); delayed_.pop_front()) {
    const auto& due = delayed_.front().answer;
    out.stream().insert(out.stream().end(), due.begin(), due.end());
  }
  auto outcome = Outcome::answered;
  while (has_room(out) && outcome == Outcome::answered) outcome = answer_next(out.stream());
  full_ = outcome == Outcome::answered;
  return outcome != Outcome::ended;
}

Instant Server::Connection::wake(const net::Outbox& out) const {
  if (full_ && has_room(out)) return Instant{};
  return delayed_.empty() ? Instant::max() : delayed_.front().at;
}

Server::Connection::Outcome Server::Connection::answer_next(std::vector<std::uint8_t>& out) {
  const auto& fault = server_.options_.fault;
  auto& answer = server_.answer_;
  answer.clear();
  const auto answered = session_.answer_next(fault ? answer : out);
  if (!answered) {
    ++server_.broken_;
    server_.last_complaint_ = answered.error().text;
    return Outcome::ended;
  }
  if (!*answered) return Outcome::nothing;
  ++server_.requests_;
  if (answer.empty()) return Outcome::answered;
  const AnswerFate fate = fault(answer);
  if (fate.kind == AnswerFate::Kind::close) return Outcome::ended;
  if (fate.kind == AnswerFate::Kind::drop) return Outcome::answered;
  if (fate.delay > Duration{0} || !delayed_.empty())
    delayed_.push_back({now() + fate.delay, answer});
  else
    out.insert(out.end(), answer.begin(), answer.end());
  return Outcome::answered;
}

Server::~Server() = default;

Result<std::unique_ptr<Server>> Server::listen(Device& device, const ServerOptions& options) {
  std::unique_ptr<Server> server(new Server(device, options));
  auto port = net::PortServer::listen(
      {.host = options.host,
       .port = options.port,
       .tap = options.tap,
       .name = "Modbus server",
       .plug = options.plug,
       .most_connections = options.most_connections,
       .active_time = options.active_time,
       .most_unsent = std::numeric_limits<std::size_t>::max(),  // requests wait first
       .send_buffer = 0,
       .outlast_silence = false,
       .request_deadline = options.request_limit,
       .stall_deadline = options.stall_limit,
       .idle_limit = options.idle_limit},
      [owner = server.get()](const net::Endpoint&) { return std::make_unique<Connection>(*owner); });
  if (!port) return std::move(port).error();
  server->port_ = std::move(*port);
  return server;
}

void Server::poll(Instant deadline) {
  net::PortServer* const port = port_.get();
  net::poll({&port, 1}, watches_, deadline);
}

Server::Counters Server::counters() const {
  const auto& port = port_->counters();
  return {.accepted = port.accepted,
          .refused = port.refused,
          .requests = requests_,
          .closed = port.closed,
          .broken = broken_ + port.overdue,
          .idle = port.idle + port.gave_way,
          .slow = port.slow};
}

}  // namespace tandem::modbus
