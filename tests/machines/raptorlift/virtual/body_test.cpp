// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "tests/machines/raptorlift/virtual/body_driver.hpp"

using namespace tandem;
using namespace tandem::raptorlift;

TEST_CASE("A truck that is told nothing stays where it stands") {
  Body body;
  for (int i = 0; i < 1000; ++i) REQUIRE(body.step());
  body.look();
  CHECK(std::abs(body.state().axle.x) < 1e-4);
  CHECK(std::abs(body.state().axle.y) < 1e-4);
  CHECK(std::abs(body.state().axle.yaw) < 1e-4);
  CHECK(std::abs(body.pose().translation().z()) < 5e-4);
  CHECK(body.state().slip < 1e-4);
}

TEST_CASE("The wheels carry the weight by the lever that the load has") {
  for (const double load : {0.0, 60.0}) {
    CAPTURE(load);
    Body body(truck, {.load = load});
    for (int i = 0; i < 1000; ++i) REQUIRE(body.step());
    const Axes loads = body.loads();
    const double weight = (body::chassis_mass + 4 * body::wheel_mass + load) * 9.81;
    CHECK(std::accumulate(loads.begin(), loads.end(), 0.0) == doctest::Approx(weight).epsilon(0.005));
    // Moments about the rear axle: chassis over base_link, the front wheels, the load on the fork 0.85 m before it.
    const double front = 9.81 *
                         (body::chassis_mass * -body::rear_axle + 2 * body::wheel_mass * truck.geometry.wheelbase +
                          load * (0.85 - body::rear_axle)) /
                         truck.geometry.wheelbase;
    CHECK(loads[0] + loads[1] == doctest::Approx(front).epsilon(0.01));
    CHECK(loads[0] == doctest::Approx(loads[1]).epsilon(0.01));
  }
}

TEST_CASE("On a straight line the distance is wheel angle times radius") {
  for (const double timestep : {0.002, 0.005}) {
    CAPTURE(timestep);
    BodyDriver driver({.timestep = timestep});
    driver.drive({0.8, 0}, 4);
    const TruckState& state = driver.body.state();
    REQUIRE(state.axle.x > 2);
    CHECK(state.axle.x == doctest::Approx(state.angles[0] * truck.geometry.wheel_radius).epsilon(0.002));
    CHECK(state.distance == doctest::Approx(state.axle.x).epsilon(0.001));
    CHECK(std::abs(state.axle.y) < 0.005);
    CHECK(state.twist.vx == doctest::Approx(0.8).epsilon(0.06));
    CHECK(driver.slip < 0.02);
  }
}

TEST_CASE("On a circle the truck turns as its four wheels say") {
  for (const double w : {0.35, -0.35}) {
    CAPTURE(w);
    BodyDriver driver;
    driver.drive({0.6, w}, 4);
    const TruckState& state = driver.body.state();
    const double curvature = ackermann::curvature_from_steering(truck.geometry, state.angles[2], state.angles[3]);
    CHECK(curvature == doctest::Approx(w / 0.6).epsilon(0.02));
    CHECK(state.twist.w == doctest::Approx(curvature * state.twist.vx).epsilon(0.01));
    CHECK(std::abs(state.twist.vy) < 0.01);
    CHECK(state.slip < 0.02);
    CHECK((w > 0) == (state.axle.yaw > 0));
  }
}

TEST_CASE("The path of a closed circle has the radius of the steering") {
  BodyDriver driver;
  driver.drive({0.5, 0}, 1);
  for (int i = 0; i < 100; ++i) driver.control(ackermann::wheels_from_twist(truck.geometry, {0.5, 0.3})->wheels);
  // Half a turn apart, two points of a circle are its diameter apart.
  const auto begin = driver.body.state().axle;
  double turned = 0;
  for (int i = 0; i < 2000 && std::abs(turned) < std::numbers::pi; ++i) {
    const double before = driver.body.state().axle.yaw;
    driver.control(ackermann::wheels_from_twist(truck.geometry, {0.5, 0.3})->wheels);
    turned += std::remainder(driver.body.state().axle.yaw - before, 2 * std::numbers::pi);
  }
  const auto end = driver.body.state().axle;
  CHECK(std::hypot(end.x - begin.x, end.y - begin.y) / 2 == doctest::Approx(0.5 / 0.3).epsilon(0.01));
}

TEST_CASE("The steering follows a step as the original project's plant does") {
  BodyDriver driver;
  double highest = 0;
  double when = 0;
  for (int i = 1; i <= 150; ++i) {
    driver.control({0, 0, 0.3, 0.3});
    if (driver.body.state().angles[2] > highest) {
      highest = driver.body.state().angles[2];
      when = i * control_period;
    }
  }
  CHECK(highest == doctest::Approx(0.335).epsilon(0.02));
  CHECK(when == doctest::Approx(0.36).epsilon(0.1));
  CHECK(driver.body.state().angles[2] == doctest::Approx(0.3).epsilon(0.01));
  CHECK(driver.body.state().angles[3] == doctest::Approx(0.3).epsilon(0.01));
}

TEST_CASE("The steering ends at its stops whatever the torque") {
  Body body;
  body.torques({0, 0, 100, -100});
  for (int i = 0; i < 1000; ++i) REQUIRE(body.step());
  CHECK(body.state().angles[2] == doctest::Approx(truck.geometry.steering_limit).epsilon(0.01));
  CHECK(body.state().angles[3] == doctest::Approx(-truck.geometry.steering_limit).epsilon(0.01));
  CHECK(std::abs(body.state().speeds[2]) < 0.01);
}

TEST_CASE("Wheels that spin on ice slip and the truth says so") {
  Body body(truck, {.friction = 0.05});
  body.torques({60, 60, 0, 0});
  for (int i = 0; i < 500; ++i) REQUIRE(body.step());
  body.look();
  CHECK(body.state().slip > 1);
  CHECK(body.state().axle.x < 0.5 * body.state().angles[0] * truck.geometry.wheel_radius);
  CHECK(body.state().twist.vx > 0.05);
}

TEST_CASE("The same torques give the same bits") {
  Body a;
  Body b;
  for (Body* body : {&a, &b}) {
    body->torques({12, 9, 3, 2});
    for (int i = 0; i < 300; ++i) REQUIRE(body->step());
  }
  CHECK(a.state().axle.x == b.state().axle.x);
  CHECK(a.state().axle.yaw == b.state().axle.yaw);
  CHECK(a.state().speeds == b.state().speeds);
}
