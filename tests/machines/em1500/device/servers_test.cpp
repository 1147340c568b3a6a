// SPDX-License-Identifier: Apache-2.0
// The bridge meets ADS servers that are not TwinCAT, and slow ones.
#include "tests/machines/em1500/rig.hpp"

using namespace tandem;
using namespace tandem::em1500;
using namespace tandem::em1500::faults;
using Script = ads::FaultScript;

namespace {

std::string text_of(const Rig& rig, std::string_view name) {
  for (const auto& value : rig.link.supervisor.values())
    if (value.name == name) return value.text;
  return {};
}

double number_of(const Rig& rig, std::string_view name) {
  for (const auto& value : rig.link.supervisor.values())
    if (value.name == name && !value.numbers.empty()) return value.numbers.front();
  return -1;
}

bool reads(const Rig& rig, std::string_view source) {
  return eventually([&] { return text_of(rig, "samples by").starts_with(source); });
}

void declare_pose_alone(ads::SymbolTable& table) {
  std::vector<ads::PlcTypes::Field> fields;
  for (const std::string_view axis : axis_names) fields.push_back({std::string(axis), "LREAL"});
  table.types().structure("ST_Pose", fields);
  table.add(std::string(symbol_pose), "ST_Pose");
}

// Live, and every pose the right one.
void check_flow(Rig& rig, std::uint64_t samples = 30) {
  CHECK_MESSAGE(rig.link.flows(samples), rig.link.status().cause.view() << rig.link.account.all());
  CHECK_MESSAGE(rig.link.account.wrong == 0, rig.link.account.all());
}

}  // namespace

TEST_CASE("notifications whose length counts itself are taken") {
  Rig rig(Mode::streaming);
  rig.wire.counts_itself = true;
  rig.link.start();
  check_flow(rig);
  CHECK(reads(rig, "notifications"));
  CHECK(number_of(rig, "malformed notifications") == 0);
}

TEST_CASE("malformed notifications are counted and the variables read instead") {
  Rig rig(Mode::streaming);
  rig.wire.script.next(Script::lying_sample_count, Script::always);
  rig.link.start();
  check_flow(rig);
  CHECK(reads(rig, "sum reads (no valid notification"));
  CHECK(number_of(rig, "malformed notifications") > 5);
  const double counted = number_of(rig, "malformed notifications");
  rig.wire.script.next(Script::lying_sample_count, 0);
  CHECK(reads(rig, "notifications"));
  check_flow(rig);
  CHECK(number_of(rig, "malformed notifications") >= counted);
}

TEST_CASE("a PLC that grants notifications and sends none is polled until one comes") {
  for (const bool keeps_state : {false, true}) {
    Rig rig(Mode::streaming);
    rig.wire.script.next(Script::no_notification, Script::always);
    rig.wire.keeps_state = keeps_state;
    rig.link.start();
    check_flow(rig);
    CHECK(reads(rig, "sum reads (no valid notification"));
    rig.wire.script.next(Script::no_notification, 0);
    CHECK(reads(rig, "notifications"));
    check_flow(rig);
    CHECK(rig.link.account.connects == 1);
  }
}

TEST_CASE("where notifications and sum reads are refused, plain reads come at the cycle rate") {
  Rig rig(Mode::streaming);
  rig.wire.refuses_subscriptions = rig.wire.refuses_sums = true;
  rig.link.start();
  check_flow(rig, 50);
  CHECK(reads(rig, "plain reads"));
  CHECK(text_of(rig, "samples by").find("(0x701)") != std::string::npos);
  // Three variables for each sample, a question each second, and nothing set up again.
  const int before = rig.wire.requests;
  const std::uint64_t live = rig.link.account.live;
  check_flow(rig, 100);
  CHECK(rig.wire.requests - before <= 3 * static_cast<int>(rig.link.account.live - live + 2) + 50);
  CHECK(rig.link.account.connects == 1);
  CHECK(rig.wire.most_handles == 3);
}

TEST_CASE("a server with handles, reads and nothing else is enough") {
  Rig rig(Mode::streaming);
  rig.wire.refuses_subscriptions = rig.wire.refuses_sums = rig.wire.refuses_descriptions = true;
  rig.wire.keeps_state = true;
  rig.link.start();
  check_flow(rig);
  CHECK(rig.link.account.connects == 1);
}

