// SPDX-License-Identifier: Apache-2.0
// The client's side of the page's socket, against the hub itself and bytes that no hub sends.
#include "tandem/web/client/conversation.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "tandem/web/hub/foxglove.hpp"

namespace tandem::web {

namespace {

struct Notes final : Ears {
  void message(std::string_view topic, std::uint64_t stamp_ns, Bytes payload) override {
    heard.push_back(fmt::format("{} {} {}", topic, stamp_ns, std::string(payload.begin(), payload.end())));
  }
  void answer(std::uint32_t call, const Result<Bytes>& answer) override {
    heard.push_back(fmt::format("{} {}", call,
                                answer ? std::string(answer->begin(), answer->end()) : "error " + answer.error().text));
  }
  std::vector<std::string> heard;
};

std::string text_of(const std::vector<std::uint8_t>& bytes) { return {bytes.begin(), bytes.end()}; }

// What a server answers to this very request.
std::string accepted(const std::string& request, const std::string& protocol = "foxglove.sdk.v1") {
  const auto at = request.find("Sec-WebSocket-Key: ") + 19;
  const auto accept = accept_key(request.substr(at, 24));
  REQUIRE(accept);
  return fmt::format(
      "HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nConnection: Upgrade\r\nsec-websocket-accept:  {}\r\n"
      "Sec-WebSocket-Protocol: {}\r\n\r\n",
      *accept, protocol);
}

std::string server_frame(Opcode opcode, std::string_view payload) {
  const FrameHead head = frame_head(opcode, payload.size());
  return std::string(head.bytes.begin(), head.bytes.begin() + static_cast<std::ptrdiff_t>(head.size)) +
         std::string(payload);
}

std::string greeting_frames() {
  const Channel status{"/tandem/status", "json", "s", "{}", "jsonschema", 1}, other{"/other", "json", "s", "", "", 0};
  const ServiceInfo service{"/tandem/clock", "t", {"json", "", "", ""}, {"json", "", "", ""}, true};
  return server_frame(Opcode::text, foxglove::server_info({.name = "tandem",
                                                           .capabilities = {},
                                                           .encodings = {},
                                                           .metadata = {{"control", "yes"}, {"tandem", "0.2.0"}},
                                                           .session = {},
                                                           .data_time = {}})) +
         server_frame(Opcode::text, foxglove::advertise({{7, &other}, {9, &status}})) +
         server_frame(Opcode::text, foxglove::advertise_services({{3, &service}}));
}

struct Talk {
  Notes notes;
  Conversation conversation{{"127.0.0.1:8088", "secret-token-16-x", {"/tandem/status"}}, notes};
  std::string request = text_of(conversation.take_unsent());
  Result<void> take(const std::string& text) { return conversation.take(as_bytes(text)); }
  void open() {
    REQUIRE(take(accepted(request)));
    REQUIRE(take(greeting_frames()));
    REQUIRE(conversation.is_open());
  }
  // What it sent, as a server reads it.
  std::vector<std::pair<Opcode, std::string>> sent() {
    const auto bytes = conversation.take_unsent();
    Bytes left(bytes);
    FrameReader reader(1 << 20);
    std::vector<std::pair<Opcode, std::string>> all;
    while (true) {
      const auto next = reader.next(left);
      REQUIRE(next);
      if (!*next) return all;
      all.emplace_back((*next)->opcode, text_of({(*next)->payload.begin(), (*next)->payload.end()}));
    }
  }
};

}  // namespace

TEST_CASE("the request upgrades with the token in a header and not in the address") {
  Talk talk;
  CHECK(talk.request.starts_with("GET / HTTP/1.1\r\nHost: 127.0.0.1:8088\r\n"));
  CHECK(talk.request.find("Authorization: Bearer secret-token-16-x\r\n") != std::string::npos);
  CHECK(talk.request.find("?token") == std::string::npos);
  CHECK(talk.request.ends_with("\r\n\r\n"));
}

TEST_CASE("topics are subscribed and services called as the protocol says, in pieces of any size") {
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{100000}}) {
    CAPTURE(piece);
    Talk talk;
    const std::string all = accepted(talk.request) + greeting_frames();
    for (std::size_t at = 0; at < all.size(); at += piece) REQUIRE(talk.take(all.substr(at, piece)));
    CHECK(talk.conversation.may_control());
    CHECK(talk.conversation.version() == "0.2.0");
    auto sent = talk.sent();
    REQUIRE(sent.size() == 1);
    const auto subscribe = foxglove::read_text(sent[0].second);
    REQUIRE(subscribe);
    const auto* asked = std::get_if<foxglove::Subscribe>(&*subscribe);
    REQUIRE(asked != nullptr);
    REQUIRE(asked->subscriptions.size() == 1);
    CHECK(asked->subscriptions[0].channel == 9);
    const auto call = talk.conversation.call("/tandem/clock", "{}");
    REQUIRE(call);
    CHECK_FALSE(talk.conversation.call("/other", "{}"));
    sent = talk.sent();
    REQUIRE(sent.size() == 1);
    const auto binary = foxglove::read_binary(as_bytes(sent[0].second));
    REQUIRE(binary);
    const auto* service = std::get_if<foxglove::ServiceCall>(&*binary);
    REQUIRE(service != nullptr);
    CHECK((service->service == 3 && service->call == *call && service->encoding == "json"));
    const auto head = foxglove::message_head(asked->subscriptions[0].id, 42);
    const std::string message = std::string(head.begin(), head.end()) + "{\"a\":1}";
    const std::string answer = text_of(foxglove::service_response(3, *call, "json", as_bytes("{}")));
    const std::string more = server_frame(Opcode::binary, message) + server_frame(Opcode::ping, "hi") +
                             server_frame(Opcode::binary, answer) + server_frame(Opcode::binary, answer);
    for (std::size_t at = 0; at < more.size(); at += piece) REQUIRE(talk.take(more.substr(at, piece)));
    CHECK(talk.notes.heard == std::vector<std::string>{"/tandem/status 42 {\"a\":1}", fmt::format("{} {{}}", *call)});
    sent = talk.sent();
    REQUIRE(sent.size() == 1);
    CHECK((sent[0].first == Opcode::pong && sent[0].second == "hi"));
  }
}

