// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tests/machines/raptorlift/virtual/body_driver.hpp"

using namespace tandem;
using namespace tandem::raptorlift;

namespace {

// As it stands in a register: whole ten-thousandths.
double as_register(double value) { return std::round(value * 1e4) / 1e4; }

}  // namespace

TEST_CASE("Odometry of a figure eight agrees with where the truck really is") {
  for (const double load : {0.0, 60.0}) {
    CAPTURE(load);
    BodyDriver driver({.timestep = 0.005, .load = load});
    ackermann::Odometry odometry;
    ackermann::Twist twist;
    // 60 s: a circle to the left, one to the right, and slow changes between them as the limits of a bridge make them.
    for (int i = 0; i < 6000; ++i) {
      const ackermann::Twist wanted{i < 5800 ? 0.6 : 0.0, i < 5800 ? (i < 2900 ? 0.25 : -0.25) : 0.0};
      twist = *ackermann::limited({}, wanted, twist, control_period);
      driver.control(ackermann::wheels_from_twist(truck.geometry, twist)->wheels);
      const TruckState& state = driver.body.state();
      const auto measured =
          ackermann::twist_from_wheels(truck.geometry, {as_register(state.speeds[0]), as_register(state.speeds[1]),
                                                        as_register(state.angles[2]), as_register(state.angles[3])});
      REQUIRE(measured.ok());
      REQUIRE(odometry.advance(measured->twist, control_period).ok());
    }
    const TruckState& state = driver.body.state();
    CHECK(state.distance > 30);
    CHECK(odometry.distance() == doctest::Approx(state.distance).epsilon(0.005));
    CHECK(std::hypot(odometry.axle().x - state.axle.x, odometry.axle().y - state.axle.y) < 0.01 * state.distance);
    const double turned = std::remainder(odometry.axle().yaw - state.axle.yaw, 2 * std::numbers::pi);
    CHECK(std::abs(turned) < std::numbers::pi / 180);
  }
}
