// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/ackermann/ackermann.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

using namespace tandem::kinematics::ackermann;

namespace {

constexpr Geometry truck = {
    .wheel_radius = 0.1715, .wheelbase = 1.0, .traction_track = 0.71, .steering_track = 0.71, .steering_limit = 0.7};

// A truck with its own tracks, to see that they are not mixed up.
constexpr Geometry uneven = {
    .wheel_radius = 0.2, .wheelbase = 1.4, .traction_track = 0.9, .steering_track = 0.6, .steering_limit = 1.2};

class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  double within(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }

 private:
  std::mt19937_64 engine_;
};

// Rigid body: how far a wheel at (x, y) in the axle's frame, heading so many radians to the left, slides sideways.
double sideways(const Twist& twist, double x, double y, double heading) {
  const double vx = twist.v - twist.w * y, vy = twist.w * x;
  return -std::sin(heading) * vx + std::cos(heading) * vy;
}

}  // namespace

TEST_CASE("wheels match the numbers of the ROS ackermann controller") {
  // Seen on ackermann_steering_controller 4.18: wheelbase 1.5, track 1, radius 0.2, v = 1, w = 0.3.
  const Geometry geometry = {
      .wheel_radius = 0.2, .wheelbase = 1.5, .traction_track = 1, .steering_track = 1, .steering_limit = 1.5};
  const auto command = wheels_from_twist(geometry, {1, 0.3});
  REQUIRE(command.ok());
  CHECK(command->wheels.rear_left == doctest::Approx(0.48690).epsilon(1e-5));
  CHECK(command->wheels.rear_right == doctest::Approx(0.37299).epsilon(1e-5));
  CHECK(command->wheels.front_left == doctest::Approx(4.25).epsilon(1e-12));
  CHECK(command->wheels.front_right == doctest::Approx(5.75).epsilon(1e-12));
  CHECK(command->middle_angle == doctest::Approx(std::atan(0.45)).epsilon(1e-12));
  CHECK_FALSE(command->at_limit);
}

TEST_CASE("inner and outer wheels follow the cotangent rule") {
  for (const Geometry& geometry : {truck, uneven}) {
    for (double radius = 1.6; radius < 1e4; radius *= 1.3) {
      for (const double side : {-1.0, 1.0}) {
        const auto command = wheels_from_twist(geometry, {0.8, side * 0.8 / radius});
        REQUIRE(command.ok());
        const double inner = side > 0 ? command->wheels.rear_left : -command->wheels.rear_right;
        const double outer = side > 0 ? command->wheels.rear_right : -command->wheels.rear_left;
        CHECK(inner > outer);
        CHECK(outer > 0);
        const double difference = 1 / std::tan(outer) - 1 / std::tan(inner);
        CHECK(difference == doctest::Approx(geometry.steering_track / geometry.wheelbase).epsilon(1e-9 * radius));
      }
    }
  }
}

TEST_CASE("no wheel of a truck that steers behind slides sideways") {
  // The joint's angle is positive to +z in front; the wheel behind the axle heads the other way.
  Draw draw(1);
  for (int i = 0; i < 2000; ++i) {
    const Twist twist = {draw.within(-1, 1), draw.within(-1, 1)};
    const auto command = wheels_from_twist(uneven, twist);
    REQUIRE(command.ok());
    const double half = uneven.steering_track / 2;
    CHECK(std::abs(sideways(command->twist, -uneven.wheelbase, -half, -command->wheels.rear_right)) < 1e-14);
    CHECK(std::abs(sideways(command->twist, -uneven.wheelbase, half, -command->wheels.rear_left)) < 1e-14);
    // And the same angles serve a truck that steers in front.
    CHECK(std::abs(sideways(command->twist, uneven.wheelbase, half, command->wheels.rear_left)) < 1e-14);
  }
}

