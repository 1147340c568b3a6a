// SPDX-License-Identifier: Apache-2.0
// Where signals are on a Modbus device, and which requests read them.
#include "tandem/machines/generic/modbus_layout.hpp"

#include <doctest/doctest.h>
#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <map>

#include "tests/machines/generic/device/modbus_rig.hpp"

namespace tandem::generic {
namespace {

[[maybe_unused]] const bool seeded_layout = setenv("RC_PARAMS", "seed=11 max_success=300", 0) == 0;

using modbus::WordOrder;
using test::bit;
using test::described;
using test::signal;

TEST_CASE("signals of a press get their kinds, places and numbers") {
  auto description = described({});
  Declaration pressure = signal("pressure", ModbusTable::input, 0, Type::uint16);
  pressure.scale = 0.1;
  pressure.unit = "bar";
  Declaration ram = signal("ram", ModbusTable::holding, 10, Type::int32, WordOrder::cdab);
  ram.scale = 0.01;
  ram.unit = "mm";
  Declaration state = signal("state", ModbusTable::holding, 19, Type::uint16);
  state.names = {{0, "idle"}, {1, "pressing"}};
  Declaration safety = signal("safety", ModbusTable::holding, 20, Type::uint16);
  safety.bits = {{0, "door_closed"}, {1, "e_stop_ok"}};
  Declaration message = signal("message", ModbusTable::holding, 30, Type::text);
  message.text_length = 9;
  Declaration cells = signal("cells", ModbusTable::holding, 40, Type::float32);
  cells.count = 3;
  Declaration valve = test::output(signal("valve", ModbusTable::holding, 100));
  valve.scale = 0.1;
  valve.write->confirm = ModbusPlace{ModbusTable::holding, 110, -1};
  description->signals = {pressure, ram, state, safety, message, cells, valve, signal("count", ModbusTable::input, 5)};
  description->signals.push_back(signal("lamp", ModbusTable::coil, 7));
  description->signals.back().every = 1.0;
  description->enable = "safety.door_closed and safety.e_stop_ok";

  const ModbusLayout layout = modbus_layout(*description);
  REQUIRE(layout.signals.size() == 10);
  const std::vector<Kind> kinds{Kind::number, Kind::number, Kind::enumeration, Kind::bit_field, Kind::text,
                                Kind::number, Kind::number, Kind::integer,     Kind::bit,       Kind::number};
  const std::vector<int> words{1, 2, 1, 1, 5, 2, 1, 1, 1, 1};
  const std::vector<int> firsts{0, 1, 2, 3, 0, 4, 7, 8, 9, 10};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    CAPTURE(layout.signals[i].name);
    CHECK(layout.signals[i].kind == kinds[i]);
    CHECK(layout.spans[i].words == words[i]);
    CHECK(layout.signals[i].first == firsts[i]);
    CHECK(layout.signals[i].critical == (layout.signals[i].name == "safety"));
    CHECK(layout.signals[i].period == doctest::Approx(layout.signals[i].name == "lamp" ? 1 : 0.01));
  }
  CHECK(layout.signals[0].si_scale == doctest::Approx(1e5));  // bar in Pa
  CHECK(layout.signals[9].name == "valve.confirm");
  CHECK(layout.signals[9].hidden);
  CHECK(layout.signals[9].declaration == 6);
  CHECK(layout.spans[9].address == 110);
  CHECK(layout.signals[8].type == Type::bit);
  CHECK(places_text(ModbusTable::holding, 10, 2) == "holding 10..11");
  CHECK(places_text(ModbusTable::coil, 7, 1) == "coil 7");