TEST_CASE("a refused call is an answer with the reason") {
  Talk talk;
  talk.open();
  const auto call = talk.conversation.call("/tandem/clock", "{}");
  REQUIRE(call);
  REQUIRE(talk.take(server_frame(Opcode::text, foxglove::service_call_failure(3, *call, "read-\x1bonly"))));
  CHECK(talk.notes.heard == std::vector<std::string>{fmt::format("{} error read-?only", *call)});
}

TEST_CASE("services with names too long to be called are not kept") {
  Talk talk;
  talk.open();
  const std::string longest(longest_service_name, 'n'), longer = longest + "n";
  const ServiceInfo kept{longest, "t", {"json", "", "", ""}, {"json", "", "", ""}, true};
  const ServiceInfo left_out{longer, "t", {"json", "", "", ""}, {"json", "", "", ""}, true};
  REQUIRE(talk.take(server_frame(Opcode::text, foxglove::advertise_services({{4, &left_out}, {5, &kept}}))));
  CHECK(talk.conversation.offers(longest));
  CHECK_FALSE(talk.conversation.offers(longer));
}

TEST_CASE("what a server may not send ends the conversation with a reason") {
  const auto error_after = [](const std::string& bytes) {
    Talk talk;
    talk.open();
    const auto taken = talk.take(bytes);
    REQUIRE_FALSE(taken);
    CHECK(talk.take(greeting_frames()));  // over: nothing is heard any more
    return taken.error().text;
  };
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
  CHECK(has(error_after("\x81\x81\x01\x02\x03\x04"
                        "a"),
            "server frame is masked"));
  CHECK(has(error_after(std::string("\x82\x7f\x7f\xff\xff\xff\xff\xff\xff\xff", 10)), "longer than the maximum"));
  CHECK(has(error_after(server_frame(Opcode::text, "[1]")), "expected a JSON object"));
  CHECK(has(error_after(server_frame(Opcode::text, std::string(1000, '['))), "nested too deeply"));
  CHECK(has(error_after(server_frame(Opcode::text, "\xff\xfe")), "not UTF-8"));
  CHECK(has(error_after(server_frame(Opcode::binary, std::string("\x01\x01", 2))), "expected 13 bytes or more"));
  CHECK(has(error_after(server_frame(Opcode::binary, std::string("\x03\x01\x00", 3))), "cut off"));
  CHECK(
      has(error_after(server_frame(Opcode::close, std::string("\x03\xe9", 2) + "bye")), "closed the connection: bye"));
  Talk other;
  CHECK(has(other.take(accepted(other.request, "echo.v1")).error().text, "expected subprotocol foxglove.sdk.v1"));
}

}  // namespace tandem::web
