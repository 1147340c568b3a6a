// SPDX-License-Identifier: Apache-2.0
#include "tandem/web/client/conversation.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tandem/base/json_depth.hpp"
#include "tandem/base/nearest.hpp"
#include "tandem/base/text.hpp"
#include "tandem/web/hub/foxglove.hpp"

namespace tandem::web {

namespace {

using nlohmann::json;

constexpr std::size_t most_calls_at_once = 256;

Error invalid(std::string text) { return {Fault::invalid, std::move(text)}; }

std::array<unsigned char, 16> random_bytes() {
  std::array<unsigned char, 16> bytes{};
  if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1)
    throw std::runtime_error("the system provides no random bytes");
  return bytes;
}

std::string fresh_key() {
  const auto bytes = random_bytes();
  std::array<unsigned char, 32> text{};
  const int size = EVP_EncodeBlock(text.data(), bytes.data(), static_cast<int>(bytes.size()));
  return {text.begin(), text.begin() + size};
}

char small_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// The value of a header; empty: it is not there.
std::string_view header_of(std::string_view head, std::string_view name) {
  while (!head.empty()) {
    const auto end = std::min(head.find("\r\n"), head.size());
    const std::string_view line = head.substr(0, end);
    head.remove_prefix(std::min(end + 2, head.size()));
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    if (std::ranges::equal(line.substr(0, colon), name,
                           [](char a, char b) { return small_letter(a) == small_letter(b); }))
      return trimmed(line.substr(colon + 1), " \t");
  }
  return {};
}

// "HTTP/1.1 101 Switching Protocols"; 0: it is none.
int status_of(std::string_view head) {
  int status = 0;
  if (!head.starts_with("HTTP/1.") || head.size() < 12 || head[8] != ' ') return 0;
  const auto [end, error] = std::from_chars(head.data() + 9, head.data() + 12, status);
  return error == std::errc() && end == head.data() + 12 ? status : 0;
}

// Of a body; what is no number: all that fits.
std::size_t length_of(std::string_view text) {
  std::size_t length = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), length);
  return error == std::errc() && end == text.data() + text.size() ? length : longest_refusal;
}

std::string text_at(const json& from, const char* key) {
  const auto found = from.find(key);
  return found != from.end() && found->is_string() ? found->get<std::string>() : "";
}

std::optional<std::uint32_t> id_at(const json& from, const char* key) {
  const auto found = from.find(key);
  if (found == from.end() || !found->is_number_unsigned() || found->get<std::uint64_t>() > 0xFFFFFFFFu)
    return std::nullopt;
  return found->get<std::uint32_t>();
}

// Calls each(item) for all objects of the list.
template <typename Each>
void each_of(const json& from, const char* key, Each each) {
  const auto list = from.find(key);
  if (list == from.end() || !list->is_array()) return;
  for (const json& item : *list)
    if (item.is_object()) each(item);
}

}  // namespace

Conversation::Conversation(Greeting greeting, Ears& ears)
    : greeting_(std::move(greeting)), ears_(ears), key_(fresh_key()) {
  std::string request = fmt::format(
      "GET / HTTP/1.1\r\nHost: {}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
      "Sec-WebSocket-Key: {}\r\nSec-WebSocket-Protocol: {}\r\nUser-Agent: tandem-fleet\r\n",
      greeting_.host, key_, foxglove::subprotocols[0]);
  if (!greeting_.token.empty()) request += fmt::format("Authorization: Bearer {}\r\n", greeting_.token);
  request += "\r\n";
  unsent_.assign(request.begin(), request.end());
}

std::vector<std::uint8_t> Conversation::take_unsent() { return std::exchange(unsent_, {}); }

void Conversation::send(Opcode opcode, Bytes payload) {
  const auto random = random_bytes();
  const auto frame = client_frame(opcode, payload, {random[0], random[1], random[2], random[3]});
  unsent_.insert(unsent_.end(), frame.begin(), frame.end());
}

