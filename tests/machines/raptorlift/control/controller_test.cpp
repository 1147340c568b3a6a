// SPDX-License-Identifier: Apache-2.0
// The steering controller: references to wheels, limits, stops, and odometry.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "tandem/machines/raptorlift/control/steering_controller.hpp"

using namespace tandem;
using namespace tandem::raptorlift;
namespace ackermann = tandem::kinematics::ackermann;

namespace {

constexpr double tick = 0.01;  // s

SteeringOptions truck() {
  SteeringOptions options;
  options.geometry = {0.1715, 1.0, 0.71, 0.71, 0.7};
  options.base = {-0.47765, 0};
  return options;
}

// A truck whose wheels do at once what they are told.
struct Ideal {
  SteeringController controller{truck()};
  ackermann::Wheels wheels;
  SteeringController::Output run(std::optional<ackermann::Twist> reference, int ticks) {
    SteeringController::Output last;
    for (int i = 0; i < ticks; ++i) {
      const auto output = controller.step(reference, wheels, tick);
      REQUIRE(output);
      last = *output;
      wheels = output->wheels;
      REQUIRE(controller.observe(wheels, tick));
    }
    return last;
  }
};

double cot(double angle) { return 1 / std::tan(angle); }

}  // namespace

TEST_CASE("a reference becomes wheels on one centre within the limits") {
  Ideal truck;
  const auto output = truck.run(ackermann::Twist{0.8, 0.3}, 200);
  CHECK(output.twist.v == doctest::Approx(0.8));
  CHECK(output.twist.w == doctest::Approx(0.3));
  CHECK(output.wheels.front_right * 0.1715 == doctest::Approx(0.8 + 0.3 * 0.355));
  CHECK(output.wheels.front_left * 0.1715 == doctest::Approx(0.8 - 0.3 * 0.355));
  CHECK(cot(output.wheels.rear_right) - cot(output.wheels.rear_left) == doctest::Approx(0.71));  // inner is left
  CHECK_FALSE(output.at_limit);
}

TEST_CASE("speed and turn grow no faster than the limits allow") {
  SteeringController controller(truck());
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> any(-3, 3);
  ackermann::Twist last;
  for (int i = 0; i < 5000; ++i) {
    const auto output = controller.step(ackermann::Twist{any(random), any(random)}, {}, tick);
    REQUIRE(output);
    CHECK(std::abs(output->twist.v) <= 1 + 1e-12);
    CHECK(std::abs(output->twist.w) <= 1 + 1e-12);
    CHECK(std::abs(output->twist.v - last.v) <= 2 * tick + 1e-12);
    CHECK(std::abs(output->wheels.rear_right) <= 0.7 + 1e-9);
    CHECK(std::abs(output->wheels.rear_left) <= 0.7 + 1e-9);
    last = output->twist;
  }
}

TEST_CASE("without a reference the truck stops on its arc and keeps its steering") {
  Ideal truck;
  const auto driving = truck.run(ackermann::Twist{0.8, 0.3}, 200);
  for (int i = 0; i < 60; ++i) {
    const auto output = truck.run(std::nullopt, 1);
    CHECK(output.wheels.rear_left == doctest::Approx(driving.wheels.rear_left).epsilon(1e-9));
    CHECK(output.wheels.rear_right == doctest::Approx(driving.wheels.rear_right).epsilon(1e-9));
  }
  const auto stopped = truck.run(std::nullopt, 1);
  CHECK(stopped.wheels.front_right == 0);
  CHECK(stopped.wheels.front_left == 0);
}

TEST_CASE("a turn on the spot turns the wheels to their limit and moves nothing") {
  Ideal truck;
  const auto output = truck.run(ackermann::Twist{0, 0.5}, 100);
  CHECK(output.at_limit);
  CHECK(output.wheels.front_right == 0);
  CHECK(output.wheels.front_left == 0);
  CHECK(output.wheels.rear_left == doctest::Approx(0.7));
}

TEST_CASE("the wheels wait for a steering that is on its way") {
  SteeringController controller(truck());
  const ackermann::Wheels straight;
  SteeringController::Output output;
  for (int i = 0; i < 200; ++i) output = *controller.step(ackermann::Twist{0.5, 0.4}, straight, tick);
  const double missing = output.angle;
  CHECK(missing > std::numbers::pi / 6);
  const double whole = (0.5 + output.twist.w * 0.355) / 0.1715;
  CHECK(output.wheels.front_right < whole);
  CHECK(output.wheels.front_right > 0);
}

TEST_CASE("a gear limits the speed") {
  Ideal truck;
  truck.controller.limit_speed(0.2);
  CHECK(truck.run(ackermann::Twist{1, 0}, 200).twist.v == doctest::Approx(0.2));
  CHECK(truck.run(ackermann::Twist{-1, 0}, 200).twist.v == doctest::Approx(-0.2));
}

TEST_CASE("numbers that are none change nothing") {
  Ideal truck;
  truck.run(ackermann::Twist{0.5, 0}, 100);
  CHECK_FALSE(truck.controller.step(ackermann::Twist{std::nan(""), 0}, truck.wheels, tick));
  CHECK_FALSE(truck.controller.observe({std::nan(""), 0, 0, 0}, tick));
  CHECK(truck.run(ackermann::Twist{0.5, 0}, 1).twist.v == doctest::Approx(0.5));
}

TEST_CASE("the truck's frame starts at the origin and a circle closes there") {
  Ideal truck;
  CHECK(truck.controller.X_odom_base().x == doctest::Approx(0).epsilon(1e-12));
  truck.run(ackermann::Twist{0.5, 0.25}, 100);
  const auto begin = truck.controller.X_odom_base();
  const double before = truck.controller.distance();
  const int round = static_cast<int>(std::round(2 * std::numbers::pi / 0.25 / tick));
  truck.run(ackermann::Twist{0.5, 0.25}, round);
  const auto end = truck.controller.X_odom_base();
  CHECK(std::hypot(end.x - begin.x, end.y - begin.y) < 0.01);
  CHECK(truck.controller.distance() - before == doctest::Approx(4 * std::numbers::pi).epsilon(1e-3));
  // Half a metre behind the axle the truck moves sideways in a turn.
  CHECK(truck.controller.base_twist().vy == doctest::Approx(-0.25 * 0.47765).epsilon(1e-6));
}

TEST_CASE("the truck can be told where it stands") {
  Ideal truck;
  truck.run(ackermann::Twist{0.5, 0.2}, 300);
  truck.controller.place({3, -2, 1});
  CHECK(truck.controller.X_odom_base().x == doctest::Approx(3));
  CHECK(truck.controller.X_odom_base().y == doctest::Approx(-2));
  CHECK(truck.controller.X_odom_base().yaw == doctest::Approx(1));
}
