// SPDX-License-Identifier: Apache-2.0
// PLC types and where their values lie: against the C++ compiler's layout, an independent packer, and tables that lie.
#include "tandem/machines/generic/ads_layout.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <rapidcheck.h>

#include <cstddef>
#include <string>

#include "tandem/machines/generic/ads_signals.hpp"

namespace tandem::generic {
namespace {

PlcTypeTable table_of(const std::vector<PlcStructure>& structures) {
  auto table = PlcTypeTable::declared(structures);
  REQUIRE_MESSAGE(table.ok(), table.error().text);
  return std::move(*table);
}

PlcLayout good_layout(std::string_view type, const PlcTypeTable& table) {
  auto layout = layout_of(type, table);
  REQUIRE_MESSAGE(layout.ok(), layout.error().text);
  return std::move(*layout);
}

std::string error_of(std::string_view type, const PlcTypeTable& table,
                     std::optional<std::uint32_t> size = std::nullopt) {
  const auto layout = layout_of(type, table, size);
  return layout ? "no error" : layout.error().text;
}

std::string text_of(const PlcLayout& layout) {
  std::string text;
  for (const PlcValue& value : layout.values)
    text += fmt::format("{} {} {}@{} ", value.path, name(value.type), value.count, value.offset);
  return text;
}

const std::vector<PlcStructure> belt = {
    {"ST_Belt", {{"bJam", "BOOL"}, {"fSpeed", "REAL"}, {"fPos", "LREAL"}, {"eState", "INT"}, {"sName", "STRING(4)"}}}};

// x86-64 aligns members to their size, as TwinCAT 3 does with pack mode 8.
struct CompiledBelt {
  std::uint8_t jam;
  float speed;
  double position;
  std::int16_t state;
  char name[5];
};
struct CompiledLine {
  std::uint8_t first;
  CompiledBelt belts[3];
  std::uint8_t flags[2];
  std::int64_t last;
};

TEST_CASE("members lie where the compiler puts them") {
  auto structures = belt;
  // Declared before what it is made of would be: the order in the file does not matter.
  structures.insert(structures.begin(), {"ST_Line",
                                         {{"bFirst", "BOOL"},
                                          {"aBelt", "ARRAY [1..3] OF ST_Belt"},
                                          {"aFlag", "ARRAY[0..1] OF BYTE"},
                                          {"nLast", "LINT"}}});
  const PlcTypeTable table = table_of(structures);
  const PlcLayout one = good_layout("st_belt", table);
  CHECK(one.size == sizeof(CompiledBelt));
  REQUIRE(one.values.size() == 5);
  CHECK(one.values[1].path == ".fSpeed");
  CHECK(one.values[1].offset == offsetof(CompiledBelt, speed));
  CHECK(one.values[2].offset == offsetof(CompiledBelt, position));
  CHECK(one.values[3].offset == offsetof(CompiledBelt, state));
  CHECK(one.values[4].offset == offsetof(CompiledBelt, name));
  CHECK(one.values[4].text_length == 4);
  CHECK(one.values[4].stride == 5);

  const PlcLayout line = good_layout("ST_LINE", table);
  CHECK(line.size == sizeof(CompiledLine));
  REQUIRE(line.values.size() == 1 + 3 * 5 + 2);
  CHECK(line.values[7].path == ".aBelt[2].fSpeed");
  CHECK(line.values[7].member == "aBelt.fSpeed");
  CHECK(line.values[7].offset == offsetof(CompiledLine, belts) + sizeof(CompiledBelt) + offsetof(CompiledBelt, speed));
  CHECK(line.values[16].path == ".aFlag");
  CHECK(line.values[16].count == 2);
  CHECK(line.values[16].offset == offsetof(CompiledLine, flags));
  CHECK(line.values[17].offset == offsetof(CompiledLine, last));
}

TEST_CASE("elementary types, strings and arrays mean what TwinCAT means by them") {
  const PlcTypeTable none;
  CHECK(text_of(good_layout("BOOL", none)) == " bit 1@0 ");
  CHECK(text_of(good_layout(" lreal ", none)) == " float64 1@0 ");
  CHECK(text_of(good_layout("LWORD", none)) == " uint64 1@0 ");
  CHECK(text_of(good_layout("TIME", none)) == " uint32 1@0 ");
  CHECK(text_of(good_layout("INT (0..100)", none)) == " int16 1@0 ");
  CHECK(good_layout("STRING", none).size == 81);
  CHECK(good_layout("STRING(1)", none).size == 2);
  CHECK(good_layout("STRING[255]", none).size == 256);
  const PlcLayout grid = good_layout("ARRAY  [ -1 .. 1 , 0..4 ]  OF  DINT", none);
  CHECK(text_of(grid) == " int32 15@0 ");
  CHECK(grid.size == 60);
  CHECK(grid.values[0].bounds == std::vector<std::pair<int, std::size_t>>{{-1, 3}, {0, 5}});
  CHECK(text_of(good_layout("ARRAY [1..2] OF ARRAY [5..6] OF REAL", none)) == "[1] float32 2@0 [2] float32 2@8 ");
  CHECK(index_text({{-1, 3}, {0, 5}}, 7) == "[0,2]");
  CHECK(innermost_plc_type("ARRAY [1..2] OF ARRAY [5..6] OF ST_X") == "ST_X");
}

TEST_CASE("a type that cannot be read says so") {
  const PlcTypeTable table = table_of(belt);
  CHECK(error_of("WSTRING(10)", table) == "WSTRING(10) is not supported");
  CHECK(error_of("POINTER TO INT", table) == "POINTER TO INT is not supported");
  CHECK(error_of("ST_Other", table) ==
        "PLC type ST_Other: expected an elementary type, a STRING, an ARRAY or one that is known, got none of them");
  CHECK(error_of("ARRAY [2..1] OF INT", table).starts_with("PLC type ARRAY [2..1] OF INT: expected"));
  CHECK(error_of("ARRAY [0..9] OF ST_Other", table).starts_with("PLC type ST_Other: expected"));
  CHECK(error_of("ARRAY [0..1048000] OF LREAL", table) ==
        "PLC type ARRAY [0..1048000] OF LREAL: expected at most 65536 elements, got 1048001");
  CHECK(error_of("ARRAY [0..999] OF ST_Belt", table) ==
        "PLC type ARRAY [0..999] OF ST_Belt [400].bJam: expected at most 2000 values in one symbol");
  CHECK(error_of("ST_Belt", table, 28) == "expected 24 bytes of ST_Belt, got 28");
  std::string deep = "INT";
  for (int i = 0; i < 20; ++i) deep = "ARRAY [0..0] OF " + deep;
  CHECK(error_of(deep, table).find("expected at most 16 levels") != std::string::npos);
  CHECK(error_of(std::string(100'000, 'x'), table).size() < 300);
}

TEST_CASE("declared structures that cannot be are refused by name") {
  const auto refusal = [](const std::vector<PlcStructure>& structures) {
    const auto table = PlcTypeTable::declared(structures);
    return table ? "no error" : table.error().text;
  };
  CHECK(refusal({{"ST_A", {{"x", "ARRAY [0..1] OF ST_B"}}}, {"ST_B", {{"y", "st_a"}}}}) ==
        "types: ST_A: contains itself");
  CHECK(refusal({{"ST_A", {}}}) == "types: ST_A: expected at least one member");
  CHECK(refusal({{"ST_A", {{"x", "INT"}, {"X", "REAL"}}}}) == "types: ST_A: X is declared twice");
  CHECK(refusal({{"ST_A", {{"x", "FLOAT"}}}}).starts_with("types: ST_A: PLC data type FLOAT"));
}

ads::TypeInfo entry(std::string name, std::uint32_t size, std::vector<ads::TypeInfo> members) {
  ads::TypeInfo info;
  info.name = std::move(name);
  info.size = size;
  info.data_type = ads::DataType::big;
  info.members = std::move(members);
  return info;
}
ads::TypeInfo member(std::string name, std::string type, std::uint32_t offset, std::uint32_t size,
                     std::uint32_t flags = 2) {
  ads::TypeInfo info;
  info.name = std::move(name);
  info.type = std::move(type);
  info.offset = offset;
  info.size = size;
  info.flags = flags;
  return info;
}

TEST_CASE("an uploaded structure that contradicts itself is refused") {
  const auto refusal = [](ads::TypeInfo info) {
    const std::string name = info.name;
    return error_of(name, PlcTypeTable({std::move(info)}));
  };
  CHECK(refusal(entry("T", 8, {member("a", "INT", 0, 2), member("b", "REAL", 1, 4)})) ==
        "PLC type T: members a and b overlap");
  CHECK(refusal(entry("T", 8, {member("a", "INT", 0, 2), member("b", "REAL", 6, 4)})) ==
        "PLC type T .b: expected it within 8 bytes, got bytes 6 to 10");
  CHECK(refusal(entry("T", 8, {member("a", "LREAL", 0, 4)})) == "PLC type T .a: expected 8 bytes of LREAL, got 4");
  CHECK(refusal(entry("T", 8, {member("a", "T", 0, 8)})).find("levels") != std::string::npos);
  CHECK(refusal(entry("T", 8, {member("b", "REAL", 0xFFFF'FFFF, 4)})).find("within 8 bytes") != std::string::npos);
  ads::TypeInfo lying;
  lying.name = "E_State";
  lying.data_type = ads::DataType::int16;
  lying.size = 4;
  CHECK(refusal(lying) == "PLC type E_State: expected 2 bytes, got 4");
}

TEST_CASE("members that cannot be read are left out, the others stay") {
  ads::TypeInfo state;
  state.name = "E_State";
  state.type = "INT";
  state.data_type = ads::DataType::int16;
  state.size = 2;
  ads::TypeInfo alias;
  alias.name = "T_Title";
  alias.type = "STRING(7)";
  alias.data_type = ads::DataType::string;
  alias.size = 8;
  const PlcTypeTable table(
      {state, alias, entry("U", 4, {member("i", "DINT", 0, 4), member("f", "REAL", 0, 4)}),
       entry("T", 64,
             {member("e", "E_State", 0, 2), member("w", "WSTRING(10)", 2, 22), member("p", "POINTER TO INT", 24, 8),
              member("u", "U", 32, 4), member("bits", "BIT", 288, 1, 0x22), member("title", "T_Title", 40, 8),
              member("a", "ARRAY [0..1] OF POINTER TO INT", 48, 16)})});
  const PlcLayout layout = good_layout("T", table);
  CHECK(text_of(layout) == ".e int16 1@0 .title string 1@40 ");
  CHECK(layout.left_out == std::vector<std::string>{"w: WSTRING(10) is not supported",
                                                    "p: POINTER TO INT is not supported", "u: union U is not supported",
                                                    "bits: BIT members are not supported",
                                                    "a: POINTER TO INT is not supported"});
  CHECK(error_of("U", table) == "union U is not supported");
}

TEST_CASE("the bounds of an uploaded array count, whatever its name says") {
  ads::TypeInfo array;
  array.name = "ARRAY [1..N_BELTS] OF INT";
  array.type = "INT";
  array.size = 6;
  array.bounds = {{1, 3}};
  CHECK(text_of(good_layout("ARRAY [1..N_Belts] OF INT", PlcTypeTable({array}))) == " int16 3@0 ");
  array.size = 8;
  CHECK(error_of(array.name, PlcTypeTable({array})) ==
        "PLC type ARRAY [1..N_BELTS] OF INT: expected 6 bytes of elements, got 8");
}

// A packer that shares nothing with the one that is tested: it tries one byte after the other.
struct Packed {
  std::uint32_t size = 0, alignment = 1;
  std::vector<std::pair<std::string, std::uint32_t>> at;  // path, offset
};
struct Random {
  std::string text;
  Packed packed;
};

Random random_type(int depth, std::vector<PlcStructure>& structures) {
  static constexpr std::pair<const char*, std::uint32_t> numbers[] = {{"BOOL", 1},  {"SINT", 1},  {"UINT", 2},
                                                                      {"DWORD", 4}, {"REAL", 4},  {"LREAL", 8},
                                                                      {"TIME", 4},  {"ULINT", 8}, {"INT", 2}};
  const int what = depth >= 3 ? *rc::gen::inRange(0, 6) : *rc::gen::inRange(0, 10);
  if (what < 5) {
    const auto& [text, size] = numbers[static_cast<std::size_t>(*rc::gen::inRange(0, 9))];
    return {text, {size, size, {{"", 0}}}};
  }
  if (what == 5) {
    const int length = *rc::gen::inRange(1, 30);
    return {fmt::format("STRING({})", length), {static_cast<std::uint32_t>(length + 1), 1, {{"", 0}}}};
  }
  if (what < 8) {
    const int first = *rc::gen::inRange(-2, 3), count = *rc::gen::inRange(1, 4);
    const Random element = random_type(depth + 1, structures);
    Random made{fmt::format("ARRAY [{}..{}] OF {}", first, first + count - 1, element.text), {}};
    made.packed.alignment = element.packed.alignment;
    const bool plain = element.packed.at.size() == 1 && element.packed.at[0].first.empty() && element.text[0] != 'A';
    if (plain) made.packed.at.emplace_back("", 0);
    for (int i = 0; i < count; ++i) {
      for (const auto& [path, offset] : element.packed.at)
        if (!plain) made.packed.at.emplace_back(fmt::format("[{}]{}", first + i, path), made.packed.size + offset);
      made.packed.size += element.packed.size;
    }
    return made;
  }
  Random made;
  PlcStructure structure;
  std::vector<bool> taken;
  const int members = *rc::gen::inRange(1, 6);
  for (int i = 0; i < members; ++i) {
    const Random member = random_type(depth + 1, structures);
    const std::string name = fmt::format("m{}", i);
    structure.members.emplace_back(name, member.text);
    std::uint32_t offset = made.packed.size;
    while (offset % member.packed.alignment != 0) ++offset;
    for (const auto& [path, inner] : member.packed.at) made.packed.at.emplace_back('.' + name + path, offset + inner);
    made.packed.size = offset + member.packed.size;
    made.packed.alignment = std::max(made.packed.alignment, member.packed.alignment);
  }
  while (made.packed.size % made.packed.alignment != 0) ++made.packed.size;
  structure.name = made.text = fmt::format("T{}", structures.size());
  structures.push_back(std::move(structure));
  return made;
}

TEST_CASE("any declared type has the offsets of an independent packer") {
  rc::check("offsets, sizes and paths", [] {
    std::vector<PlcStructure> structures;
    const Random random = random_type(0, structures);
    std::reverse(structures.begin(), structures.end());
    const auto table = PlcTypeTable::declared(structures);
    RC_ASSERT(table.ok());
    const auto layout = layout_of(random.text, *table, random.packed.size);
    RC_ASSERT(layout.ok());
    std::vector<std::pair<std::string, std::uint32_t>> got;
    for (const PlcValue& value : layout->values) got.emplace_back(value.path, value.offset);
    RC_ASSERT(got == random.packed.at);
    RC_ASSERT(!difference(*layout, *layout));
  });
}

TEST_CASE("any table of types gives a layout inside its symbol, or an error") {
  rc::check("total", [] {
    static const std::vector<std::string> texts = {"A",
                                                   "B",
                                                   "C",
                                                   "INT",
                                                   "BOOL",
                                                   "LREAL",
                                                   "STRING(3)",
                                                   "ARRAY [0..1] OF A",
                                                   "ARRAY [0..2] OF B",
                                                   "ARRAY [1..2] OF INT",
                                                   "WSTRING(2)",
                                                   ""};
    const auto small = [] { return static_cast<std::uint32_t>(*rc::gen::inRange(0, 20)); };
    std::vector<ads::TypeInfo> types;
    for (const char* name : {"A", "B", "C"}) {
      ads::TypeInfo info = entry(name, small(), {});
      info.type = *rc::gen::elementOf(texts);
      info.data_type = *rc::gen::element(ads::DataType::big, ads::DataType::int16, ads::DataType::string);
      if (*rc::gen::inRange(0, 4) == 0) info.bounds.push_back({0, small()});
      for (std::uint32_t i = *rc::gen::inRange(0u, 4u); i > 0; --i)
        info.members.push_back(member(fmt::format("m{}", i), *rc::gen::elementOf(texts), small(), small()));
      types.push_back(std::move(info));
    }
    const auto layout = layout_of(*rc::gen::elementOf(texts), PlcTypeTable(types));
    if (!layout) return;
    std::vector<bool> taken(layout->size);
    for (const PlcValue& value : layout->values)
      for (std::uint32_t i = 0; i < value.stride * value.count; ++i) {
        RC_ASSERT(value.offset + i < layout->size);
        RC_ASSERT(!taken[value.offset + i]);
        taken[value.offset + i] = true;
      }
  });
}

Description conveyor() {
  Description description;
  description.protocol = Protocol::ads;
  description.cycle = 0.01;
  description.types = belt;
  Declaration belts;
  belts.name = "belts";
  belts.at = AdsPlace{"GVL.aBelt"};
  belts.plc_type = "ARRAY [1..2] OF ST_Belt";
  belts.members["fSpeed"].unit = "mm/s";
  belts.members["eState"].names = {{0, "stopped"}, {1, "running"}};
  description.signals.push_back(belts);
  Declaration flags;
  flags.name = "flags";
  flags.at = AdsPlace{"GVL.aFlag"};
  flags.every = 0.2;
  description.signals.push_back(flags);
  return description;
}

TEST_CASE("a structure gives one signal for each member, an array of numbers one for all") {
  const Description description = conveyor();
  const PlcTypeTable table = table_of(description.types);
  AdsSignals made;
  REQUIRE(add_signals(description, 0, good_layout("ARRAY [1..2] OF ST_Belt", table), made));
  REQUIRE(add_signals(description, 1, good_layout("ARRAY [0..1] OF BOOL", table), made));
  REQUIRE(made.signals.size() == 12);
  CHECK(made.signals[0].name == "belts[1].bJam");
  CHECK(made.signals[0].kind == Kind::bit);
  CHECK(made.signals[1].name == "belts[1].fSpeed");
  CHECK(made.signals[1].unit == "mm/s");
  CHECK(made.signals[1].si_scale == doctest::Approx(1e-3));
  CHECK(made.signals[1].kind == Kind::number);
  CHECK(made.signals[8].name == "belts[2].eState");
  CHECK(made.signals[8].kind == Kind::enumeration);
  CHECK(made.signals[8].names.size() == 2);
  CHECK(made.signals[9].kind == Kind::text);
  CHECK(made.signals[11].name == "flags[1]");
  CHECK(made.signals[11].period == 0.2);
  CHECK(made.fields[8].offset == sizeof(CompiledBelt) + offsetof(CompiledBelt, state));
  CHECK(made.fields[11].offset == 1);
  CHECK(made.items[1].first_signal == 10);
  CHECK(made.texts == 2);
  CHECK(made.numbers == 10);

  AdsSignals grid;
  REQUIRE(add_signals(description, 1, good_layout("ARRAY [0..1, 1..3] OF INT", table), grid));
  REQUIRE(grid.signals.size() == 1);
  CHECK(grid.signals[0].kind == Kind::integer);
  CHECK(grid.signals[0].count == 6);
  CHECK(grid.signals[0].bounds.size() == 2);
}

TEST_CASE("a PLC's type has to be what the file says") {
  Description description = conveyor();
  const PlcTypeTable declared = table_of(description.types);
  Declaration pressure;
  pressure.name = "pressure";
  pressure.type = Type::float32;
  const PlcTypeTable none;
  CHECK(misfit(pressure, good_layout("INT", none), none) == "expected float32 (4 bytes), got INT (2 bytes)");
  CHECK(misfit(pressure, good_layout("ARRAY [0..1] OF REAL", none), none) ==
        "expected float32 (4 bytes), got ARRAY [0..1] OF REAL (8 bytes)");
  CHECK(!misfit(pressure, good_layout("REAL", none), none));
  pressure.type = Type::text;
  pressure.text_length = 80;
  CHECK(misfit(pressure, good_layout("STRING(20)", none), none) ==
        "expected string 80 (81 bytes), got STRING(20) (21 bytes)");

  const Declaration& belts = description.signals[0];
  CHECK(!misfit(belts, good_layout("array[1..2] of st_belt", declared), declared));
  CHECK(misfit(belts, good_layout("ARRAY [1..3] OF ST_Belt", declared), declared) ==
        "expected ARRAY [1..2] OF ST_Belt (48 bytes), got ARRAY [1..3] OF ST_Belt (72 bytes)");
  auto other = belt;
  other[0].members[1].second = "DINT";
  CHECK(misfit(belts, good_layout("ARRAY [1..2] OF ST_Belt", table_of(other)), declared) ==
        "ARRAY [1..2] OF ST_Belt: expected [1].fSpeed REAL at byte 4, got [1].fSpeed DINT at byte 4");

  Declaration set;
  set.name = "set";
  set.write.emplace();
  CHECK(misfit(set, good_layout("ARRAY [0..1] OF INT", none), none) ==
        "expected one number or BOOL to write, got ARRAY [0..1] OF INT (4 bytes)");
}

TEST_CASE("numbers go to bytes and back, and what does not fit is refused") {
  std::uint8_t bytes[8] = {};
  CHECK(put_raw(Type::int16, -2.5, bytes));
  CHECK(bytes[0] == 0xFD);  // -3, half away from zero
  CHECK(bytes[1] == 0xFF);
  CHECK(raw_number(Type::int16, bytes).integer == -3);
  CHECK_FALSE(put_raw(Type::int16, 32767.5, bytes));
  CHECK_FALSE(put_raw(Type::uint8, -0.5, bytes));
  CHECK(put_raw(Type::uint8, -0.4, bytes));
  CHECK_FALSE(put_raw(Type::int64, 9223372036854775808.0, bytes));
  CHECK_FALSE(put_raw(Type::float32, 1e39, bytes));
  CHECK_FALSE(put_raw(Type::float64, std::numeric_limits<double>::infinity(), bytes));
  CHECK_FALSE(put_raw(Type::bit, 2, bytes));
  CHECK(put_raw(Type::float32, 1.5, bytes));
  CHECK(bytes[3] == 0x3F);
  CHECK(bytes[2] == 0xC0);
  CHECK(saturated(Type::uint8, 300) == 255);
  CHECK(put_raw(Type::uint64, saturated(Type::uint64, 1e30), bytes));
  CHECK(put_raw(Type::int64, saturated(Type::int64, 1e30), bytes));
  rc::check("integers and floats survive", [](std::int32_t number, double real) {
    std::uint8_t to[8] = {};
    RC_ASSERT(put_raw(Type::int32, number, to));
    std::int32_t copy = 0;
    std::memcpy(&copy, to, 4);
    RC_ASSERT(copy == number);
    RC_ASSERT(raw_number(Type::int32, to).value == number);
    RC_ASSERT(put_raw(Type::float64, real, to));
    RC_ASSERT(raw_number(Type::float64, to).value == real);
  });
}

}  // namespace
}  // namespace tandem::generic
