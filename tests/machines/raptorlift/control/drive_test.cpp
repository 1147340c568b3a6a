// SPDX-License-Identifier: Apache-2.0
// The axes of the truck on the plain plant of its project: torque to speed and angle.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>

#include "tandem/machines/raptorlift/control/drive.hpp"
#include "tandem/machines/raptorlift/device/gate.hpp"

using namespace tandem;
using namespace tandem::raptorlift;

namespace {

constexpr double step_time = 0.01;  // s

// Each axis alone: traction with inertia 0.08 and damping 1, steering with 0.5 and 0.5; semi-implicit Euler.
struct PlainAxes {
  Wheels wheels;
  double right_rate = 0, left_rate = 0;  // rad/s, of the steering
  double inertia = 0.08;                 // of a driven wheel

  void step(const AxisCommands& c) {
    wheels.front_right += (c.torques[0] - wheels.front_right) / inertia * step_time;
    wheels.front_left += (c.torques[1] - wheels.front_left) / inertia * step_time;
    right_rate += (c.torques[2] - 0.5 * right_rate) / 0.5 * step_time;
    left_rate += (c.torques[3] - 0.5 * left_rate) / 0.5 * step_time;
    wheels.rear_right += right_rate * step_time;
    wheels.rear_left += left_rate * step_time;
  }
};

}  // namespace

TEST_CASE("the drive brings speeds and angles to their targets") {
  Drive drive({});
  PlainAxes axes;
  const Wheels targets{1.0 / 0.1715, 0.8 / 0.1715, 0.3, 0.25};
  double most = 0;
  for (int i = 0; i < 1000; ++i) {
    const auto commands = drive.step(targets, axes.wheels, step_time);
    REQUIRE(commands);
    axes.step(*commands);
    most = std::max(most, axes.wheels.rear_right);
  }
  CHECK(most == doctest::Approx(0.335).epsilon(0.01));  // the overshoot that the project's own controller has
  CHECK(axes.wheels.rear_right == doctest::Approx(0.3).epsilon(1e-3));
  CHECK(axes.wheels.front_right == doctest::Approx(targets.front_right).epsilon(0.01));
  CHECK(axes.wheels.front_left == doctest::Approx(targets.front_left).epsilon(0.01));
}

TEST_CASE("speed limits are sizes and positions are targets") {
  Drive drive({});
  const auto commands = drive.step({-3, 2, 0.1, -0.2}, {}, step_time);
  REQUIRE(commands);
  CHECK(commands->speed_limits == std::array{3.0, 2.0});
  CHECK(commands->positions == std::array{0.1, -0.2});
  CHECK(commands->torques[0] < 0);
  CHECK(commands->torques[1] > 0);
}

TEST_CASE("targets out of range are brought into it and counted") {
  Drive drive({});
  const auto commands = drive.step({1e6, -1e6, 2, -2}, {}, step_time);
  REQUIRE(commands);
  CHECK(commands->speed_limits == std::array{10.0, 10.0});
  CHECK(commands->positions == std::array{0.7, -0.7});
  CHECK(commands->torques[0] <= 150);
  CHECK(drive.saturated() == 4);
}

TEST_CASE("numbers that are none are refused and name the wheel") {
  Drive drive({});
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto bad = drive.step({0, nan, 0, 0}, {}, step_time);
  REQUIRE_FALSE(bad);
  CHECK(bad.error().text.find("target of front_left") != std::string::npos);
  CHECK_FALSE(drive.step({}, {0, 0, 0, std::numeric_limits<double>::infinity()}, step_time));
  const AxisCommands braking = drive.brake({nan, 1, nan, 0.2}, {step_time});
  for (const double torque : braking.torques) CHECK(std::isfinite(torque));
  CHECK(braking.torques[0] == 0);
  CHECK(braking.positions[0] == 0);
}

TEST_CASE("the brake opposes the motion and fades to nothing at standstill") {
  for (const double speed : {-6.0, -3.0, -0.4, 0.4, 3.0, 6.0}) {
    Drive drive({});
    const AxisCommands commands = drive.brake({speed, -speed, 0.1, 0.1}, {step_time});
    CHECK(commands.torques[0] * speed < 0);
    CHECK(commands.torques[1] * -speed < 0);
    CHECK(std::abs(commands.torques[0]) == doctest::Approx(30));  // in full above 0.3 rad/s
    CHECK(commands.speed_limits == std::array{0.0, 0.0});
  }
  CHECK(Drive({}).brake({0.15, 0, 0, 0}, {step_time}).torques[0] == doctest::Approx(-15).epsilon(0.01));
  CHECK(Drive({}).brake({}, {step_time}).torques[0] == 0);
}