TEST_CASE("a PLC that refuses everything is asked once in a back-off and keeps no handles") {
  Rig rig(Mode::streaming);
  rig.wire.refuses_subscriptions = rig.wire.refuses_sums = true;
  rig.wire.refuses_reads = 0x716;
  rig.link.start();
  CHECK(eventually([&] { return rig.link.status().attempts >= 8; }));
  const int requests = rig.wire.requests;
  const auto attempts = static_cast<int>(rig.link.status().attempts);
  CHECK(requests <= 25 * (attempts + 1));
  CHECK(rig.wire.most_handles <= 3);
  CHECK(rig.link.account.said("0x716"));
  CHECK(rig.link.account.said("MAIN.stEM1500Pose"));
  const Instant begun = system_clock().now();
  pass(1s);
  const double elapsed = seconds(system_clock().now() - begun);
  CHECK(rig.link.status().attempts - static_cast<std::uint64_t>(attempts) <= static_cast<std::uint64_t>(20 * elapsed));
  rig.wire.refuses_reads = 0;
  check_flow(rig);
}

TEST_CASE("a symbol version that never rests is no storm") {
  Rig rig(Mode::streaming);
  std::atomic<int> changes{0};
  rig.link.start();
  REQUIRE(rig.link.flows());
  const int before = rig.wire.requests;
  const Instant begun = system_clock().now();
  while (system_clock().now() - begun < 1s) {
    rig.plc->run([](ads::Server&, ads::SymbolTable& table) { table.renew(); });
    ++changes;
  }
  const double elapsed = seconds(system_clock().now() - begun);
  CHECK(changes > 15);
  CHECK(rig.wire.requests - before <= static_cast<int>(250 * elapsed) + 50);
  CHECK(rig.wire.most_handles <= 3);
  check_flow(rig);
}

TEST_CASE("handles and notifications are given back at an orderly exit") {
  for (const bool polls : {false, true}) {
    faults::Wire wire;
    wire.refuses_subscriptions = polls;
    const Instant epoch = system_clock().now();
    BenchPlc plc(epoch, wire);
    {
      SupervisedMachine link("ads://" + plc.endpoint().text(), {epoch});
      link.start();
      REQUIRE(link.flows());
      CHECK(wire.handles == 3);
      CHECK(wire.subscribed == (polls ? 0 : 4));
    }
    CHECK(wire.handles == 0);
    CHECK(wire.subscribed == 0);
    CHECK(wire.writes == 0);
  }
}

TEST_CASE("an array of six LREAL is a pose too") {
  for (const char* type : {"ARRAY [0..5] OF LREAL", "ARRAY [1..6] OF LREAL", "ST_Array"}) {
    Rig rig(Mode::streaming);
    rig.restart([=](ads::SymbolTable& table) {
      table.types().structure("ST_Array", {{"position", "ARRAY [0..2] OF LREAL"}, {"angles", "ARRAY [0..2] OF LREAL"}});
      table.add(std::string(symbol_pose), type);
    });
    rig.link.start();
    CAPTURE(type);
    check_flow(rig);
  }
  Rig rig(Mode::streaming);
  rig.restart([](ads::SymbolTable& table) { table.add(std::string(symbol_pose), "ARRAY [0..5] OF LINT"); });
  rig.link.start();
  CHECK(eventually([&] { return rig.link.account.said("expected six LREAL"); }));
  CHECK(rig.link.account.live == 0);
}

TEST_CASE("a stopped PLC that is polled gives no samples") {
  Rig rig(Mode::streaming);
  rig.restart(declare_pose_alone);
  rig.wire.refuses_subscriptions = true;
  rig.link.start();
  check_flow(rig);
  rig.plc->idle(true);
  CHECK(eventually([&] { return rig.link.account.said("the PLC is in state stop"); }));
  const std::uint64_t live = rig.link.account.live;
  pass(300ms);
  CHECK(rig.link.account.live == live);
  rig.plc->idle(false);
  check_flow(rig);
  CHECK(rig.link.account.connects == 1);
}

TEST_CASE("one late answer about the state is not the last") {
  Rig rig(Mode::streaming);
  rig.restart(declare_pose_alone);
  rig.wire.refuses_subscriptions = true;
  rig.link.start();
  check_flow(rig);
  const auto answer_late = [&] {
    rig.wire.late_states = 1;
    CHECK(eventually([&] { return rig.wire.late_states == 0; }));
    pass(700ms);  // longer than the bridge waits for it
  };
  // Late in RUN: a later STOP is seen.
  answer_late();
  check_flow(rig);
  rig.plc->idle(true);
  CHECK(eventually([&] { return rig.link.account.said("the PLC is in state stop"); }));
  // Late in STOP: the pose that is still answered is no sample, and the next RUN is seen.
  const std::uint64_t live = rig.link.account.live;
  answer_late();
  pass(300ms);
  CHECK(rig.link.account.live == live);
  rig.plc->idle(false);
  check_flow(rig);
}

