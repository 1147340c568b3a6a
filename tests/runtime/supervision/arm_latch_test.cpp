// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/supervision/arm_latch.hpp"

#include <doctest/doctest.h>

#include <random>
#include <thread>
#include <vector>

namespace tandem::runtime {

namespace {
constexpr Duration pause_limit = 500ms;

struct Bench {
  ManualClock clock;
  ArmLatch latch{clock, pause_limit};
  bool paused = false;

  machines::Permit cycle() { return latch.permit(paused); }
  void live() {
    latch.link_live();
    (void)cycle();
  }
};
}  // namespace

TEST_CASE("a latch starts disarmed and says so") {
  Bench bench;
  CHECK(bench.latch.status().state == ArmState::disarmed);
  CHECK_FALSE(bench.cycle().armed());
  CHECK_FALSE(machines::Permit().armed());
}

TEST_CASE("arming needs a live link") {
  Bench bench;
  const auto refused = bench.latch.arm("test");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().text == "the link is not live");
  bench.live();
  CHECK(bench.latch.arm("test").ok());
  CHECK(bench.cycle().armed());
}

TEST_CASE("a stop counts at once and in the middle of a cycle") {
  Bench bench;
  bench.live();
  REQUIRE(bench.latch.arm("test").ok());
  const machines::Permit permit = bench.cycle();
  CHECK(permit.armed());
  bench.latch.stop("stop requested", "somebody");
  CHECK_FALSE(permit.armed());
}

TEST_CASE("a stop stays until reset and reset leaves disarmed") {
  Bench bench;
  bench.live();
  bench.latch.stop("door open", "operator");
  bench.latch.stop("second", "other");
  CHECK(bench.latch.status().cause.view() == "door open");
  CHECK(bench.latch.status().by.view() == "operator");
  const auto refused = bench.latch.arm("test");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().text == "stopped by operator (door open): reset first");
  bench.latch.reset("test");
  CHECK(bench.latch.status().state == ArmState::disarmed);
  CHECK_FALSE(bench.cycle().armed());
  CHECK(bench.latch.arm("test").ok());
  CHECK(bench.cycle().armed());
}

TEST_CASE("a permit says that a stop is latched, from the stop to the reset") {
  Bench bench;
  bench.live();
  const machines::Permit permit = bench.cycle();
  CHECK_FALSE(permit.stopped());
  CHECK_FALSE(machines::Permit().stopped());
  bench.latch.stop("test", "test");
  CHECK(permit.stopped());
  CHECK(bench.cycle().stopped());
  bench.latch.reset("test");
  CHECK_FALSE(permit.stopped());
  CHECK_FALSE(permit.armed());
}

TEST_CASE("a permit tells one arm from the next, however little lies between them") {
  Bench bench;
  bench.live();
  REQUIRE(bench.latch.arm("test").ok());
  const machines::Permit permit = bench.cycle();
  const std::uint64_t first = permit.arms();
  REQUIRE(bench.latch.arm("again").ok());  // it is armed: no other arm
  CHECK(permit.arms() == first);
  bench.latch.stop("test", "test");
  bench.latch.reset("test");
  REQUIRE(bench.latch.arm("test").ok());
  CHECK(permit.armed());
  CHECK(permit.arms() == first + 1);
}

TEST_CASE("a lost link disarms and its return does not arm") {
  Bench bench;
  bench.live();
  REQUIRE(bench.latch.arm("test").ok());
  CHECK(bench.latch.link_lost("cable"));
  CHECK(bench.latch.status().cause.view() == "cable");
  bench.live();
  CHECK_FALSE(bench.cycle().armed());
}

TEST_CASE("a paused process is disarmed and its old permit has lapsed") {
  Bench bench;
  bench.live();
  REQUIRE(bench.latch.arm("test").ok());
  const machines::Permit permit = bench.cycle();
  bench.clock.advance(2s);
  CHECK_FALSE(permit.armed());
  CHECK_FALSE(bench.latch.arm("again while the thread hangs").ok());
  CHECK_FALSE(bench.cycle().armed());
  CHECK(bench.paused);
  CHECK(bench.latch.status().cause.view() == "the process was paused for 2.0 s");
}

