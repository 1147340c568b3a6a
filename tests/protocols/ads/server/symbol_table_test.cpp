// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <stdexcept>

#include "tandem/protocols/ads/server/symbol_table_upload.hpp"
#include "tests/protocols/ads/server_fixture.hpp"

namespace tandem::ads {
namespace {

std::uint32_t offset_in(const PlcType& type, std::string_view name) {
  for (const Member& member : type.members)
    if (member.name == name) return member.offset;
  return ~0u;
}

TEST_CASE("structures are laid out as the compiler lays out the same struct in C++") {
  struct Inner {
    std::uint8_t a;
    std::int16_t b[3];
    float c;
  };
  struct Outer {
    bool flag;
    double value;
    std::int16_t count;
    Inner inner[2];
    char text[11];
    std::int64_t last;
  };
  PlcTypes types;
  types.structure("ST_Inner", {{"a", "BYTE"}, {"b", "ARRAY[1..3] OF INT"}, {"c", "REAL"}});
  const PlcType& outer = types.structure("ST_Outer", {{"flag", "BOOL"},
                                                      {"value", "LREAL"},
                                                      {"count", "INT"},
                                                      {"inner", "ARRAY [0..1] OF st_inner"},
                                                      {"text", "STRING(10)"},
                                                      {"last", "LINT"}});
  CHECK(outer.size == sizeof(Outer));
  CHECK(offset_in(outer, "value") == offsetof(Outer, value));
  CHECK(offset_in(outer, "count") == offsetof(Outer, count));
  CHECK(offset_in(outer, "inner") == offsetof(Outer, inner));
  CHECK(offset_in(outer, "text") == offsetof(Outer, text));
  CHECK(offset_in(outer, "last") == offsetof(Outer, last));
  CHECK(types.type("ST_Inner").size == sizeof(Inner));
}

TEST_CASE("a packed structure has no gaps and a pack of four aligns to four") {
  PlcTypes types;
  CHECK(types.structure("P8", {{"a", "BOOL"}, {"b", "LREAL"}}).size == 16);
  CHECK(types.structure("P4", {{"a", "BOOL"}, {"b", "LREAL"}}, 4).size == 12);
  CHECK(types.structure("P1", {{"a", "BOOL"}, {"b", "LREAL"}}, 1).size == 9);
}

TEST_CASE("elementary types and texts have the sizes of TwinCAT") {
  PlcTypes types;
  const std::pair<const char*, std::uint32_t> sizes[] = {{"BOOL", 1},
                                                         {"BYTE", 1},
                                                         {"INT", 2},
                                                         {"DINT", 4},
                                                         {"LINT", 8},
                                                         {"REAL", 4},
                                                         {"LREAL", 8},
                                                         {"TIME", 4},
                                                         {"LTIME", 8},
                                                         {"STRING", 81},
                                                         {"WSTRING(5)", 12},
                                                         {"string(10)", 11},
                                                         {"ARRAY [-1..1, 2..3] OF DINT", 24}};
  for (const auto& [name, size] : sizes) {
    CAPTURE(std::string(name));
    CHECK(types.type(name).size == size);
  }
  CHECK(types.type("STRING").name == "STRING(80)");
  for (const char* name : {"", "FLOAT", "ARRAY", "ARRAY [1..0] OF INT", "ARRAY [0..9 OF INT", "ARRAY [0..1] OF X",
                           "STRING(", "STRING(0)", "STRING(70000)", "ARRAY [0..2000000000] OF LREAL",
                           "ARRAY [0..99999, 0..99999] OF INT", "ARRAY [-9223372036854775808..0] OF INT"}) {
    CAPTURE(std::string(name));
    CHECK_THROWS_AS(types.type(name), std::invalid_argument);
  }
}

TEST_CASE("variables are found by path in any case down to members and elements") {
  SymbolTable table;
  test::declare_variables(table);
  const auto pose = table.find("main.STEM1500pose");
  REQUIRE(pose);
  CHECK(pose->name == "MAIN.stEM1500Pose");
  CHECK(pose->place.size == 48);
  const auto heave = table.find("MAIN.stem1500pose.HEAVE");
  REQUIRE(heave);
  CHECK(heave->name == "MAIN.stEM1500Pose.heave");
  CHECK(heave->place.offset == pose->place.offset + 16);
  CHECK(heave->type->name == "LREAL");
  const auto feedback = table.find("MAIN.rxEtherCatBridge");
  const auto element = table.find("MAIN.rxEtherCatBridge.em1500.eta_t[3]");
  REQUIRE(element);
  CHECK(element->place.offset == feedback->place.offset + 144 + 48 + 24);
  CHECK(element->place.size == 8);
  const auto grid = table.find("MAIN.aGrid");
  CHECK(table.find("MAIN.aGrid[2,1]")->place.offset == grid->place.offset + 2 * (3 + 1));
  CHECK(table.find("MAIN.byByte[1027]")->place == Place{Area::memory, 1027, 1});

  for (const char* path :
       {"", "MAIN", "MAIN.", ".", "[", "MAIN.nothing", "MAIN.aGrid[0,0]", "MAIN.aGrid[1,3]", "MAIN.aGrid[1]",
        "MAIN.aGrid[1,1", "MAIN.aGrid[1,1]x", "MAIN.aGrid[1,1][0]", "MAIN.stEM1500Pose.", "MAIN.stEM1500Pose[0]",
        "MAIN.stEM1500Pose.heave.x", "MAIN.byByte[-1]", "MAIN.byByte[99999999999999999999]", "MAIN.byByte[]"}) {
    CAPTURE(std::string(path));
    CHECK_FALSE(table.find(path));
  }
  CHECK_FALSE(table.find(std::string(100000, '.')));
}

TEST_CASE("the owner writes and reads by name and by binding and mismatches throw") {
  SymbolTable table;
  test::declare_variables(table);
  table.write("MAIN.fTime", 1.5);
  CHECK(table.read<double>("MAIN.fTime") == 1.5);
  struct Pose {
    double values[6];
  };
  const auto pose = table.bind<Pose>("MAIN.stEM1500Pose");
  table.write(pose, Pose{{1, 2, 3, 4, 5, 6}});
  CHECK(table.read<double>("MAIN.stEM1500Pose.roll") == 4);
  CHECK_THROWS_AS(table.write("MAIN.fTime", 1.5f), std::invalid_argument);
  CHECK_THROWS_AS(table.write("MAIN.fTime", std::int64_t{1}), std::invalid_argument);
  CHECK_THROWS_AS(table.write("MAIN.nRxCounter", 1.0f), std::invalid_argument);
  CHECK_THROWS_AS(table.write("MAIN.nothing", 1), std::invalid_argument);
  CHECK_THROWS_AS(table.add("main.FTIME", "LREAL"), std::invalid_argument);
  CHECK_THROWS_AS(table.add_at("MAIN.far", "LREAL", Area::inputs, 64 * 1024 - 7), std::invalid_argument);
}

TEST_CASE("the uploads have exact byte sums and describe every symbol and every type in use") {
  SymbolTable table;
  test::declare_variables(table);
  const Upload upload = upload_of(table);
  const auto symbols = decode_symbols(upload.symbols);
  const auto types = decode_types(upload.types);
  REQUIRE(symbols);
  REQUIRE(types);
  CHECK(symbols->size() == upload.symbol_count);
  CHECK(upload.symbol_count == 11);
  CHECK(types->size() == upload.type_count);

  // Entry lengths, walked without the codec, add up to the last byte.
  for (const auto* blob : {&upload.symbols, &upload.types}) {
    std::size_t at = 0;
    while (at < blob->size()) {
      const auto length = ByteReader(Bytes(*blob).subspan(at)).little<std::uint32_t>();
      REQUIRE(length >= 30);
      at += length;
    }
    CHECK(at == blob->size());
  }
  for (const SymbolInfo& symbol : *symbols) {
    CAPTURE(symbol.name);
    const auto type = std::ranges::find(*types, symbol.type, &TypeInfo::name);
    REQUIRE(type != types->end());
    CHECK(type->size == symbol.size);
  }
  const auto pose = std::ranges::find(*types, "ST_Pose", &TypeInfo::name);
  REQUIRE(pose->members.size() == 6);
  CHECK(pose->members[2].name == "heave");
  CHECK(pose->members[2].offset == 16);
  CHECK(pose->members[2].type == "LREAL");
}

TEST_CASE("an online change raises the version and gives changed symbols another identity") {
  SymbolTable table;
  test::declare_variables(table);
  const auto version = table.version();
  const auto time = table.find("MAIN.fTime")->symbol;
  const auto pose = table.find("MAIN.stEM1500Pose")->symbol;
  CHECK(table.change("main.stem1500pose", "ARRAY [0..6] OF REAL"));
  CHECK(table.version() == version + 1);
  CHECK_FALSE(table.holds(pose));
  CHECK(table.holds(time));
  CHECK(table.find("MAIN.stEM1500Pose")->place.size == 28);
  CHECK(table.remove("MAIN.fTime"));
  CHECK_FALSE(table.holds(time));
  CHECK_FALSE(table.remove("MAIN.fTime"));
  for (int i = 0; i < 600; ++i) {
    table.raise_version();
    CHECK(table.version() != 0);
  }
}

}  // namespace
}  // namespace tandem::ads
