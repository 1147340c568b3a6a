// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <random>

#include "tandem/protocols/ur/framer.hpp"
#include "tandem/protocols/ur/rtde/rtde.hpp"
#include "tests/protocols/ur/bytes_by_hand.hpp"

using namespace tandem;
using namespace tandem::ur;
using namespace tandem::ur::rtde;
using test::Hand;
using test::hex;

namespace {

template <typename Message>
test::Packet encoded(const Message& message, int protocol) {
  test::Packet out;
  encode(message, protocol, out);
  return out;
}

}  // namespace

TEST_CASE("requests are the bytes that real clients send") {
  // Seen on the wire: UR's Python client and URBasic.
  CHECK(encoded(Request(ProtocolRequest{2}), 1) == hex("00 05 56 00 02"));
  CHECK(encoded(Answer(ProtocolAnswer{true}), 1) == hex("00 04 56 01"));
  CHECK(encoded(Request(ControllerVersionRequest{}), 2) == hex("00 03 76"));
  CHECK(encoded(Request(StartRequest{}), 2) == hex("00 03 53"));
  CHECK(encoded(Request(PauseRequest{}), 2) == hex("00 03 50"));
  CHECK(encoded(Request(OutputsRequest{125, "timestamp"}), 2) ==
        test::package('O', Hand().real(125).text("timestamp").bytes));
  CHECK(encoded(Request(OutputsRequest{125, "timestamp"}), 1) == test::package('O', test::text_bytes("timestamp")));
  CHECK(encoded(Request(InputsRequest{"a,b"}), 1) == test::package('I', test::text_bytes("a,b")));
}

TEST_CASE("hand-built requests are understood in both protocols") {
  const auto second_packet = test::package('O', Hand().real(500).text("actual_q,").bytes);
  const auto outputs = decode_request(second_packet, 2);
  REQUIRE(outputs);
  CHECK(std::get<OutputsRequest>(*outputs).frequency == 500.0);
  CHECK(std::get<OutputsRequest>(*outputs).names == "actual_q,");
  const auto first_packet = test::package('O', test::text_bytes("actual_q"));
  const auto first = decode_request(first_packet, 1);
  REQUIRE(first);
  CHECK(std::get<OutputsRequest>(*first).names == "actual_q");
  const auto packet = test::package('U', hex("02 0a 0b"));
  const auto data = decode_request(packet, 1);
  REQUIRE(data);
  CHECK(std::get<InputData>(*data).recipe == 2);
  CHECK(std::get<InputData>(*data).values.size() == 2);
}

TEST_CASE("hand-built answers are understood in both protocols") {
  const auto packet = test::package('M', Hand().u8(2).text("hi").u8(3).text("arm").u8(2).bytes);
  const auto text = decode_answer(packet, 2);
  REQUIRE(text);
  CHECK(std::get<TextMessage>(*text).text == "hi");
  CHECK(std::get<TextMessage>(*text).source == "arm");
  CHECK(std::get<TextMessage>(*text).level == Level::warning);
  const auto old_packet = test::package('M', Hand().u8(1).text("old").bytes);
  const auto old = decode_answer(old_packet, 1);
  REQUIRE(old);
  CHECK(std::get<TextMessage>(*old).text == "old");
  CHECK(std::get<TextMessage>(*old).level == Level::error);
  CHECK(encoded(Answer(std::get<TextMessage>(*old)), 1) == old_packet);
  CHECK(encoded(Answer(std::get<TextMessage>(*text)), 2) == packet);

  const auto version = decode_answer(test::package('v', Hand().u32(5).u32(11).u32(1).u32(108318).bytes), 2);
  REQUIRE(version);
  CHECK(std::get<ControllerVersion>(*version).build == 108318);
  const auto short_version = decode_answer(test::package('v', Hand().u32(3).u32(2).u32(1).bytes), 1);
  REQUIRE(short_version);
  CHECK(std::get<ControllerVersion>(*short_version).major == 3);

  const auto data_packet = test::package('U', hex("01 aa bb"));
  const auto second = decode_answer(data_packet, 2);
  REQUIRE(second);
  CHECK(std::get<OutputData>(*second).values.size() == 2);
  const auto first = decode_answer(data_packet, 1);
  REQUIRE(first);
  CHECK(std::get<OutputData>(*first).values.size() == 3);
}

