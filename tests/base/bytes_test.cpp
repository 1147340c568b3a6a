// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/bytes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace tandem {

namespace {

using Buffer = std::vector<std::uint8_t>;

enum class Command : std::uint16_t { read = 2 };

// Bytes by arithmetic, the oracle for both orders: byte i of the little-endian form is value >> 8 i.
Buffer little_bytes(std::uint64_t value, std::size_t size) {
  Buffer bytes;
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  return bytes;
}

Buffer big_bytes(std::uint64_t value, std::size_t size) {
  const Buffer little = little_bytes(value, size);
  return {little.rbegin(), little.rend()};
}

template <typename T>
void check_orders(std::uint64_t bits) {
  const auto value = static_cast<T>(bits);
  Buffer little;
  ByteWriter(little).little(value);
  Buffer big;
  ByteWriter(big).big(value);
  CHECK(little == little_bytes(bits, sizeof(T)));
  CHECK(big == big_bytes(bits, sizeof(T)));
  CHECK(ByteReader(little).little<T>() == value);
  CHECK(ByteReader(big).big<T>() == value);
}

}  // namespace

static_assert(!Wire<bool>, "a bool has no agreed size on the wire");
static_assert(!Wire<int*> && !Wire<std::string_view>);

TEST_CASE("integers of every size are written and read in both orders") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t bits = random();
    check_orders<std::uint8_t>(bits);
    check_orders<std::int8_t>(bits);
    check_orders<std::uint16_t>(bits);
    check_orders<std::int16_t>(bits);
    check_orders<std::uint32_t>(bits);
    check_orders<std::int32_t>(bits);
    check_orders<std::uint64_t>(bits);
    check_orders<std::int64_t>(bits);
  }
}

TEST_CASE("several values are written as if one by one") {
  Buffer together, single;
  ByteWriter(together).little(Command::read, std::uint8_t{7}, 0x01020304u, -2.0);
  ByteWriter(together).big(std::uint16_t{0x0A0B}, std::int64_t{-3});
  ByteWriter one(single);
  one.little(Command::read);
  one.byte(7);
  one.little(0x01020304u);
  one.little(-2.0);
  one.big(std::uint16_t{0x0A0B});
  one.big(std::int64_t{-3});
  CHECK(together == single);
  CHECK(together.size() == 2 + 1 + 4 + 8 + 2 + 8);
}

TEST_CASE("room at the end is zeros that are filled in place") {
  Buffer bytes{1};
  ByteWriter writer(bytes);
  const auto room = writer.room(5);
  REQUIRE(room.size() == 5);
  CHECK(put_little(room.data(), 0x01020304u) == room.data() + 4);
  CHECK(bytes == Buffer{1, 4, 3, 2, 1, 0});
  CHECK(little_at<std::uint32_t>(bytes.data() + 1) == 0x01020304u);
  CHECK(big_at<std::uint16_t>(bytes.data()) == 0x0104u);
  CHECK(put_big(room.data(), std::uint16_t{0x0A0B}) == room.data() + 2);
  CHECK(bytes == Buffer{1, 0x0A, 0x0B, 2, 1, 0});
}

TEST_CASE("copied bytes are the same for every size and touch nothing else") {
  Buffer from;
  for (std::size_t i = 0; i < 400; ++i) from.push_back(static_cast<std::uint8_t>(i * 7 + 1));
  for (std::size_t size = 0; size < 300; ++size) {
    Buffer to(size + 2, 0xEE);
    copy_bytes(Bytes(from).subspan(3, size), std::span(to).subspan(1));
    CHECK(std::equal(to.begin() + 1, to.end() - 1, from.begin() + 3));
    CHECK(to.front() == 0xEE);
    CHECK(to.back() == 0xEE);
  }
  copy_bytes({}, {});
}

TEST_CASE("floating point keeps every bit") {
  // IEEE 754 binary64: 1.0 is 3FF0000000000000, -2.0 is C000000000000000.
  Buffer one;
  ByteWriter(one).big(1.0);
  ByteWriter(one).little(-2.0);
  CHECK(one == Buffer{0x3F, 0xF0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xC0});
  for (const double value : {0.0, -0.0, 1e308, 5e-324, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN(), 0.1}) {
    Buffer bytes;
    ByteWriter writer(bytes);
    writer.little(value);
    writer.big(static_cast<float>(value));
    ByteReader reader(bytes);
    CHECK(std::bit_cast<std::uint64_t>(reader.little<double>()) == std::bit_cast<std::uint64_t>(value));
    CHECK(std::bit_cast<std::uint32_t>(reader.big<float>()) == std::bit_cast<std::uint32_t>(static_cast<float>(value)));
    CHECK(reader.done());
  }
}

