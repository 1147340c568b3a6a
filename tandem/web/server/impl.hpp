// SPDX-License-Identifier: Apache-2.0
// What all connections of the server share: options, the gate, the loop, places and counters. Seen by server*.cpp and
// session*.cpp only.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <map>
#include <set>

#include "tandem/base/nearest.hpp"
#include "tandem/web/http/access.hpp"
#include "tandem/web/server/crowd.hpp"
#include "tandem/web/server/io.hpp"

namespace tandem::web {

struct Server::Impl {
  struct Session;
  using Sessions = std::map<ClientId, std::shared_ptr<Session>>;  // the oldest first

  Impl(ServerOptions wanted, Handler& asked);

  void run(const std::stop_token& stop);
  void await_callers();
  void let_in(net::TcpSocket caller);
  void make_room();
  bool has_place(const Client& client) const;
  void tick_at(Instant when);
  void look_after();
  void wake(Session& session);  // it has something to write, or must end, once the handler has returned
  void write_all_awake();
  void end();
  void trouble(const std::string& text);
  // What was thrown, reported; empty: nothing was.
  template <typename Ask>
  std::string thrown_by(std::string_view where, Ask ask) {
    try {
      ask();
      return {};
    } catch (const std::exception& error) {
      std::string why = *error.what() == '\0' ? "no reason was given" : printable(error.what(), 300);
      trouble(fmt::format("{}: {}", where, why));
      return why;
    }
  }

  ServerOptions options;
  Handler& handler;
  net::TcpListener listener;
  const net::Endpoint local;  // any thread may ask, also when the listener has closed
  Gate gate;
  std::unique_ptr<Tls> tls;  // null: none
  Loop loop;
  Door door{loop};
  Timer ticker{loop}, keeper{loop};
  bool ending = false;

  Sessions sessions;
  std::size_t clients = 0;
  ClientId last_id = 0;
  std::map<std::uint32_t, std::size_t> callers;  // connections of each address beyond loopback
  WrongTokens wrong_tokens;
  std::vector<std::shared_ptr<Session>> awake, writing;
  bool woken = false;
  std::set<std::string> troubles;  // reported

  struct {
    std::atomic<std::uint64_t> clients{0}, accepted{0}, refused{0}, dropped{0}, sent{0}, bytes{0}, given_up{0};
  } counts;
};

}  // namespace tandem::web
