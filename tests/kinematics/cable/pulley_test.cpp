// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/pulley.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/kinematics/cable/samples.hpp"

using namespace tandem;
using namespace tandem::cables;
using cable_samples::Random;

namespace {

// The shortest way for a tight string that lies on the rim for any angle and then goes straight, found by trying, with
// the pulley's centre beside the axis towards the point.
double tight_string(double radius, double beside, double along) {
  double best = 1e300;
  constexpr int steps = 200000;
  for (int i = 0; i <= steps; ++i) {
    const double angle = 2 * M_PI * i / steps;
    const double x = radius * (1 - std::cos(angle)), y = radius * std::sin(angle);
    const double straight = std::hypot(beside - x, along - y);
    // Only where the string goes on in the direction in which it left the rim.
    const double ahead = ((beside - x) * std::sin(angle) + (along - y) * std::cos(angle)) / straight;
    if (ahead > 1 - 1e-6) best = std::min(best, radius * angle + straight);
  }
  return best;
}

}  // namespace

TEST_CASE("a cable over a pulley is as long as a tight string") {
  Random random(1);
  for (int k = 0; k < 10; ++k) {
    const double radius = random.within(0.02, 0.1);
    const Eigen::Vector3d axis = random.direction();
    const Eigen::Vector3d frame = random.in_box({1, 1, 1}), held = frame + random.within(0.5, 2) * random.direction();
    const PulleyRun run = run_over({radius, axis}, frame, held);
    REQUIRE(run.possible);
    const double along = (held - frame).dot(axis);
    const double beside = (held - frame - along * axis).norm();
    CHECK(std::abs(run.length - tight_string(radius, beside, along)) < 1e-6);
  }
}

TEST_CASE("a cable leaves its pulley on a tangent") {
  Random random(2);
  for (int k = 0; k < 5000; ++k) {
    const Pulley pulley{random.within(0.005, 0.2), random.direction()};
    const Eigen::Vector3d frame = random.in_box({1, 1, 1}), held = frame + random.within(0.5, 2) * random.direction();
    const PulleyRun run = run_over(pulley, frame, held);
    REQUIRE(run.possible);
    const Eigen::Vector3d aside = held - frame - (held - frame).dot(pulley.axis) * pulley.axis;
    const Eigen::Vector3d centre = frame + pulley.radius * aside.normalized();
    CHECK(std::abs((run.leaves - centre).norm() - pulley.radius) < 1e-12);
    CHECK(std::abs((run.leaves - centre).dot(run.leaves - held)) < 1e-12);
    CHECK((held + run.straight * run.along - run.leaves).norm() < 1e-12);
    CHECK(run.wrap >= 0);
    CHECK(run.wrap < 2 * M_PI);
  }
}

TEST_CASE("rates over pulleys are the differences of their lengths") {
  Random random(3);
  const Robot robot = *Robot::from(cable_samples::cogiro());
  std::vector<Pulley> pulleys(8, Pulley{0.1, {0, 0, 1}});
  REQUIRE(check_pulleys(robot, pulleys).ok());
  for (int k = 0; k < 300; ++k) {
    const Pose pose = random.pose(robot, 0.5, 0.5);
    const Twist twist = random.six(1);
    constexpr double h = 1e-5;
    const PerCable slope = (lengths(robot, pulleys, cable_samples::moved(pose, twist, h)) -
                            lengths(robot, pulleys, cable_samples::moved(pose, twist, -h))) /
                           (2 * h);
    CHECK((rates(structure(robot, pulleys, pose), twist) - slope).cwiseAbs().maxCoeff() < 1e-7);
  }
}

TEST_CASE("small pulleys are points") {
  Random random(4);
  const Robot& robot = Robot::standard();
  for (const double radius : {0.0, 1e-9}) {
    const std::vector<Pulley> pulleys(8, Pulley{radius, {0, 0, 1}});
    for (int k = 0; k < 100; ++k) {
      const Pose pose = random.pose(robot, 0.5, 0.5);
      CHECK((lengths(robot, pulleys, pose) - lengths(robot, pose)).cwiseAbs().maxCoeff() < 1e-8);
      CHECK((structure(robot, pulleys, pose) - structure(robot, pose)).cwiseAbs().maxCoeff() < 1e-7);
    }
  }
}

TEST_CASE("points within a pulley have no run") {
  const Pulley pulley{0.1, {0, 0, 1}};
  CHECK(!run_over(pulley, {0, 0, 0}, {0.1, 0, 0.05}).possible);
  CHECK(!run_over(pulley, {0, 0, 0}, {0, 0, -1}).possible);
  CHECK(std::abs(run_over(pulley, {0, 0, 0}, {0, 0, -1}).length - 1) < 1e-15);
  CHECK(!run_over({0, {0, 0, 1}}, {0, 0, 0}, {0, 0, 0}).possible);
}

TEST_CASE("pulleys that cannot be are refused") {
  const Robot& robot = Robot::standard();
  std::vector<Pulley> pulleys(7);
  CHECK(check_pulleys(robot, pulleys).error().text.find("got 7") != std::string::npos);
  pulleys.resize(8);
  CHECK(check_pulleys(robot, pulleys).ok());
  pulleys[2].radius = -1;
  CHECK(check_pulleys(robot, pulleys).error().text.find("pulley of cable2") == 0);
  pulleys[2].radius = 0.1;
  pulleys[4].axis = {0, 0, 2};
  CHECK(check_pulleys(robot, pulleys).error().text.find("pulley of cable4") == 0);
}
