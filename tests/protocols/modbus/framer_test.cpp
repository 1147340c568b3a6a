// SPDX-License-Identifier: Apache-2.0
#include <random>
#include <utility>

#include "tests/protocols/modbus/golden.hpp"

namespace tandem::modbus {
namespace {

using test::Buffer;
using test::framed;
using test::golden;
using test::hex;

struct Cut {
  std::vector<Buffer> frames;  // whole, as they stood in the stream
  std::string broken;
};

Cut cut(Bytes stream, const auto& next_piece) {
  Cut result;
  Framer framer;
  while (!stream.empty() && result.broken.empty()) {
    const std::size_t size = std::min(stream.size(), next_piece());
    const std::size_t taken = framer.feed(stream.first(size));
    stream = stream.subspan(taken);
    while (true) {
      const auto frame = framer.next();
      if (!frame) {
        result.broken = frame.error().text;
        break;
      }
      if (!*frame) break;
      result.frames.push_back(framed((*frame)->pdu, (*frame)->transaction, (*frame)->unit));
    }
  }
  return result;
}

Buffer golden_stream() {
  Buffer stream;
  std::uint16_t transaction = 250;
  for (const auto& each : golden()) {
    ++transaction;
    const Buffer frame = framed(hex(each.request_pdu), transaction, static_cast<std::uint8_t>(transaction));
    stream.insert(stream.end(), frame.begin(), frame.end());
  }
  return stream;
}

TEST_CASE("any split of a stream gives the same frames") {
  const Buffer stream = golden_stream();
  const Cut whole = cut(stream, [&] { return stream.size(); });
  CHECK(whole.frames.size() == golden().size());
  const Cut single = cut(stream, [] { return std::size_t{1}; });
  CHECK(single.frames == whole.frames);
  for (std::size_t at = 1; at < stream.size(); ++at) {
    bool first = true;
    const Cut twice = cut(stream, [&] { return std::exchange(first, false) ? at : stream.size(); });
    CHECK(twice.frames == whole.frames);
  }
}

TEST_CASE("every length is a frame from 2 to 254 and the end of the stream otherwise") {
  for (unsigned length = 0; length < 65536; ++length) {
    Framer framer;
    const std::array<std::uint8_t, 6> head{
        0, 1, 0, 0, static_cast<std::uint8_t>(length >> 8), static_cast<std::uint8_t>(length)};
    framer.feed(head);
    const bool good = framer.next().ok();
    if (good != (length >= 2 && length <= 254)) FAIL("length ", length);
    if (!good) {
      framer.feed(framed(hex("07")));
      if (framer.next().ok()) FAIL("goes on after length ", length);
    }
  }
}

TEST_CASE("another protocol id ends the stream and says so") {
  const Cut wrong = cut(hex("00 01 00 02 00 02 01 07"), [] { return std::size_t{1}; });
  CHECK(wrong.frames.empty());
  CHECK(wrong.broken == "expected protocol id 0, got 2: this is not Modbus TCP");
  CHECK(cut(hex("00 01 00 00 00 FF 01 07"), [] { return std::size_t{8}; }).broken ==
        "expected a frame length of 2 to 254, got 255");
}

TEST_CASE("random streams give the same frames and the same end however they are split") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 300; ++round) {
    Buffer stream = golden_stream();
    const std::size_t damage = random() % 3;
    for (std::size_t i = 0; i < damage; ++i) stream[random() % stream.size()] = static_cast<std::uint8_t>(random());
    const Cut whole = cut(stream, [&] { return stream.size(); });
    const Cut pieces = cut(stream, [&] { return std::size_t{1 + random() % 40}; });
    CHECK(pieces.frames == whole.frames);
    CHECK(pieces.broken == whole.broken);
  }
}

TEST_CASE("more than the framer holds is taken in parts") {
  Buffer stream;
  const Buffer longest = framed(Buffer(longest_pdu, 0x55));
  for (int i = 0; i < 40; ++i) stream.insert(stream.end(), longest.begin(), longest.end());
  CHECK(cut(stream, [&] { return stream.size(); }).frames.size() == 40);
}

}  // namespace
}  // namespace tandem::modbus
