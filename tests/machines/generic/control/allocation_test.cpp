// SPDX-License-Identifier: Apache-2.0
// What a cycle costs with as many signals as a file may have: no allocations once warm.
#include "tests/allocations.hpp"
#include "tests/machines/generic/control/rig.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::generic::test {
namespace {

constexpr std::size_t most_signals = 2000;

// Floats, registers, bits and outputs; every second one changes in each cycle.
Description large() {
  Description large;
  large.name = "large";
  large.cycle = 0.01;
  for (std::size_t i = 0; i < most_signals; ++i) {
    Declaration signal = number("s" + std::to_string(i), i % 3 == 0 ? "bar" : "");
    if (i % 4 == 1) signal.type = Type::uint16;
    if (i % 4 == 2) signal.type = Type::bit;
    if (i % 100 == 0) signal.write = limited(-1e6, 1e6, 1e6);
    signal.at = ModbusPlace{ModbusTable::holding, static_cast<std::uint16_t>(4 * i), -1};
    large.signals.push_back(std::move(signal));
  }
  large.enable = "s1 >= 0 and s5 >= 0";
  large.heartbeat = ModbusPlace{ModbusTable::holding, 9000, -1};
  return large;
}

void change(Rig& rig, int cycle) {
  for (std::size_t i = 1; i < most_signals; i += 2) rig.device.values[i] = cycle % 2;
}

std::size_t allocations_of_cycles(Rig& rig, int count) {
  rig.device.arrivals.reserve(100000);
  rig.device.beats.reserve(100000);
  for (int i = 0; i < 20; ++i) {
    change(rig, i);
    (void)rig.cycle();
  }
  const std::size_t before = allocations;
  for (int i = 0; i < count; ++i) {
    change(rig, i);
    (void)rig.cycle();
  }
  return allocations - before;
}

}  // namespace

TEST_CASE("a warm cycle with 2,000 signals allocates nothing") {
  Rig rig(large());
  rig.start();
  REQUIRE(rig.post("s100", 5e5));
  CHECK(allocations_of_cycles(rig, 200) == 0);
  CHECK(rig.armed);
  CHECK(rig.written("s100").size() > 20);
  CHECK(rig.device.beats.size() > 200);
}

// Latched topics are renewed once a second while nobody listens, which Fast DDS does with allocations of its own.
TEST_CASE("2,000 signals on ROS cost most warm cycles no allocation while nobody listens") {
  ros2::Context context(ros2::loopback_options());
  Rig rig(large(), &context);
  rig.start();
  REQUIRE(rig.post("s100", 5e5));
  (void)allocations_of_cycles(rig, 1);
  int without = 0;
  for (int i = 0; i < 100; ++i) {
    const std::size_t before = allocations;
    change(rig, i);
    (void)rig.cycle();
    without += allocations == before ? 1 : 0;
  }
  MESSAGE("of 100 cycles with 1,000 changed topics without an allocation: " << without);
  CHECK(without >= 50);
}

}  // namespace tandem::generic::test
