// SPDX-License-Identifier: Apache-2.0
// One connection, from its first byte to its last: requests, perhaps a client in the end. Its life is in session.cpp,
// its requests in session_http.cpp, its messages as a client in session_client.cpp.
#pragma once

#include <array>
#include <optional>

#include "tandem/web/http/answers.hpp"
#include "tandem/web/http/request.hpp"
#include "tandem/web/http/websocket.hpp"
#include "tandem/web/server/impl.hpp"
#include "tandem/web/server/outbox.hpp"

namespace tandem::web {

struct Server::Impl::Session : std::enable_shared_from_this<Session> {
  enum class State { greeting, request, answering, open, closing, draining, over };
  static constexpr Duration farewell = 2s;  // for the other end to say goodbye too

  Session(Impl& its_server, ClientId number, std::unique_ptr<Stream> connected, const net::Endpoint& caller);

  void start();
  void greet();
  void read();
  void received(std::size_t count);
  void drain();
  void leave();
  void check(Instant time);
  void over();

  void parse();
  Answer judge();
  std::optional<Answer> bad_upgrade() const;
  Answer upgrade();
  Answer in_words(Answer given);
  void answer_with(Answer given, bool may_stay);
  void answered();

  void open();
  void hear();
  void deliver(const ClientMessage& message);
  template <typename Ask>
  void ask_handler(std::string_view what, Ask ask);
  void put(Opcode opcode, Frame frame);
  void part(std::uint16_t code, std::string_view reason);
  void give_up();
  void write();
  void gather();
  void wrote();
  bool finished();

  bool is_client() const { return state == State::open || state == State::closing; }
  const HttpRequest& request() const { return *parser->request(); }
  // Goes on with `next(bytes)` unless the connection is over, or breaks now.
  template <typename Next>
  Stream::Report then(Next next) {
    return [self = shared_from_this(), next](bool good, std::size_t bytes) {
      if (self->state == State::over) return;
      if (!good) return self->over();
      next(*self, bytes);
    };
  }

  Impl& server;
  ClientId id;
  std::unique_ptr<Stream> stream;
  net::Endpoint peer;
  State state = State::greeting;
  Instant deadline{};  // of the state
  std::array<std::uint8_t, 16 << 10> input;
  std::size_t filled = 0;
  std::size_t drained = 0;
  bool reading = false;
  bool one_too_many = false;  // of its address

  // A request and its answer.
  std::optional<RequestReader> parser;  // once a byte of the request is there
  bool keep_alive = false;
  bool upgraded = false;
  Answer answer;
  std::string answer_head;

  // A client.
  Client client;
  FrameReader reader;
  Outbox outbox;
  RateGate rate;
  std::optional<std::vector<std::uint8_t>> pong;  // only the newest ping is answered
  std::vector<Waiting> batch;
  std::vector<std::array<std::uint8_t, 26>> heads;  // of the batch: the frame's and the message's
  std::vector<Bytes> buffers;
  std::vector<std::uint8_t> flat;  // TLS makes one record of it
  std::uint64_t dropped = 0;
  bool busy = false;      // a batch is on its way
  bool is_awake = false;  // is in the list of those that have something to write
  bool doomed = false;    // what must not be lost did not fit
  bool counted = false;   // the handler knows it
  bool goodbye_sent = false;
  bool deaf = false;  // it said goodbye or broke a rule: the rest is ignored
  Instant heard{}, pinged{}, write_began{};
};

}  // namespace tandem::web