Result<void> Conversation::take(Bytes bytes) {
  if (state_ == State::head) {
    if (auto headed = take_head(bytes); !headed) return state_ = State::over, headed;
  }
  if (state_ == State::refusal) {
    head_.append(bytes.begin(), bytes.begin() + std::min<std::ptrdiff_t>(std::ssize(bytes), longest_refusal));
    if (head_.size() < expected_) return {};
    state_ = State::over;
    return refusal();
  }
  while (state_ == State::open) {
    const auto message = reader_.next(bytes);
    if (!message) return state_ = State::over, message.error();
    if (!*message) break;
    if (auto heard = hear(**message); !heard) return state_ = State::over, heard;
  }
  return {};
}

Error Conversation::ended(const Error& error) const { return state_ == State::refusal ? refusal() : error; }

Result<void> Conversation::take_head(Bytes& bytes) {
  const std::size_t before = head_.size(), room = longest_answer_head - std::min(longest_answer_head, before);
  head_.append(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(std::min(bytes.size(), room)));
  const auto end = head_.find("\r\n\r\n", before < 3 ? 0 : before - 3);
  // Not HTTP at all: said at once, not when the deadline passes.
  const std::string_view begins = "HTTP/1.";
  if (!std::string_view(head_).starts_with(begins.substr(0, std::min(head_.size(), begins.size()))))
    return invalid(fmt::format("expected the answer of a tandem's page, got '{}'", printable(head_, 40)));
  if (end == std::string::npos) {
    if (head_.size() < longest_answer_head) return bytes = {}, Result<void>{};
    return invalid(fmt::format("expected an HTTP head of at most {} bytes, got more", longest_answer_head));
  }
  bytes = bytes.subspan(end + 4 - before);
  head_.resize(end + 2);
  return judge_head();
}

Result<void> Conversation::judge_head() {
  status_ = status_of(head_);
  if (status_ == 0)
    return invalid(fmt::format("expected the answer of a tandem's page, got '{}'",
                               printable(std::string_view(head_).substr(0, head_.find("\r\n")))));
  if (status_ != 101) {
    state_ = State::refusal;
    expected_ = std::min(length_of(header_of(head_, "Content-Length")), longest_refusal);
    head_.clear();
    return {};
  }
  const auto expected = accept_key(key_);
  if (!expected || header_of(head_, "Sec-WebSocket-Accept") != *expected)
    return invalid("expected Sec-WebSocket-Accept for our key, got another; the page is behind a proxy?");
  if (header_of(head_, "Sec-WebSocket-Protocol") != foxglove::subprotocols[0])
    return invalid(fmt::format("expected subprotocol {}, got '{}'", foxglove::subprotocols[0],
                               printable(header_of(head_, "Sec-WebSocket-Protocol"))));
  state_ = State::open;
  head_.clear();
  return {};
}

// "401: The token is wrong. ...": our own pages say the reason behind the first line.
Error Conversation::refusal() const {
  const auto line = head_.find('\n');
  const std::string_view words =
      line == std::string::npos ? std::string_view(head_) : std::string_view(head_).substr(line + 1);
  return {Fault::refused, fmt::format("HTTP status {}{}{}", status_, words.empty() ? "" : ": ",
                                      printable(trimmed(words, " \r\n"), 200))};
}

Result<void> Conversation::hear(const ClientMessage& message) {
  const std::string_view text(reinterpret_cast<const char*>(message.payload.data()), message.payload.size());
  switch (message.opcode) {
    case Opcode::text:
      return hear_text(text);
    case Opcode::binary:
      return hear_binary(message.payload);
    case Opcode::ping:
      send(Opcode::pong, message.payload);
      return {};
    case Opcode::close: {
      const auto reason = parse_close(message.payload);
      const std::string words = reason && !reason->text.empty() ? ": " + printable(reason->text, 200) : "";
      return Error{Fault::closed, "the page closed the connection" + words};
    }
    default:
      return {};
  }
}

