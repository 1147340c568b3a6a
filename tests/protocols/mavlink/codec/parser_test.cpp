// SPDX-License-Identifier: Apache-2.0
// Frames found in streams and datagrams, whatever stands around them.
#include <doctest/doctest.h>

#include <random>

#include "tandem/protocols/mavlink/codec/parser.hpp"
#include "tests/protocols/mavlink/golden.hpp"

namespace tandem::mavlink {
namespace {

using ByteVector = std::vector<std::uint8_t>;

void append(ByteVector& out, Bytes bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); }

// All frames of a stream that comes in pieces of at most `piece` bytes.
std::vector<ByteVector> frames_in(Parser& parser, Bytes stream, std::size_t piece, bool last = true) {
  std::vector<ByteVector> found;
  while (!stream.empty()) {
    const Bytes now = stream.first(std::min(piece, stream.size()));
    stream = stream.subspan(parser.feed(now));
    while (const auto frame = parser.next()) found.emplace_back(frame->bytes.begin(), frame->bytes.end());
  }
  while (last) {
    const auto frame = parser.next_of_last();
    if (!frame) break;
    found.emplace_back(frame->bytes.begin(), frame->bytes.end());
  }
  return found;
}

ByteVector made(const auto& message, std::uint8_t sequence = 0) {
  FrameBuffer buffer;
  const Bytes bytes = encode(buffer, {Version::v2, sequence, {1, 1}}, message);
  return {bytes.begin(), bytes.end()};
}

void repair(ByteVector& frame, std::uint8_t crc_extra) {
  const Bytes covered(frame.data() + 1, frame.size() - 3);
  const std::uint16_t crc = crc_add(crc_add(crc_start, covered), crc_extra);
  frame[frame.size() - 2] = static_cast<std::uint8_t>(crc);
  frame[frame.size() - 1] = static_cast<std::uint8_t>(crc >> 8);
}

ByteVector unknown_message(Bytes payload) {
  ByteVector frame = {start_v2, static_cast<std::uint8_t>(payload.size()), 0, 0, 1, 1, 1, 0x39, 0x30, 0};
  append(frame, payload);
  frame.resize(frame.size() + 2);
  repair(frame, 77);
  return frame;
}

}  // namespace

TEST_CASE("any split of a stream gives the same frames") {
  std::mt19937_64 random(3);
  ByteVector stream;
  std::size_t wanted = 0;
  for (int round = 0; round < 40; ++round) {
    for (const std::string_view hex : golden::all) {
      append(stream, golden::bytes(hex));
      ++wanted;
      if (random() % 3 == 0)
        for (std::uint64_t i = random() % 12; i > 0; --i) stream.push_back(static_cast<std::uint8_t>(random() % 250));
    }
    append(stream, unknown_message(golden::bytes(golden::heartbeat)));
  }
  Parser whole;
  const auto frames = frames_in(whole, stream, stream.size());
  CHECK(frames.size() == wanted);
  for (const std::size_t piece : {1, 2, 3, 7, 20, 64, 280, 1000}) {
    Parser parser;
    CHECK(frames_in(parser, stream, piece) == frames);
    CHECK(parser.counters().skipped == whole.counters().skipped);
    CHECK(parser.counters().bytes == stream.size());
  }
}

TEST_CASE("G13 random bytes give no frame and what follows is found") {
  std::mt19937_64 random(4);
  Parser parser;
  ByteVector stream;
  std::size_t false_frames = 0;
  for (int round = 0; round < 60; ++round) {
    stream.resize(1 + random() % 3000);
    for (auto& byte : stream) byte = static_cast<std::uint8_t>(random());
    false_frames += frames_in(parser, stream, 512).size();
    const auto found = frames_in(parser, golden::bytes(golden::command_long), 512);
    CHECK(found.size() == 1);
  }
  CHECK(false_frames <= 1);
}

TEST_CASE("G12 a torn frame costs itself only") {
  for (std::size_t kept = 0; kept < golden::bytes(golden::command_long).size(); ++kept) {
    ByteVector stream = golden::bytes(golden::command_long);
    stream.resize(kept);
    for (int i = 0; i < 20; ++i) append(stream, golden::bytes(golden::heartbeat));
    Parser parser;
    CHECK(frames_in(parser, stream, 33).size() == 20);
  }
}

TEST_CASE("G14 flipped bits are never taken for a frame") {
  std::mt19937_64 random(5);
  for (const std::string_view hex : golden::all) {
    const ByteVector good = golden::bytes(hex);
    const std::size_t covered = good.size() - (hex == golden::signed_heartbeat ? signature_size : 0);
    for (std::size_t bit = 0; bit < covered * 8; ++bit) {
      ByteVector bad = good;
      bad[bit / 8] = static_cast<std::uint8_t>(bad[bit / 8] ^ (1u << bit % 8));
      Parser parser;
      CHECK(frames_in(parser, bad, 300).empty());
    }
  }
}

TEST_CASE("V5 unknown messages are counted and skipped or given unverified") {
  ByteVector stream = unknown_message(golden::bytes(golden::heartbeat));
  append(stream, golden::bytes(golden::rangefinder));
  Parser drops;
  CHECK(frames_in(drops, stream, 300).size() == 1);
  CHECK(drops.counters().unknown_message == 1);
  CHECK(drops.counters().last_unknown == 12345);
  CHECK(drops.counters().skipped == 0);

  Parser passes({.pass_unknown = true});
  passes.feed(stream);
  const auto frame = passes.next();
  REQUIRE(frame);
  CHECK(frame->id == 12345);
  CHECK(!frame->verified);
  CHECK(frame->info == nullptr);
  CHECK(frame->payload.size() == golden::bytes(golden::heartbeat).size());
  CHECK(passes.next()->is<RangeFinder>());
}

