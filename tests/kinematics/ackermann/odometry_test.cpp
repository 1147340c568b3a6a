// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/ackermann/odometry.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

using namespace tandem::kinematics::ackermann;

namespace {

constexpr double turn_round = 2 * std::numbers::pi;
constexpr Geometry lift = {
    .wheel_radius = 0.1715, .wheelbase = 1.0, .traction_track = 0.71, .steering_track = 0.71, .steering_limit = 0.7};

// The same motion in steps so small that their kind does not matter: fourth-order Runge-Kutta on x, y, yaw.
template <typename TwistAt>
PlanarPose in_tiny_steps(const TwistAt& twist_of, double duration, int steps) {
  PlanarPose pose;
  const double h = duration / steps;
  for (int i = 0; i < steps; ++i) {
    const Twist a = twist_of(i * h), b = twist_of((i + 0.5) * h), c = twist_of((i + 1) * h);
    const double middle = pose.yaw + b.w * h / 2, end = pose.yaw + (a.w + 4 * b.w + c.w) * h / 6;
    pose.x += h / 6 * (a.v * std::cos(pose.yaw) + 4 * b.v * std::cos(middle) + c.v * std::cos(end));
    pose.y += h / 6 * (a.v * std::sin(pose.yaw) + 4 * b.v * std::sin(middle) + c.v * std::sin(end));
    pose.yaw = end;
  }
  return pose;
}

double apart(const PlanarPose& a, const PlanarPose& b) {
  const double yaw = std::abs(std::remainder(a.yaw - b.yaw, turn_round));
  return std::max(std::hypot(a.x - b.x, a.y - b.y), yaw);
}

}  // namespace

TEST_CASE("an arc ends where tiny steps along it end") {
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> speed(-2, 2), time(0.01, 3);
  for (int i = 0; i < 30; ++i) {
    const Twist twist = {speed(engine), speed(engine)};
    const double duration = time(engine);
    const PlanarPose expected = in_tiny_steps([&](double) { return twist; }, duration, 2000);
    CHECK(apart(arc(twist, duration), expected) < 1e-10);
  }
  const PlanarPose quarter = arc({1, std::numbers::pi / 2}, 1);
  CHECK(quarter.x == doctest::Approx(2 / std::numbers::pi).epsilon(1e-14));
  CHECK(quarter.y == doctest::Approx(2 / std::numbers::pi).epsilon(1e-14));
}

TEST_CASE("an arc passes into a straight line without a step") {
  for (double w = 1; w > 1e-20; w /= 3) {
    // The classical form in long double, with the differences written so that nothing cancels.
    const long double angle = static_cast<long double>(w), half = std::sin(angle / 2);
    const PlanarPose end = arc({1, w}, 1);
    CHECK(std::abs(end.x - static_cast<double>(std::sin(angle) / angle)) < 3e-16);
    CHECK(std::abs(end.y - static_cast<double>(2 * half * half / angle)) < 3e-16);
  }
  CHECK(arc({1, 0}, 2).x == 2);
  CHECK(arc({1, 0}, 2).y == 0);
  CHECK(arc({0, 1}, 2).x == 0);
}

TEST_CASE("poses in the plane compose and invert") {
  const PlanarPose a = {1, -2, 2.5}, b = {0.3, 0.7, 1.4};
  const PlanarPose unit = (a * b) * inverse(a * b);
  CHECK(apart(unit, {}) < 1e-15);
  CHECK(apart(inverse(a) * (a * b), b) < 1e-15);
  CHECK((a * b).yaw == doctest::Approx(3.9 - turn_round));
}

TEST_CASE("any point of the truck moves as on a rigid body") {
  const Twist twist = {0.8, 0.4};
  const Point fork = {0.9, -0.2};
  const PlanarTwist moving = twist_at(fork, twist);
  // By differences of the place after a moment, to the sides of now.
  constexpr double h = 1e-5;
  const PlanarPose later = arc(twist, h) * PlanarPose{fork.x, fork.y, 0};
  const PlanarPose before = arc(twist, -h) * PlanarPose{fork.x, fork.y, 0};
  CHECK(moving.vx == doctest::Approx((later.x - before.x) / (2 * h)).epsilon(1e-8));
  CHECK(moving.vy == doctest::Approx((later.y - before.y) / (2 * h)).epsilon(1e-8));
  CHECK(moving.w == twist.w);
  const Twist back = twist_from(fork, moving.vx, moving.w);
  CHECK(back.v == doctest::Approx(twist.v).epsilon(1e-15));
  CHECK(back.w == twist.w);
}