TEST_CASE("a version that comes by notification alone is no reason to set up again and again") {
  Rig rig(Mode::streaming);
  rig.wire.refuses_descriptions = true;  // and with them the read of the version
  rig.link.start();
  check_flow(rig, 50);
  CHECK(rig.wire.requests < 40);
  CHECK(rig.link.account.connects == 1);
}

TEST_CASE("a polled sample that waited here while the process stood is not published") {
  Rig rig(Mode::streaming);
  rig.wire.refuses_subscriptions = true;
  rig.wire.script.delay(150ms);  // so that a request is in flight between two cycles
  rig.wire.script.next(Script::delayed_answer, Script::always);
  rig.link.start();
  check_flow(rig, 3);
  for (int i = 0; i < 3; ++i) {
    rig.link.account.pause_for = Duration(800ms).count();
    CHECK(eventually([&] { return rig.link.account.pause_for == 0; }));
    check_flow(rig, 3);
  }
  CHECK(Duration(rig.link.account.oldest.load()) < 700ms);
}

TEST_CASE("a halted task is not mistaken for a platform that stands") {
  Rig rig(Mode::streaming);
  rig.restart(declare_pose_alone);
  rig.link.start();
  check_flow(rig);
  rig.plc->halted = true;
  CHECK(eventually([&] { return rig.link.account.said("it may be stale"); }));
  const std::uint64_t live = rig.link.account.live;
  pass(1500ms);  // over several connections
  CHECK(rig.link.account.live == live);
  rig.plc->halted = false;
  check_flow(rig);
}

TEST_CASE("a PLC that takes 300 ms for a round trip is set up, and its latency is shown") {
  for (const bool polls : {false, true}) {
    Rig rig(Mode::streaming);
    rig.wire.refuses_subscriptions = polls;
    rig.proxy.apply(net::Faults::both({.delay = Duration(150ms)}));
    rig.link.start();
    CHECK_MESSAGE(eventually([&] { return rig.link.account.live >= (polls ? 4u : 20u); }, 30s), rig.link.account.all());
    CHECK_MESSAGE(eventually([&] { return rig.link.status().state == runtime::LinkState::live; }, 30s),
                  rig.link.account.all());
    CHECK(rig.link.account.wrong == 0);
    CHECK(number_of(rig, "round trip") > 290);
    CHECK(number_of(rig, "round trip") < 2000);
  }
}

TEST_CASE("a black hole costs one round trip, before and in the middle of a set-up") {
  Rig rig(Mode::streaming);
  rig.proxy.apply(net::Faults::both({.black_hole = true}));
  rig.link.start();
  CHECK(eventually([&] { return rig.link.status().attempts >= 3; }));
  CHECK(rig.link.account.connects == 0);
  CHECK(Duration(rig.link.account.slowest.load()) < 1500ms);
  rig.proxy.clear();
  check_flow(rig);
  // Answers from the fourth on do not come: the first three were handle, version and symbol.
  const Instant begun = system_clock().now();
  rig.link.account.slowest = 0;
  rig.wire.answers_left = 3;
  rig.proxy.cut(net::Cut::rst);
  CHECK(eventually([&] { return rig.link.account.said("no answer before the deadline"); }));
  CHECK(system_clock().now() - begun < 10s);
  CHECK(Duration(rig.link.account.slowest.load()) < 1500ms);
  rig.wire.answers_left = faults::Wire::all;
  check_flow(rig);
}

TEST_CASE("a PLC whose clock is set back costs nothing") {
  Rig rig(Mode::streaming);
  rig.link.start();
  check_flow(rig);
  for (const Duration back : {Duration(-1h), Duration(-1h - 50ms), Duration(-24h)}) {
    rig.plc->ahead = back.count();
    check_flow(rig);
  }
  CHECK_FALSE(rig.link.account.said("went back"));
  CHECK_FALSE(rig.link.account.said("jumped"));
  CHECK(rig.link.account.connects == 1);
}