TEST_CASE("V5 a frame with an unknown incompatible flag is dropped whole") {
  const ByteVector inner = golden::bytes(golden::heartbeat);
  FileTransferProtocol carrier;
  std::copy(inner.begin(), inner.end(), carrier.payload.begin());
  ByteVector frame = made(carrier);
  frame[2] = 0x02;
  repair(frame, info<FileTransferProtocol>.crc_extra);
  append(frame, golden::bytes(golden::timesync));
  Parser parser;
  const auto found = frames_in(parser, frame, 500);
  REQUIRE(found.size() == 1);
  CHECK(found[0] == golden::bytes(golden::timesync));
  CHECK(parser.counters().unknown_flags == 1);
}

TEST_CASE("V5 unknown compatible flags do not matter") {
  ByteVector frame = golden::bytes(golden::heartbeat);
  frame[3] = 0xFF;
  repair(frame, info<Heartbeat>.crc_extra);
  Parser parser;
  CHECK(frames_in(parser, frame, 500).size() == 1);
}

TEST_CASE("V6 both versions may be mixed") {
  ByteVector stream;
  for (int i = 0; i < 5; ++i) {
    append(stream, golden::bytes(golden::heartbeat));
    append(stream, golden::bytes(golden::heartbeat_v1));
  }
  Parser parser;
  parser.feed(stream);
  for (int i = 0; i < 5; ++i) {
    CHECK(parser.next()->version == Version::v2);
    CHECK(parser.next()->version == Version::v1);
  }
}

TEST_CASE("V7 every length from 0 to 255 is read") {
  for (std::size_t length = 0; length < 256; ++length) {
    for (const Version version : {Version::v1, Version::v2}) {
      ByteVector frame = {start_v1, static_cast<std::uint8_t>(length), 0, 1, 1, 0};
      if (version == Version::v2) frame = {start_v2, static_cast<std::uint8_t>(length), 0, 0, 0, 1, 1, 0, 0, 0};
      for (std::size_t i = 0; i < length; ++i) frame.push_back(static_cast<std::uint8_t>(i + 1));
      frame.resize(frame.size() + 2);
      repair(frame, info<Heartbeat>.crc_extra);
      Parser parser;
      parser.feed(frame);
      const auto found = parser.next();
      REQUIRE(found);
      CHECK(found->payload.size() == length);
      const std::uint32_t mode = 0x04030201;  // as far as it was sent
      const std::uint32_t sent = length >= 4 ? mode : mode & ((1u << 8 * length) - 1);
      CHECK(found->as<Heartbeat>()->custom_mode == sent);
      CHECK(found->as<Heartbeat>()->type == (length >= 5 ? 5 : 0));
    }
  }
}

TEST_CASE("V8 start bytes inside a payload are payload") {
  FileTransferProtocol carrier{.target_system = 1};
  const ByteVector inner = golden::bytes(golden::heartbeat);
  for (std::size_t i = 0; i + inner.size() <= carrier.payload.size(); i += inner.size())
    std::copy(inner.begin(), inner.end(), carrier.payload.begin() + static_cast<std::ptrdiff_t>(i));
  Parser parser;
  const auto found = frames_in(parser, made(carrier), 9);
  REQUIRE(found.size() == 1);
  CHECK(found[0] == made(carrier));
}

TEST_CASE("V9 another definition of a message is told apart from damage") {
  ByteVector stream = golden::bytes(golden::heartbeat);
  repair(stream, 99);
  append(stream, golden::bytes(golden::timesync));
  Parser parser;
  CHECK(frames_in(parser, stream, 500).size() == 1);
  CHECK(parser.counters().other_definition == 1);
  CHECK(parser.counters().last_other_definition == 0);
}

TEST_CASE("a datagram ends what it began and hides nothing") {
  ByteVector datagram = {start_v2, 200, 0, 0, 1, 1, 1, 30, 0, 0};  // a header whose payload never comes
  append(datagram, golden::bytes(golden::heartbeat));
  Parser parser;
  parser.feed(datagram);
  CHECK(!parser.next());
  CHECK(parser.next_of_last()->is<Heartbeat>());
  CHECK(!parser.next_of_last());
  CHECK(!parser.partial());
  CHECK(parser.counters().cut_short == 1);
  CHECK(parser.counters().skipped == 10);
}

TEST_CASE("S7 a signature that is cut off makes no frame") {
  for (std::size_t missing = 1; missing <= signature_size; ++missing) {
    ByteVector frame = golden::bytes(golden::signed_heartbeat);
    frame.resize(frame.size() - missing);
    Parser parser;
    CHECK(frames_in(parser, frame, 500).empty());
  }
}

TEST_CASE("more than fits is taken in pieces") {
  ByteVector stream;
  for (int i = 0; i < 1000; ++i) append(stream, golden::bytes(golden::heartbeat));
  Parser parser;
  CHECK(parser.feed(stream) < stream.size());
  parser.clear();
  CHECK(frames_in(parser, stream, stream.size()).size() == 1000);
}

}  // namespace tandem::mavlink
