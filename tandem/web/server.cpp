// The only source that sees Boost: sockets, TLS and timers by Asio, requests by Beast's parser. What they mean is
// decided elsewhere, without sockets: access, answers, websocket, outbox. Longer than our other files for that reason.
#include "tandem/web/server.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <charconv>
#include <cstring>
#include <map>
#include <optional>
#include <set>
#include <stdexcept>

#include "tandem/base/nearest.hpp"
#include "tandem/web/access.hpp"
#include "tandem/web/answers.hpp"
#include "tandem/web/outbox.hpp"
#include "tandem/web/websocket.hpp"

namespace tandem::web {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using boost::system::error_code;
using tcp = asio::ip::tcp;

constexpr std::size_t input_size = 16 << 10;
constexpr std::uint32_t largest_header = 12 << 10;
constexpr std::size_t waiting_room = 64;        // connections that are not, or not yet, clients
constexpr std::size_t write_bytes = 128 << 10;  // that go to the system in one call
constexpr std::size_t write_frames = 64;        // likewise
constexpr int send_buffer = 256 << 10;          // in the system, for each client: what lies there cannot be dropped
constexpr std::size_t drain_bytes = 256 << 10;  // that are read and thrown away behind a refusal
constexpr Duration farewell = 2s;               // for the other end to say goodbye too
constexpr Duration last_words = 300ms;          // for all of them when the server ends
constexpr Duration slow_tick = 100ms;           // when nobody looks
constexpr std::size_t for_words = 8;            // this part of an outbox is left by what is large
constexpr std::size_t most_troubles = 32;       // that are told; a client could make up any number

// Buffers that somebody else keeps; copied by Asio as it likes.
struct BufferList {
  using value_type = asio::const_buffer;
  using const_iterator = const asio::const_buffer*;
  const asio::const_buffer *first, *last;
  const_iterator begin() const { return first; }
  const_iterator end() const { return last; }
};

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

net::TcpListener listen_at(const std::string& where) {
  const auto colon = where.rfind(':');
  unsigned int port = 65536;
  const char* end = where.data() + where.size();
  if (colon == std::string::npos || std::from_chars(where.data() + colon + 1, end, port).ptr != end || port > 65535) {
    throw std::invalid_argument(
        fmt::format("\"{}\" is no address to listen on; expected one like 127.0.0.1:8088", where));
  }
  auto listener = net::TcpListener::listen(where.substr(0, colon), static_cast<std::uint16_t>(port));
  if (!listener) throw std::runtime_error(listener.error().text);
  return std::move(*listener);
}

std::optional<asio::ssl::context> tls_from(const Access& access) {
  if (access.certificate.empty()) return std::nullopt;
  asio::ssl::context context(asio::ssl::context::tls_server);
  error_code error;
  context.use_certificate_chain_file(access.certificate, error);
  if (error)
    throw std::runtime_error(fmt::format("{}: no certificate in PEM form ({})", access.certificate, error.message()));
  context.use_private_key_file(access.key, asio::ssl::context::pem, error);
  if (error || SSL_CTX_check_private_key(context.native_handle()) != 1) {
    throw std::runtime_error(
        fmt::format("{}: no private key in PEM form that belongs to {}", access.key, access.certificate));
  }
  SSL_CTX_set_min_proto_version(context.native_handle(), TLS1_2_VERSION);
  SSL_CTX_set_options(context.native_handle(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  return context;
}

}  // namespace

struct Server::Impl {
  struct Session;
  using Sessions = std::map<ClientId, std::shared_ptr<Session>>;  // the oldest first

  Impl(ServerOptions wanted, Handler& asked);

  void run(const std::stop_token& stop);
  void await_callers();
  void let_in(net::TcpSocket caller);
  void make_room();
  void tick_at(Instant when);
  void look_after();
  void wake(Session& session);  // it has something to write, or must end, once the handler has returned
  void write_all_awake();
  void end();
  void trouble(const std::string& text);
  // What was thrown, told; empty: nothing was.
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
  std::optional<asio::ssl::context> tls;
  asio::io_context io{1};
  asio::posix::stream_descriptor door{io};
  asio::steady_timer ticker{io}, keeper{io};
  bool ending = false;

  Sessions sessions;
  std::size_t clients = 0;
  ClientId last_id = 0;
  std::map<std::uint32_t, std::size_t> callers;  // connections of each address beyond loopback
  WrongTokens wrong_tokens;
  std::vector<std::shared_ptr<Session>> awake, writing;
  bool woken = false;
  std::set<std::string> troubles;  // told

  struct {
    std::atomic<std::uint64_t> clients{0}, accepted{0}, refused{0}, dropped{0}, sent{0}, bytes{0}, given_up{0};
  } counts;
};

// One connection, from its first byte to its last: requests, perhaps a client in the end.
struct Server::Impl::Session : std::enable_shared_from_this<Session> {
  enum class State { greeting, request, answering, open, closing, draining, over };

  Session(Impl& its_server, ClientId number, tcp::socket connected, const net::Endpoint& caller)
      : server(its_server),
        id(number),
        socket(std::move(connected)),
        peer(caller),
        reader(server.options.limits.message),
        outbox(server.options.limits.outbox_messages, server.options.limits.outbox_bytes),
        rate(server.options.limits.messages_per_second, static_cast<double>(server.options.limits.messages_at_once),
             now()) {}

  void start();
  void greet();
  void read();
  void received(const error_code& error, std::size_t count);
  void parse();
  bool has_body() const;
  Answer judge();
  std::optional<Answer> bad_upgrade() const;
  Answer upgrade();
  std::vector<std::string> offered() const;
  Answer in_words(Answer given);
  void answer_with(Answer given, bool may_stay);
  void answered(const error_code& error);
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
  void wrote(const error_code& error);
  bool finished();
  void drain();
  void leave();
  void check(Instant time);
  void over();

  bool is_client() const { return state == State::open || state == State::closing; }

  template <typename Buffers, typename Then>
  void write_to(const Buffers& what, Then then) {
    if (stream) {
      asio::async_write(*stream, what, std::move(then));
    } else {
      asio::async_write(socket, what, std::move(then));
    }
  }

  Impl& server;
  ClientId id;
  tcp::socket socket;
  std::optional<asio::ssl::stream<tcp::socket&>> stream;
  net::Endpoint peer;
  State state = State::greeting;
  Instant deadline{};  // of the state
  std::array<std::uint8_t, input_size> input;
  std::size_t filled = 0;
  bool reading = false;
  bool one_too_many = false;  // of its address

  // A request and its answer.
  std::optional<http::request_parser<http::empty_body>> parser;
  bool begun = false;  // a byte of the request is there
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
  std::vector<asio::const_buffer> buffers;
  std::vector<std::uint8_t> flat;  // TLS makes one record of it
  std::uint64_t dropped = 0;
  std::size_t drained = 0;
  bool busy = false;      // a batch is on its way
  bool is_awake = false;  // is in the list of those that have something to write
  bool doomed = false;    // what must not be lost did not fit
  bool counted = false;   // the handler knows it
  bool goodbye_sent = false;
  bool deaf = false;  // it said goodbye or broke a rule: the rest is not for us
  Instant heard{}, pinged{}, write_began{};
};

// --- one connection ---

void Server::Impl::Session::start() {
  deadline = now() + server.options.limits.handshake;
  state = server.tls ? State::greeting : State::request;
  if (!server.tls) return read();
  socket.async_wait(tcp::socket::wait_read, [self = shared_from_this()](const error_code& error) {
    if (self->state == State::over) return;
    if (error) return self->over();
    self->greet();
  });
}

void Server::Impl::Session::greet() {
  std::uint8_t first = 0;
  constexpr std::uint8_t handshake_record = 22;
  if (::recv(socket.native_handle(), &first, 1, MSG_PEEK) != 1) return over();
  if (first != handshake_record) {  // plain HTTP: it is told so in plain HTTP
    state = State::request;
    return read();
  }
  stream.emplace(socket, *server.tls);
  stream->async_handshake(asio::ssl::stream_base::server, [self = shared_from_this()](const error_code& error) {
    if (self->state == State::over) return;
    if (error) return self->over();
    self->state = State::request;
    self->read();
  });
}

void Server::Impl::Session::read() {
  if (std::exchange(reading, true)) return;
  const auto into = asio::buffer(input.data() + filled, input.size() - filled);
  auto then = [self = shared_from_this()](const error_code& error, std::size_t count) { self->received(error, count); };
  if (stream) {
    stream->async_read_some(into, std::move(then));
  } else {
    socket.async_read_some(into, std::move(then));
  }
}

void Server::Impl::Session::received(const error_code& error, std::size_t count) {
  reading = false;
  if (state == State::over) return;
  if (error) return over();
  filled += count;
  if (is_client()) return hear();
  if (state == State::request) return parse();
  // What comes behind a refusal is taken so that the refusal is not lost by a reset.
  drained += std::exchange(filled, 0);
  if (drained > drain_bytes) return over();
  read();
}

void Server::Impl::Session::parse() {
  if (!begun) {
    begun = true;
    deadline = now() + server.options.limits.handshake;
    parser.emplace();
    parser->header_limit(largest_header);
  }
  error_code error;
  const std::size_t used = parser->put(asio::buffer(input.data(), filled), error);
  filled -= used;
  std::memmove(input.data(), input.data() + used, filled);
  if (parser->is_header_done()) {
    Answer given;
    const std::string thrown = server.thrown_by("a request", [&] { given = in_words(judge()); });
    if (!thrown.empty()) upgraded = false, given = refusal(500, fmt::format("The program failed on this: {}.", thrown));
    return answer_with(std::move(given), true);
  }
  if (error == http::error::header_limit || filled == input.size()) {
    return answer_with(refusal(431, "The headers are too long; 12 kB are taken."), false);
  }
  if (error == http::error::body_limit) return answer_with(refusal(413, "No bodies are taken here."), false);
  if (error && error != http::error::need_more) {
    return answer_with(refusal(400, "This is no HTTP request. Open the address in a browser."), false);
  }
  read();
}

// A body that nobody reads would be taken for the next request.
bool Server::Impl::Session::has_body() const {
  return parser->get().chunked() || parser->content_length().value_or(0) > 0;
}

Answer Server::Impl::Session::judge() {
  const auto& request = parser->get();
  keep_alive = request.keep_alive() && !has_body();
  if (server.tls && !stream) {
    keep_alive = false;
    return refusal(400, "This port speaks TLS: open the address with https:// (or wss://).");
  }
  if (one_too_many) {
    keep_alive = false;
    return refusal(429, "Too many connections came from this address. Close other pages and try again.");
  }
  if (!rate.pass(1, now())) {
    keep_alive = false;
    return refusal(429, "Too many requests came on this connection. Wait a second and try again.");
  }
  const std::string_view target = view(request.target());
  const auto mark = std::min(target.find('?'), target.size());
  const std::string_view query = target.substr(std::min(mark + 1, target.size()));
  if (request.count(http::field::host) > 1) return refusal(400, "The request has more than one Host header.");
  const Admission admission =
      server.gate.admit({view(request[http::field::host]), view(request[http::field::origin]),
                         view(request[http::field::authorization]), view(request[http::field::cookie]), query});
  // Who has a cookie goes on, though somebody at the same address guesses: nobody guesses that.
  const bool guessed = admission.token_told && !is_loopback(peer.address);
  if (guessed && server.wrong_tokens.too_many(peer.address, now())) {
    return refusal(429, "Too many wrong tokens came from this address. Wait a minute.");
  }
  if (guessed && admission.wrong_token) server.wrong_tokens.note(peer.address, now());
  if (admission.status != 200) return refusal(admission.status, admission.text);

  const bool head_only = request.method() == http::verb::head;
  if (request.method() != http::verb::get && !head_only) {
    keep_alive = false;
    return refusal(405, "Only GET and HEAD are understood here.");
  }
  if (has_body()) return refusal(413, "No bodies are taken here.");
  std::string path;
  if (!target.starts_with('/') || !percent_decode(target.substr(0, mark), path)) {
    return refusal(400, "The path of the address is badly written.");
  }
  client.may_control = admission.may_control;
  client.only_looks = admission.only_looks;
  if (request.count(http::field::upgrade) > 0) return upgrade();

  const PageFile* file = page_file(path);
  Answer given = file != nullptr ? file_answer(*file, view(request[http::field::if_none_match]),
                                               view(request[http::field::accept_encoding]))
                                 : answer_from(server.handler.get({path, query, admission.may_control}));
  if (!admission.cookie.empty()) given.headers.push_back("Set-Cookie: " + admission.cookie);
  return given;
}

// What is wrong with it as the opening of a WebSocket.
std::optional<Answer> Server::Impl::Session::bad_upgrade() const {
  const auto& request = parser->get();
  if (!http::token_list{request[http::field::upgrade]}.exists("websocket") ||
      !http::token_list{request[http::field::connection]}.exists("upgrade") || request.method() != http::verb::get ||
      request.version() != 11) {
    return refusal(400, "Only WebSocket can be upgraded to, by GET and HTTP/1.1.");
  }
  if (view(request[http::field::sec_websocket_version]) != "13") {
    return refusal(426, "Only version 13 of WebSocket is spoken here.");
  }
  if (!accept_key(view(request[http::field::sec_websocket_key]))) {
    return refusal(400, "Sec-WebSocket-Key is not sixteen bytes in base64.");
  }
  return std::nullopt;
}

Answer Server::Impl::Session::upgrade() {
  if (auto bad = bad_upgrade()) return std::move(*bad);
  const auto& request = parser->get();
  if (server.clients >= server.options.limits.clients) {
    return refusal(503, fmt::format("All {} places are taken. Close another page and try again.", server.clients));
  }
  client.subprotocol = server.handler.choose(offered());
  if (client.subprotocol.empty()) {
    return refusal(400, "No subprotocol was offered that is spoken here: foxglove.sdk.v1, foxglove.websocket.v1.");
  }
  client.user_agent = view(request[http::field::user_agent]).substr(0, 200);
  upgraded = true;
  return upgrade_answer(*accept_key(view(request[http::field::sec_websocket_key])), client.subprotocol);
}

std::vector<std::string> Server::Impl::Session::offered() const {
  std::vector<std::string> names;
  const auto [first, last] = parser->get().equal_range(http::field::sec_websocket_protocol);
  for (auto field = first; field != last; ++field) {
    for (const auto& name : http::token_list{field->value()}) names.emplace_back(view(name));
  }
  return names;
}

// No browser tells its page why an upgrade was refused. So a socket that offers to hear why is opened and closed in one
// breath, with the words in the close frame. It never is a client: not counted, not heard, unknown to the handler.
// Everybody else gets the status.
Answer Server::Impl::Session::in_words(Answer given) {
  if (given.status < 400 || has_body()) return given;
  const auto names = offered();
  if (std::find(names.begin(), names.end(), words_subprotocol) == names.end() || bad_upgrade()) return given;
  keep_alive = false;
  ++server.counts.refused;
  const auto words = close_payload(close_code::policy, given.why);
  const FrameHead head = frame_head(Opcode::close, words.size());
  given = upgrade_answer(*accept_key(view(parser->get()[http::field::sec_websocket_key])), words_subprotocol);
  given.text.assign(head.bytes.begin(), head.bytes.begin() + static_cast<std::ptrdiff_t>(head.size));
  given.text.append(words.begin(), words.end());
  return given;
}

void Server::Impl::Session::answer_with(Answer given, bool may_stay) {
  answer = std::move(given);
  keep_alive = keep_alive && may_stay && !server.ending;
  if (answer.status >= 400 && answer.status != 404) ++server.counts.refused;
  answer_head = answer.head(keep_alive);
  const bool head_only = parser && parser->is_header_done() && parser->get().method() == http::verb::head;
  const Bytes body = head_only ? Bytes() : answer.content();
  state = State::answering;
  deadline = now() + server.options.limits.idle;
  write_to(std::array{asio::const_buffer(answer_head.data(), answer_head.size()),
                      asio::const_buffer(body.data(), body.size())},
           [self = shared_from_this()](const error_code& error, std::size_t) { self->answered(error); });
}

void Server::Impl::Session::answered(const error_code& error) {
  if (state == State::over) return;
  if (error) return over();
  answer = {};
  parser.reset();
  begun = false;
  if (upgraded) return open();
  if (!keep_alive) return drain();
  state = State::request;
  deadline = now() + server.options.limits.handshake;
  if (filled > 0) return parse();
  read();
}

void Server::Impl::Session::open() {
  // Others may have come in since this one was promised a place.
  if (server.clients >= server.options.limits.clients) return over();
  state = State::open;
  heard = pinged = now();
  counted = true;
  client.id = id;
  client.address = peer.text();
  setsockopt(socket.native_handle(), SOL_SOCKET, SO_SNDBUF, &send_buffer, sizeof send_buffer);
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
  if (!thrown.empty()) part(close_code::internal, fmt::format("the program failed on {}: {}", what, thrown));
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

// What waits is lost to it, so it is told why; it may come again and hear everything anew.
void Server::Impl::Session::give_up() {
  doomed = false;
  if (state != State::open) return over();
  deaf = true;
  outbox.clear();
  part(close_code::policy, "what must not be lost was read too slowly, and more of it came than fits");
  ++server.counts.given_up;
  const std::string from = peer.text();
  server.trouble(fmt::format("a viewer at {} read too slowly and was let go", from.substr(0, from.rfind(':'))));
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
  if (!stream) return;
  flat.clear();
  for (const auto& buffer : buffers) {
    const auto* start = static_cast<const std::uint8_t*>(buffer.data());
    flat.insert(flat.end(), start, start + buffer.size());
  }
  buffers.assign(1, asio::buffer(flat));
}

void Server::Impl::Session::write() {
  if (busy || !is_client() || goodbye_sent || (outbox.empty() && !pong)) return;
  gather();
  busy = true;
  write_began = now();
  write_to(BufferList{buffers.data(), buffers.data() + buffers.size()},
           [self = shared_from_this()](const error_code& error, std::size_t) { self->wrote(error); });
}

void Server::Impl::Session::wrote(const error_code& error) {
  busy = false;
  batch.clear();
  if (state == State::over) return;
  if (error) return over();
  if (!finished()) write();
}

// Both ends have said goodbye, or the other end is not to be heard any more.
bool Server::Impl::Session::finished() {
  if (state != State::closing || !deaf || !goodbye_sent || busy) return false;
  drain();
  return true;
}

// Nothing more is sent; what still comes is thrown away until the other end closes, for a little while.
void Server::Impl::Session::drain() {
  state = State::draining;
  deadline = now() + farewell;
  leave();
  if (stream) {
    stream->async_shutdown([self = shared_from_this()](const error_code&) { self->over(); });
    return;
  }
  error_code ignored;
  socket.shutdown(tcp::socket::shutdown_send, ignored);
  read();
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
  if (state == State::request && begun) {
    return answer_with(refusal(408, "The request did not come in time. Try again."), false);
  }
  over();
}

void Server::Impl::Session::over() {
  if (state == State::over) return;
  const auto self = shared_from_this();
  state = State::over;
  error_code ignored;
  socket.close(ignored);
  if (auto found = server.callers.find(peer.address); found != server.callers.end() && !one_too_many) {
    if (--found->second == 0) server.callers.erase(found);
  }
  server.sessions.erase(id);
  leave();
}

// --- all of them ---

Server::Impl::Impl(ServerOptions wanted, Handler& asked)
    : options(std::move(wanted)),
      handler(asked),
      listener(listen_at(options.listen)),
      local(listener.local()),
      gate(options.access, local),
      tls(tls_from(options.access)) {}

void Server::Impl::await_callers() {
  door.async_wait(asio::posix::stream_descriptor::wait_read, [this](const error_code& error) {
    if (error || ending) return;
    thrown_by("a caller", [this] {
      for (int i = 0; i < 32; ++i) {
        auto caller = listener.accept(now());
        if (!caller) break;  // nobody is there, or there was no descriptor for who was
        let_in(std::move(*caller));
      }
    });
    await_callers();
  });
}

// A crowd that only stands about makes room for who comes next.
void Server::Impl::make_room() {
  std::vector<std::shared_ptr<Session>> crowd;
  std::vector<Waiter> waiters;
  for (const auto& [id, session] : sessions) {
    if (session->counted) continue;
    crowd.push_back(session);
    waiters.push_back({session->peer.address, session->one_too_many});
  }
  if (!crowd.empty()) crowd[who_makes_room(waiters)]->over();
}

void Server::Impl::let_in(net::TcpSocket caller) {
  const net::Endpoint peer = caller.peer();
  net::Descriptor own(fcntl(caller.fd(), F_DUPFD_CLOEXEC, 0));
  caller.close();
  if (!own) return;
  if (sessions.size() - clients >= waiting_room) make_room();
  tcp::socket socket(io);
  error_code error;
  socket.assign(tcp::v4(), own.get(), error);
  if (error) return;
  own.release();
  const auto session = std::make_shared<Session>(*this, ++last_id, std::move(socket), peer);
  if (!is_loopback(peer.address)) {
    session->one_too_many = callers[peer.address] >= options.limits.clients_per_address;
    if (!session->one_too_many) ++callers[peer.address];
  }
  sessions.emplace(session->id, session);
  session->start();
}

void Server::Impl::tick_at(Instant when) {
  ticker.expires_at(when);
  ticker.async_wait([this, when](const error_code& error) {
    if (error || ending) return;
    thrown_by("the page's clock", [this] { handler.tick(); });
    const Duration period = clients > 0 ? options.tick : std::max(options.tick, slow_tick);
    tick_at(std::max(when + period, now()));
  });
}

void Server::Impl::look_after() {
  const Duration often = std::min(options.limits.handshake / 5, options.limits.idle / 10);
  keeper.expires_after(std::clamp<Duration>(often, 5ms, 250ms));
  keeper.async_wait([this](const error_code& error) {
    if (error || ending) return;
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
  asio::post(io, [this] { write_all_awake(); });
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
  net::Descriptor own(fcntl(listener.fd(), F_DUPFD_CLOEXEC, 0));
  error_code error;
  door.assign(own.get(), error);
  if (error) throw std::runtime_error(fmt::format("cannot wait for callers on {}: {}", local.text(), error.message()));
  own.release();
  await_callers();
  look_after();
  tick_at(now());
  const std::stop_callback on_stop(stop, [this] { asio::post(io, [this] { io.stop(); }); });
  // What is left to throw is memory that is not there, for one connection: it will not be heard again, and look_after
  // lets it go.
  while (!thrown_by("a connection", [this] { io.run(); }).empty()) continue;
  end();
}

void Server::Impl::trouble(const std::string& text) {
  if (troubles.size() >= most_troubles || !troubles.insert(text).second) return;
  if (options.on_trouble) options.on_trouble(text);
}

void Server::Impl::end() {
  ending = true;
  error_code ignored;
  door.close(ignored);
  listener.close();
  ticker.cancel(ignored);
  keeper.cancel(ignored);
  for (const auto& [id, session] : Sessions(sessions)) {
    if (session->state == Session::State::open) {
      session->part(close_code::going_away, "the server ends");
    } else if (session->state != Session::State::closing) {
      session->over();
    }
  }
  io.restart();
  io.run_for(last_words);
  for (const auto& [id, session] : Sessions(sessions)) session->over();
  io.restart();
  io.poll();  // what was cancelled lets go of its session
}

Server::Server(ServerOptions options, Handler& handler) : impl_(std::make_unique<Impl>(std::move(options), handler)) {}
Server::~Server() = default;

net::Endpoint Server::local() const { return impl_->local; }

std::string Server::address() const {
  net::Endpoint local = impl_->local;
  if (local.address == 0) local.address = INADDR_LOOPBACK;  // every address of this host: this one works here
  return fmt::format("{}://{}/", impl_->tls ? "https" : "http", local.text());
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
