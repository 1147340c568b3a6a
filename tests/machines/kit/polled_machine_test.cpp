// SPDX-License-Identifier: Apache-2.0
// What machines with a polled device have in common, on a clock that only the test moves.
#include "tandem/machines/kit/polled_machine.hpp"

#include <doctest/doctest.h>

#include <atomic>

#include "tandem/machines/kit/modbus_link.hpp"

namespace tandem::machines {
namespace {

struct TestState {
  Quality quality = Quality::invalid;
  ShortText<160> why;
  Instant live_at{};
  std::uint64_t samples = 0, rejected = 0;
};

struct FakeLink {
  Result<void> connect(Instant) {
    if (there) return {};
    return Error{Fault::refused, "not there"};
  }
  bool there = true;
};

// Ten cycles a second, stale after 0.2 s, a stop after a second.
struct TestMachine final : PolledMachine<TestState, Exchange> {
  explicit TestMachine(Clock& clock) : PolledMachine(clock, 0.1, 0.2, 1) {}
  Result<void> connect(Instant deadline) override { return connect_link(link, deadline); }
  Result<Cycle> cycle(const Permit&) override { return Cycle{}; }
  void disconnect() noexcept override {}
  std::vector<Value> values() const override { return {}; }
  std::string delays() const override { return {}; }
  Verdict judge(const Exchange&) override { return verdict; }
  void observe(const Exchange& sample) override { believe(sample.received); }
  void publish(Instant) override { ++published; }

  // A sample that is believed, or what `verdict` says.
  Cycle sample() {
    Exchange exchange;
    exchange.received = clock_.now();
    return handle(exchange);
  }

  using PolledMachine::ask_disarm;
  using PolledMachine::ask_stop;
  using PolledMachine::farewell;
  using PolledMachine::is_fresh;
  using PolledMachine::may_start;
  using PolledMachine::moved_;
  using PolledMachine::see;
  using PolledMachine::tell;
  using PolledMachine::wait_for_turn;

  FakeLink link;
  Verdict verdict;
  int published = 0;
};

struct MachineBench {
  Permit permit() const { return {armed, clock, clock.now() + 1h}; }