TEST_CASE("a jump of the wall clock changes nothing") {
  Bench bench;
  bench.live();
  REQUIRE(bench.latch.arm("test").ok());
  for (const auto jump : {Duration(1h), Duration(-2h)}) {
    bench.clock.jump_utc(jump);
    CHECK(bench.cycle().armed());
  }
}

namespace {
// What should hold, written down without the latch's own state machine: the history decides. Armed means that the last
// successful arm came after every event that takes it away.
struct Model {
  int step = 0, armed_at = -1, disarmed_at = 0, stopped_at = -1, reset_at = 0;
  bool live = false;
  Instant last_cycle{};
  bool cycled = false;

  bool latched() const { return stopped_at > reset_at; }
  bool armed() const { return armed_at > disarmed_at && armed_at > stopped_at && armed_at > reset_at; }
};
}  // namespace

TEST_CASE("over random histories nothing is armed without an explicit arm on a live link") {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    std::mt19937_64 random(seed);
    Bench bench;
    Model model;
    for (int i = 0; i < 250; ++i) {
      model.step = i + 1;
      const Instant now = bench.clock.now();
      const auto event = random() % 9;
      if (event == 0) {
        const bool runs = model.cycled && now - model.last_cycle <= pause_limit;
        const bool allowed = model.live && runs && !model.latched();
        REQUIRE(bench.latch.arm("model").ok() == allowed);
        if (allowed && !model.armed()) model.armed_at = model.step;
      } else if (event == 1 && random() % 3 == 0) {
        bench.latch.stop("stop", "model");
        if (!model.latched()) model.stopped_at = model.step;
      } else if (event == 2 && random() % 2 == 0) {
        bench.latch.reset("model");
        model.reset_at = model.step;
      } else if (event == 3) {
        bench.latch.link_live();
        model.live = true;
      } else if (event == 4 && random() % 3 == 0) {
        REQUIRE(bench.latch.link_lost("lost") == model.armed());
        model.live = false;
        model.disarmed_at = model.step;
      } else if (event == 5 && random() % 4 == 0) {
        REQUIRE(bench.latch.disarm("device", "device") == model.armed());
        model.disarmed_at = model.step;
      } else if (event == 6) {
        bench.clock.advance(std::chrono::milliseconds(random() % (random() % 8 == 0 ? 1500 : 100)));
      } else {
        const bool pause = model.cycled && now - model.last_cycle > pause_limit;
        if (pause) model.disarmed_at = model.step;
        const machines::Permit permit = bench.cycle();
        model.last_cycle = now;
        model.cycled = true;
        REQUIRE(permit.armed() == model.armed());
        REQUIRE((!permit.armed() || model.live));
      }
      REQUIRE((bench.latch.status().state == ArmState::armed) == model.armed());
      REQUIRE((bench.latch.status().state == ArmState::stopped) == model.latched());
    }
  }
}

TEST_CASE("commands from many threads leave a latch that a last stop holds") {
  SystemClock& clock = system_clock();
  ArmLatch latch(clock, 10s);
  std::atomic<bool> done{false};
  std::thread machine([&] {
    while (!done) {
      bool paused = false;
      latch.link_live();
      (void)latch.permit(paused).armed();
      latch.link_lost("flap");
    }
  });
  std::vector<std::thread> others;
  for (int t = 0; t < 3; ++t) {
    others.emplace_back([&latch, t] {
      for (int i = 0; i < 2000; ++i) {
        if (t == 0) (void)latch.arm("a");
        if (t == 1) latch.reset("b");
        if (t == 2) latch.stop("c", "c");
      }
    });
  }
  for (auto& thread : others) thread.join();
  latch.stop("end", "test");
  bool paused = false;
  done = true;
  machine.join();
  CHECK(latch.status().state == ArmState::stopped);
  CHECK_FALSE(latch.permit(paused).armed());
}

}  // namespace tandem::runtime
