// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/modbus/registers.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>

namespace tandem::modbus {
namespace {

using Words = std::vector<std::uint16_t>;

Words encoded(const Register& entry, double value) {
  Words words(entry.words(), 0xDEAD);
  const auto done = encode(entry, value, words);
  return done ? words : Words{};
}

Register row(int width, WordOrder order, Encoding encoding = Encoding::signed_integer) {
  Register entry;
  entry.name = "x";
  entry.width = width;
  entry.order = order;
  entry.encoding = encoding;
  return entry;
}

constexpr std::array orders{WordOrder::abcd, WordOrder::cdab, WordOrder::badc, WordOrder::dcba};

TEST_CASE("the four orders put the bytes where their letters say") {
  const double value = 0x0A0B0C0D;
  CHECK(encoded(row(32, WordOrder::abcd), value) == Words{0x0A0B, 0x0C0D});
  CHECK(encoded(row(32, WordOrder::cdab), value) == Words{0x0C0D, 0x0A0B});
  CHECK(encoded(row(32, WordOrder::badc), value) == Words{0x0B0A, 0x0D0C});
  CHECK(encoded(row(32, WordOrder::dcba), value) == Words{0x0D0C, 0x0B0A});
  CHECK(encoded(row(16, WordOrder::abcd), 0x0102) == Words{0x0102});
  CHECK(encoded(row(16, WordOrder::cdab), 0x0102) == Words{0x0102});
  CHECK(encoded(row(16, WordOrder::badc), 0x0102) == Words{0x0201});
  const double wide = 0x0102030405060p0;
  CHECK(encoded(row(64, WordOrder::abcd), wide) == Words{0x0000, 0x1020, 0x3040, 0x5060});
  CHECK(encoded(row(64, WordOrder::cdab), wide) == Words{0x5060, 0x3040, 0x1020, 0x0000});
  CHECK(encoded(row(64, WordOrder::dcba), wide) == Words{0x6050, 0x4030, 0x2010, 0x0000});
  for (const WordOrder order : orders) CHECK(word_order(name(order)) == order);
  CHECK_FALSE(word_order("bacd"));
}

// 123456.00 is 0x47F12000 in every one of the four orders that other libraries name.
TEST_CASE("floats lie as other libraries lay them") {
  CHECK(encoded(row(32, WordOrder::abcd, Encoding::floating), 123456.0) == Words{0x47F1, 0x2000});
  CHECK(encoded(row(32, WordOrder::dcba, Encoding::floating), 123456.0) == Words{0x0020, 0xF147});
  CHECK(encoded(row(32, WordOrder::badc, Encoding::floating), 123456.0) == Words{0xF147, 0x0020});
  CHECK(encoded(row(32, WordOrder::cdab, Encoding::floating), 123456.0) == Words{0x2000, 0x47F1});
}

TEST_CASE("halves are rounded away from zero") {
  Register entry = row(16, WordOrder::abcd);
  entry.scale = 10;
  CHECK(encoded(entry, 0.25) == Words{3});
  CHECK(encoded(entry, -0.25) == Words{0xFFFD});
  CHECK(encoded(entry, 0.24) == Words{2});
  entry.direction = -1;
  CHECK(encoded(entry, 0.25) == Words{0xFFFD});
  CHECK(*decode(entry, Words{0xFFFD}) == doctest::Approx(0.3).epsilon(1e-12));
  CHECK(std::signbit(*decode(entry, Words{0})) == false);
}

TEST_CASE("what does not fit is refused with name and range and value") {
  Register entry = row(32, WordOrder::cdab);
  entry.name = "rear_left_position";
  entry.scale = 10000;
  entry.unit = "rad";
  const auto refused = [&](double value) {
    Words words(2, 0x1234);
    const auto done = encode(entry, value, words);
    CHECK(words == Words{0x1234, 0x1234});
    return done ? std::string() : done.error().text;
  };
  CHECK(refused(214748.4) == "register rear_left_position: 214748.4 rad is outside -214748.3648 to 214748.3647");
  CHECK(encoded(entry, 214748.3647) == Words{0xFFFF, 0x7FFF});
  CHECK(encoded(entry, -214748.3648) == Words{0x0000, 0x8000});
  entry.range = Range{-0.7, 0.7};
  CHECK(refused(0.71).find("-0.7 to 0.7") != std::string::npos);
  CHECK_FALSE(refused(std::numeric_limits<double>::quiet_NaN()).empty());
  CHECK_FALSE(refused(std::numeric_limits<double>::infinity()).empty());
  CHECK(encoded(entry, 0.7) == Words{7000, 0});
  entry.range.reset();
  entry.encoding = Encoding::unsigned_integer;
  CHECK_FALSE(refused(-1).empty());
}

TEST_CASE("saturation goes to the limit and says so and refuses what is no number") {
  Register entry = row(32, WordOrder::abcd, Encoding::unsigned_integer);
  entry.scale = 10000;
  Words words(2);
  auto done = encode_saturated(entry, -3, words);
  CHECK((done.ok() && *done));
  CHECK(words == Words{0, 0});
  done = encode_saturated(entry, 1e300, words);
  CHECK((done.ok() && *done));
  CHECK(words == Words{0xFFFF, 0xFFFF});
  done = encode_saturated(entry, -std::numeric_limits<double>::infinity(), words);
  CHECK((done.ok() && *done));
  done = encode_saturated(entry, 1, words);
  CHECK((done.ok() && !*done));
  CHECK(words == Words{0, 10000});
  CHECK_FALSE(encode_saturated(entry, std::numeric_limits<double>::quiet_NaN(), words));
  CHECK(words == Words{0, 10000});
}

TEST_CASE("what is read outside its range or is no number is refused") {
  Register entry = row(32, WordOrder::abcd, Encoding::floating);
  CHECK_FALSE(decode(entry, Words{0x7FC0, 0}));
  CHECK_FALSE(decode(entry, Words{0x7F80, 0}));
  entry.range = Range{0, 0.1};
  CHECK(decode(entry, encoded(entry, 0.1)).ok());
  CHECK_FALSE(decode(entry, Words{0x3F80, 0}));
  CHECK_FALSE(decode(entry, Words{0x3F80}));
}

TEST_CASE("values come back within half a step in every form") {
  std::mt19937_64 random(3);
  for (const int width : {16, 32, 64})
    for (const WordOrder order : orders)
      for (const Encoding encoding : {Encoding::signed_integer, Encoding::unsigned_integer, Encoding::floating}) {
        if (width == 16 && encoding == Encoding::floating) continue;
        for (int i = 0; i < 200; ++i) {
          Register entry = row(width, order, encoding);
          entry.scale = std::pow(10.0, static_cast<double>(random() % 5));
          entry.direction = encoding != Encoding::unsigned_integer && random() % 2 == 0 ? -1 : 1;
          const Range range = limits(entry);
          const double reach = std::fmin(range.highest, 1e9);
          const double part = static_cast<double>(random() >> 11) / 9007199254740992.0;
          const double value = (encoding == Encoding::unsigned_integer ? part : 2 * part - 1) * reach;
          const Words words = encoded(entry, value);
          REQUIRE_FALSE(words.empty());
          const double tolerance = encoding == Encoding::floating ? 1e-7 * std::fabs(value) + 1e-30
                                                                  : 0.5000001 / entry.scale + 1e-15 * reach;
          CHECK(std::fabs(*decode(entry, words) - value) <= tolerance);
        }
      }
}

TEST_CASE("tables that contradict themselves are refused") {
  const auto made = [](std::vector<Register> rows) { return RegisterTable(std::move(rows)); };
  Register a = row(32, WordOrder::cdab);
  a.name = "a";
  Register b = row(16, WordOrder::abcd);
  b.name = "b";
  b.address = 1;
  CHECK_THROWS_WITH_AS(made({a, b}), "register 'b' at 1: it overlaps 'a' at 0", std::invalid_argument);
  b.address = 2;
  CHECK_NOTHROW(made({b, a}));
  b.name = "a";
  CHECK_THROWS_AS(made({a, b}), std::invalid_argument);
  b.name = "b";
  const auto refused = [&](auto change) {
    Register changed = b;
    change(changed);
    CHECK_THROWS_AS(made({changed}), std::invalid_argument);
  };
  refused([](Register& r) { r.width = 24; });
  refused([](Register& r) { r.scale = 0; });
  refused([](Register& r) { r.direction = 0; });
  refused([](Register& r) { r.encoding = Encoding::floating; });
  refused([](Register& r) { r.range = Range{0, 70000}; });
  refused([](Register& r) { r.range = Range{1, 0}; });
  refused([](Register& r) { r.name.clear(); });
  refused([](Register& r) { r.address = 65535, r.width = 32; });
}

TEST_CASE("rows are reached through a block that holds them") {
  Register torque = row(32, WordOrder::cdab);
  torque.name = "torque";
  torque.address = 18;
  torque.scale = 10;
  const RegisterTable table({torque});
  const std::size_t index = table.index("torque");
  Words words(8);
  const RegisterBlock<std::uint16_t> block{16, words};
  REQUIRE(table.encode(index, -1.5, block));
  CHECK(words == Words{0, 0, 0xFFF1, 0xFFFF, 0, 0, 0, 0});
  CHECK(*table.decode(index, {16, words}) == -1.5);
  CHECK_FALSE(table.encode(index, 0, {19, words}));
  CHECK_FALSE(table.encode(index, 0, {10, words}));
  CHECK_FALSE(table.decode(index, {11, words}));
  CHECK_THROWS_AS(table.index("speed"), std::invalid_argument);
}

TEST_CASE("coils count from their base") {
  const CoilTable coils(8192, {"reset", "front_right"});
  CHECK(coils.address("front_right") == 8193);
  CHECK(coils.address(std::size_t{0}) == 8192);
  CHECK_THROWS_AS(coils.address("none"), std::invalid_argument);
  CHECK_THROWS_AS(CoilTable(0, {"a", "a"}), std::invalid_argument);
  CHECK_THROWS_AS(CoilTable(65535, {"a", "b"}), std::invalid_argument);
}

}  // namespace
}  // namespace tandem::modbus
