// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/winch.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/kinematics/cable/samples.hpp"

using namespace tandem::cables;

namespace {

// The helix laid out in small straight pieces.
double helix_length(double radius, double pitch, double angle) {
  constexpr int pieces = 20000;
  double sum = 0;
  for (int i = 0; i < pieces; ++i) {
    const double a = angle * i / pieces, b = angle * (i + 1) / pieces;
    const double x = radius * (std::cos(b) - std::cos(a)), y = radius * (std::sin(b) - std::sin(a));
    const double z = pitch * (b - a) / (2 * std::numbers::pi);
    sum += std::sqrt(x * x + y * y + z * z);
  }
  return sum;
}

}  // namespace

TEST_CASE("a turn of the drum lets out one turn of its helix") {
  const Drum drum{.radius = 0.03, .pitch = 0.005, .zero = 0.4};
  CHECK(std::abs(length_per_turn(drum) - std::hypot(2 * std::numbers::pi * 0.03, 0.005)) < 1e-15);
  CHECK(std::abs(length_from_angle(drum, 7) - 0.4 - helix_length(0.03, 0.005, 7)) < 1e-6);
  Drum other = drum;
  other.sense = -1;
  CHECK(std::abs(length_from_angle(other, -7) - length_from_angle(drum, 7)) < 1e-15);
}

TEST_CASE("drum angles and lengths are inverse") {
  cable_samples::Random random(1);
  for (int k = 0; k < 5000; ++k) {
    Drum drum{.radius = random.within(0.01, 0.2), .zero = random.within(-1, 1)};
    drum.pitch = random.within(0, 1) * drum.radius;
    drum.sense = k % 2 ? 1 : -1;
    drum.eye = k % 3 ? random.within(0.05, 2) : 0;
    drum.level = random.within(-20, 20);
    REQUIRE(check_drum(drum).ok());
    const double angle = random.within(-100, 100);
    CHECK(std::abs(angle_from_length(drum, length_from_angle(drum, angle)) - angle) < 1e-10);
    constexpr double h = 1e-4;
    const double slope = (length_from_angle(drum, angle + h) - length_from_angle(drum, angle - h)) / (2 * h);
    CHECK(std::abs(length_rate(drum, angle) - slope) < 1e-8);
  }
}

TEST_CASE("the way to a fixed eye is taken into account") {
  const Drum drum{.radius = 0.02, .pitch = 0.004, .eye = 0.3, .level = 0};
  // 10 turns: the cable leaves 40 mm beside the eye, and that much more of it is between drum and eye.
  const double angle = 20 * std::numbers::pi;
  const double wound = 10 * std::hypot(2 * std::numbers::pi * 0.02, 0.004);
  CHECK(std::abs(length_from_angle(drum, angle) - (wound - (std::hypot(0.3, 0.04) - 0.3))) < 1e-14);
}

TEST_CASE("drums that cannot be are refused") {
  CHECK(check_drum({}).ok());
  CHECK(check_drum({.radius = 0}).error().text.find("drum radius") == 0);
  CHECK(check_drum({.radius = 0.1, .pitch = 0.2}).error().text.find("drum pitch") == 0);
  CHECK(check_drum({.sense = 0}).error().text.find("drum sense") == 0);
  CHECK(check_drum({.eye = -1}).error().text.find("drum eye") == 0);
  CHECK(!check_drum({.zero = std::nan("")}).ok());
  CHECK(!check_drum({.level = std::nan("")}).ok());
}