TEST_CASE("every truncation of a fixed package is refused and unknown kinds are told apart") {
  const auto version = test::package('v', Hand().u32(5).u32(11).u32(1).u32(7).bytes);
  for (std::size_t size = 0; size < version.size(); ++size) {
    const bool whole = size == 15;  // three numbers are an old controller's version
    CHECK(decode_answer(Bytes(version).first(size), 2).ok() == whole);
  }
  const auto request = hex("00 05 56 00 02");
  for (std::size_t size = 0; size < request.size(); ++size) CHECK_FALSE(decode_request(Bytes(request).first(size), 2));
  CHECK_FALSE(decode_request(hex("00 06 56 00 02 00"), 2));
  CHECK(decode_request(test::package('x'), 2).error().fault == Fault::unsupported);
  CHECK(decode_answer(test::package('x'), 2).error().fault == Fault::unsupported);
  CHECK(decode_answer(test::package('M', hex("05 41 42")), 2).error().fault == Fault::invalid);
}

TEST_CASE("a package that would be too long is not sent at all") {
  const std::string names(70'000, 'a');
  CHECK(encoded(Request(InputsRequest{names}), 2).empty());
  const std::string text(300, 'b');
  CHECK(encoded(Answer(TextMessage{text, "s", Level::info}), 2).size() == 3 + 1 + 255 + 1 + 1 + 1);
}

TEST_CASE("random bytes never break the codec") {
  std::mt19937_64 random(4);
  for (int i = 0; i < 20'000; ++i) {
    test::Packet packet(random() % 40);
    for (auto& byte : packet) byte = static_cast<std::uint8_t>(random());
    if (packet.size() > 2) packet[2] = static_cast<std::uint8_t>("VvMUOISP"[random() % 8]);
    for (const int protocol : {1, 2}) {
      if (const auto request = decode_request(packet, protocol)) {
        const auto again = encoded(*request, protocol);
        CHECK(std::equal(again.begin() + 2, again.end(), packet.begin() + 2, packet.end()));
      }
      CHECK_NOTHROW(static_cast<void>(decode_answer(packet, protocol).ok()));
    }
  }
}

TEST_CASE("any segmentation gives the same packets") {
  test::Packet stream;
  std::mt19937_64 random(5);
  std::vector<std::size_t> sizes;
  for (int i = 0; i < 50; ++i) {
    const auto packet = test::package('U', test::Packet(random() % 300, static_cast<std::uint8_t>(i)));
    stream.insert(stream.end(), packet.begin(), packet.end());
    sizes.push_back(packet.size());
  }
  for (const std::size_t step : {1u, 2u, 3u, 7u, 100u, 100'000u}) {
    Framer framer(Length::two_bytes, 3, 65535);
    std::vector<std::size_t> seen;
    for (std::size_t at = 0; at < stream.size(); at += step) {
      framer.feed(Bytes(stream).subspan(at, std::min<std::size_t>(step, stream.size() - at)));
      while (true) {
        const auto packet = framer.next();
        REQUIRE(packet);
        if (!*packet) break;
        seen.push_back((*packet)->size());
      }
    }
    CHECK(seen == sizes);
    CHECK_FALSE(framer.partial());
  }
}

TEST_CASE("every length of a packet is either possible or an error") {
  for (unsigned size = 0; size <= 65535; ++size) {
    Framer framer(Length::two_bytes, 3, 65535);
    framer.feed(Hand().u16(size).u8('S').bytes);
    const auto packet = framer.next();
    CHECK(packet.ok() == (size >= 3));
    if (packet) CHECK(packet->has_value() == (size == 3));
  }
  for (const std::uint32_t size : {0u, 4u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
    Framer framer(Length::four_bytes, 5, 1u << 20);
    framer.feed(Hand().u32(size).bytes);
    CHECK_FALSE(framer.next());
  }
}

TEST_CASE("lines are cut wherever they are cut in two") {
  const std::string stream = "one\r\n\ntwo words\nthree";
  for (std::size_t step = 1; step <= stream.size(); ++step) {
    LineFramer lines(100);
    std::vector<std::string> seen;
    for (std::size_t at = 0; at < stream.size(); at += step) {
      lines.feed(as_bytes(std::string_view(stream).substr(at, step)));
      for (auto line = lines.next(); line && *line; line = lines.next()) seen.emplace_back(**line);
    }
    CHECK(seen == std::vector<std::string>{"one", "", "two words"});
    CHECK(lines.pending() == "three");
  }
  LineFramer lines(4);
  lines.feed(as_bytes("12345"));
  CHECK_FALSE(lines.next());
}
