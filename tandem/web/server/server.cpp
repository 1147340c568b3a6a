// SPDX-License-Identifier: Apache-2.0
#include "tandem/web/server/server.hpp"

#include <charconv>
#include <stdexcept>

#include "tandem/web/server/session.hpp"

namespace tandem::web {
namespace {

constexpr std::size_t for_words = 8;  // this part of an outbox is left by what is large

struct Place {
  std::string host;
  std::uint16_t port = 0;
};

Place place_from(const std::string& where) {
  const auto colon = where.rfind(':');
  unsigned int port = 65536;
  const char* end = where.data() + where.size();
  if (colon == std::string::npos || colon == 0 || std::from_chars(where.data() + colon + 1, end, port).ptr != end ||
      port > 65535) {
    throw std::invalid_argument(fmt::format(
        "page: expected an address to listen on like 127.0.0.1:8088, or off, got \"{}\"", printable(where)));
  }
  return {where.substr(0, colon), static_cast<std::uint16_t>(port)};
}

net::TcpListener listen_at(const std::string& where) {
  const Place place = place_from(where);
  auto listener = net::TcpListener::listen(place.host, place.port);
  if (!listener) throw std::runtime_error(listener.error().text);
  return std::move(*listener);
}

}  // namespace

Server::Impl::Impl(ServerOptions wanted, Handler& asked)
    : options(std::move(wanted)),
      handler(asked),
      listener(listen_at(options.listen)),
      local(listener.local()),
      gate(options.access, local),
      tls(Tls::load(options.access)) {}

Server::Server(ServerOptions options, Handler& handler) : impl_(std::make_unique<Impl>(std::move(options), handler)) {}
Server::~Server() = default;

net::Endpoint Server::local() const { return impl_->local; }

std::string Server::address() const {
  net::Endpoint local = impl_->local;
  if (local.address == 0) local.address = INADDR_LOOPBACK;  // every address of this host: this one works here
  return fmt::format("{}://{}/", impl_->tls ? "https" : "http", local.text());
}

std::string Server::control_address() const { return address() + impl_->gate.control_query(); }
std::string Server::printed_address() const { return address() + impl_->gate.printed_query(); }

void check(const ServerOptions& options) {
  const Place place = place_from(options.listen);
  auto listener = net::TcpListener::listen(place.host, place.port);
  // Taken at this moment, perhaps by a run of the same configuration: not wrong.
  if (!listener && listener.error().fault == Fault::busy) listener = net::TcpListener::listen(place.host, 0);
  if (!listener) throw std::runtime_error(listener.error().text);
  (void)Gate(options.access, listener->local());
  (void)Tls::load(options.access);
}

void Server::run(const std::stop_token& stop) { impl_->run(stop); }

void Server::send(ClientId client, Frame frame) {
  const auto found = impl_->sessions.find(client);
  if (found == impl_->sessions.end()) return;
  const Opcode opcode = frame.text ? Opcode::text : Opcode::binary;
  found->second->put(opcode, std::move(frame));
}

void Server::close(ClientId client, std::uint16_t code, std::string_view reason) {
  const auto found = impl_->sessions.find(client);
  if (found != impl_->sessions.end()) found->second->part(code, reason);
}

std::size_t Server::largest() const {
  const std::size_t all = impl_->options.limits.outbox_bytes;
  return all - std::min(all, all / for_words + Waiting{}.size() + std::tuple_size_v<decltype(Frame::head)>);
}

std::size_t Server::room(ClientId client) const {
  const auto found = impl_->sessions.find(client);
  if (found == impl_->sessions.end()) return 0;
  return largest() - std::min(largest(), found->second->outbox.kept_bytes());
}

ServerCounts Server::counts() const {
  const auto& counts = impl_->counts;
  return {counts.clients, counts.accepted, counts.refused, counts.dropped, counts.sent, counts.bytes, counts.given_up};
}

}  // namespace tandem::web
