// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>

#include "tandem/machines/cable_robot/virtual/faults.hpp"
#include "tandem/machines/cable_robot/virtual/station.hpp"

using namespace tandem;
using namespace tandem::cable_robot;

namespace {

struct StationRig {
  explicit StationRig(const StationOptions& options = {}) : station(cables::Robot::standard(), options, &faults) {
    order.winches = {.mode = WinchMode::length,
                     .lengths = station.feedback().lengths,
                     .speeds = cables::PerCable::Zero(8),
                     .tensions = cables::PerCable::Zero(8)};
  }
  void send(std::uint16_t enable) {
    ++order.counter;
    order.enable = enable;
    station.order(order);
  }
  void enable() {
    send(0);
    send(0xff);
    REQUIRE(station.state().enabled == 0xff);
  }
  // So many cycles of 1 ms, with a command before each or none.
  void run(int cycles, bool commanded) {
    for (int i = 0; i < cycles; ++i) {
      if (commanded) send(order.enable);
      station.cycle();
    }
  }
  double height() const { return station.body().state().position[2]; }
  bool flag(int winch, WinchFlag flag) const {
    return has(station.feedback().flags[static_cast<std::size_t>(winch)], flag);
  }

  WinchFaults faults;
  VirtualStation station;
  StationCommand order;
};

// Unwound lengths for a platform so much higher than home.
cables::PerCable raised_lengths(const StationRig& rig, double by) {
  Pose pose = cables::Robot::standard().home();
  pose.translation().z() += by;
  return rig.station.body().resting(pose);
}

}  // namespace

TEST_CASE("A winch is enabled by a bit that rises and by no other") {
  StationRig rig;
  rig.send(0xff);  // the first order after power-up
  CHECK(rig.station.state().enabled == 0);
  rig.send(0xff);
  CHECK(rig.station.state().enabled == 0);
  rig.send(0x0f);
  CHECK(rig.station.state().enabled == 0);
  rig.send(0xff);
  CHECK(rig.station.state().enabled == 0xf0);
  CHECK_FALSE(rig.station.feedback().enabled);
  rig.send(0);
  rig.send(0xff);
  CHECK(rig.station.state().enabled == 0xff);
  CHECK(rig.station.feedback().enabled);
  CHECK(rig.station.state().mode == WinchMode::length);
}

TEST_CASE("The platform goes where its lengths lead it") {
  StationRig rig;
  rig.enable();
  rig.order.winches.lengths = raised_lengths(rig, 0.02);
  rig.run(300, true);
  CHECK(rig.height() == doctest::Approx(0.32).epsilon(1e-4));
  CHECK(rig.station.state().faults == 0);
}

TEST_CASE("Without commands the watchdog closes the brakes until it is reset") {
  StationRig rig;
  rig.enable();
  rig.run(50, true);
  rig.run(95, false);
  CHECK_FALSE(rig.station.feedback().watchdog);
  rig.run(10, false);
  CHECK(rig.station.feedback().watchdog);
  CHECK_FALSE(rig.station.feedback().ready);
  CHECK(rig.station.state().enabled == 0);
  CHECK(rig.station.state().mode == WinchMode::hold);
  CHECK(rig.flag(0, WinchFlag::brake));
  rig.order.winches.lengths = raised_lengths(rig, 0.02);
  rig.run(20, true);  // as if nothing had been
  rig.send(0);
  rig.send(0xff);  // enabled anew, but not reset
  CHECK(rig.station.state().enabled == 0);
  CHECK(rig.height() == doctest::Approx(0.3).epsilon(1e-5));
  rig.station.reset(true);
  CHECK_FALSE(rig.station.feedback().watchdog);
  rig.run(20, true);  // the bits have not fallen since
  CHECK(rig.station.state().enabled == 0);
  rig.enable();
}

TEST_CASE("A command that keeps its counter does not feed the watchdog") {
  StationRig rig;
  rig.enable();
  for (int i = 0; i < 150; ++i) {
    rig.station.order(rig.order);
    rig.station.cycle();
  }
  CHECK(rig.station.feedback().watchdog);
}

TEST_CASE("While stop is high all hold and none can be enabled") {
  StationRig rig;
  rig.enable();
  rig.station.stop(true);
  CHECK(rig.station.state().enabled == 0);
  rig.send(0);
  rig.send(0xff);
  CHECK(rig.station.state().enabled == 0);
  rig.station.stop(false);
  rig.run(5, true);
  CHECK(rig.station.state().enabled == 0);
  rig.enable();
}