TEST_CASE("the inner wheel stops at its limit and the turn widens") {
  CHECK(1 / most_curvature(truck) == doctest::Approx(1.542).epsilon(2e-4));
  for (const double direction : {-1.0, 1.0}) {
    const auto command = wheels_from_twist(truck, {direction * 0.5, 0.9});
    REQUIRE(command.ok());
    CHECK(command->at_limit);
    CHECK_FALSE(command->in_place);
    const double inner = direction > 0 ? command->wheels.rear_left : -command->wheels.rear_right;
    const double outer = direction > 0 ? command->wheels.rear_right : -command->wheels.rear_left;
    CHECK(inner == doctest::Approx(0.7).epsilon(1e-12));
    CHECK(outer == doctest::Approx(0.4851).epsilon(1e-4));
    CHECK(command->twist.v == direction * 0.5);
    CHECK(command->twist.w == doctest::Approx(0.5 * most_curvature(truck)).epsilon(1e-12));
  }
  // Right at the limit nothing is taken away.
  const double exactly = most_curvature(truck) * (1 - 1e-12);
  const auto command = wheels_from_twist(truck, {1, exactly});
  REQUIRE(command.ok());
  CHECK_FALSE(command->at_limit);
  CHECK(command->twist.w == exactly);
}

TEST_CASE("a turn on the spot steers to the limit and does not move") {
  const auto left = wheels_from_twist(truck, {0, 0.4});
  REQUIRE(left.ok());
  CHECK(left->in_place);
  CHECK(left->at_limit);
  CHECK(left->wheels.front_right == 0);
  CHECK(left->wheels.front_left == 0);
  CHECK(left->wheels.rear_left == doctest::Approx(0.7).epsilon(1e-12));
  CHECK(left->twist.v == 0);
  CHECK(left->twist.w == 0);
  const auto right = wheels_from_twist(truck, {-0.0, -1e-300});
  REQUIRE(right.ok());
  CHECK(right->wheels.rear_right == doctest::Approx(-0.7).epsilon(1e-12));
  // A speed next to nothing is the limit of the same, without a division by zero.
  const auto creeping = wheels_from_twist(truck, {1e-320, 1});
  REQUIRE(creeping.ok());
  CHECK(creeping->at_limit);
  CHECK(creeping->wheels.rear_left == doctest::Approx(0.7).epsilon(1e-12));
}

TEST_CASE("without motion the steering keeps what it is told to keep") {
  const auto straight = wheels_from_twist(truck, {0, 0});
  REQUIRE(straight.ok());
  CHECK(straight->wheels.rear_right == 0);
  const auto turned = wheels_from_twist(truck, {0.5, 0.2});
  REQUIRE(turned.ok());
  const double held = curvature_from_steering(truck, turned->wheels.rear_right, turned->wheels.rear_left);
  CHECK(held == doctest::Approx(0.4).epsilon(1e-13));
  const auto stopped = wheels_from_twist(truck, {0, 0}, held);
  REQUIRE(stopped.ok());
  CHECK(stopped->wheels.rear_right == doctest::Approx(turned->wheels.rear_right).epsilon(1e-13));
  CHECK(stopped->wheels.rear_left == doctest::Approx(turned->wheels.rear_left).epsilon(1e-13));
  CHECK(stopped->wheels.front_left == 0);
  CHECK_FALSE(stopped->at_limit);
}

TEST_CASE("the twist comes back from the wheels exactly") {
  Draw draw(2);
  for (int i = 0; i < 5000; ++i) {
    const Geometry& geometry = i % 2 == 0 ? truck : uneven;
    const auto command = wheels_from_twist(geometry, {draw.within(-1, 1), draw.within(-1, 1)});
    REQUIRE(command.ok());
    for (const double weight : {0.0, 1.0, 30.0}) {
      const auto estimate = twist_from_wheels(geometry, command->wheels, weight);
      REQUIRE(estimate.ok());
      CHECK(std::abs(estimate->twist.v - command->twist.v) < 1e-14);
      CHECK(std::abs(estimate->twist.w - command->twist.w) < 1e-13);
      CHECK(estimate->slip < 1e-13);
    }
  }
}

