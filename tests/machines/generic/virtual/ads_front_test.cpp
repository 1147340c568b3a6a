// SPDX-License-Identifier: Apache-2.0
// The virtual PLC of a file, as any ADS client sees it: names, types, and each byte.
#include "tandem/machines/generic/virtual/ads_front.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>

#include "tandem/protocols/ads/client/symbol.hpp"
#include "tests/machines/generic/ads_rig.hpp"

namespace tandem::generic {
namespace {

using test::AdsPlc;
using test::conveyor;
using test::declared;

// As TwinCAT 3 and the compiler lay it out.
struct Belt {
  float speed;
  double current;
  std::int16_t state;
  std::uint8_t jam;
  std::int16_t temperature[3];
};
static_assert(sizeof(Belt) == 32);

ads::Client client_of(const AdsPlc& plc) {
  auto peer = ads::peer_from_url(plc.url);
  REQUIRE(peer);
  peer->target.net_id = ads::NetId::from_ipv4(0x7F000001);
  auto client = ads::Client::connect(*peer, soon());
  REQUIRE(client);
  return std::move(*client);
}

template <typename T>
T read_as(ads::Client& client, const std::string& name) {
  auto symbol = ads::Symbol<T>::resolve(client, name, {}, soon());
  REQUIRE_MESSAGE(symbol.ok(), symbol.error().text);
  auto value = symbol->read(client, soon());
  REQUIRE(value);
  return *value;
}

TEST_CASE("a virtual PLC has exactly the symbols and types of its file") {
  AdsPlc plc(conveyor());
  ads::Client client = client_of(plc);
  const auto symbols = client.all_symbols(soon());
  REQUIRE(symbols);
  std::vector<std::string> names;
  for (const auto& symbol : *symbols) names.push_back(symbol.name + " " + symbol.type);
  std::ranges::sort(names);
  CHECK(names == std::vector<std::string>{"GVL.aBelt ARRAY [1..4] OF ST_Belt", "GVL.bLamp BOOL", "GVL.fSet1 REAL",
                                          "MAIN.nLevel UINT", "MAIN.nParts DINT", "MAIN.nPcAlive UDINT",
                                          "MAIN.sText STRING(20)"});
  const auto types = client.all_types(soon());
  REQUIRE(types);
  const auto belt = std::ranges::find(*types, std::string("ST_Belt"), &ads::TypeInfo::name);
  REQUIRE(belt != types->end());
  CHECK(belt->size == sizeof(Belt));
  REQUIRE(belt->members.size() == 5);
  CHECK(belt->members[1].offset == offsetof(Belt, current));
  CHECK(belt->members[4].offset == offsetof(Belt, temperature));
  CHECK(belt->members[4].type == "ARRAY [0..2] OF INT");

  const auto other = client.symbol_info("MAIN.nothing", soon());
  REQUIRE_FALSE(other);
  CHECK(other.error().code == ads::code::symbol_not_found);
  CHECK(client.handle_by_name("GVL.aBelt[5].fSpeed", soon()).error().code == ads::code::symbol_not_found);
}

TEST_CASE("what is put lies in the PLC's bytes where a compiled structure has it") {
  AdsPlc plc(conveyor());
  ads::Client client = client_of(plc);
  plc.put("belts[2].fSpeed", 1.25);
  plc.put("belts[2].fCurrent", -3.5);
  plc.put("belts[2].eState", 2);
  plc.put("belts[2].bJam", 1);
  plc.put("belts[2].aTemp[1]", -7);
  plc.put("level", 12.3);  // 0.1 mm each from -10 mm on
  plc.run([](AdsFront& front) {
    front.put_text(find_signal(front.signals(), "message")->signal, "F\xC3\xB6rderband l\xC3\xA4uft \xC3\xB6\x66ter");
  });
  using Belts = std::array<Belt, 4>;
  const auto belts = read_as<Belts>(client, "GVL.aBelt");
  CHECK(belts[1].speed == 1.25f);
  CHECK(belts[1].current == -3.5);
  CHECK(belts[1].state == 2);
  CHECK(belts[1].jam == 1);
  CHECK(belts[1].temperature[1] == -7);
  CHECK(belts[0].speed == 0);
  CHECK(read_as<std::uint16_t>(client, "MAIN.nLevel") == 223);
  CHECK(read_as<double>(client, "gvl.abelt[2].fcurrent") == -3.5);
  // 20 bytes at most, and the umlaut at the end is not cut in two.
  const auto text = read_as<std::array<char, 21>>(client, "MAIN.sText");
  CHECK(std::string(text.data()) == "F\xC3\xB6rderband l\xC3\xA4uft ");
}

TEST_CASE("values that do not fit saturate, and no number is the first invalid one") {
  Description description = conveyor();
  description.signals[3].invalid = {65535};
  AdsPlc plc(description);
  ads::Client client = client_of(plc);
  plc.put("level", 1e9);
  CHECK(read_as<std::uint16_t>(client, "MAIN.nLevel") == 65535);
  plc.put("level", -1e9);
  CHECK(read_as<std::uint16_t>(client, "MAIN.nLevel") == 0);
  plc.put("level", std::numeric_limits<double>::quiet_NaN());
  CHECK(read_as<std::uint16_t>(client, "MAIN.nLevel") == 65535);
  plc.put("count", std::numeric_limits<double>::quiet_NaN());
  CHECK(read_as<std::int32_t>(client, "MAIN.nParts") == 0);
  plc.put("belts[1].fSpeed", std::numeric_limits<double>::quiet_NaN());
  CHECK(std::isnan(read_as<float>(client, "GVL.aBelt[1].fSpeed")));
}

TEST_CASE("what clients write is taken once, whole structures element by element") {
  AdsPlc plc(conveyor());
  ads::Client client = client_of(plc);
  const auto taken = [&plc](std::string_view name) {
    std::optional<double> value;
    plc.run([&](AdsFront& front) {
      const auto found = find_signal(front.signals(), name);
      value = front.take_written(found->signal, found->element);
    });
    return value;
  };
  CHECK_FALSE(taken("speed_1"));
  const float half = 0.5f;
  std::array<std::uint8_t, 4> bytes{};
  std::memcpy(bytes.data(), &half, 4);
  const auto handle = client.handle_by_name("GVL.fSet1", soon());
  REQUIRE(handle);
  REQUIRE(client.write_handle(*handle, bytes, soon()));
  CHECK(taken("speed_1") == 0.5);
  CHECK_FALSE(taken("speed_1"));
  REQUIRE(client.write_handle(*handle, bytes, soon()));  // the same value, and written all the same
  CHECK(taken("speed_1") == 0.5);

  Belt belt{};
  belt.current = 4;
  belt.temperature[2] = 9;
  const auto whole = client.handle_by_name("GVL.aBelt[3]", soon());
  REQUIRE(whole);
  std::array<std::uint8_t, sizeof(Belt)> image{};
  std::memcpy(image.data(), &belt, sizeof belt);
  REQUIRE(client.write_handle(*whole, image, soon()));
  CHECK(taken("belts[3].fCurrent") == 4);
  CHECK(taken("belts[3].aTemp[2]") == 9);
  CHECK(taken("belts[3].aTemp[0]") == 0);
  CHECK_FALSE(taken("belts[2].fCurrent"));
}

TEST_CASE("a part of a declared structure is the same bytes under another name") {
  Description description = conveyor();
  description.signals.push_back(declared("speed_3", "GVL.aBelt[3].fSpeed"));
  AdsPlc plc(description);
  plc.put("belts[3].fSpeed", 0.75);
  CHECK(plc.value("speed_3") == 0.75);
  description.signals.push_back(declared("speed_5", "GVL.aBelt[5].fSpeed"));
  CHECK_THROWS_WITH_AS(AdsPlc{description}, "speed_5: GVL.aBelt of type ARRAY [1..4] OF ST_Belt has no part [5].fSpeed",
                       std::invalid_argument);
}

TEST_CASE("a file without types gets what such values usually are") {
  Description description;
  description.protocol = Protocol::ads;
  Declaration state = declared("state", "GVL.stX.eState");
  state.names = {{0, "off"}};
  Declaration bits = declared("bits", "GVL.stX.nBits");
  bits.bits = {{20, "door"}};
  Declaration lamp = declared("lamp", "GVL.stX.bLamp");
  lamp.write.emplace();
  lamp.write->level = Output::Level::pulse;
  description.signals = {declared("x", "GVL.stX.fPos"), state, bits, lamp};
  AdsPlc plc(description);
  ads::Client client = client_of(plc);
  for (const auto& [name, type] : {std::pair{"GVL.stX.fPos", "LREAL"},
                                   {"GVL.stX.eState", "INT"},
                                   {"GVL.stX.nBits", "UDINT"},
                                   {"GVL.stX.bLamp", "BOOL"}}) {
    const auto info = client.symbol_info(name, soon());
    REQUIRE(info);
    CHECK(info->type == type);
  }
}

TEST_CASE("files that no PLC can have are refused") {
  Description description = conveyor();
  description.signals[1].plc_type = "FLOAT";
  CHECK_THROWS_WITH_AS(AdsPlc{description}, "count: PLC data type FLOAT: not defined", std::invalid_argument);
  description = conveyor();
  description.signals[2].type = Type::unknown;
  description.signals[2].plc_type = "WSTRING(10)";
  CHECK_THROWS_WITH_AS(AdsPlc{description}, "message: WSTRING(10) is not supported", std::invalid_argument);
  description = conveyor();
  description.signals[1].at = ModbusPlace{};
  CHECK_THROWS_WITH_AS(AdsPlc{description}, "count: expected an ADS symbol, got a Modbus address",
                       std::invalid_argument);
}

TEST_CASE("a signal's faults are errors or silence for each request that touches it") {
  AdsPlc plc(conveyor());
  ads::Client client = client_of(plc);
  const auto set = [&plc](std::string_view name, const FrontFaults& faults) {
    plc.run([&](AdsFront& front) { front.fault(find_signal(front.signals(), name)->signal, faults); });
  };
  const auto handle = client.handle_by_name("GVL.aBelt", soon());
  const auto other = client.handle_by_name("MAIN.nParts", soon());
  REQUIRE(handle);
  REQUIRE(other);
  std::array<std::uint8_t, sizeof(Belt) * 4> belts{};
  std::array<std::uint8_t, 4> parts{};
  set("belts[2].fSpeed", {.exception = 4});
  CHECK(client.read_handle(*handle, belts, soon()).error().code == ads::code::device);
  CHECK(client.write_handle(*handle, belts, soon()).error().code == ads::code::device);
  CHECK(client.read_handle(*other, parts, soon()));
  set("belts[2].fSpeed", {.silent = true});
  CHECK(client.read_handle(*handle, belts, in(50ms)).error().fault == Fault::timeout);
  CHECK(client.read_handle(*other, parts, soon()));
  set("belts[2].fSpeed", {});
  CHECK(client.read_handle(*handle, belts, soon()));
}

}  // namespace
}  // namespace tandem::generic
