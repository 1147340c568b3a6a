// SPDX-License-Identifier: Apache-2.0
// The link to a PLC, over loopback against the virtual one: look-up, reads, writes, heartbeat.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/machines/generic/ads_rig.hpp"

namespace tandem::generic {
namespace {

using test::AdsClient;
using test::AdsPlc;
using test::conveyor;
using test::declared;
using test::output;

std::vector<std::string> names_of(const std::vector<Signal>& signals) {
  std::vector<std::string> names;
  for (const Signal& signal : signals) names.push_back(signal.name);
  return names;
}

TEST_CASE("the link finds the signals that the virtual PLC has") {
  AdsPlc plc(conveyor());
  // The file of a real machine need not repeat the PLC's types.
  Description bare = conveyor();
  bare.types.clear();
  for (Declaration& each : bare.signals) each.plc_type.clear();
  for (const Description& description : {conveyor(), bare}) {
    AdsClient client(description, plc.url);
    const auto connected = client.connect();
    REQUIRE_MESSAGE(connected.ok(), connected.error().text);
    std::vector<std::string> served;
    plc.run([&](AdsFront& front) { served = names_of(front.signals()); });
    CHECK(names_of(client.link->signals()) == served);
    CHECK(served.size() == 25);
    CHECK(client.link->signals()[client.index("belts[3].aTemp")].count == 3);
    CHECK(client.link->signals()[client.index("belts[3].eState")].kind == Kind::enumeration);
    CHECK(client.link->signals()[client.index("belts[3].fSpeed")].unit == "m/s");
  }
}

TEST_CASE("every value comes through, in the unit of the file") {
  AdsPlc plc(conveyor());
  AdsClient client(conveyor(), plc.url);
  REQUIRE(client.connect());
  plc.put("belts[4].fSpeed", 1.5);
  plc.put("belts[1].aTemp[2]", -40);
  plc.put("belts[2].bJam", 1);
  plc.put("belts[2].eState", 1);
  plc.put("level", 33.3);
  plc.put("count", -123456);
  plc.run([](AdsFront& front) {
    front.put_text(find_signal(front.signals(), "message")->signal, "Gr\xC3\xBC\xC3\x9F\x65");
  });
  const auto scan = client.scan(10s);
  REQUIRE_MESSAGE(scan.ok(), scan.error().text);
  CHECK(scan->answered == client.link->signals().size());
  CHECK(scan->requests == 1);
  CHECK(scan->signals_changed);  // the readings had no size yet
  CHECK(scan->readable != Instant{});
  CHECK(client.value("belts[4].fSpeed") == 1.5);
  CHECK(client.value("belts[1].aTemp[2]") == -40);
  CHECK(client.value("belts[2].bJam") == 1);
  CHECK(client.value("belts[2].eState") == 1);
  CHECK(client.value("level") == doctest::Approx(33.3));
  CHECK(client.value("count") == -123456);
  CHECK(client.text("message") == "Gr\xC3\xBC\xC3\x9F\x65");
  for (const Reading& reading : client.readings.of) CHECK(reading.quality == SignalQuality::good);
  CHECK(client.link->counters().requests > 0);
  CHECK(client.link->delays().find("device round trip") == 0);
}

TEST_CASE("a text that is no UTF-8 is shown as Latin-1 and marked") {
  AdsPlc plc(conveyor());
  AdsClient client(conveyor(), plc.url);
  REQUIRE(client.connect());
  plc.run([](AdsFront& front) {
    const auto variable = front.table().find("MAIN.sText");
    std::ranges::copy(std::string_view("F\xF6rderer\0junk", 12), front.table().bytes(variable->place).begin());
  });
  REQUIRE(client.scan(10s));
  CHECK(client.text("message") == "F\xC3\xB6rderer");
  CHECK(client.reading("message").quality == SignalQuality::uncertain);
  CHECK(client.reading("message").why.view() == "not UTF-8: shown as Latin-1");
}

TEST_CASE("missing symbols are all named at once, each with the nearest three") {
  AdsPlc plc(conveyor());
  Description description = conveyor();
  description.signals.push_back(declared("lamp_2", "GVL.bLmp"));
  description.signals.push_back(declared("speed_2", "GVL.aBelt[2].fSped"));
  description.signals.push_back(declared("spare", "GVL.fSpare"));
  description.signals.back().optional = true;
  description.heartbeat = AdsPlace{"MAIN.nAlive"};
  AdsClient client(description, plc.url);
  const auto connected = client.connect();
  REQUIRE_FALSE(connected);
  const std::string& text = connected.error().text;
  INFO(text);
  CHECK(text.find("lamp_2: the PLC has no symbol GVL.bLmp (nearest: GVL.bLamp, ") != std::string::npos);
  CHECK(
      text.find("speed_2: the PLC has no symbol GVL.aBelt[2].fSped (nearest: GVL.aBelt[2].fSpeed, GVL.aBelt[1].fSpeed, "
                "GVL.aBelt[3].fSpeed)") != std::string::npos);
  CHECK(text.find("heartbeat: the PLC has no symbol MAIN.nAlive (nearest: MAIN.nPcAlive, ") != std::string::npos);
  CHECK(text.find("spare") == std::string::npos);
  CHECK_FALSE(client.link->open());
  CHECK(plc.handles() == 0);
}

TEST_CASE("an optional symbol that is missing is shown as such, the others are read") {
  AdsPlc plc(conveyor());
  Description description = conveyor();
  description.signals.push_back(declared("spare", "GVL.fSpare"));
  description.signals.back().optional = true;
  AdsClient client(description, plc.url);
  REQUIRE(client.connect());
  const auto scan = client.scan(10s);
  REQUIRE(scan);
  CHECK(client.reading("spare").quality == SignalQuality::bad);
  CHECK(client.reading("spare").why.view() == "the PLC has no symbol GVL.fSpare");
  CHECK(client.reading("count").quality == SignalQuality::good);
  CHECK(client.notes().find("spare: the PLC has no symbol GVL.fSpare (optional)") != std::string::npos);
}

TEST_CASE("types that differ from the file are all named at once") {
  AdsPlc plc(conveyor());
  Description description = conveyor();
  description.signals[1].plc_type.clear();
  description.signals[1].type = Type::float32;
  description.types[0].members[0].second = "DINT";
  description.signals[5].plc_type.clear();
  description.signals[5].type = Type::text;
  description.signals[5].text_length = 5;
  description.heartbeat = AdsPlace{"GVL.fSet1"};
  AdsClient client(description, plc.url);
  const auto connected = client.connect();
  REQUIRE_FALSE(connected);
  CHECK(connected.error().text ==
        "belts: ARRAY [1..4] OF ST_Belt: expected [1].fSpeed DINT at byte 0, got [1].fSpeed REAL at byte 0; "
        "count: expected float32 (4 bytes), got DINT (4 bytes); "
        "lamp: expected string 5 (6 bytes), got BOOL (1 byte); "
        "heartbeat: expected an integer of 16 or 32 bits, got REAL (4 bytes)");
}

TEST_CASE("outputs are written in one request, each with its own outcome") {
  AdsPlc plc(conveyor());
  Description description = conveyor();
  description.signals.push_back(output("level_set", "MAIN.nLevel", "UINT"));
  description.signals.back().scale = 0.1;
  description.signals.back().offset = -10;
  description.signals.back().write->limits = {-10, 100};
  AdsClient client(description, plc.url);
  REQUIRE(client.connect());
  std::vector<Written> outcomes;
  const int before = plc.wire.writes;
  REQUIRE(client.link->write(std::vector<Write>{{4, 0.5}, {5, 1}, {6, 12.3}}, outcomes, soon()));
  CHECK(plc.wire.writes - before == 1);
  REQUIRE(outcomes.size() == 3);
  for (const Written& each : outcomes) CHECK(each.outcome.ok());
  CHECK(outcomes[1].declaration == 5);
  CHECK(plc.value("speed_1") == 0.5);
  CHECK(plc.value("lamp") == 1);
  CHECK(plc.value("level") == doctest::Approx(12.3));

  // What does not fit its type never leaves; what the PLC refuses is refused alone.
  plc.run([](AdsFront& front) { front.fault(find_signal(front.signals(), "lamp")->signal, {.exception = 4}); });
  REQUIRE(client.link->write(std::vector<Write>{{4, -0.5}, {5, 0}, {6, 1e6}}, outcomes, soon()));
  CHECK(outcomes[0].outcome.ok());
  CHECK(outcomes[1].outcome.error().code == ads::code::device);
  CHECK(outcomes[1].outcome.error().text.find("GVL.bLamp") != std::string::npos);
  CHECK(outcomes[2].outcome.error().text == "level_set: expected a value that fits UINT, got 10000100");
  CHECK(plc.value("speed_1") == -0.5);
  CHECK(plc.value("lamp") == 1);
  CHECK(client.link->counters().writes_done == 4);
  CHECK(client.link->counters().writes_refused == 2);
}

// An INT on the PLC, of which the file only says what may be written.
Description untyped(const std::string& plc_type, Range limits) {
  Description description = conveyor();
  description.signals = {output("set", "MAIN.nSet", plc_type)};
  description.signals[0].write->limits = limits;
  if (plc_type == "BOOL") description.signals[0].write->level = Output::Level::level;
  return description;
}

TEST_CASE("what rounding brings outside the limits never leaves") {
  AdsPlc plc(untyped("INT", {0, 1.5}));
  AdsClient client(untyped("", {0, 1.5}), plc.url);
  REQUIRE(client.connect());
  std::vector<Written> outcomes;
  const int before = plc.wire.writes;
  REQUIRE(client.link->write(std::vector<Write>{{0, 1.5}}, outcomes, soon()));
  CHECK(outcomes[0].outcome.error().text == "set: expected 0 to 1.5, got 2 as INT");
  CHECK(plc.wire.writes == before);
  REQUIRE(client.link->write(std::vector<Write>{{0, 1}}, outcomes, soon()));
  CHECK(outcomes[0].outcome.ok());
  CHECK(plc.value("set") == 1);
}

TEST_CASE("two outputs that share bytes of the PLC fail the connection, whatever their names") {
  using ads::Area;
  AdsPlc plc(conveyor());
  plc.run([](AdsFront& front) {
    front.table().add_at("GVL.nWord", "UINT", Area::outputs, 100);
    front.table().add_at("GVL.nByte", "USINT", Area::outputs, 101);
    front.table().add_at("GVL.nNext", "USINT", Area::outputs, 102);
    front.table().add_at("GVL.nBeat", "UDINT", Area::outputs, 103);
    front.table().add_at("GVL.nMemory", "USINT", Area::memory, 101);
    front.table().raise_version();
  });
  const auto error_of = [&](std::vector<std::string> symbols, const std::string& beat) {
    Description description = conveyor();
    description.signals.clear();
    for (const std::string& symbol : symbols) {
      description.signals.push_back(output("to_" + symbol.substr(5), symbol, ""));
      description.signals.back().write->limits = {0, 1};
    }
    description.heartbeat.reset();
    if (!beat.empty()) description.heartbeat = AdsPlace{beat};
    AdsClient client(description, plc.url);
    const auto connected = client.connect();
    return connected ? std::string() : connected.error().text;
  };
  CHECK(error_of({"GVL.nByte", "GVL.nWord"}, "") ==
        "to_Word (GVL.nWord) and to_Byte (GVL.nByte) both write byte 101 of group 0xF030: expected one writer for each "
        "place");
  CHECK(error_of({"GVL.nWord", "GVL.nNext", "GVL.nMemory"}, "GVL.nBeat").empty());
  plc.run([](AdsFront& front) { front.table().add_at("GVL.nLate", "UINT", Area::outputs, 102); });
  CHECK(
      error_of({"GVL.nNext"}, "GVL.nLate") ==
      "to_Next (GVL.nNext) and the heartbeat (GVL.nLate) both write byte 102 of group 0xF030: expected one writer for "
      "each place");
}

TEST_CASE("an output of one type is confirmed by a variable of another, members have their own keys") {
  AdsPlc plc([] {
    Description served = conveyor();
    served.signals.push_back(declared("actual", "GVL.fActual", "LREAL"));
    return served;
  }());
  Description description = conveyor();
  Declaration hidden = declared(confirm_name("speed_1"), "GVL.fActual");
  hidden.hidden = true;
  description.signals[4].write->confirm = AdsPlace{"GVL.fActual"};
  description.signals.push_back(hidden);
  description.signals[0].members["fCurrent"].invalid = {-1};
  description.signals[0].members["fCurrent"].critical = true;
  description.signals[0].members["fCurrent"].deadband = 0.25;
  AdsClient client(description, plc.url);
  REQUIRE(client.connect());
  plc.put("actual", 0.125);
  plc.put("belts[2].fCurrent", -1);
  REQUIRE(client.scan(10s));
  CHECK(client.value("speed_1.confirm") == 0.125);
  CHECK(client.reading("belts[2].fCurrent").quality == SignalQuality::bad);
  CHECK(client.reading("belts[1].fCurrent").quality == SignalQuality::good);
  CHECK(client.link->signals()[client.index("belts[2].fCurrent")].critical);
  CHECK(client.link->signals()[client.index("belts[2].fCurrent")].deadband == 0.25);
  CHECK_FALSE(client.link->signals()[client.index("belts[2].fSpeed")].critical);
}

TEST_CASE("a limit that floating point rounds outward can be written") {
  AdsPlc plc(untyped("REAL", {0, 0.1}));
  AdsClient client(untyped("", {0, 0.1}), plc.url);
  REQUIRE(client.connect());
  std::vector<Written> outcomes;
  REQUIRE(client.link->write(std::vector<Write>{{0, 0.1}}, outcomes, soon()));
  CHECK(outcomes[0].outcome.ok());
  REQUIRE(client.link->write(std::vector<Write>{{0, 0.1001}}, outcomes, soon()));
  CHECK_FALSE(outcomes[0].outcome);
}

TEST_CASE("limits that the PLC's type cannot hold fail the connection") {
  const auto error_of = [](const std::string& plc_type, Range limits) {
    AdsPlc plc(untyped(plc_type, {0, 1}));
    AdsClient client(untyped("", limits), plc.url);
    const auto connected = client.connect();
    return connected ? std::string() : connected.error().text;
  };
  CHECK(error_of("USINT", {0, 300}) ==
        "set: expected limits within 0 to 255, which USINT with this scale can hold, got 0 to 300");
  CHECK(error_of("USINT", {-1, 1}) ==
        "set: expected limits within 0 to 255, which USINT with this scale can hold, got -1 to 1");
  CHECK(error_of("INT", {0.2, 0.8}) ==
        "set: expected limits with a value between them that INT can hold, got 0.2 to 0.8");
  CHECK(error_of("BOOL", {0, 1}) == "set: expected `level: true` or `pulse` to write BOOL, got limits");
  CHECK(error_of("USINT", {0, 255}).empty());
  CHECK(error_of("INT", {-32768, 32767}).empty());
  CHECK(error_of("LREAL", {-1e9, 1e9}).empty());
}

TEST_CASE("a write that is not answered is unknown, and is never sent again") {
  AdsPlc plc(conveyor());
  AdsClient client(conveyor(), plc.url);
  REQUIRE(client.connect());
  plc.wire.unanswered_group = ads::group::sum_write;
  const int before = plc.wire.writes;
  std::vector<Written> outcomes;
  REQUIRE(client.link->write(std::vector<Write>{{4, 0.5}, {5, 1}}, outcomes, in(80ms)));
  for (const Written& each : outcomes) {
    REQUIRE_FALSE(each.outcome);
    CHECK(ads::outcome_unknown(each.outcome.error()));
  }
  for (int i = 0; i < 5; ++i) REQUIRE(client.scan());
  CHECK(plc.wire.writes - before == 1);
  CHECK(client.link->counters().writes_unknown == 2);
  CHECK(plc.value("speed_1") == 0.5);  // it had arrived
}

TEST_CASE("a PLC without sum writes gets each write once") {
  AdsPlc plc(conveyor());
  AdsClient client(conveyor(), plc.url);
  REQUIRE(client.connect());
  plc.wire.refused_group = ads::group::sum_write;
  std::vector<Written> outcomes;
  const int before = plc.wire.writes;
  REQUIRE(client.link->write(std::vector<Write>{{4, 0.5}, {5, 1}}, outcomes, soon()));
  for (const Written& each : outcomes) CHECK(each.outcome.ok());
  CHECK(plc.wire.writes - before == 3);  // the refused one and two of their own
  REQUIRE(client.link->write(std::vector<Write>{{4, 0.25}, {5, 0}}, outcomes, soon()));
  CHECK(plc.wire.writes - before == 5);
  CHECK(plc.value("speed_1") == 0.25);
  CHECK(client.notes().find("the PLC refuses sum writes") != std::string::npos);
}

TEST_CASE("the heartbeat is written to its own place") {
  AdsPlc plc(conveyor());
  AdsClient client(conveyor(), plc.url);
  REQUIRE(client.connect());
  REQUIRE(client.link->beat(0x12345678, soon()));
  std::uint32_t alive = 0;
  plc.run([&](AdsFront& front) { alive = front.table().read<std::uint32_t>("MAIN.nPcAlive"); });
  CHECK(alive == 0x12345678);
}

TEST_CASE("handles are given back when the link is closed") {
  for (const bool notify : {false, true}) {
    Description description = conveyor();
    description.notify = notify;
    AdsPlc plc(conveyor());
    AdsClient client(description, plc.url);
    REQUIRE(client.connect());
    CHECK(plc.handles() == 7);
    client.link->disconnect();
    CHECK(plc.handles() == 0);
    std::size_t notifications = 1;
    plc.run([&](AdsFront& front) { notifications = front.server().notifications(); });
    CHECK(notifications == 0);
    CHECK_FALSE(client.scan());
    std::vector<Written> outcomes;
    CHECK_FALSE(client.link->write(std::vector<Write>{{4, 1}}, outcomes, soon()));
    CHECK(outcomes.size() == 1);
    REQUIRE(client.connect());
    CHECK(client.scan(10s));
  }
}

TEST_CASE("a slower period is read less often") {
  Description description = conveyor();
  description.signals[1].every = 0.05;
  AdsPlc plc(description);
  AdsClient client(description, plc.url);
  REQUIRE(client.connect());
  const Instant start = now();
  std::uint32_t counted = 0, all = 0;
  for (int i = 0; i < 50; ++i) {
    const auto scan = client.link->scan(start + i * 10ms, client.readings, soon());
    REQUIRE(scan);
    all += scan->answered >= 24;
    counted += scan->answered == 25;
  }
  CHECK(all == 50);
  CHECK(counted == 10);
}

TEST_CASE("addresses and descriptions that are invalid are refused at once") {
  CHECK_THROWS_AS(AdsClient(conveyor(), "modbus://127.0.0.1"), std::invalid_argument);
  CHECK_THROWS_AS(AdsClient(conveyor(), "ads://127.0.0.1?net_id=1.2.3"), std::invalid_argument);
  Description description = conveyor();
  description.types[0].members[0].second = "ST_Belt";
  CHECK_THROWS_WITH_AS(AdsClient(description, "ads://127.0.0.1"), "types: ST_Belt: contains itself",
                       std::invalid_argument);
}

}  // namespace
}  // namespace tandem::generic
