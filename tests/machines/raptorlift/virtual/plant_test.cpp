// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include "tandem/kinematics/pid.hpp"
#include "tandem/machines/raptorlift/virtual/plant.hpp"

using namespace tandem;
using namespace tandem::raptorlift;

namespace {
const Description plain;
}

TEST_CASE("The plain plant answers a steering step as the original did") {
  VirtualPlant plant(plain.geometry, 0.01);
  kinematics::Pid pid({50, 0, 5, 100, 100});
  double highest = 0;
  int when = 0;
  int unsettled = 0;
  for (int i = 1; i <= 200; ++i) {
    const double torque = pid.step(0.3, plant.state().angles[2], 0.01);
    plant.torques({0, 0, torque, torque});
    REQUIRE(plant.step());
    const double angle = plant.state().angles[2];
    if (angle > highest) {
      highest = angle;
      when = i;
    }
    if (std::abs(angle - 0.3) > 0.02 * 0.3) unsettled = i;
  }
  CHECK(highest == doctest::Approx(0.335).epsilon(0.005));
  CHECK(std::abs(when - 36) <= 1);
  CHECK(unsettled < 90);
  CHECK(plant.state().angles[3] == plant.state().angles[2]);
}

TEST_CASE("The plain plant answers a traction step as the original did") {
  VirtualPlant plant(plain.geometry, 0.01);
  kinematics::Pid pid({10, 5, 0, 100, 150});
  std::array<double, 301> speeds{};  // m/s, of the wheel's rim
  for (std::size_t i = 1; i < speeds.size(); ++i) {
    const double torque = pid.step(1 / plain.geometry.wheel_radius, plant.state().speeds[0], 0.01);
    plant.torques({torque, torque, 0, 0});
    REQUIRE(plant.step());
    speeds[i] = plant.state().speeds[0] * plain.geometry.wheel_radius;
  }
  CHECK(speeds[1] == doctest::Approx(1.256).epsilon(0.001));
  CHECK(speeds[2] == doctest::Approx(0.784).epsilon(0.001));
  CHECK(speeds[3] == doctest::Approx(0.962).epsilon(0.001));
  CHECK(speeds[10] == doctest::Approx(0.917).epsilon(0.002));
  CHECK(speeds[100] == doctest::Approx(0.945).epsilon(0.002));
  CHECK(speeds[300] == doctest::Approx(0.978).epsilon(0.002));
  // Ideal rolling: what the wheels turned is what the truck went.
  CHECK(plant.state().axle.x == doctest::Approx(plant.state().angles[0] * plain.geometry.wheel_radius).epsilon(1e-9));
  CHECK(plant.state().distance == doctest::Approx(plant.state().axle.x).epsilon(1e-9));
  CHECK(plant.state().slip < 1e-9);
}

TEST_CASE("The plain plant stops at the steering's ends") {
  VirtualPlant plant(plain.geometry, 0.005);
  plant.torques({0, 0, 100, -100});
  for (int i = 0; i < 400; ++i) REQUIRE(plant.step());
  CHECK(plant.state().angles[2] == doctest::Approx(plain.geometry.steering_limit));
  CHECK(plant.state().angles[3] == doctest::Approx(-plain.geometry.steering_limit));
  CHECK(plant.state().speeds[2] == 0);
}
