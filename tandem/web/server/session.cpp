// SPDX-License-Identifier: Apache-2.0
#include "tandem/web/server/session.hpp"

#include <sys/socket.h>

namespace tandem::web {
namespace {

constexpr std::size_t drain_bytes = 256 << 10;  // that are read and thrown away behind a refusal

}  // namespace

Server::Impl::Session::Session(Impl& its_server, ClientId number, std::unique_ptr<Stream> connected,
                               const net::Endpoint& caller)
    : server(its_server),
      id(number),
      stream(std::move(connected)),
      peer(caller),
      reader(server.options.limits.message),
      outbox(server.options.limits.outbox_messages, server.options.limits.outbox_bytes),
      rate(server.options.limits.messages_per_second, static_cast<double>(server.options.limits.messages_at_once),
           now()) {}

void Server::Impl::Session::start() {
  deadline = now() + server.options.limits.handshake;
  state = server.tls ? State::greeting : State::request;
  if (!server.tls) return read();
  stream->await_bytes(then([](Session& self, std::size_t) { self.greet(); }));
}

void Server::Impl::Session::greet() {
  std::uint8_t first = 0;
  constexpr std::uint8_t handshake_record = 22;
  if (::recv(stream->fd(), &first, 1, MSG_PEEK) != 1) return over();
  if (first != handshake_record) {  // plain HTTP: the refusal is plain HTTP too
    state = State::request;
    return read();
  }
  stream->encrypt(*server.tls, then([](Session& self, std::size_t) {
    self.state = State::request;
    self.read();
  }));
}

void Server::Impl::Session::read() {
  if (std::exchange(reading, true)) return;
  stream->read(std::span(input).subspan(filled), then([](Session& self, std::size_t count) { self.received(count); }));
}

void Server::Impl::Session::received(std::size_t count) {
  reading = false;
  filled += count;
  if (is_client()) return hear();
  if (state == State::request) return parse();
  // What comes behind a refusal is taken so that the refusal is not lost by a reset.
  drained += std::exchange(filled, 0);
  if (drained > drain_bytes) return over();
  read();
}

// Nothing more is sent; what still comes is thrown away until the other end closes, for a little while.
void Server::Impl::Session::drain() {
  state = State::draining;
  deadline = now() + farewell;
  leave();
  stream->shut_down([self = shared_from_this()](bool, std::size_t) { self->over(); });
  if (!stream->encrypted()) read();
}

void Server::Impl::Session::leave() {
  if (!std::exchange(counted, false)) return;
  server.counts.clients = --server.clients;
  server.thrown_by("a client that left", [&] { server.handler.closed(id); });
}

void Server::Impl::Session::check(Instant time) {
  const Duration idle = server.options.limits.idle;
  if (state == State::open) {
    if (time - heard > idle || (busy && time - write_began > idle)) return over();
    if (time - std::max(heard, pinged) > idle / 3) {
      pinged = time;
      put(Opcode::ping, {});
    }
    return;
  }
  if (time <= deadline) return;
  if (state == State::request && parser) {
    return answer_with(refusal(408, "The request timed out. Try again."), false);
  }
  over();
}

void Server::Impl::Session::over() {
  if (state == State::over) return;
  const auto self = shared_from_this();
  state = State::over;
  stream->close();
  if (auto found = server.callers.find(peer.address); found != server.callers.end() && !one_too_many) {
    if (--found->second == 0) server.callers.erase(found);
  }
  server.sessions.erase(id);
  leave();
}

}  // namespace tandem::web