TEST_CASE("enumerations travel as their underlying type") {
  Buffer bytes;
  ByteWriter(bytes).little(Command::read);
  CHECK(bytes == Buffer{2, 0});
  CHECK(ByteReader(bytes).little<Command>() == Command::read);
}

TEST_CASE("any script of fields reads back as it was written") {
  std::mt19937_64 random(2);
  for (int round = 0; round < 500; ++round) {
    Buffer bytes;
    ByteWriter writer(bytes);
    std::vector<std::pair<int, std::uint64_t>> script(random() % 20);
    for (auto& [kind, value] : script) {
      kind = static_cast<int>(random() % 5);
      value = random();
      if (kind == 0) writer.byte(static_cast<std::uint8_t>(value));
      if (kind == 1) writer.little(static_cast<std::uint16_t>(value));
      if (kind == 2) writer.big(static_cast<std::uint32_t>(value));
      if (kind == 3) writer.little(value);
      if (kind == 4) writer.text(std::string(value % 7, 'x'));
    }
    ByteReader reader(bytes);
    for (const auto& [kind, value] : script) {
      if (kind == 0) CHECK(reader.byte() == static_cast<std::uint8_t>(value));
      if (kind == 1) CHECK(reader.little<std::uint16_t>() == static_cast<std::uint16_t>(value));
      if (kind == 2) CHECK(reader.big<std::uint32_t>() == static_cast<std::uint32_t>(value));
      if (kind == 3) CHECK(reader.little<std::uint64_t>() == value);
      if (kind == 4) CHECK(reader.text(value % 7) == std::string(value % 7, 'x'));
    }
    CHECK(reader.done());
  }
}

TEST_CASE("every prefix of a message is read safely and told from the whole") {
  Buffer whole;
  ByteWriter writer(whole);
  writer.little(std::uint32_t{0x01020304});
  writer.text("name");
  writer.big(2.5);
  writer.byte(9);
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    // A vector of its own, so that a read past the end is seen by the address sanitizer.
    const Buffer prefix(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    ByteReader reader(prefix);
    reader.little<std::uint32_t>();
    reader.text(4);
    reader.big<double>();
    reader.byte();
    CHECK(reader.ok() == (size == whole.size()));
    CHECK(reader.remaining() == 0);
  }
}

TEST_CASE("a failed read stays failed and gives zeros") {
  const Buffer bytes{1, 2, 3, 4, 5, 6};
  ByteReader reader(bytes);
  CHECK(reader.little<std::uint16_t>() == 0x0201);
  CHECK(reader.little<std::uint64_t>() == 0);
  CHECK_FALSE(reader.ok());
  CHECK(reader.byte() == 0);  // bytes are left in the span, and still none comes
  CHECK(reader.bytes(1).empty());
  CHECK(reader.text(1).empty());
  CHECK(reader.rest().empty());
  reader.skip(0);
  CHECK_FALSE(reader.ok());
  CHECK_FALSE(reader.done());
}

TEST_CASE("a huge count fails without overflow") {
  const Buffer bytes{1, 2, 3, 4};
  ByteReader reader(bytes);
  reader.byte();
  CHECK(reader.bytes(std::numeric_limits<std::size_t>::max()).empty());
  CHECK_FALSE(reader.ok());
}

TEST_CASE("an empty message is done at once") {
  ByteReader reader(Bytes{});
  CHECK(reader.done());
  CHECK(reader.rest().empty());
  CHECK(reader.done());
}

TEST_CASE("a length that is known last is patched in place") {
  Buffer bytes;
  ByteWriter writer(bytes);
  writer.zeros(6);
  writer.text("abc");
  writer.little_at(0, static_cast<std::uint16_t>(writer.size()));
  writer.big_at(2, std::uint32_t{0xAABBCCDD});
  CHECK(bytes == Buffer{9, 0, 0xAA, 0xBB, 0xCC, 0xDD, 'a', 'b', 'c'});
}

TEST_CASE("text and bytes are the same octets") {
  const Bytes bytes = as_bytes("\x01z");
  CHECK(bytes.size() == 2);
  CHECK(bytes[0] == 1);
  CHECK(bytes[1] == 'z');
}

}  // namespace tandem
