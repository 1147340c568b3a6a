// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "tandem/base/sha256.hpp"
#include "tandem/protocols/ads/codec/framer.hpp"
#include "tests/protocols/ads/golden.hpp"

namespace tandem::ads {
namespace {

constexpr std::array all_golden{golden::device_info_request,
                                golden::device_info_response,
                                golden::state_request,
                                golden::state_response,
                                golden::handle_request,
                                golden::handle_response,
                                golden::read_request,
                                golden::read_response,
                                golden::release_request,
                                golden::release_response,
                                golden::add_notification_request,
                                golden::add_notification_response};

std::vector<std::uint8_t> golden_stream() {
  std::vector<std::uint8_t> stream;
  for (const auto hex : all_golden) {
    const auto packet = golden::bytes(hex);
    stream.insert(stream.end(), packet.begin(), packet.end());
  }
  // A router command in between is a packet like any other.
  const std::array<std::uint8_t, 8> port_connect{0x00, 0x10, 2, 0, 0, 0, 0, 0};
  stream.insert(stream.begin() + 38, port_connect.begin(), port_connect.end());
  return stream;
}

// What came out, as text: command, invoke id, payload.
std::string words(Framer& framer) {
  std::string all;
  while (true) {
    auto frame = framer.next();
    REQUIRE(frame);
    if (!*frame) return all;
    all += std::to_string(static_cast<unsigned>((*frame)->command)) + "/" + std::to_string((*frame)->header.invoke_id) +
           "/" + hex((*frame)->payload) + "\n";
  }
}

std::vector<std::uint8_t> head(std::uint16_t command, std::uint32_t length) {
  std::vector<std::uint8_t> out;
  ByteWriter writer(out);
  writer.little(command);
  writer.little(length);
  return out;
}

TEST_CASE("any split of the stream gives the same packets") {
  const auto stream = golden_stream();
  Framer whole(1 << 16);
  whole.feed(stream);
  const std::string expected = words(whole);
  CHECK(std::ranges::count(expected, '\n') == 13);

  Framer bytewise(1 << 16);
  std::string got;
  for (const std::uint8_t byte : stream) {
    bytewise.feed({&byte, 1});
    got += words(bytewise);
  }
  CHECK(got == expected);

  std::mt19937_64 random(99);
  Framer framer(1 << 16);
  for (int round = 0; round < 500; ++round) {
    std::string pieces;
    for (std::size_t at = 0; at < stream.size();) {
      const std::size_t size = std::min<std::size_t>(1 + random() % 90, stream.size() - at);
      framer.feed(Bytes(stream).subspan(at, size));
      at += size;
      if (random() % 2 == 0) pieces += words(framer);
    }
    pieces += words(framer);
    REQUIRE(pieces == expected);
    CHECK(!framer.partial());
  }
}

TEST_CASE("a packet outlives the framer's reading on in other memory") {
  const auto packet = golden::bytes(golden::read_response);
  for (std::size_t part = 0; part < packet.size(); ++part) {
    Framer framer(1 << 16);
    framer.feed(packet);
    framer.feed(Bytes(packet).first(part));
    const auto frame = framer.next().value().value();
    const std::string payload = hex(frame.payload);
    std::vector<std::uint8_t> kept(part / 2, 0xEE);
    framer.continue_in(kept);
    framer.feed(Bytes(packet).subspan(part));
    framer.feed(golden::bytes(golden::state_response));
    CHECK(hex(framer.next().value().value().payload) == payload);
    CHECK(framer.next().value().has_value());
    CHECK(!framer.next().value().has_value());
    CHECK(hex(frame.payload) == payload);
  }
}

TEST_CASE("no prefix of a packet is taken for a packet") {
  for (const auto hex : all_golden) {
    const auto packet = golden::bytes(hex);
    for (std::size_t length = 0; length < packet.size(); ++length) {
      Framer framer(1 << 16);
      framer.feed(Bytes(packet).first(length));
      auto frame = framer.next();
      REQUIRE(frame);
      CHECK(!frame->has_value());
      CHECK(framer.partial() == (length > 0));
    }
  }
}

TEST_CASE("impossible lengths end the stream at once and for good") {
  for (const std::uint32_t length : {0u, 1u, 31u, 65537u, 0x7fffffffu, 0xffffffffu}) {
    Framer framer(1 << 16);
    framer.feed(head(0, length));
    auto frame = framer.next();
    REQUIRE(!frame);
    CHECK(frame.error().fault == Fault::invalid);
    CHECK(frame.error().text.find(std::to_string(length)) != std::string::npos);
    framer.feed(golden::bytes(golden::state_response));
    CHECK(!framer.next());
    framer.clear();
    framer.feed(golden::bytes(golden::state_response));
    auto after = framer.next();
    REQUIRE(after);
    CHECK(after->has_value());
  }
}

TEST_CASE("two lengths that contradict each other end the stream") {
  auto packet = golden::bytes(golden::state_response);
  packet[26] ^= 1;
  Framer framer(1 << 16);
  framer.feed(packet);
  CHECK(!framer.next());
}

TEST_CASE("only the five commands of AMS over TCP are known") {
  int known = 0;
  for (std::uint32_t command = 0; command <= 0xFFFF; ++command) {
    Framer framer(1 << 16);
    framer.feed(head(static_cast<std::uint16_t>(command), 40));
    if (framer.next()) ++known;
  }
  CHECK(known == 5);
}

TEST_CASE("garbage yields no packet and no growth") {
  std::mt19937_64 random(3);
  for (int round = 0; round < 2000; ++round) {
    Framer framer(1 << 16);
    std::vector<std::uint8_t> garbage(random() % 300);
    for (auto& byte : garbage) byte = static_cast<std::uint8_t>(random());
    framer.feed(garbage);
    int frames = 0;
    while (frames < 100) {
      auto frame = framer.next();
      if (!frame || !*frame) break;
      ++frames;
    }
    CHECK(frames == 0);
    CHECK(framer.room(1).size() < 4096);
  }
}

}  // namespace
}  // namespace tandem::ads
