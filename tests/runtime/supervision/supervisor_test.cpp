// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/supervision/supervisor.hpp"

#include <doctest/doctest.h>

#include <deque>
#include <stdexcept>

namespace tandem::runtime {

namespace {

// A machine that does what the script says and moves the clock as a real one would.
class Scripted final : public machines::Machine, public machines::Paced {
 public:
  enum class Act { live, quiet, nan, far, lose, explode, disarm };
  struct Shared {
    ManualClock clock{};
    bool reachable = true;
    Act act = Act::live;
    Duration period = 10ms;             // what a cycle takes
    double rate = 0;                    // as configured
    std::optional<std::string> stop{};  // found while there is no link
    bool protective_stop = false;
    int connects = 0, disconnects = 0, outputs = 0;
    std::vector<Event> events{};
    std::vector<std::string> incidents{};  // their causes
    bool arms_at_once = false;             // somebody who waits for the link to be live

    bool told(std::string_view kind) const { return count(kind) > 0; }
    long count(std::string_view kind) const {
      return std::count_if(events.begin(), events.end(), [&](const Event& event) { return event.kind == kind; });
    }
  };

  explicit Scripted(Shared& shared) : shared_(shared) {}

  Result<void> connect(Instant) override {
    ++shared_.connects;
    shared_.clock.advance(1ms);
    if (!shared_.reachable) return Error{Fault::refused, "nobody listens"};
    return {};
  }
  Result<machines::Cycle> cycle(const machines::Permit& permit) override {
    shared_.clock.advance(shared_.period);
    const Instant now = shared_.clock.now();
    switch (shared_.act) {
      case Act::live:
        break;
      case Act::quiet:
        return machines::Cycle{Quality::stale, {}, {}, {}, "no sample", false};
      case Act::nan:
        return machines::Cycle{Quality::invalid, now, now, now, "not finite", false};
      case Act::far:
        return machines::Cycle{Quality::invalid, now, now, now, "position outside the room", false};
      case Act::lose:
        return Error{Fault::closed, "the peer closed"};
      case Act::explode:
        throw std::runtime_error("boom");
      case Act::disarm:
        return machines::Cycle{.quality = Quality::live,
                               .readable = now,
                               .solved = now,
                               .published = now,
                               .why = "device restarted",
                               .disarm = true};
    }
    if (permit.armed()) ++shared_.outputs;
    return machines::Cycle{.quality = Quality::live,
                           .readable = now - 3us,
                           .solved = now - 2us,
                           .published = now,
                           .why = "",
                           .protective_stop = shared_.protective_stop};
  }
  void disconnect() noexcept override { ++shared_.disconnects; }
  std::optional<std::string> take_stop() override { return std::exchange(shared_.stop, std::nullopt); }
  Duration period() const override { return 10ms; }
  double rate() const override { return shared_.rate; }
  std::string delays() const override { return "device round trip p50 41 ms"; }
  bool moves() const override { return true; }
  std::vector<machines::Value> values() const override { return {}; }

 private:
  Shared& shared_;
};

struct SupervisorBench {
  explicit SupervisorBench(double rate = 0) : shared{.rate = rate} {}

  Scripted::Shared shared;
  Supervisor supervisor{
      "lift",       std::make_unique<Scripted>(shared),
      shared.clock, [this](const Event& event) { happened(event); },
      {},           [this](const Incident& incident) { shared.incidents.emplace_back(incident.cause); }};
  std::stop_source stop;