Result<void> Conversation::hear_text(std::string_view text) {
  if (is_deeper_than(text, foxglove::deepest_text)) return invalid("JSON is nested too deeply");
  const json said = json::parse(text, nullptr, false);
  if (!said.is_object()) return invalid(fmt::format("expected a JSON object, got '{}'", printable(text)));
  const std::string operation = text_at(said, "op");
  if (operation == "serverInfo") {
    const auto about = said.find("metadata");
    const bool known = about != said.end() && about->is_object();
    may_control_ = known && text_at(*about, "control") == "yes";
    version_ = known ? printable(text_at(*about, "tandem")) : "";
  } else if (operation == "advertise") {
    json wanted = json::array();
    each_of(said, "channels", [&](const json& channel) {
      const std::string topic = text_at(channel, "topic");
      const auto id = id_at(channel, "id");
      const bool asked = std::ranges::any_of(subscriptions_, [&](const auto& each) { return each.second == topic; });
      if (!id || asked || std::ranges::find(greeting_.topics, topic) == greeting_.topics.end()) return;
      subscriptions_.emplace(next_id_, topic);
      wanted.push_back({{"id", next_id_++}, {"channelId", *id}});
    });
    if (!wanted.empty()) send(Opcode::text, as_bytes(json{{"op", "subscribe"}, {"subscriptions", wanted}}.dump()));
  } else if (operation == "advertiseServices") {
    each_of(said, "services", [&](const json& service) {
      const auto id = id_at(service, "id");
      std::string name = text_at(service, "name");
      if (id && name.size() <= longest_service_name && services_.size() < most_server_services)
        services_.insert_or_assign(std::move(name), *id);
    });
  } else if (operation == "serviceCallFailure") {
    const auto call = id_at(said, "callId");
    if (call && calls_.erase(*call) > 0)
      ears_.answer(*call, Error{Fault::device, printable(text_at(said, "message"), 300)});
  }
  return {};
}

Result<void> Conversation::hear_binary(Bytes message) {
  ByteReader reader(message);
  const std::uint8_t operation = reader.byte();
  if (operation == 1) {
    const auto subscription = reader.little<std::uint32_t>();
    const auto stamp = reader.little<std::uint64_t>();
    if (!reader.ok()) return invalid(fmt::format("message data: expected 13 bytes or more, got {}", message.size()));
    const auto topic = subscriptions_.find(subscription);
    if (topic != subscriptions_.end()) ears_.message(topic->second, stamp, reader.rest());
  } else if (operation == 3) {
    reader.little<std::uint32_t>();  // the service
    const auto call = reader.little<std::uint32_t>();
    reader.skip(reader.little<std::uint32_t>());  // its encoding: that of the request
    const Bytes payload = reader.rest();
    if (!reader.ok()) return invalid(fmt::format("service response: cut off after {} bytes", message.size()));
    if (calls_.erase(call) > 0) ears_.answer(call, payload);
  }
  return {};
}

Result<std::uint32_t> Conversation::call(const std::string& service, std::string_view request) {
  const auto found = services_.find(service);
  if (found == services_.end()) return Error{Fault::not_found, fmt::format("the page has no service {}", service)};
  if (calls_.size() >= most_calls_at_once) return Error{Fault::busy, "too many calls without an answer"};
  const std::uint32_t call = next_id_++;
  calls_.emplace(call, found->second);
  std::vector<std::uint8_t> message;
  ByteWriter writer(message);
  constexpr std::string_view encoding = "json";
  writer.byte(2);
  writer.little(found->second);
  writer.little(call);
  writer.little(static_cast<std::uint32_t>(encoding.size()));
  writer.text(encoding);
  writer.text(request);
  send(Opcode::binary, message);
  return call;
}

}  // namespace tandem::web
