// SPDX-License-Identifier: Apache-2.0
// PLCs that change, refuse, stop, or answer late: one signal's failure is its own, and the link says what happens.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/machines/generic/ads_rig.hpp"

namespace tandem::generic {
namespace {

using test::AdsClient;
using test::AdsPlc;
using test::conveyor;
using test::declared;

struct Pair {
  explicit Pair(const Description& description = conveyor()) : plc(description), client(description, plc.url) {
    const auto connected = client.connect();
    REQUIRE_MESSAGE(connected.ok(), connected.error().text);
    REQUIRE(client.scan(10s));
  }
  AdsPlc plc;
  AdsClient client;
};

bool is(const AdsClient& client, std::string_view name, SignalQuality quality) {
  return client.reading(name).quality == quality;
}

TEST_CASE("an online change that moves everything is followed without a loss") {
  Pair pair;
  pair.plc.run([](AdsFront& front) { front.table().renew(); });
  pair.plc.put("count", 5);
  CHECK(pair.client.until(
      [&] { return pair.client.value("count") == 5 && is(pair.client, "count", SignalQuality::good); }));
  CHECK(pair.plc.handles() <= 7);
  std::vector<Written> outcomes;
  REQUIRE(pair.client.link->write(std::vector<Write>{{4, 0.5}}, outcomes, soon()));
  CHECK(outcomes[0].outcome.ok());
}

TEST_CASE("a type that an online change makes another is a bad signal, and the rest goes on") {
  Pair pair;
  pair.plc.run([](AdsFront& front) { front.table().change("MAIN.nParts", "REAL"); });
  REQUIRE(pair.client.until([&] {
    return is(pair.client, "count", SignalQuality::bad) &&
           pair.client.reading("count").why.view().starts_with("expected");
  }));
  CHECK(pair.client.reading("count").why.view() == "expected DINT (4 bytes), got REAL (4 bytes)");
  pair.plc.put("level", 7);
  CHECK(pair.client.until([&] { return pair.client.value("level") == doctest::Approx(7); }));
  CHECK(is(pair.client, "belts[1].fSpeed", SignalQuality::good));
  CHECK(pair.client.notes().find("count: expected DINT (4 bytes), got REAL (4 bytes)") != std::string::npos);
  pair.plc.run([](AdsFront& front) { front.table().change("MAIN.nParts", "DINT"); });
  CHECK(pair.client.until([&] { return is(pair.client, "count", SignalQuality::good); }));
}

TEST_CASE("a symbol that an online change removes is a bad signal until it is back") {
  Pair pair;
  pair.plc.run([](AdsFront& front) { front.table().remove("MAIN.nParts"); });
  REQUIRE(pair.client.until(
      [&] { return pair.client.reading("count").why.view().starts_with("the PLC has no symbol MAIN.nParts"); }));
  CHECK(pair.client.until([&] { return is(pair.client, "level", SignalQuality::good); }));
  std::vector<Written> outcomes;
  pair.plc.run([](AdsFront& front) { front.table().add("MAIN.nParts", "DINT"), front.table().raise_version(); });
  CHECK(pair.client.until([&] { return is(pair.client, "count", SignalQuality::good); }));
}

TEST_CASE("an array that an online change makes longer gives more signals") {
  Description description = conveyor();
  description.types.clear();
  description.signals[0].plc_type.clear();
  AdsPlc plc(conveyor());
  AdsClient client(description, plc.url);
  REQUIRE(client.connect());
  REQUIRE(client.scan(10s));
  plc.run([](AdsFront& front) { front.table().change("GVL.aBelt", "ARRAY [1..6] OF ST_Belt"); });
  bool changed = false;
  const Instant end = soon();
  while (!changed && now() < end) {
    const auto scan = client.scan();
    REQUIRE(scan);
    changed = scan->signals_changed;
    if (changed) CHECK(client.link->signals().size() == 35);
  }
  REQUIRE(changed);
  CHECK(client.readings.of.size() == 35);
  CHECK(client.until([&] { return is(client, "belts[6].fSpeed", SignalQuality::good); }));
}

TEST_CASE("handles that are lost without another version are looked up again") {
  Pair pair;
  pair.plc.wire.hides_versions = true;
  AdsClient other(conveyor(), pair.plc.url);
  REQUIRE(other.connect());
  REQUIRE(other.scan(10s));
  pair.plc.run([](AdsFront& front) { front.table().renew(); });
  pair.plc.put("count", 9);
  CHECK(other.until([&] { return is(other, "count", SignalQuality::good) && other.value("count") == 9; }));
}

TEST_CASE("an error for one variable is that signal's, with the PLC's words") {
  Pair pair;
  pair.plc.run([](AdsFront& front) { front.fault(find_signal(front.signals(), "count")->signal, {.exception = 4}); });
  REQUIRE(pair.client.scan(10s));
  REQUIRE(pair.client.until([&] { return is(pair.client, "count", SignalQuality::bad); }));
  CHECK(pair.client.reading("count").why.view().starts_with("MAIN.nParts: "));
  CHECK(pair.client.reading("count").why.view().ends_with("(0x700)"));
  CHECK(is(pair.client, "level", SignalQuality::good));
  CHECK(pair.client.link->counters().exceptions[0] > 0);
  pair.plc.run([](AdsFront& front) { front.fault(find_signal(front.signals(), "count")->signal, {}); });
  CHECK(pair.client.until([&] { return is(pair.client, "count", SignalQuality::good); }));
}

TEST_CASE("a variable that stays unknown does not make the link look it up every cycle") {
  Pair pair;
  pair.plc.run([](AdsFront& front) { front.fault(find_signal(front.signals(), "count")->signal, {.exception = 2}); });
  REQUIRE(pair.client.until([&] { return is(pair.client, "count", SignalQuality::bad); }));
  const int before = pair.plc.wire.requests;
  const Instant end = in(700ms);
  std::uint32_t scans = 0;
  while (now() < end) {
    REQUIRE(pair.client.scan());
    ++scans;
    CHECK(is(pair.client, "level", SignalQuality::good));
  }
  // A sum read each scan that is due, four questions a second, and at most four look-ups of a few requests.
  CHECK(pair.plc.wire.requests - before < 100 + 8 + 4 * 20 + static_cast<int>(scans));
}

TEST_CASE("a PLC in STOP has stale signals, and good ones once it runs") {
  for (const bool notify : {false, true}) {
    Description description = conveyor();
    description.notify = notify;
    Pair pair(description);
    REQUIRE(pair.client.until([&] { return is(pair.client, "count", SignalQuality::good); }));
    pair.plc.run([](AdsFront& front) { front.server().device().plc_state(ads::AdsState::stop); });
    REQUIRE(pair.client.until([&] { return is(pair.client, "count", SignalQuality::stale); }));
    CHECK(pair.client.until([&] { return pair.client.reading("count").why.view() == "the PLC's state is stop"; }));
    CHECK(pair.client.notes().find("the PLC's state is stop: signals are stale") != std::string::npos);
    pair.plc.run([](AdsFront& front) { front.server().device().plc_state(ads::AdsState::run); });
    CHECK(pair.client.until([&] { return is(pair.client, "count", SignalQuality::good); }));
  }
}

TEST_CASE("a late answer is waited for over several scans, one request in flight") {
  Pair pair;
  pair.plc.wire.script.delay(120ms);
  pair.plc.wire.script.next(ads::FaultScript::delayed_answer, ads::FaultScript::always);
  const int before = pair.plc.wire.sum_reads;
  const Instant start = now();
  int answered = 0, scans = 0;
  while (now() - start < 1s) {
    const Instant begun = now();
    const auto scan = pair.client.scan(20ms);
    REQUIRE_MESSAGE(scan.ok(), scan.error().text);
    CHECK(now() - begun < 5s);
    answered += scan->answered > 0;
    ++scans;
  }
  CHECK(answered >= 1);
  CHECK(answered < scans);
  CHECK(pair.plc.wire.sum_reads - before <= 10);
  pair.plc.wire.script.next(ads::FaultScript::delayed_answer, 0);
  CHECK(pair.client.until([&] { return is(pair.client, "count", SignalQuality::good); }));
}

TEST_CASE("a PLC that falls silent is a lost link, after its signals are stale") {
  Pair pair;
  pair.plc.wire.script.next(ads::FaultScript::no_answer, ads::FaultScript::always);
  bool stale = false;
  const Instant end = soon();
  while (now() < end) {
    const auto scan = pair.client.scan(20ms);
    if (!scan) {
      CHECK(scan.error().fault == Fault::timeout);
      break;
    }
    stale |= is(pair.client, "count", SignalQuality::stale);
  }
  CHECK(now() < end);
  CHECK(stale);
  CHECK(pair.client.link->counters().timeouts >= 2);
}

TEST_CASE("answers that make no sense end the link and change no reading") {
  using ads::FaultScript;
  for (const auto kind :
       {FaultScript::short_answer, FaultScript::long_answer, FaultScript::cut_answer, FaultScript::garbage_answer,
        FaultScript::huge_length, FaultScript::length_mismatch, FaultScript::close_instead_of_answer}) {
    Pair pair;
    pair.plc.put("count", 77);
    pair.plc.wire.script.next(kind, FaultScript::always);
    bool lost = false;
    for (const Instant end = soon(); !lost && now() < end; std::this_thread::sleep_for(2ms))
      lost = !pair.client.scan(100ms);
    CAPTURE(static_cast<int>(kind));
    CHECK(lost);
    // What is cut short is filled up by the packet behind it, which may leave the first values whole.
    const std::size_t count = pair.client.link->signals()[pair.client.index("count")].first;
    CHECK((kind == FaultScript::cut_answer || pair.client.readings.numbers[count] != 77));
    pair.plc.wire.script.next(kind, 0);
    REQUIRE(pair.client.connect());
    CHECK(pair.client.until([&] { return pair.client.value("count") == 77; }));
  }
}

TEST_CASE("a PLC without sum commands is read one by one") {
  AdsPlc plc(conveyor());
  AdsClient client(conveyor(), plc.url);
  plc.wire.refused_group = ads::group::sum_read;
  REQUIRE(client.connect());
  plc.put("count", 3);
  REQUIRE(client.until([&] { return client.value("count") == 3; }));
  CHECK(client.notes().find("the PLC refuses sum reads") != std::string::npos);
  CHECK(plc.wire.reads >= 6);
  CHECK(plc.wire.sum_reads == 1);

  AdsPlc old(conveyor());
  old.wire.refused_group = ads::group::sum_read_write;
  AdsClient other(conveyor(), old.url);
  REQUIRE(other.connect());
  CHECK(other.scan(10s));
  CHECK(other.link->signals().size() == 25);
}

TEST_CASE("a sum read that is too large for the PLC is halved, once") {
  AdsPlc plc(conveyor());
  AdsClient client(conveyor(), plc.url);
  plc.wire.largest_sum = 3;
  REQUIRE(client.connect());
  plc.put("count", 3);
  plc.put("lamp", 1);
  REQUIRE(client.until([&] { return client.value("count") == 3 && client.value("lamp") == 1; }));
  CHECK(client.notes().find("the PLC refuses 6 variables in one sum read") != std::string::npos);
  const int before = plc.wire.sum_reads;
  REQUIRE(client.link->scan(now() + 1h, client.readings, soon()));
  CHECK(plc.wire.sum_reads - before == 2);
}

TEST_CASE("with notifications only what changes is sent, and the rest stays good") {
  Description description = conveyor();
  description.notify = true;
  Pair pair(description);
  REQUIRE(pair.client.until([&] { return is(pair.client, "belts[4].aTemp", SignalQuality::good); }));
  pair.plc.put("belts[4].aTemp[1]", 12);
  REQUIRE(pair.client.until([&] { return pair.client.value("belts[4].aTemp[1]") == 12; }));
  // Longer than an age that would make it stale; no reads beside.
  const int reads = pair.plc.wire.sum_reads;
  const Instant end = in(600ms);
  while (now() < end) {
    REQUIRE(pair.client.scan());
    std::this_thread::sleep_for(5ms);
  }
  CHECK(pair.client.until([&] { return is(pair.client, "count", SignalQuality::good); }));
  CHECK(pair.plc.wire.sum_reads - reads <= 2);
}

TEST_CASE("a PLC that refuses notifications is read instead") {
  Description description = conveyor();
  description.notify = true;
  AdsPlc plc(conveyor());
  plc.wire.refuses_notifications = true;
  AdsClient client(description, plc.url);
  REQUIRE(client.connect());
  plc.put("count", 4);
  CHECK(client.until([&] { return client.value("count") == 4; }));
  CHECK(client.notes().find("the PLC refuses notifications") != std::string::npos);
}

TEST_CASE("a PLC that grants notifications and sends none is read instead") {
  Description description = conveyor();
  description.notify = true;
  AdsPlc plc(conveyor());
  plc.wire.script.next(ads::FaultScript::no_notification, ads::FaultScript::always);
  AdsClient client(description, plc.url);
  REQUIRE(client.connect());
  plc.put("count", 4);
  CHECK(client.until([&] { return client.value("count") == 4; }));
  CHECK(client.notes().find("no notifications although it has granted them") != std::string::npos);
}

TEST_CASE("more notifications at once than there is room for are made up for by one read") {
  Description description = conveyor();
  description.notify = true;
  for (int i = 0; i < 450; ++i)
    description.signals.push_back(declared(fmt::format("x{}", i), fmt::format("GVL.x{}", i), "DINT"));
  Pair pair(description);
  pair.plc.run([](AdsFront& front) {
    for (int i = 0; i < 450; ++i) front.put(find_signal(front.signals(), fmt::format("x{}", i))->signal, 0, i + 1);
  });
  // Held up for a while, all have come meanwhile.
  std::this_thread::sleep_for(100ms);
  CHECK(pair.client.until([&] {
    for (int i = 0; i < 450; ++i)
      if (pair.client.value(fmt::format("x{}", i)) != i + 1) return false;
    return true;
  }));
}

TEST_CASE("a PLC that describes nothing is read by what the file says") {
  AdsPlc plc(conveyor());
  plc.wire.refused_group = ads::group::info_by_name_ex;
  // Its sum of look-ups is refused as well, so that each is asked alone.
  Description typed = conveyor();
  typed.heartbeat.reset();
  plc.wire.refuses_sum_look_ups = true;
  AdsClient client(typed, plc.url);
  const auto connected = client.connect();
  REQUIRE_MESSAGE(connected.ok(), connected.error().text);
  plc.put("belts[2].fSpeed", 2.5);
  CHECK(client.until([&] { return client.value("belts[2].fSpeed") == 2.5; }));
  typed.signals[1].plc_type.clear();
  AdsClient untyped(typed, plc.url);
  const auto refused = untyped.connect();
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text.find("count: the PLC does not describe MAIN.nParts") == 0);
}

}  // namespace
}  // namespace tandem::generic
