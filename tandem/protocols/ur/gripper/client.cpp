// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/gripper/client.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::ur::gripper {
namespace {

constexpr std::size_t answer_chunk = 1024;
constexpr Duration look_again = 10ms;  // while the gripper activates
constexpr int active = 3;

}  // namespace

Result<Client> Client::connect(const std::string& host, std::uint16_t port, Instant deadline, net::Tap* tap) {
  auto socket = net::TcpSocket::connect(host, port, deadline);
  if (!socket) return within("gripper", std::move(socket).error());
  socket->tap(tap);
  return Client(std::move(*socket));
}

// Answers carry no number: what is left from before must go first, and after a failure the connection must.
Result<void> Client::ask(const Request& request, Instant deadline) {
  for (int i = 0; i < 64; ++i) {
    lines_.clear();
    auto count = socket_.read_now(lines_.room(answer_chunk).first(answer_chunk));
    if (!count) return within("gripper", std::move(count).error());
    if (*count == 0) break;
  }
  auto written = socket_.write_all(as_bytes(text(request)), deadline);
  if (written) return {};
  socket_.close();
  return within("gripper", std::move(written).error());
}

Result<void> Client::read_more(Instant deadline, bool first) {
  if (!first && now() >= deadline) {
    socket_.close();
    return Error{Fault::timeout, "gripper: no complete answer before the deadline"};
  }
  auto count = socket_.read_some(lines_.room(answer_chunk).first(answer_chunk), deadline);
  if (!count) {
    socket_.close();
    return within("gripper", std::move(count).error());
  }
  lines_.received(*count);
  return {};
}

Result<void> Client::write(const Write& write, Instant deadline) {
  for (const auto& [variable, value] : write.pairs)
    if (value < 0 || value > 255)
      return Error{Fault::invalid, fmt::format("gripper: {}: expected 0 to 255, got {}", name(variable), value)};
  if (auto asked = ask(Request(write), deadline); !asked) return asked;
  for (bool first = true;; first = false) {
    if (lines_.pending().starts_with("ack")) {
      lines_.clear();
      return {};
    }
    if (!std::string_view("ack").starts_with(lines_.pending()))
      return Error{Fault::device, fmt::format("gripper: SET: expected \"ack\", got \"{}\"",
                                              lines_.pending().substr(0, lines_.pending().find('\n')).substr(0, 40))};
    if (auto more = read_more(deadline, first); !more) return more;
  }
}

Result<int> Client::read(Variable variable, Instant deadline) {
  if (auto asked = ask(Request(Read{variable}), deadline); !asked) return std::move(asked).error();
  for (bool first = true;; first = false) {
    const auto line = lines_.next();
    if (!line) {
      socket_.close();
      return within("gripper", line.error());
    }
    if (*line) {
      const auto value = parse_value(**line);
      if (!value) return value.error();
      if (value->first != variable)
        return Error{Fault::invalid,
                     fmt::format("gripper: expected an answer about {}, got {}", name(variable), name(value->first))};
      return value->second;
    }
    if (auto more = read_more(deadline, first); !more) return std::move(more).error();
  }
}

Result<Status> Client::status(Instant deadline) {
  Status status;
  const std::pair<Variable, int*> wanted[] = {
      {Variable::position, &status.position}, {Variable::echo, &status.requested},
      {Variable::status, &status.status},     {Variable::object, &status.object},
      {Variable::fault, &status.fault},       {Variable::current, &status.current}};
  for (const auto& [variable, place] : wanted) {
    auto value = read(variable, deadline);
    if (!value) return std::move(value).error();
    *place = *value;
  }
  return status;
}

Result<void> Client::activate(Instant deadline) {
  if (auto written = write({{{Variable::act, 1}, {Variable::gto, 1}}}, deadline); !written) return written;
  while (true) {
    auto state = read(Variable::status, deadline);
    if (!state) return std::move(state).error();
    if (*state == active) return {};
    const Instant now = tandem::now();
    if (now >= deadline)
      return Error{Fault::timeout, fmt::format("gripper: not active before the deadline, its status is {}", *state)};
    system_clock().sleep_until(std::min(deadline, now + look_again));
  }
}

Result<void> Client::deactivate(Instant deadline) { return write({{{Variable::act, 0}}}, deadline); }

Result<void> Client::move(int position, int speed, int force, Instant deadline) {
  auto state = read(Variable::status, deadline);
  if (!state) return std::move(state).error();
  if (*state != active)
    return Error{Fault::device, fmt::format("gripper: not active, its status is {}: activate it first", *state)};
  return write(
      {{{Variable::force, force}, {Variable::speed, speed}, {Variable::position, position}, {Variable::gto, 1}}},
      deadline);
}

}  // namespace tandem::ur::gripper