  void steps(int count) {
    for (int i = 0; i < count; ++i) supervisor.step(stop.get_token());
  }
  void run_for(Duration duration) {
    const Instant until = shared.clock.now() + duration;
    while (shared.clock.now() < until) steps(1);
  }
  LinkStatus status() const { return supervisor.status(); }
  void happened(const Event& event) {
    shared.events.push_back(event);
    if (shared.arms_at_once && event.kind == "live") CHECK(supervisor.latch().arm("test"));
  }
};

using Act = Scripted::Act;

}  // namespace

TEST_CASE("a link goes from down over syncing to live") {
  SupervisorBench bench;
  CHECK(bench.status().state == LinkState::down);
  bench.steps(1);
  CHECK(bench.status().state == LinkState::syncing);
  bench.steps(1);
  CHECK(bench.status().state == LinkState::live);
  CHECK(bench.status().quality == Quality::live);
  CHECK(bench.shared.told("live"));
}

TEST_CASE("a peer that is never there is tried for ever with one line per ten seconds") {
  SupervisorBench bench;
  bench.shared.reachable = false;
  bench.run_for(60s);
  CHECK(bench.status().state == LinkState::connecting);
  CHECK(bench.status().cause.view() == "nobody listens");
  CHECK(bench.shared.count("away") >= 5);
  CHECK(bench.shared.count("away") <= 7);
  // 20, 40, 80, then 150 ms, a quarter shorter at most: between 60 s / 151 ms and 60 s / 113 ms.
  CHECK(bench.shared.connects > 390);
  CHECK(bench.shared.connects < 545);
  bench.shared.reachable = true;
  const Instant listens = bench.shared.clock.now();
  while (bench.status().state != LinkState::live) bench.steps(1);
  CHECK(bench.shared.clock.now() - listens <= 250ms);
}

TEST_CASE("after five minutes away an attempt a second is enough") {
  SupervisorBench bench;
  bench.shared.reachable = false;
  bench.run_for(301s);
  const int before = bench.shared.connects;
  bench.run_for(60s);
  CHECK(bench.shared.connects - before >= 59);
  CHECK(bench.shared.connects - before <= 82);
}

TEST_CASE("silence is stale after three periods and at least 100 ms") {
  SupervisorBench bench;
  bench.steps(20);
  REQUIRE(bench.supervisor.latch().arm("test").ok());
  bench.steps(3);
  CHECK(bench.shared.outputs == 3);
  bench.shared.act = Act::quiet;
  const Instant last = bench.shared.clock.now();
  while (bench.status().state == LinkState::live) bench.steps(1);
  CHECK(bench.shared.clock.now() - last > 100ms);
  CHECK(bench.shared.clock.now() - last <= 120ms);
  CHECK(bench.status().quality == Quality::stale);
  CHECK(bench.status().stale_episodes == 1);
  CHECK(bench.supervisor.latch().status().state == ArmState::disarmed);
  bench.shared.act = Act::live;
  bench.steps(20);
  CHECK(bench.status().state == LinkState::live);
  CHECK(bench.shared.told("fresh"));
  CHECK(bench.shared.connects == 1);
  CHECK(bench.shared.outputs == 3);
}

TEST_CASE("a link that stays silent is left and made anew") {
  SupervisorBench bench;
  bench.steps(20);
  bench.shared.act = Act::quiet;
  bench.run_for(1200ms);
  CHECK(bench.shared.connects == 2);
  CHECK(bench.shared.told("lost"));
}

TEST_CASE("a device that accepts and stays silent is left after half a second") {
  SupervisorBench bench;
  bench.shared.act = Act::quiet;
  bench.run_for(10s);
  CHECK(bench.shared.connects >= 10 * 1000 / 700);
  CHECK(bench.shared.connects <= 10 * 1000 / 500);
  CHECK(bench.shared.count("away") <= 2);
}

TEST_CASE("samples that are not believed keep the link but end live and armed") {
  SupervisorBench bench;
  bench.steps(20);
  REQUIRE(bench.supervisor.latch().arm("test").ok());
  bench.shared.act = Act::nan;
  bench.run_for(5s);
  CHECK(bench.shared.connects == 1);
  CHECK(bench.status().state == LinkState::syncing);
  CHECK(bench.status().quality == Quality::invalid);
  CHECK(bench.status().invalid > 400);
  CHECK(bench.supervisor.latch().status().state == ArmState::disarmed);
}

TEST_CASE("a gate is named with each of its reasons once until samples are live again") {
  SupervisorBench bench;
  const auto reasons = [&] {
    std::vector<std::string> texts;
    for (const Event& event : bench.shared.events)
      if (event.kind == "gate") texts.push_back(event.text);
    return texts;
  };
  bench.shared.act = Act::nan;
  bench.run_for(300ms);
  CHECK(reasons().empty());  // a device that was never live: the state of the link says why
  bench.shared.act = Act::live;
  bench.run_for(1s);
  bench.shared.act = Act::nan;
  bench.run_for(300ms);
  CHECK(reasons() == std::vector<std::string>{"not finite"});
  bench.shared.act = Act::far;  // within a second of the first: reported once that is over
  bench.run_for(300ms);
  CHECK(reasons().size() == 1);
  bench.run_for(5s);
  CHECK(reasons().size() == 2);
  CHECK(reasons().back().starts_with("position outside the room ("));
  bench.shared.act = Act::live;
  bench.run_for(1s);
  bench.shared.act = Act::far;
  bench.run_for(3s);
  CHECK(reasons().size() == 3);
  CHECK(reasons().back() == "position outside the room");
  // In step with the device: the numbers of a flood are bounded.
  for (int i = 0; i < 500; ++i) {
    bench.shared.act = i % 2 == 0 ? Act::live : Act::nan;
    bench.steps(1);
  }
  CHECK(reasons().size() <= 3 + 6);
}

TEST_CASE("a lost link disarms and comes back disarmed") {
  SupervisorBench bench;
  bench.run_for(2s);
  REQUIRE(bench.supervisor.latch().arm("test").ok());
  bench.steps(5);
  CHECK(bench.shared.outputs == 5);
  bench.shared.act = Act::lose;
  bench.steps(1);
  CHECK(bench.status().state == LinkState::down);
  CHECK(bench.status().quality == Quality::stale);
  bench.shared.act = Act::live;
  bench.run_for(1s);
  CHECK(bench.status().state == LinkState::live);
  CHECK(bench.shared.outputs == 5);
  CHECK(bench.supervisor.latch().status().cause.view() == "link lost: the peer closed");
  CHECK(bench.supervisor.latch().arm("test").ok());
}

TEST_CASE("a stop that is due while the link is away is latched before the link is back") {
  SupervisorBench bench;
  bench.run_for(2s);
  REQUIRE(bench.supervisor.latch().arm("test").ok());
  bench.shared.act = Act::lose;
  bench.shared.reachable = false;
  bench.steps(2);
  CHECK(bench.supervisor.latch().status().state == ArmState::disarmed);
  bench.shared.stop = "away for 1.2 s while driving";
  bench.steps(1);
  CHECK(bench.supervisor.latch().status().state == ArmState::stopped);
  CHECK(bench.supervisor.latch().status().cause.view() == "away for 1.2 s while driving");
  CHECK(bench.shared.count("stopped") == 1);
  // A reset meanwhile holds: back again, an arm is enough.
  bench.supervisor.latch().reset("test");
  bench.shared.act = Act::live;
  bench.shared.reachable = true;
  bench.run_for(1s);
  CHECK(bench.status().state == LinkState::live);
  CHECK(bench.supervisor.latch().status().state == ArmState::disarmed);
  CHECK(bench.supervisor.latch().arm("test").ok());
}

TEST_CASE("a device that says it restarted is disarmed without losing the link") {
  SupervisorBench bench;
  bench.steps(20);
  REQUIRE(bench.supervisor.latch().arm("test").ok());
  bench.shared.act = Act::disarm;
  bench.steps(1);
  bench.shared.act = Act::live;
  bench.steps(5);
  CHECK(bench.shared.outputs == 0);
  CHECK(bench.supervisor.latch().status().cause.view() == "device restarted");
  CHECK(bench.status().state == LinkState::live);
}

TEST_CASE("a process that was stopped for two seconds is disarmed") {
  SupervisorBench bench;
  bench.steps(20);
  REQUIRE(bench.supervisor.latch().arm("test").ok());
  bench.steps(1);
  bench.shared.clock.advance(2s);
  bench.steps(5);
  CHECK(bench.shared.outputs == 1);
  CHECK(bench.shared.told("disarmed"));
}

// Shorter than what counts as a pause of the process: the permit lapsed, and the sample that ends the gap is live.
TEST_CASE("a cycle that outlasts its permit disarms and the next sample does not arm again") {
  SupervisorBench bench;
  bench.steps(20);
  REQUIRE(bench.supervisor.latch().arm("test").ok());
  bench.steps(1);
  CHECK(bench.shared.outputs == 1);
  bench.shared.period = 150ms;
  bench.steps(1);
  bench.shared.period = 10ms;
  bench.steps(20);
  CHECK(bench.status().state == LinkState::live);
  CHECK(bench.supervisor.latch().status().state == ArmState::disarmed);
  CHECK(bench.shared.outputs == 1);
  CHECK(bench.shared.told("disarmed"));
}

TEST_CASE("an arm in the very cycle that makes the link live holds") {
  SupervisorBench bench;
  bench.shared.reachable = false;
  bench.run_for(1s);
  bench.shared.arms_at_once = bench.shared.reachable = true;
  while (bench.status().state != LinkState::live) bench.steps(1);
  CHECK(bench.supervisor.latch().status().state == ArmState::armed);
  CHECK(bench.shared.outputs == 0);  // its permit is of before
  bench.steps(1);
  CHECK(bench.shared.outputs == 1);
}

TEST_CASE("a machine that throws is faulted and named and stays so") {
  SupervisorBench bench;
  bench.steps(20);
  REQUIRE(bench.supervisor.latch().arm("test").ok());
  bench.shared.act = Act::explode;
  bench.supervisor.run(bench.stop.get_token());
  CHECK(bench.status().state == LinkState::faulted);
  CHECK(bench.status().cause.view() == "boom");
  CHECK(bench.shared.disconnects == 1);
  CHECK(bench.supervisor.latch().status().state == ArmState::disarmed);
  CHECK_FALSE(bench.supervisor.latch().arm("test").ok());
}

TEST_CASE("a flapping device neither floods the log nor is knocked at in a storm") {
  SupervisorBench bench;
  int cuts = 0;
  const Instant until = bench.shared.clock.now() + 60s;
  while (bench.shared.clock.now() < until) {
    bench.shared.act = Act::live;
    bench.steps(3);
    bench.shared.act = Act::lose;
    bench.steps(1);
    ++cuts;
  }
  CHECK(cuts < 600);
  CHECK(bench.shared.events.size() <= 2 * 61);
}

TEST_CASE("latencies rate and counts are of the live samples") {
  SupervisorBench bench;
  bench.run_for(5s);
  CHECK(bench.status().rate == doctest::Approx(100).epsilon(0.02));
  const Hops& hops = bench.supervisor.hops();
  CHECK(hops.total.count() == bench.status().samples);
  CHECK(seconds(hops.total.quantile(0.5)) == doctest::Approx(3e-6).epsilon(0.07));
  CHECK(seconds(hops.solve.quantile(0.99)) == doctest::Approx(1e-6).epsilon(0.07));
  CHECK(seconds(hops.publish.quantile(0.999)) == doctest::Approx(2e-6).epsilon(0.07));
  bench.shared.clock.advance(3s);
  CHECK(bench.status().rate == 0);
  CHECK(bench.status().quality == Quality::stale);
}

TEST_CASE("fewer samples than configured are a warning with its reason") {
  SupervisorBench bench(100);
  bench.run_for(5s);
  CHECK(bench.status().warning.empty());
  bench.shared.period = 45ms;
  bench.run_for(2s);
  CHECK(bench.status().warning.empty());  // not yet: a hiccup is none
  bench.run_for(3s);
  CHECK(bench.status().state == LinkState::live);
  const std::string warning(bench.status().warning.view());
  CHECK_MESSAGE(warning.starts_with("22.2 Hz instead of 100 Hz: "), warning);
  CHECK_MESSAGE(warning.find("device round trip p50 41 ms") != std::string::npos, warning);
  bench.run_for(300s);
  CHECK(bench.shared.count("slow") == 1);
  bench.shared.period = 12ms;  // 83 %
  bench.run_for(5s);
  CHECK(bench.status().warning.empty());
}

TEST_CASE("a rate that flaps around the limit is one line a minute") {
  SupervisorBench bench(100);
  for (int i = 0; i < 60; ++i) {
    bench.shared.period = i % 2 == 0 ? 20ms : 10ms;
    bench.run_for(5s);
  }
  CHECK(bench.shared.count("slow") >= 2);
  CHECK(bench.shared.count("slow") <= 6);
}

TEST_CASE("a lost link takes its warning with it") {
  SupervisorBench bench(100);
  bench.shared.period = 45ms;
  bench.run_for(6s);
  REQUIRE_FALSE(bench.status().warning.empty());
  bench.shared.act = Act::lose;
  bench.steps(1);
  CHECK(bench.status().warning.empty());
}

TEST_CASE("a machine without a rate of its own is never slow") {
  SupervisorBench bench;
  bench.shared.period = 45ms;
  bench.run_for(20s);
  CHECK(bench.status().warning.empty());
}

TEST_CASE("an overloaded computer is named before the device") {
  const RateWatch watch(100);
  CHECK(watch.reason(22.2, "device round trip p50 1 ms", 0.43) ==
        "22.2 Hz instead of 100 Hz: this computer is overloaded; device round trip p50 1 ms; thread waited 43 % of the "
        "time for a CPU");
  CHECK(watch.reason(22.2, "", std::nullopt) == "22.2 Hz instead of 100 Hz");
  CpuWait wait;
  CHECK_FALSE(wait.take());
  if (const auto share = wait.take()) CHECK(*share >= 0);
}

TEST_CASE("a link that is lost or stale is an incident only while armed") {
  for (const Act act : {Act::lose, Act::quiet, Act::nan, Act::explode}) {
    SupervisorBench bench;
    bench.steps(5);
    if (act != Act::explode) {
      bench.shared.act = act;
      bench.run_for(500ms);
      CHECK(bench.shared.incidents.empty());
      bench.shared.act = Act::live;
      bench.run_for(500ms);
    }
    REQUIRE(bench.supervisor.latch().arm("test"));
    bench.shared.act = act;
    if (act == Act::explode) {
      bench.supervisor.run(bench.stop.get_token());
    } else {
      bench.run_for(500ms);
    }
    CHECK(bench.shared.incidents == std::vector<std::string>{"lost"});
  }
}

TEST_CASE("every loss while armed is an incident however close together they are") {
  SupervisorBench bench;
  for (int i = 0; i < 5; ++i) {
    while (bench.status().state != LinkState::live) bench.steps(1);
    REQUIRE(bench.supervisor.latch().arm("test"));
    bench.shared.act = Act::lose;
    bench.steps(1);
    bench.shared.act = Act::live;
  }
  CHECK(bench.shared.incidents.size() == 5);
  CHECK(bench.shared.count("lost") < 5);  // lines in the log are fewer
}

TEST_CASE("a stop that the device asks for is an incident once") {
  SupervisorBench bench;
  bench.steps(5);
  bench.shared.reachable = false;
  bench.shared.act = Act::lose;
  bench.steps(1);
  bench.shared.stop = "it was away for too long while it moved";
  bench.run_for(1s);
  bench.shared.stop = "again";
  bench.run_for(1s);
  CHECK(bench.shared.incidents == std::vector<std::string>{"stopped"});
}

TEST_CASE("a protective stop is an incident when it begins and not when it was there before") {
  SupervisorBench bench;
  bench.shared.protective_stop = true;
  bench.steps(5);
  CHECK(bench.shared.incidents.empty());
  bench.shared.protective_stop = false;
  bench.steps(5);
  for (int i = 0; i < 2; ++i) {
    bench.shared.protective_stop = true;
    bench.steps(5);
    CHECK(bench.shared.incidents.size() == static_cast<std::size_t>(i + 1));
    bench.shared.protective_stop = false;
    bench.steps(5);
  }
  CHECK(bench.shared.incidents.back() == "protective_stop");
  CHECK(bench.shared.told("protective_stop"));
}

TEST_CASE("the end of the program is no incident") {
  SupervisorBench bench;
  bench.steps(5);
  REQUIRE(bench.supervisor.latch().arm("test"));
  bench.stop.request_stop();
  bench.supervisor.run(bench.stop.get_token());
  CHECK(bench.supervisor.latch().status().state == ArmState::disarmed);
  CHECK(bench.shared.incidents.empty());
}

}  // namespace tandem::runtime
