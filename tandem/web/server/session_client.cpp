// SPDX-License-Identifier: Apache-2.0
// A connection that has become a client: messages of WebSocket in both directions.
#include <fmt/format.h>
#include <sys/socket.h>

#include "tandem/web/server/session.hpp"

namespace tandem::web {
namespace {

constexpr std::size_t write_bytes = 128 << 10;  // that go to the system in one call
constexpr std::size_t write_frames = 64;        // that go to the system in one call
constexpr int send_buffer = 256 << 10;          // in the system, for each client: what lies there cannot be dropped

}  // namespace

void Server::Impl::Session::open() {
  // Others may have come in since this one was promised a place.
  if (!server.has_place(client)) return over();
  state = State::open;
  heard = pinged = now();
  counted = true;
  client.id = id;
  client.address = peer.text();
  setsockopt(stream->fd(), SOL_SOCKET, SO_SNDBUF, &send_buffer, sizeof send_buffer);
  server.counts.clients = ++server.clients;
  ++server.counts.accepted;
  if (server.clients == 1) server.tick_at(now());
  ask_handler("a newcomer", [&] { server.handler.opened(client); });
  hear();
}

void Server::Impl::Session::hear() {
  Bytes bytes(input.data(), std::exchange(filled, 0));
  heard = now();
  while (!deaf && is_client()) {
    const std::uint64_t before = reader.frames();
    const auto message = reader.next(bytes);
    if (!message) {
      deaf = true;
      part(static_cast<std::uint16_t>(message.error().code), message.error().text);
    } else if (!rate.pass(static_cast<double>(reader.frames() - before), heard)) {
      deaf = true;
      part(close_code::policy,
           fmt::format("more than {} messages a second, and more than {} at once",
                       server.options.limits.messages_per_second, server.options.limits.messages_at_once));
    } else if (*message) {
      deliver(**message);
    } else {
      break;
    }
  }
  if (!finished()) read();
}

// Only this client pays for what its message brought about.
template <typename Ask>
void Server::Impl::Session::ask_handler(std::string_view what, Ask ask) {
  if (state != State::open) return;
  const std::string thrown = server.thrown_by(what, ask);
  if (!thrown.empty()) part(close_code::internal, fmt::format("internal error on {}: {}", what, thrown));
}

void Server::Impl::Session::deliver(const ClientMessage& message) {
  const std::string_view text(reinterpret_cast<const char*>(message.payload.data()), message.payload.size());
  switch (message.opcode) {
    case Opcode::text:
      return ask_handler("a message", [&] { server.handler.text(client.id, text); });
    case Opcode::binary:
      return ask_handler("a message", [&] { server.handler.binary(client.id, message.payload); });
    case Opcode::ping:
      pong.emplace(message.payload.begin(), message.payload.end());
      return server.wake(*this);
    case Opcode::close: {
      deaf = true;
      const auto reason = parse_close(message.payload);
      const std::uint16_t code = reason ? reason->code : static_cast<std::uint16_t>(reason.error().code);
      return part(code == close_code::none ? close_code::normal : code, "");
    }
    case Opcode::pong:
    case Opcode::continuation:
      return;
  }
}

void Server::Impl::Session::put(Opcode opcode, Frame frame) {
  if (state != State::open) return;
  if (!outbox.put({opcode, std::move(frame)})) doomed = true;
  server.counts.dropped += outbox.dropped() - std::exchange(dropped, outbox.dropped());
  server.wake(*this);
}

void Server::Impl::Session::part(std::uint16_t code, std::string_view reason) {
  if (state != State::open) return;
  put(Opcode::close, {.body = std::make_shared<const std::vector<std::uint8_t>>(close_payload(code, reason))});
  state = State::closing;
  deadline = now() + farewell;
}

// What waits is lost to it, so the close frame says why; it may connect again and get everything again.
void Server::Impl::Session::give_up() {
  doomed = false;
  if (state != State::open) return over();
  deaf = true;
  outbox.clear();
  part(close_code::policy, "the client reads too slowly: its queue of messages that must not be dropped is full");
  ++server.counts.given_up;
  const std::string from = peer.text();
  server.trouble(fmt::format("a viewer at {} read too slowly and was disconnected", from.substr(0, from.rfind(':'))));
}

void Server::Impl::Session::gather() {
  outbox.take(batch, write_bytes, write_frames);
  if (pong && !goodbye_sent) {
    Frame frame{.body = std::make_shared<const std::vector<std::uint8_t>>(std::move(*pong))};
    batch.insert(batch.begin(), {Opcode::pong, std::move(frame)});
  }
  pong.reset();
  heads.resize(batch.size());
  buffers.clear();
  std::size_t bytes = 0;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    const auto& [opcode, frame] = batch[i];
    const std::size_t body = frame.body ? frame.body->size() : 0;
    const FrameHead head = frame_head(opcode, frame.head_size + body);
    std::copy_n(head.bytes.begin(), head.size, heads[i].begin());
    std::copy_n(frame.head.begin(), frame.head_size, heads[i].begin() + static_cast<std::ptrdiff_t>(head.size));
    buffers.emplace_back(heads[i].data(), head.size + frame.head_size);
    if (body > 0) buffers.emplace_back(frame.body->data(), body);
    bytes += head.size + frame.head_size + body;
    goodbye_sent = goodbye_sent || opcode == Opcode::close;
  }
  server.counts.sent += batch.size();
  server.counts.bytes += bytes;
  if (!stream->encrypted()) return;
  flat.clear();
  for (const Bytes& buffer : buffers) flat.insert(flat.end(), buffer.begin(), buffer.end());
  buffers.assign(1, flat);
}

void Server::Impl::Session::write() {
  if (busy || !is_client() || goodbye_sent || (outbox.empty() && !pong)) return;
  gather();
  busy = true;
  write_began = now();
  stream->write(buffers, then([](Session& self, std::size_t) { self.wrote(); }));
}

void Server::Impl::Session::wrote() {
  busy = false;
  batch.clear();
  if (!finished()) write();
}

// Both ends have said goodbye, or the other end is not to be heard any more.
bool Server::Impl::Session::finished() {
  if (state != State::closing || !deaf || !goodbye_sent || busy) return false;
  drain();
  return true;
}

}  // namespace tandem::web