  // A description that has the hidden place already keeps it.
  Declaration confirm = signal("valve.confirm", ModbusTable::holding, 110);
  confirm.hidden = true;
  description->signals.push_back(confirm);
  CHECK(modbus_layout(*description).signals.size() == 10);
}

TEST_CASE("places beyond the last address and too long texts are refused") {
  CHECK_THROWS_WITH(modbus_layout(*described({signal("a", ModbusTable::holding, 65535, Type::int32)})),
                    "a: expected places up to holding 65535, got 65536");
  Declaration text = signal("text", ModbusTable::holding, 0, Type::text);
  text.text_length = 251;
  CHECK_THROWS_WITH(modbus_layout(*described({text})), "text: expected a string of at most 250 bytes, got 251");
  Declaration symbol = signal("plc", ModbusTable::holding, 0);
  symbol.at = AdsPlace{"MAIN.x"};
  CHECK_THROWS_WITH(modbus_layout(*described({symbol})), "plc: expected a place on Modbus, got an ADS symbol");
}

struct Golden {
  Type type;
  WordOrder order;
  std::vector<std::uint16_t> words;
  double value;
};

// The bytes of known numbers, by hand: 123.456f is 42 F6 E9 79, 2.5 as a double 40 04 0..., -123456 is FF FE 1D C0.
const std::vector<Golden> golden{
    {Type::int16, WordOrder::abcd, {0x8000}, -32768},
    {Type::int16, WordOrder::badc, {0xfeff}, -2},
    {Type::uint16, WordOrder::abcd, {0xfffa}, 65530},
    {Type::int8, WordOrder::abcd, {0x00fe}, -2},
    {Type::uint8, WordOrder::abcd, {0x00fe}, 254},
    {Type::int32, WordOrder::abcd, {0xfffe, 0x1dc0}, -123456},
    {Type::int32, WordOrder::cdab, {0x1dc0, 0xfffe}, -123456},
    {Type::int32, WordOrder::badc, {0xfeff, 0xc01d}, -123456},
    {Type::int32, WordOrder::dcba, {0xc01d, 0xfeff}, -123456},
    {Type::uint32, WordOrder::abcd, {0xffff, 0xffff}, 4294967295},
    {Type::float32, WordOrder::abcd, {0x42f6, 0xe979}, 123.45600128173828},
    {Type::float32, WordOrder::cdab, {0xe979, 0x42f6}, 123.45600128173828},
    {Type::float32, WordOrder::badc, {0xf642, 0x79e9}, 123.45600128173828},
    {Type::float32, WordOrder::dcba, {0x79e9, 0xf642}, 123.45600128173828},
    {Type::float64, WordOrder::abcd, {0x4004, 0, 0, 0}, 2.5},
    {Type::float64, WordOrder::cdab, {0, 0, 0, 0x4004}, 2.5},
    {Type::float64, WordOrder::dcba, {0, 0, 0, 0x0440}, 2.5},
    {Type::int64, WordOrder::abcd, {0xffff, 0xffff, 0xffff, 0xfffe}, -2},
    {Type::uint64, WordOrder::cdab, {2, 0, 0, 1}, 281474976710658},
};

TEST_CASE("values lie in registers as their bytes by hand") {
  for (const Golden& row : golden) {
    CAPTURE(name(row.type));
    CAPTURE(modbus::name(row.order));
    ModbusSpan span;
    span.order = row.order;
    span.words = static_cast<std::uint16_t>(row.words.size());
    CHECK(raw_value(row.type, span, row.words).number == row.value);
    CHECK(raw_value(row.type, span, row.words).integer == static_cast<std::int64_t>(row.value));
    std::vector<std::uint16_t> words(row.words.size(), 0x5a5a);
    CHECK_FALSE(put_raw_value(row.type, span, row.value, words));
    if (row.type != Type::int8) CHECK(words == row.words);
    CHECK(raw_value(row.type, span, words).number == row.value);
  }
  ModbusSpan span;
  const std::vector<std::uint16_t> all{0xffff, 0xffff, 0xffff, 0xffff};
  CHECK(raw_value(Type::uint64, span, all).integer == -1);  // its bits
  CHECK(raw_value(Type::uint64, span, all).number == doctest::Approx(1.8446744073709552e19));
}

TEST_CASE("what does not fit is put as the nearest that does") {
  ModbusSpan span;
  std::uint16_t word = 0;
  const std::span words(&word, 1);
  CHECK(put_raw_value(Type::int16, span, 40000, words));
  CHECK(word == 32767);
  CHECK(put_raw_value(Type::uint16, span, -3, words));
  CHECK(word == 0);
  CHECK_FALSE(put_raw_value(Type::int16, span, std::nan(""), words));
  CHECK(word == 0);
  CHECK_FALSE(put_raw_value(Type::int16, span, -1.5, words));  // away from zero
  CHECK(word == 0xfffe);
  word = 0b1010;
  span.bit = 2;
  put_raw_value(Type::bit, span, 1, words);
  CHECK(word == 0b1110);
  span.bit = 1;
  put_raw_value(Type::bit, span, 0, words);
  CHECK(word == 0b1100);
  CHECK(raw_value(Type::bit, span, words).number == 0);
  span.bit = 3;
  CHECK(raw_value(Type::bit, span, words).number == 1);
}

TEST_CASE("texts lie with their first letter in the high byte, or the low one") {
  ModbusSpan span;
  std::vector<std::uint16_t> words(3);
  put_text_bytes(span, "Press", words);
  CHECK(words == std::vector<std::uint16_t>{0x5072, 0x6573, 0x7300});
  std::array<char, 6> letters{};
  CHECK(text_bytes(span, words, letters) == 5);
  span.order = WordOrder::badc;
  put_text_bytes(span, "Presses", words);
  CHECK(words == std::vector<std::uint16_t>{0x7250, 0x7365, 0x6573});
  CHECK(text_bytes(span, words, letters) == 6);
  CHECK(std::string(letters.data(), 6) == "Presse");
}

Declaration random_signal(int number) {
  const auto table = static_cast<ModbusTable>(*rc::gen::inRange(0, 4));
  Declaration each =
      signal("s" + std::to_string(number), table, static_cast<std::uint16_t>(*rc::gen::inRange(0, 400)),
             static_cast<Type>(*rc::gen::inRange(static_cast<int>(Type::bit), static_cast<int>(Type::text) + 1)));
  if (each.type == Type::text) each.text_length = static_cast<std::size_t>(*rc::gen::inRange(1, 251));
  if (each.type != Type::text) each.count = static_cast<std::size_t>(*rc::gen::weightedElement<int>({{5, 1}, {1, 30}}));
  if (*rc::gen::inRange(0, 4) == 0) each.every = 1.0;
  if (each.type == Type::bit && !has_bits(table)) std::get<ModbusPlace>(each.at).bit = *rc::gen::inRange(0, 16);
  return each;
}

TEST_CASE("grouped reads take every value exactly once, never cut one, and keep to what the device allows") {
  const bool held = rc::check([] {
    std::vector<Declaration> signals;
    const int count = *rc::gen::inRange(1, 60);
    for (int i = 0; i < count; ++i) signals.push_back(random_signal(i));
    auto description = described(signals);
    description->limits.holes = *rc::gen::inRange(0, 20);
    description->limits.words = *rc::gen::inRange(1, 126);
    const ModbusLayout layout = modbus_layout(*description);
    const auto pieces = read_pieces(layout);
    ReadRules rules(description->limits, pieces.size());
    for (auto& piece : rules.pieces)
      piece = *rc::gen::weightedElement<ReadRules::Piece>(
          {{20, ReadRules::Piece::together}, {1, ReadRules::Piece::apart}, {1, ReadRules::Piece::absent}});
    for (std::size_t i = 0; i < rules.cut.size(); ++i) rules.cut[i] = *rc::gen::inRange(0, 10) == 0;

    // The oracle knows of blocks only their addresses: it looks for each value among them.
    std::size_t values = 0;
    for (const Declaration& each : signals) values += each.count;
    RC_ASSERT(pieces.size() == values);
    const auto blocks = read_blocks(pieces, rules);
    std::vector<int> taken(pieces.size(), 0);
    for (const ReadBlock& block : blocks) {
      RC_ASSERT(block.count >= 1u);
      RC_ASSERT(block.count == 1 || block.words <= (has_bits(block.table) ? 2000 : description->limits.words));
      RC_ASSERT(block.words <= (has_bits(block.table) ? 2000 : 125));
      std::vector<bool> wanted(block.words, false);
      for (std::size_t i = block.first; i < block.first + block.count; ++i) {
        ++taken[i];
        RC_ASSERT(pieces[i].table == block.table);
        RC_ASSERT(layout.signals[pieces[i].signal].period == block.period);
        RC_ASSERT(pieces[i].address >= block.address);
        RC_ASSERT(pieces[i].address + pieces[i].words <= block.address + block.words);
        for (int at = pieces[i].address; at < pieces[i].address + pieces[i].words; ++at)
          wanted[at - block.address] = true;
        RC_ASSERT(i == block.first || !rules.cut[i]);
        RC_ASSERT(block.count == 1 || rules.pieces[i] == ReadRules::Piece::together);
      }
      RC_ASSERT(wanted.front() && wanted.back());
      int hole = 0;
      for (const bool each : wanted) {
        hole = each ? 0 : hole + 1;
        RC_ASSERT(hole <= description->limits.holes);
      }
    }
    for (std::size_t i = 0; i < pieces.size(); ++i)
      RC_ASSERT(taken[i] == (rules.pieces[i] == ReadRules::Piece::absent ? 0 : 1));
  });
  CHECK(held);
}

TEST_CASE("two signals a hole apart are read together up to the limit, those of another period never") {
  auto description = described({signal("a", ModbusTable::holding, 0), signal("b", ModbusTable::holding, 17),
                                signal("c", ModbusTable::holding, 35), signal("d", ModbusTable::holding, 36)});
  description->signals[3].every = 1.0;
  const auto pieces = read_pieces(modbus_layout(*description));
  auto blocks = read_blocks(pieces, ReadRules(description->limits, pieces.size()));
  REQUIRE(blocks.size() == 3);
  CHECK(blocks[0].address == 0);
  CHECK(blocks[0].words == 18);
  CHECK(blocks[1].address == 35);
  CHECK(blocks[2].address == 36);
  description->limits.holes = 0;
  blocks = read_blocks(pieces, ReadRules(description->limits, pieces.size()));
  CHECK(blocks.size() == 4);
}

}  // namespace
}  // namespace tandem::generic
