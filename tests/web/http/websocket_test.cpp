// SPDX-License-Identifier: Apache-2.0
#include "tandem/web/http/websocket.hpp"

#include <doctest/doctest.h>

#include <random>

namespace tandem::web {
namespace {

using Wire = std::vector<std::uint8_t>;

// A frame as a client sends it, written here by hand.
Wire masked_frame(int first, const std::string& payload) {
  Wire out{static_cast<std::uint8_t>(first)};
  if (payload.size() < 126) {
    out.push_back(static_cast<std::uint8_t>(0x80 | payload.size()));
  } else if (payload.size() < 65536) {
    out.insert(out.end(),
               {0xFE, static_cast<std::uint8_t>(payload.size() >> 8), static_cast<std::uint8_t>(payload.size())});
  } else {
    out.push_back(0xFF);
    for (int i = 7; i >= 0; --i) out.push_back(static_cast<std::uint8_t>(payload.size() >> (8 * i)));
  }
  const Wire mask{0xA1, 0x02, 0xC3, 0x7F};
  out.insert(out.end(), mask.begin(), mask.end());
  for (std::size_t i = 0; i < payload.size(); ++i) out.push_back(static_cast<std::uint8_t>(payload[i]) ^ mask[i % 4]);
  return out;
}

struct Read {
  std::vector<std::pair<Opcode, std::string>> messages;
  unsigned int error = 0;
};

Read read_in_pieces(const Wire& wire, std::size_t piece, std::size_t largest = 1 << 20) {
  FrameReader reader(largest);
  Read read;
  for (std::size_t at = 0; at < wire.size(); at += piece) {
    Bytes bytes = Bytes(wire).subspan(at, std::min(piece, wire.size() - at));
    while (true) {
      const auto message = reader.next(bytes);
      if (!message) return read.error = message.error().code, read;
      if (!*message) break;
      read.messages.emplace_back((*message)->opcode,
                                 std::string((*message)->payload.begin(), (*message)->payload.end()));
    }
    CHECK(bytes.empty());
  }
  return read;
}

unsigned int error_of(const Wire& wire, std::size_t largest = 1 << 20) {
  const Read whole = read_in_pieces(wire, wire.size(), largest);
  CHECK(read_in_pieces(wire, 1, largest).error == whole.error);
  return whole.error;
}

Wire joined(std::initializer_list<Wire> wires) {
  Wire all;
  for (const auto& wire : wires) all.insert(all.end(), wire.begin(), wire.end());
  return all;
}

}  // namespace

TEST_CASE("the examples of RFC 6455 are read and written") {
  // Section 5.7: "Hello", masked, and 1.3: the accept key.
  const Wire hello{0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58};
  const Read read = read_in_pieces(hello, 3);
  REQUIRE(read.messages.size() == 1);
  CHECK(read.messages[0] == std::pair(Opcode::text, std::string("Hello")));
  const FrameHead small = frame_head(Opcode::text, 5);
  CHECK(Wire(small.bytes.begin(), small.bytes.begin() + static_cast<std::ptrdiff_t>(small.size)) == Wire{0x81, 0x05});
  const FrameHead middle = frame_head(Opcode::binary, 256);
  CHECK(Wire(middle.bytes.begin(), middle.bytes.begin() + static_cast<std::ptrdiff_t>(middle.size)) ==
        Wire{0x82, 0x7E, 0x01, 0x00});
  const FrameHead large = frame_head(Opcode::binary, 65536);
  CHECK(Wire(large.bytes.begin(), large.bytes.begin() + static_cast<std::ptrdiff_t>(large.size)) ==
        Wire{0x82, 0x7F, 0, 0, 0, 0, 0, 1, 0, 0});
  CHECK(accept_key("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  CHECK_FALSE(accept_key("dGhlIHNhbXBsZSBub25jZQ="));
  CHECK_FALSE(accept_key("dGhlIHNhbXBsZSBub25j!!=="));
  CHECK_FALSE(accept_key(""));
}

TEST_CASE("messages are the same however their bytes come") {
  const std::string long_text(70000, 'x');
  const Wire wire = joined({masked_frame(0x81, "one"), masked_frame(0x02, "tw"), masked_frame(0x89, "are you there"),
                            masked_frame(0x00, ""), masked_frame(0x80, "o"), masked_frame(0x82, std::string(300, 'y')),
                            masked_frame(0x81, ""), masked_frame(0x82, long_text), masked_frame(0x8A, "")});
  const decltype(Read::messages) expected{{Opcode::text, "one"},   {Opcode::ping, "are you there"},
                                          {Opcode::binary, "two"}, {Opcode::binary, std::string(300, 'y')},
                                          {Opcode::text, ""},      {Opcode::binary, long_text},
                                          {Opcode::pong, ""}};
  for (const std::size_t piece : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{4096}, wire.size()}) {
    const Read read = read_in_pieces(wire, piece);
    CHECK(read.error == 0);
    CHECK(read.messages == expected);
  }
}

TEST_CASE("what breaks the rules of WebSocket ends with the right code") {
  CHECK(error_of({0x81, 0x01, 'x'}) == close_code::protocol);        // not masked
  CHECK(error_of(masked_frame(0xC1, "x")) == close_code::protocol);  // reserved bit
  CHECK(error_of(masked_frame(0x83, "x")) == close_code::protocol);  // unknown opcodes
  CHECK(error_of(masked_frame(0x8B, "x")) == close_code::protocol);
  CHECK(error_of(masked_frame(0x09, "x")) == close_code::protocol);  // ping in pieces
  CHECK(error_of(masked_frame(0x89, std::string(126, 'x'))) == close_code::protocol);
  CHECK(error_of(masked_frame(0x80, "x")) == close_code::protocol);  // goes on with nothing
  CHECK(error_of(joined({masked_frame(0x01, "x"), masked_frame(0x81, "y")})) == close_code::protocol);
  CHECK(error_of({0x82, 0xFE, 0, 5, 0, 0, 0, 0, 1, 2, 3, 4, 5}) == close_code::protocol);  // not the shortest length
  CHECK(error_of(masked_frame(0x81, "\xC3\x28")) == close_code::not_utf8);
  CHECK(error_of(masked_frame(0x81, "\xED\xA0\x80")) == close_code::not_utf8);  // half of a surrogate pair
  CHECK(error_of(joined({masked_frame(0x01, "\xC3"), masked_frame(0x80, "\xA4")})) == 0);
  CHECK(error_of(masked_frame(0x81, "\xEF\xBF\xBD")) == 0);
}

TEST_CASE("a message that is too long is refused by its announcement") {
  CHECK(error_of(masked_frame(0x82, std::string(100, 'x')), 100) == 0);
  CHECK(error_of(masked_frame(0x82, std::string(101, 'x')), 100) == close_code::too_big);
  CHECK(error_of(joined({masked_frame(0x02, std::string(60, 'x')), masked_frame(0x80, std::string(41, 'x'))}), 100) ==
        close_code::too_big);
  CHECK(error_of({0x82, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0}) == close_code::too_big);
  CHECK(error_of({0x82, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0}) == close_code::too_big);
}

TEST_CASE("close frames are read strictly and written within their size") {
  CHECK(parse_close({})->code == close_code::none);
  const Wire bye{0x03, 0xE8, 'b', 'y', 'e'};
  CHECK(parse_close(bye)->code == 1000);
  CHECK(parse_close(bye)->text == "bye");
  for (const Wire& bad : {Wire{0x03}, Wire{0x03, 0xED}, Wire{0x00, 0x01}, Wire{0x13, 0x88}}) {
    CHECK(parse_close(bad).error().code == close_code::protocol);
  }
  CHECK(parse_close(Wire{0x03, 0xE8, 0xFF}).error().code == close_code::not_utf8);
  CHECK(close_payload(1001, "bye") == Wire{0x03, 0xE9, 'b', 'y', 'e'});
  std::string umlauts = "x";
  for (int i = 0; i < 100; ++i) umlauts += "\xC3\xA4";
  const Wire cut = close_payload(1000, umlauts);
  CHECK(cut.size() <= 125);
  CHECK(parse_close(cut).ok());
}

TEST_CASE("the rate gate bears its burst and then its rate and no more") {
  const Instant start{1h};
  RateGate gate(100, 700, start);
  int passed = 0;
  for (int i = 0; i < 1000; ++i) passed += gate.pass(1, start) ? 1 : 0;
  CHECK(passed == 700);
  RateGate tired(100, 700, start);
  REQUIRE(tired.pass(700, start));
  CHECK(tired.pass(99, start + 1s));
  CHECK_FALSE(tired.pass(52, start + 1500ms));
  RateGate steady(100, 1, start);
  for (int i = 0; i < 1000; ++i) REQUIRE(steady.pass(1, start + i * 10ms));
}

TEST_CASE("no bytes bring the frame reader out of its bounds") {
  std::mt19937_64 random(8);
  for (int round = 0; round < 2000; ++round) {
    Wire wire(random() % 60);
    for (auto& byte : wire) byte = static_cast<std::uint8_t>(random());
    // Mostly frames that begin well.
    if (!wire.empty() && round % 4 != 0) wire[0] &= 0x8F;
    if (wire.size() > 1 && round % 4 != 0) wire[1] = static_cast<std::uint8_t>(0x80 | wire[1] % 20);
    const Read whole = read_in_pieces(wire, std::max<std::size_t>(wire.size(), 1), 64);
    const Read bytewise = read_in_pieces(wire, 1, 64);
    CHECK(whole.messages == bytewise.messages);
    CHECK(whole.error == bytewise.error);
  }
}

}  // namespace tandem::web