TEST_CASE("wheels that disagree are fitted best and say how much they slip") {
  // No twist nearby fits better: the sum of squares is a paraboloid, so neighbours suffice.
  Draw draw(3);
  const auto squares = [](const Wheels& wheels, const Twist& twist) {
    const double half = 0.355;
    const double right = wheels.front_right * 0.1715 - twist.v - half * twist.w;
    const double left = wheels.front_left * 0.1715 - twist.v + half * twist.w;
    const double a = sideways(twist, -1, -half, -wheels.rear_right), b = sideways(twist, -1, half, -wheels.rear_left);
    return right * right + left * left + a * a + b * b;
  };
  for (int i = 0; i < 500; ++i) {
    const Wheels wheels = {draw.within(-6, 6), draw.within(-6, 6), draw.within(-0.7, 0.7), draw.within(-0.7, 0.7)};
    const auto estimate = twist_from_wheels(truck, wheels);
    REQUIRE(estimate.ok());
    const double best = squares(wheels, estimate->twist);
    double sum = 0;
    for (const double slip : estimate->slips) sum += slip * slip;
    CHECK(sum == doctest::Approx(best).epsilon(1e-9));
    for (const Twist& step : {Twist{1e-3, 0}, Twist{-1e-3, 0}, Twist{0, 1e-3}, Twist{0, -1e-3}, Twist{1e-3, 1e-3}})
      CHECK(squares(wheels, {estimate->twist.v + step.v, estimate->twist.w + step.w}) > best);
  }
  // One wheel that spins.
  auto spinning = wheels_from_twist(truck, {0.5, 0.1})->wheels;
  spinning.front_left += 2;
  const auto estimate = twist_from_wheels(truck, spinning);
  REQUIRE(estimate.ok());
  CHECK(estimate->slip > 0.1);
  CHECK(estimate->slip < 2 * 0.1715);
  CHECK(wheel_names[estimate->worst] != "rear_left");
}

TEST_CASE("the speed waits for the steering") {
  CHECK(speed_until_steered(0.3, 0.3) == 1);
  CHECK(speed_until_steered(0.3, -0.2) == 1);
  CHECK(speed_until_steered(0.6, -0.6) == doctest::Approx(std::cos(1.2) / std::cos(std::numbers::pi / 6)));
  CHECK(speed_until_steered(-0.6, 0.6) == speed_until_steered(0.6, -0.6));
  CHECK(speed_until_steered(1.5, -1.5) == 0.01);
  CHECK(speed_until_steered(0.5, std::numeric_limits<double>::quiet_NaN()) == 0.01);
}

TEST_CASE("speed and turn change no faster than their limits") {
  const Limits limits;
  Twist twist;
  for (int i = 1; i <= 100; ++i) {
    const auto next = limited(limits, {5, -5}, twist, 0.01);
    REQUIRE(next.ok());
    CHECK(next->v == doctest::Approx(std::min(1.0, 0.02 * i)));
    CHECK(next->w == doctest::Approx(std::max(-1.0, -0.02 * i)));
    twist = *next;
  }
  CHECK(limited(limits, {0, 0}, {1, -1}, 0.1)->v == doctest::Approx(0.8));
  CHECK(limited(limits, {0, 0}, {1, -1}, 0.1)->w == doctest::Approx(-0.8));
  CHECK(limited(limits, {0.001, 0}, {0, 0}, 0.1)->v == 0.001);
  CHECK(limited(limits, {1, 1}, {0.5, 0.2}, 0)->v == 0.5);
  CHECK(limited(limits, {1, 1}, {0.5, 0.2}, -1)->w == 0.2);
}

TEST_CASE("numbers that are none are refused by name") {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  CHECK(wheels_from_twist(truck, {nan, 0}).error().text == "v: expected a finite number, got nan");
  CHECK(wheels_from_twist(truck, {0, infinite}).error().text == "w: expected a finite number, got inf");
  CHECK_FALSE(wheels_from_twist(truck, {0, 0}, nan).ok());
  CHECK_FALSE(wheels_from_twist(truck, {1e308, 0}).ok());
  CHECK(twist_from_wheels(truck, {0, nan, 0, 0}).error().text == "front_left: expected a finite number, got nan");
  CHECK_FALSE(twist_from_wheels(truck, {0, 0, 0, -infinite}).ok());
  CHECK_FALSE(twist_from_wheels(truck, {1e308, 1e308, 0.5, 0.1}, 30).ok());
  CHECK_FALSE(twist_from_wheels(truck, {}, -1).ok());
  CHECK(limited({}, {0, 0}, {0, 0}, nan).error().text == "dt: expected a finite number, got nan");
  CHECK_FALSE(limited({}, {nan, 0}, {0, 0}, 0.1).ok());

  CHECK(check(truck).ok());
  Geometry wrong = truck;
  wrong.wheelbase = 0;
  CHECK(check(wrong).error().text == "wheelbase: expected a length above 0 m, got 0");
  wrong = truck;
  wrong.steering_limit = 1.6;
  CHECK(check(wrong).error().text == "steering_limit: expected an angle between 0 and pi/2 rad, got 1.6");
}
