// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/pid.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

using tandem::kinematics::Pid;
using tandem::kinematics::PidGains;

namespace {

constexpr PidGains steering = {.proportional = 50, .derivative = 5, .output_limit = 100};
constexpr PidGains traction = {.proportional = 10, .integral = 5, .output_limit = 150};
constexpr double period = 0.01;  // s

// The plant of the original's simulated PLC: inertia and damping, semi-implicit Euler.
struct Plant {
  double inertia, damping;  // kg m^2, N m s
  double angle = 0, speed = 0;

  void push(double torque) {
    speed += (torque - damping * speed) / inertia * period;
    angle += speed * period;
  }
};

}  // namespace

TEST_CASE("the steering takes a step as the original does") {
  Pid pid(steering);
  Plant plant = {0.5, 0.5};
  double highest = 0, highest_at = 0, settled = 0;
  for (int i = 1; i <= 300; ++i) {
    plant.push(pid.step(0.3, plant.angle, period));
    if (plant.angle > highest) {
      highest = plant.angle;
      highest_at = i * period;
    }
    if (std::abs(plant.angle - 0.3) > 0.02 * 0.3) settled = i * period;
  }
  CHECK(highest == doctest::Approx(0.335).epsilon(0.003));
  CHECK(highest_at == doctest::Approx(0.36).epsilon(0.03));
  CHECK(settled == doctest::Approx(0.56).epsilon(0.05));
  CHECK(plant.angle == doctest::Approx(0.3).epsilon(1e-4));
}

TEST_CASE("the traction takes a step as the original does") {
  constexpr double radius = 0.1715;  // m
  Pid pid(traction);
  Plant plant = {0.08, 1.0};
  std::vector<double> speeds = {0};  // m/s
  for (int i = 1; i <= 300; ++i) {
    plant.push(pid.step(1 / radius, plant.speed, period));
    speeds.push_back(plant.speed * radius);
  }
  CHECK(speeds[1] == doctest::Approx(1.256).epsilon(1e-3));
  CHECK(speeds[2] == doctest::Approx(0.784).epsilon(1e-3));
  CHECK(speeds[3] == doctest::Approx(0.962).epsilon(1e-3));
  CHECK(speeds[10] == doctest::Approx(0.917).epsilon(2e-3));
  CHECK(speeds[100] == doctest::Approx(0.945).epsilon(2e-3));
  CHECK(speeds[300] == doctest::Approx(0.978).epsilon(2e-3));
  // What is left after each sample shrinks by 1 - period (gain + damping) / inertia and turns round.
  CHECK((speeds[3] - speeds[2]) / (speeds[2] - speeds[1]) == doctest::Approx(-0.375).epsilon(0.02));
}

TEST_CASE("a step of the target gives no kick by the derivative") {
  Pid pid({.proportional = 0, .derivative = 5, .output_limit = 100});
  CHECK(pid.step(0, 0.2, period) == 0);
  CHECK(pid.step(50, 0.2, period) == 0);
  CHECK(pid.step(50, 0.21, period) == doctest::Approx(-5));
  // The first measurement after a reset has no past either.
  pid.reset();
  CHECK(pid.step(0, 0.9, period) == 0);
}

TEST_CASE("the integral stops growing while the output is at its limit") {
  Pid pid({.proportional = 1, .integral = 10, .integral_limit = 100, .output_limit = 5});
  for (int i = 0; i < 1000; ++i) CHECK(pid.step(20, 0, period) == 5);
  CHECK(pid.saturated());
  CHECK(pid.integral() == 0);
  // So the output leaves the limit with the error, not ten seconds later.
  CHECK(pid.step(-1, 0, period) == doctest::Approx(-1.1));
  CHECK_FALSE(pid.saturated());

  // Held at the limit by what was gathered, an error of the other sign still empties it.
  Pid full({.proportional = 0, .integral = 10, .integral_limit = 100, .output_limit = 5});
  for (int i = 0; i < 60; ++i) full.step(1, 0, period);
  CHECK(full.integral() == doctest::Approx(0.5).epsilon(0.03));
  for (int i = 0; i < 60; ++i) full.step(-1, 0, period);
  CHECK(full.integral() < 0);
}

TEST_CASE("the integral has a limit of its own") {
  Pid pid({.proportional = 0, .integral = 0.01, .integral_limit = 2, .output_limit = 5});
  for (int i = 0; i < 1000; ++i) pid.step(1, 0, period);
  CHECK(pid.integral() == 2);
  for (int i = 0; i < 10000; ++i) pid.step(-1, 0, period);
  CHECK(pid.integral() == -2);
}

TEST_CASE("without time or with what is no number there is no output and no memory") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  Pid pid(traction);
  const double first = pid.step(1, 0, period);
  const double gathered = pid.integral();
  CHECK(pid.step(1, 0, 0) == 0);
  CHECK(pid.step(1, 0, -1) == 0);
  CHECK(pid.step(1, 0, nan) == 0);
  CHECK(pid.step(nan, 0, period) == 0);
  CHECK(pid.step(1, infinite, period) == 0);
  CHECK(pid.step(1e308, -1e308, period) == 0);
  CHECK(pid.integral() == gathered);
  CHECK(pid.step(1, 0, period) > first);
}