TEST_CASE("Limits change only while no winch is enabled") {
  StationRig rig;
  WinchLimits limits;
  limits.speed = 0.3;
  CHECK(rig.station.limits(limits));
  rig.enable();
  limits.speed = 0.5;
  CHECK_FALSE(rig.station.limits(limits));
  CHECK(rig.station.limits().speed == 0.3);
}

TEST_CASE("A stuck winch latches and the others go on") {
  StationRig rig;
  rig.enable();
  rig.faults.stuck = 1 << 2;
  rig.order.winches.lengths[2] += 0.05;
  rig.run(150, true);
  CHECK(rig.station.state().faults == 1 << 2);
  CHECK(rig.flag(2, WinchFlag::following));
  CHECK(rig.station.state().enabled == 0xfb);
  CHECK_FALSE(rig.station.feedback().ready);
  rig.station.reset(true);  // while others are enabled
  CHECK(rig.station.state().faults == 1 << 2);
  rig.station.reset(false);
  rig.send(0);
  rig.station.reset(true);
  CHECK(rig.station.state().faults == 0);
  CHECK(rig.station.feedback().ready);
}

TEST_CASE("A broken load cell says nothing and is known") {
  StationRig rig;
  rig.faults.broken = 1 << 5;
  rig.run(3, false);
  CHECK(rig.flag(5, WinchFlag::sensor));
  CHECK(rig.station.feedback().tensions[5] == 0);
  CHECK(rig.station.body().state().tensions[5] > 10);
  rig.station.reset(true);  // is still broken
  rig.run(3, false);
  CHECK(rig.flag(5, WinchFlag::sensor));
}

TEST_CASE("A cable that slips is longer than its encoder knows") {
  StationRig rig;
  rig.run(10, false);
  const double before = rig.station.feedback().lengths[1];
  rig.faults.slip(1, 0.01);
  rig.run(200, false);
  CHECK(rig.station.feedback().lengths[1] == before);
  CHECK(rig.station.body().unwound()[1] == doctest::Approx(before + 0.01));
  CHECK(rig.flag(1, WinchFlag::slack));
}

TEST_CASE("A cut cable is slack to its load cell and stays so after a reset") {
  StationRig rig;
  rig.faults.cut = 1 << 3;
  rig.run(20, false);
  CHECK(rig.flag(3, WinchFlag::slack));
  CHECK(rig.station.feedback().tensions[3] == 0);
  rig.station.reset(true);
  rig.run(20, false);
  CHECK(rig.flag(3, WinchFlag::slack));
}

TEST_CASE("Noise is as large as told and the same for the same seed") {
  StationOptions options;
  options.encoder_noise = 1e-4;
  options.tension_noise = 0.5;
  StationRig a(options), b(options);
  double length_sum = 0, tension_sum = 0;
  constexpr int cycles = 100;
  for (int i = 0; i < cycles; ++i) {
    a.run(1, false);
    b.run(1, false);
    CHECK(a.station.feedback().lengths == b.station.feedback().lengths);
    length_sum += (a.station.feedback().lengths - a.station.body().unwound()).squaredNorm();
    for (int k = 0; k < 8; ++k)
      tension_sum += std::pow(
          a.station.feedback().tensions[k] - a.station.body().state().tensions[static_cast<std::size_t>(k)], 2);
  }
  CHECK(std::sqrt(length_sum / (8 * cycles)) == doctest::Approx(1e-4).epsilon(0.15));
  CHECK(std::sqrt(tension_sum / (8 * cycles)) == doctest::Approx(0.5).epsilon(0.15));
}

TEST_CASE("A restart forgets commands and latches and leaves the platform where it is") {
  StationRig rig;
  rig.enable();
  rig.order.winches.lengths = raised_lengths(rig, 0.02);
  rig.run(300, true);
  rig.station.restart();
  CHECK(rig.station.state().enabled == 0);
  CHECK(rig.station.state().counter == 0);
  rig.run(100, false);
  CHECK(rig.height() == doctest::Approx(0.32).epsilon(1e-4));
}

TEST_CASE("Physics that trips is told and a reset brings the platform home") {
  StationRig rig;
  rig.enable();
  rig.station.body().push({1e200, 0, 0}, {0, 0, 0});
  rig.run(5, true);
  CHECK(rig.station.state().physics_tripped);
  CHECK(rig.station.state().enabled == 0);
  CHECK(rig.station.state().faults == 0xff);
  for (const double value : rig.station.body().state().position) CHECK(std::isfinite(value));
  rig.send(0);
  rig.station.reset(true);
  CHECK_FALSE(rig.station.state().physics_tripped);
  rig.run(100, false);
  CHECK(rig.station.feedback().ready);
  CHECK(rig.height() == doctest::Approx(0.3).epsilon(1e-5));
}
