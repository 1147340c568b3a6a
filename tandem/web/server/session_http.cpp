// SPDX-License-Identifier: Apache-2.0
// A connection's requests: what each of them gets, down to the upgrade to WebSocket.
#include <cstring>

#include "tandem/web/http/query.hpp"
#include "tandem/web/server/session.hpp"

namespace tandem::web {

void Server::Impl::Session::parse() {
  if (!parser) {
    deadline = now() + server.options.limits.handshake;
    parser.emplace();
  }
  Bytes bytes(input.data(), filled);
  const auto outcome = parser->put(bytes);
  filled = bytes.size();
  std::memmove(input.data(), bytes.data(), filled);
  if (outcome == RequestReader::Outcome::whole) {
    Answer given;
    const std::string thrown = server.thrown_by("a request", [&] { given = in_words(judge()); });
    if (!thrown.empty()) {
      upgraded = false;
      given = refusal(500, fmt::format("Internal error: {}.", thrown));
    }
    return answer_with(std::move(given), true);
  }
  if (outcome == RequestReader::Outcome::too_long || filled == input.size()) {
    return answer_with(refusal(431, "The headers are too long; the maximum is 12 kB."), false);
  }
  if (outcome == RequestReader::Outcome::body_too_long) {
    return answer_with(refusal(413, "Request bodies are not accepted."), false);
  }
  if (outcome == RequestReader::Outcome::invalid) {
    return answer_with(refusal(400, "Not an HTTP request. Open the address in a browser."), false);
  }
  read();
}

Answer Server::Impl::Session::judge() {
  const HttpRequest& asked = request();
  keep_alive = asked.keep_alive && !asked.has_body;  // a body that is not read would be taken for the next request
  if (server.tls && !stream->encrypted()) {
    keep_alive = false;
    return refusal(400, "This port uses TLS: open the address with https:// (or wss://).");
  }
  if (!rate.pass(1, now())) {
    keep_alive = false;
    return refusal(429, "Too many requests on this connection. Wait a second and try again.");
  }
  const std::string_view target = asked.target;
  const auto mark = std::min(target.find('?'), target.size());
  const std::string_view query = target.substr(std::min(mark + 1, target.size()));
  if (asked.several_hosts) return refusal(400, "The request has more than one Host header.");
  const Admission admission = server.gate.admit({asked.host, asked.origin, asked.authorization, asked.cookie, query});
  // A cookie cannot be guessed: a client that has one goes on, though another at its address guesses tokens.
  const bool guessed = admission.token_given && !is_loopback(peer.address);
  if (guessed && server.wrong_tokens.too_many(peer.address, now())) {
    return refusal(429, "Too many wrong tokens from this address. Wait a minute.");
  }
  if (guessed && admission.wrong_token) server.wrong_tokens.note(peer.address, now());
  if (one_too_many && !admission.may_control) {
    keep_alive = false;
    return refusal(429, "Too many connections from this address. Close other pages and try again.");
  }
  if (admission.status != 200) return refusal(admission.status, admission.text);

  if (!asked.get && !asked.head) {
    keep_alive = false;
    return refusal(405, "Only GET and HEAD are supported.");
  }
  if (asked.has_body) return refusal(413, "Request bodies are not accepted.");
  std::string path;
  if (!target.starts_with('/') || !percent_decode(target.substr(0, mark), path)) {
    return refusal(400, "The path of the address is malformed.");
  }
  client.may_control = admission.may_control;
  client.only_looks = admission.only_looks;
  if (asked.upgrade) return upgrade();

  const PageFile* file = page_file(path == "/" ? server.options.home : path);
  Answer given = file != nullptr ? file_answer(*file, asked.if_none_match, asked.accept_encoding)
                                 : answer_from(server.handler.get({path, query, admission.may_control}));
  if (!admission.cookie.empty()) given.headers.push_back("Set-Cookie: " + admission.cookie);
  return given;
}

// What is wrong with it as the opening of a WebSocket.
std::optional<Answer> Server::Impl::Session::bad_upgrade() const {
  if (!request().to_websocket) {
    return refusal(400, "Only upgrades to WebSocket are supported, with GET and HTTP/1.1.");
  }
  if (request().websocket_version != "13") {
    return refusal(426, "Only WebSocket version 13 is supported.");
  }
  if (!accept_key(request().websocket_key)) {
    return refusal(400, "Sec-WebSocket-Key is not sixteen bytes in base64.");
  }
  return std::nullopt;
}

Answer Server::Impl::Session::upgrade() {
  if (auto bad = bad_upgrade()) return std::move(*bad);
  if (!server.has_place(client)) {
    return refusal(503,
                   fmt::format("All {} connections are in use. Close another page and try again.", server.clients));
  }
  client.subprotocol = server.handler.choose(request().subprotocols);
  if (client.subprotocol.empty()) {
    return refusal(400, "No supported subprotocol was offered: foxglove.sdk.v1, foxglove.websocket.v1.");
  }
  client.user_agent = request().user_agent.substr(0, 200);
  upgraded = true;
  return upgrade_answer(*accept_key(request().websocket_key), client.subprotocol);
}

// No browser gives its page the reason why an upgrade was refused. So a socket that offers to read it is opened and
// closed at once, with the reason in the close frame. It never is a client: not counted, not heard, unknown to the
// handler. All others get the status.
Answer Server::Impl::Session::in_words(Answer given) {
  if (given.status < 400 || request().has_body) return given;
  const auto& names = request().subprotocols;
  if (std::find(names.begin(), names.end(), words_subprotocol) == names.end() || bad_upgrade()) return given;
  keep_alive = false;
  ++server.counts.refused;
  const auto words = close_payload(close_code::policy, given.why);
  const FrameHead head = frame_head(Opcode::close, words.size());
  given = upgrade_answer(*accept_key(request().websocket_key), words_subprotocol);
  given.text.assign(head.bytes.begin(), head.bytes.begin() + static_cast<std::ptrdiff_t>(head.size));
  given.text.append(words.begin(), words.end());
  return given;
}

void Server::Impl::Session::answer_with(Answer given, bool may_stay) {
  answer = std::move(given);
  keep_alive = keep_alive && may_stay && !server.ending;
  if (answer.status >= 400 && answer.status != 404) ++server.counts.refused;
  const bool known = parser && parser->request();
  answer_head = answer.head(keep_alive, socket_source(known ? request().host : "", stream->encrypted()));
  const Bytes body = known && request().head ? Bytes() : answer.content();
  state = State::answering;
  deadline = now() + server.options.limits.idle;
  stream->write(std::array{as_bytes(answer_head), body}, then([](Session& self, std::size_t) { self.answered(); }));
}

void Server::Impl::Session::answered() {
  answer = {};
  parser.reset();
  if (upgraded) return open();
  if (!keep_alive) return drain();
  state = State::request;
  deadline = now() + server.options.limits.handshake;
  if (filled > 0) return parse();
  read();
}

}  // namespace tandem::web