TEST_CASE("odometry from wheels closes a figure eight of a minute") {
  // Two circles of 1.8 m at 0.377 m/s, left then right, with the steering passing over in half a second. The truth is
  // the same motion in tiny steps; the odometry sees wheels at 100 Hz, rounded as the PLC's registers round them.
  const auto twist_of = [](double t) {
    const double side = std::clamp((30 - t) / 0.25, -1.0, 1.0);
    return Twist{0.377, 0.377 / 1.8 * side};
  };
  const auto rounded = [](double value) { return std::round(value * 10000) / 10000; };
  Odometry odometry;
  for (int i = 0; i <= 6000; ++i) {
    const auto command = wheels_from_twist(lift, twist_of(i * 0.01));
    REQUIRE(command.ok());
    const Wheels& w = command->wheels;
    const auto seen = twist_from_wheels(
        lift, {rounded(w.front_right), rounded(w.front_left), rounded(w.rear_right), rounded(w.rear_left)});
    REQUIRE(seen.ok());
    CHECK(seen->slip < 1e-4);
    REQUIRE(odometry.advance(seen->twist, 0.01).ok());
  }
  const PlanarPose truth = in_tiny_steps(twist_of, 60, 60000);
  CHECK(odometry.distance() == doctest::Approx(0.377 * 60).epsilon(1e-4));
  CHECK(std::hypot(odometry.axle().x - truth.x, odometry.axle().y - truth.y) < 0.002);
  CHECK(std::abs(std::remainder(odometry.axle().yaw - truth.yaw, turn_round)) < 0.001);
  const PlanarPose base = odometry.at({-0.47765, 0});
  CHECK(std::hypot(base.x - odometry.axle().x, base.y - odometry.axle().y) == doctest::Approx(0.47765));
}

TEST_CASE("odometry takes the mean between two samples and starts with the second") {
  Odometry odometry({1, 2, 0});
  REQUIRE(odometry.advance({1, 0}, 0).ok());
  CHECK(odometry.axle().x == 1);
  REQUIRE(odometry.advance({2, 0}, 0.1).ok());
  CHECK(odometry.axle().x == doctest::Approx(1.15));
  odometry.pause();
  REQUIRE(odometry.advance({2, 0}, 100).ok());
  CHECK(odometry.axle().x == doctest::Approx(1.15));
  REQUIRE(odometry.advance({-2, 0}, 0.1).ok());
  REQUIRE(odometry.advance({-2, 0}, 0.1).ok());
  CHECK(odometry.axle().x == doctest::Approx(0.95));
  CHECK(odometry.distance() == doctest::Approx(0.35));
  odometry.place({7, 8, 1});
  CHECK(odometry.axle().y == 8);
  CHECK(odometry.twist().v == -2);
}

TEST_CASE("odometry does not move by what is no number") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Odometry odometry;
  REQUIRE(odometry.advance({1, 0}, 0.1).ok());
  REQUIRE(odometry.advance({1, 0}, 0.1).ok());
  const PlanarPose before = odometry.axle();
  CHECK_FALSE(odometry.advance({nan, 0}, 0.1).ok());
  CHECK_FALSE(odometry.advance({1, nan}, 0.1).ok());
  CHECK_FALSE(odometry.advance({1, 0}, nan).ok());
  CHECK_FALSE(odometry.advance({1e308, 1}, 1e10).ok());
  CHECK(odometry.advance({1, 0}, 0).error().text == "odometry: expected a time step above 0 s, got 0");
  CHECK(apart(odometry.axle(), before) == 0);
  CHECK(odometry.twist().v == 1);
}