  ManualClock clock;
  std::atomic<bool> armed = false;
  TestMachine machine{clock};
};

}  // namespace

TEST_CASE("a cycle that is late is caught up with for 100 ms and no longer") {
  MachineBench bench;
  REQUIRE(bench.machine.connect({}));
  const Instant start = bench.clock.now();
  bench.machine.wait_for_turn();
  CHECK(bench.clock.now() == start + 100ms);
  bench.clock.advance(150ms);  // the second turn was due 50 ms ago
  bench.machine.wait_for_turn();
  bench.machine.wait_for_turn();
  CHECK(bench.clock.now() == start + 300ms);
  bench.clock.advance(10s);
  bench.machine.wait_for_turn();
  bench.machine.wait_for_turn();
  CHECK(bench.clock.now() == start + 10s + 400ms);
}

TEST_CASE("a cycle says how late it has begun also when what is lost is not caught up with") {
  MachineBench bench;
  REQUIRE(bench.machine.connect({}));
  const auto late = [&] {
    bench.machine.wait_for_turn();
    return bench.machine.sample().late.value_or(-1ns);
  };
  CHECK(late() == 0ms);
  bench.clock.advance(130ms);
  CHECK(late() == 30ms);
  bench.clock.advance(10s);
  CHECK(late() == 9930ms);  // of the turn after the one that was 30 ms late
  CHECK(bench.machine.skipped() == 99);
  CHECK(late() == 0ms);
}

TEST_CASE("feedback is fresh until it is stale and a sample that is not believed refreshes nothing") {
  MachineBench bench;
  REQUIRE(bench.machine.connect({}));
  CHECK_FALSE(bench.machine.is_fresh(bench.clock.now()));
  CHECK(bench.machine.sample().quality == Quality::live);
  bench.clock.advance(150ms);
  bench.machine.verdict = {Quality::invalid, "torn"};
  CHECK(bench.machine.sample().quality == Quality::invalid);
  CHECK(bench.machine.is_fresh(bench.clock.now()));
  bench.clock.advance(51ms);
  CHECK_FALSE(bench.machine.is_fresh(bench.clock.now()));
  CHECK(bench.machine.published == 1);
  CHECK(bench.machine.state().rejected == 1);
  CHECK(bench.machine.state().why.view() == "torn");
}

TEST_CASE("a machine that asked to be disarmed starts again only after it was") {
  MachineBench bench;
  REQUIRE(bench.machine.connect({}));
  bench.machine.sample();
  bench.machine.see(bench.permit());
  CHECK_FALSE(bench.machine.may_start(bench.permit(), bench.clock.now()));
  bench.armed = true;
  bench.machine.see(bench.permit());
  CHECK(bench.machine.may_start(bench.permit(), bench.clock.now()));
  bench.machine.ask_disarm("broken");
  Cycle cycle;
  bench.machine.tell(cycle);
  CHECK(cycle.disarm);
  CHECK_FALSE(cycle.stop);
  CHECK(cycle.why.view() == "broken");
  bench.machine.see(bench.permit());  // still armed: the latch has not acted yet
  CHECK_FALSE(bench.machine.may_start(bench.permit(), bench.clock.now()));
  bench.armed = false;
  bench.machine.see(bench.permit());
  bench.armed = true;
  bench.machine.see(bench.permit());
  CHECK(bench.machine.may_start(bench.permit(), bench.clock.now()));
  Cycle next;
  bench.machine.tell(next);
  CHECK_FALSE(next.disarm);
}

TEST_CASE("nothing starts by feedback that is stale") {
  MachineBench bench;
  REQUIRE(bench.machine.connect({}));
  bench.armed = true;
  bench.machine.sample();
  bench.clock.advance(201ms);
  CHECK_FALSE(bench.machine.may_start(bench.permit(), bench.clock.now()));
}

TEST_CASE("a link that was lost for too long while moving latches one stop") {
  MachineBench bench;
  REQUIRE(bench.machine.connect({}));
  bench.machine.sample();
  bench.machine.moved_ = true;
  bench.machine.link.there = false;
  bench.clock.advance(900ms);
  CHECK_FALSE(bench.machine.connect({}));
  CHECK_FALSE(bench.machine.take_stop());
  bench.clock.advance(200ms);
  CHECK_FALSE(bench.machine.connect({}));
  CHECK(bench.machine.take_stop() == "the link was lost for 1.1 s while moving");
  bench.clock.advance(5s);
  CHECK_FALSE(bench.machine.connect({}));
  CHECK_FALSE(bench.machine.take_stop());
}

TEST_CASE("a link that was lost while nothing moved latches no stop") {
  MachineBench bench;
  REQUIRE(bench.machine.connect({}));
  bench.machine.sample();
  bench.clock.advance(1h);
  REQUIRE(bench.machine.connect({}));
  CHECK_FALSE(bench.machine.take_stop());
  CHECK_FALSE(bench.machine.is_fresh(bench.clock.now()));
}

TEST_CASE("a farewell ends when it is over, when it fails and in any case in time") {
  MachineBench bench;
  REQUIRE(bench.machine.connect({}));
  int steps = 0;
  bench.machine.farewell(
      1s, [&] { return steps < 3; }, [&] { return ++steps > 0; });
  CHECK(steps == 3);
  bench.machine.farewell(
      1s, [] { return true; }, [&] { return ++steps < 5; });
  CHECK(steps == 5);
  const Instant start = bench.clock.now();
  bench.machine.farewell(
      1s, [] { return true; }, [] { return true; });
  CHECK(bench.clock.now() - start <= 1100ms);
}

}  // namespace tandem::machines
