// SPDX-License-Identifier: Apache-2.0
// The one socket: HTTP for the page, its files and the metrics, and WebSocket for everything that lives. It knows
// who may come in and how fast they may talk, not what they say. One thread.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/base/clock.hpp"
#include "tandem/net/socket.hpp"

namespace tandem::web {

// Who may look and who may act. Loopback needs no token to look; beyond it nothing is served without one.
struct Access {
  std::string view_token;            // empty: none is needed, and then only loopback may listen
  std::string control_token;         // empty: on loopback a random one of this run, beyond it no one may control
  std::vector<std::string> origins;  // more origins of pages that may connect, beside the server's own
  std::string certificate, key;      // PEM files; empty: no TLS
};

struct Limits {
  std::size_t clients = 64;
  std::size_t kept_for_control = 8;      // of them, but at most a quarter: viewers cannot take these
  std::size_t clients_per_address = 32;  // beyond loopback
  std::size_t message = 1 << 20;         // bytes a client may send in one message
  double messages_per_second = 500;      // a client may send for long; more: it is closed. The same for requests
  std::size_t messages_at_once = 5000;   // it may send beyond that after a silence, as when it subscribes one by one
  std::size_t outbox_messages = 1024;    // droppable ones that wait; the oldest goes first
  std::size_t outbox_bytes = 10u << 20;  // that wait at all; lossless ones beyond it: the client is closed
  Duration handshake = 5s;               // for a whole request, however slowly it comes
  Duration idle = 30s;                   // no answer to a ping for this long: gone
};

// Offered beside others by who wants to hear in a close frame that its token is not right. Never chosen.
constexpr std::string_view words_subprotocol = "tandem.words";

struct ServerOptions {
  std::string listen = "127.0.0.1:8088";  // port 0: a free one
  Access access;
  Limits limits;
  std::string home = "/index.html";  // the page's file at "/"
  Duration tick = 16'666'667ns;
  // The handler threw, which it should not, or a client was given up: told in words, once for each different text. On
  // the server's thread.
  std::function<void(std::string_view text)> on_trouble;
};

using ClientId = std::uint64_t;

struct Client {
  ClientId id = 0;
  std::string address;      // "127.0.0.1:50312"
  std::string subprotocol;  // the one agreed
  std::string user_agent;
  bool may_control = false;
  std::string only_looks;  // why it may not control, and what to do
};

// A message on its way to a client. The body is shared between all who get it.
struct Frame {
  bool text = false;
  bool droppable = false;  // data: a newer one will come
  std::array<std::uint8_t, 16> head{};
  std::size_t head_size = 0;
  std::shared_ptr<const std::vector<std::uint8_t>> body;  // may be null
};

struct Request {
  std::string_view path;   // "/metrics", decoded, without the query
  std::string_view query;  // "token=..."; tokens are checked before anyone sees this
  bool may_control = false;
};

struct Response {
  int status = 404;
  std::string content_type = "text/plain; charset=utf-8";
  std::string content_encoding;  // "gzip", or empty
  std::string cache;             // Cache-Control; empty: no-store
  std::shared_ptr<const std::vector<std::uint8_t>> body;
};

// What the server asks. Always on the server's thread; nothing here may wait. What it throws ends no server: a request
// is answered with 500, the client whose message it was is closed with 1011, and a tick is given up until the next.
class Handler {
 public:
  virtual ~Handler() = default;
  virtual Response get(const Request& request) = 0;
  // Subprotocols offered, in the client's order; the answer is the chosen one, or empty to refuse with 400.
  virtual std::string choose(const std::vector<std::string>& offered) = 0;
  virtual void opened(const Client& client) = 0;
  virtual void text(ClientId client, std::string_view message) = 0;
  virtual void binary(ClientId client, Bytes message) = 0;
  virtual void closed(ClientId client) = 0;
  virtual void tick() = 0;
};

// accepted: clients ever; refused: requests that were answered with 4xx (but 404) or 5xx, and sockets closed for want
// of the right token; given_up: clients that did not read what must not be lost.
struct ServerCounts {
  std::uint64_t clients = 0, accepted = 0, refused = 0, dropped_messages = 0, sent_messages = 0, sent_bytes = 0;
  std::uint64_t given_up = 0;
};

// Where a handler's messages go: the server, or what stands for it in a test. On the server's thread only. Neither
// calls the handler back before it returns; a client that is not there is no mistake.
class Outlet {
 public:
  virtual ~Outlet() = default;
  virtual void send(ClientId client, Frame frame) = 0;
  virtual void close(ClientId client, std::uint16_t code, std::string_view reason) = 0;
  // Bytes of a message that fit at all, and those that fit now beside what waits and must not be lost. Anyone who sends
  // what is large and not droppable looks for room first; for words there is some left, and a client for which even
  // they do not fit is too slow, and closed.
  virtual std::size_t largest() const { return std::numeric_limits<std::size_t>::max(); }
  virtual std::size_t room(ClientId) const { return largest(); }
};

// What the constructor of Server would refuse, but for an address that is taken. Throws as it does.
void check(const ServerOptions& options);

class Server final : public Outlet {
 public:
  // Throws std::invalid_argument for invalid options (beyond loopback without a token), std::runtime_error for
  // an address that is taken or a certificate that does not load.
  Server(ServerOptions options, Handler& handler);
  ~Server() override;

  net::Endpoint local() const;
  std::string address() const;  // for a browser: "http://127.0.0.1:8088/"
  // The same with the token to control; without one where no one may. For its own user only.
  std::string control_address() const;
  // What to print at the start: as above with the token of this run, while a token that the user gave is not shown.
  std::string printed_address() const;

  void run(const std::stop_token& stop);

  void send(ClientId client, Frame frame) override;
  void close(ClientId client, std::uint16_t code, std::string_view reason) override;
  std::size_t largest() const override;
  std::size_t room(ClientId client) const override;

  ServerCounts counts() const;  // any thread

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tandem::web
