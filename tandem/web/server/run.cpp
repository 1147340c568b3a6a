// SPDX-License-Identifier: Apache-2.0
// The server's thread: callers come in, the page's clock ticks, clients that are awake are written to.
#include <fcntl.h>

#include <algorithm>
#include <stdexcept>

#include "tandem/web/server/session.hpp"

namespace tandem::web {
namespace {

constexpr std::size_t waiting_room = 64;   // connections that are not, or not yet, clients
constexpr Duration last_words = 300ms;     // for all of them when the server ends
constexpr Duration slow_tick = 100ms;      // without clients
constexpr std::size_t most_troubles = 32;  // that are reported; a client could make up any number

}  // namespace

void Server::Impl::await_callers() {
  door.await([this] {
    if (ending) return;
    thrown_by("a caller", [this] {
      for (int i = 0; i < 32; ++i) {
        auto caller = listener.accept(now());
        if (!caller) break;  // there is none, or no descriptor for it
        let_in(std::move(*caller));
      }
    });
    await_callers();
  });
}

// Of the connections that are no clients, one makes room for the next.
void Server::Impl::make_room() {
  std::vector<std::shared_ptr<Session>> crowd;
  std::vector<Waiter> waiters;
  for (const auto& [id, session] : sessions) {
    if (session->counted) continue;
    crowd.push_back(session);
    waiters.push_back({crowd_address(session->peer.address), session->one_too_many});
  }
  if (!crowd.empty()) crowd[who_makes_room(waiters)]->over();
}

bool Server::Impl::has_place(const Client& client) const {
  const std::size_t all = options.limits.clients;
  return clients < (client.may_control ? all : all - std::min(options.limits.kept_for_control, all / 4));
}

void Server::Impl::let_in(net::TcpSocket caller) {
  const net::Endpoint peer = caller.peer();
  net::Descriptor own(fcntl(caller.fd(), F_DUPFD_CLOEXEC, 0));
  caller.close();
  if (!own) return;
  if (sessions.size() - clients >= waiting_room) make_room();
  auto stream = Stream::adopt(loop, std::move(own));
  if (!stream) return;
  const auto session = std::make_shared<Session>(*this, ++last_id, std::move(stream), peer);
  if (!is_loopback(peer.address)) {
    session->one_too_many = callers[peer.address] >= options.limits.clients_per_address;
    if (!session->one_too_many) ++callers[peer.address];
  }
  sessions.emplace(session->id, session);
  session->start();
}

void Server::Impl::tick_at(Instant when) {
  ticker.at(when, [this, when] {
    if (ending) return;
    thrown_by("the page's clock", [this] { handler.tick(); });
    const Duration period = clients > 0 ? options.tick : std::max(options.tick, slow_tick);
    tick_at(std::max(when + period, now()));
  });
}

void Server::Impl::look_after() {
  const Duration often = std::min(options.limits.handshake / 5, options.limits.idle / 10);
  keeper.at(now() + std::clamp<Duration>(often, 5ms, 250ms), [this] {
    if (ending) return;
    const Instant time = now();
    thrown_by("a look at all clients", [&] {
      const Sessions all = sessions;
      for (const auto& [id, session] : all) session->check(time);
    });
    look_after();
  });
}

void Server::Impl::wake(Session& session) {
  if (!std::exchange(session.is_awake, true)) awake.push_back(session.shared_from_this());
  if (std::exchange(woken, true)) return;
  loop.post([this] { write_all_awake(); });
}

// Behind everything that the handler had to say: one call to the system for each client.
void Server::Impl::write_all_awake() {
  woken = false;
  writing.swap(awake);
  for (const auto& session : writing) {
    session->is_awake = false;
    if (session->doomed) session->give_up();
    session->write();
  }
  writing.clear();
}

void Server::Impl::run(const std::stop_token& stop) {
  try {
    door.open(listener.fd());
  } catch (const std::runtime_error& error) {
    throw std::runtime_error(fmt::format("cannot listen on {}: {}", local.text(), error.what()));
  }
  await_callers();
  look_after();
  tick_at(now());
  const std::stop_callback on_stop(stop, [this] { loop.stop(); });
  // What is left to throw is memory that is not there, for one connection: it will not be heard again, and look_after
  // lets it go.
  while (!thrown_by("a connection", [this] { loop.run(); }).empty()) continue;
  end();
}

void Server::Impl::trouble(const std::string& text) {
  if (troubles.size() >= most_troubles || !troubles.insert(text).second) return;
  if (options.on_trouble) options.on_trouble(text);
}

void Server::Impl::end() {
  ending = true;
  door.close();
  listener.close();
  ticker.cancel();
  keeper.cancel();
  for (const auto& [id, session] : Sessions(sessions)) {
    if (session->state == Session::State::open) {
      session->part(close_code::going_away, "the server ends");
    } else if (session->state != Session::State::closing) {
      session->over();
    }
  }
  loop.run_for(last_words);
  for (const auto& [id, session] : Sessions(sessions)) session->over();
  loop.run_ready();  // what was cancelled lets go of its session
}

}  // namespace tandem::web