TEST_CASE("a braked truck comes to rest and keeps its steering") {
  for (const double inertia : {0.08, 2.0}) {  // a wheel in the air, and half of the truck on it
    Drive drive({});
    PlainAxes axes;
    axes.inertia = inertia;
    axes.wheels = {5.8, 4.9, 0.4, 0.5};
    int steps = 0;
    while (!drive.standing(axes.wheels) && steps < 500) {
      const AxisCommands commands = drive.brake(axes.wheels, {step_time});
      CHECK(commands.torques[0] * axes.wheels.front_right <= 0);
      axes.step(commands);
      ++steps;
    }
    CHECK(steps < 200);
    CHECK(axes.wheels.rear_right == doctest::Approx(0.4).epsilon(0.02));
    CHECK(axes.wheels.rear_left == doctest::Approx(0.5).epsilon(0.02));
  }
}

TEST_CASE("a truck that is not seen any more is braked by what is left of its speed and never pushed back") {
  const Drive drive({});
  const AxisCommands first = drive.brake_unseen({5.8, -5.8, 0.2, 5}, 0);
  CHECK(first.speed_limits == std::array{0.0, 0.0});
  CHECK(first.torques == std::array{-30.0, 30.0, 0.0, 0.0});
  CHECK(first.positions == std::array{0.2, 0.7});
  CHECK(drive.brake_unseen({5.8, -5.8, 0, 0}, 2).torques == std::array{0.0, 0.0, 0.0, 0.0});
  for (const double inertia : {1.845, 4.0}) {  // per wheel of an empty truck, and of a loaded one
    for (const int steps : {1, 10, 20}) {      // from one command to the next
      PlainAxes axes;
      axes.inertia = inertia;
      axes.wheels = {5.8, -5.8, 0, 0};
      const Wheels seen = axes.wheels;
      AxisCommands commands;
      for (int i = 0; i == 0 || commands.torques[0] != 0; ++i) {
        REQUIRE(i <= 100);  // within a second
        if (i % steps == 0) commands = drive.brake_unseen(seen, i * step_time);
        axes.step(commands);
      }
      CHECK(axes.wheels.front_right > 0);
      CHECK(axes.wheels.front_left < 0);
      CHECK(axes.wheels.front_right < (inertia < 2 ? 1.5 : 4));
    }
  }
}

TEST_CASE("whatever is measured and wanted the torques stay within their limits") {
  Drive drive({});
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> any(-1e4, 1e4);
  for (int i = 0; i < 5000; ++i) {
    const auto commands = drive.step({any(random), any(random), any(random), any(random)},
                                     {any(random), any(random), any(random), any(random)}, step_time);
    REQUIRE(commands);
    for (std::size_t axis = 0; axis < 4; ++axis) CHECK(std::abs(commands->torques[axis]) <= (axis < 2 ? 150 : 100));
    for (const double limit : commands->speed_limits) CHECK((limit >= 0 && limit <= 10));
  }
}

TEST_CASE("a torn value never passes and a true jump costs one sample") {
  Gate gate({});
  CHECK(gate.judge({0.1, 0.1, 0, 0}).quality == Quality::live);
  CHECK(gate.judge({6.65, 0.1, 0, 0}).quality == Quality::invalid);  // the high word of the next value
  CHECK(gate.judge({0.12, 0.1, 0, 0}).quality == Quality::live);
  CHECK(gate.jumps() == 1);
  CHECK(gate.judge({5.0, 5.0, 0, 0}).quality == Quality::invalid);
  CHECK(gate.judge({5.2, 5.2, 0, 0}).quality == Quality::live);
  // Torn one way, then the other: neither is believed.
  CHECK(gate.judge({11.7, 5.2, 0, 0}).quality == Quality::invalid);
  CHECK(gate.judge({-1.3, 5.2, 0, 0}).quality == Quality::invalid);
  CHECK(gate.judge({5.3, 5.2, 0, 0}).quality == Quality::live);
}

TEST_CASE("words in the wrong order are out of range and the cause says so") {
  Gate gate({});
  const auto swapped = static_cast<double>(3000 << 16) / 10000;  // 0.3 rad
  const auto verdict = gate.judge({0, 0, swapped, 0});
  CHECK(verdict.quality == Quality::invalid);
  CHECK(verdict.why.view().find("rear_right") != std::string_view::npos);
  CHECK(verdict.why.view().find("word_order") != std::string_view::npos);
  CHECK(gate.judge({0, 0, 0, -214748.3648}).quality == Quality::invalid);
  CHECK(gate.judge({std::nan(""), 0, 0, 0}).quality == Quality::invalid);
}
