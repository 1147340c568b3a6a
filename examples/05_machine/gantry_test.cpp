// SPDX-License-Identifier: Apache-2.0
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <thread>

#include "machine.hpp"
#include "tandem/runtime/config/config.hpp"

using namespace gantry;

// Machine and virtual device on loopback, cycle by cycle in the hands of the test.
struct Rig {
  explicit Rig(const std::vector<std::string>& settings = {}) {
    const auto options = runtime::options_from_settings(machine_type().options, settings);
    device = make_virtual({.standard_ports = false, .options = options, .clock = &system_clock()});
    thread = std::jthread([this](const std::stop_token& stop) { device->run(stop); });
    machine = std::make_unique<Gantry>(
        machines::Setup{.name = "g", .device = device->url(), .options = options, .clock = &system_clock()});
    REQUIRE(machine->connect(now() + 2s));
  }
  machines::Cycle cycles(int count, double asked = 0) {  // asked: m/s in x, in every fifth cycle
    machines::Cycle last;
    for (int i = 0; i < count; ++i) {
      if (asked != 0 && i % 5 == 0) machine->post({{asked, 0}, now()});
      const auto cycle = machine->cycle({armed, system_clock(), now() + 1s});
      REQUIRE(cycle);
      if ((last = *cycle).disarm) armed = false;  // as the runtime does
    }
    return last;
  }
  double x() const { return machine->values()[0].numbers[0]; }
  double speed() const { return std::abs(machine->values()[1].numbers[0]); }
  bool enabled() const { return machine->values()[2].text == "enabled"; }

  std::atomic<bool> armed{false};
  std::unique_ptr<machines::VirtualDevice> device;
  std::unique_ptr<Gantry> machine;
  std::jthread thread;
};

TEST_CASE("feedback outside its range, a fault and a PLC whose program has ended are not believed") {
  Gate gate;
  Feedback feedback;
  std::array<std::uint16_t, feedback_words> words{0, 0, 1, 6000, 4000, 0, 0};
  const auto judged = [&](Duration after) {
    machines::Cycle cycle;
    cycle.readable = Instant{1h} + after;
    gate.judge(words, feedback, cycle);
    return cycle;
  };
  CHECK(judged(0ms).quality == Quality::live);
  CHECK(feedback.position == Axes{0.6, 0.4});
  CHECK(judged(150ms).quality == Quality::stale);
  words[beat] = 2;
  CHECK(judged(160ms).quality == Quality::live);
  words[x] = 20000;  // 2 m; the travel is 1.2 m
  CHECK(judged(170ms).quality == Quality::invalid);
  words[x] = 6000, words[fault] = 7;
  CHECK(judged(180ms).stop);
}

TEST_CASE("nothing moves unarmed, and a command from before arming does not count") {
  Rig rig;
  CHECK(rig.cycles(30, 0.2).quality == Quality::live);
  rig.armed = true;
  rig.cycles(10);
  CHECK(rig.x() == doctest::Approx(travel[0] / 2).epsilon(1e-3));
}

TEST_CASE("an armed gantry moves while commands are young, and a disarmed one stops") {
  Rig rig;
  rig.armed = true;
  rig.cycles(50, 0.2);
  CHECK(rig.speed() == doctest::Approx(0.2).epsilon(0.1));
  rig.cycles(80);  // no further command: standstill after 0.3 s
  CHECK((rig.speed() < 0.01 && rig.enabled()));
  rig.cycles(30, -0.2);
  CHECK(rig.speed() > 0.1);
  rig.armed = false;
  rig.cycles(30);
  CHECK((rig.speed() < 0.01 && !rig.enabled()));
}

TEST_CASE("an axis stops before its end, and the PLC stops by itself without commands") {
  Rig rig;
  rig.armed = true;
  rig.cycles(400, 5);
  CHECK(rig.x() == doctest::Approx(travel[0]).epsilon(0.05));
  std::this_thread::sleep_for(800ms);  // the machine is held up: the watchdog of the PLC ends it
  CHECK(rig.cycles(1).disarm);
}
