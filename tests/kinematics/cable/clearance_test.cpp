// SPDX-License-Identifier: Apache-2.0
// Distances against points tried one by one.
#include "tandem/kinematics/cable/clearance.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tests/kinematics/cable/samples.hpp"

namespace tandem::cables {

namespace {

using cable_samples::Random;
using Eigen::Vector3d;

// The least of f on a segment [0, 1], tried on a grid that closes in on the best.
template <typename F>
double least_on_unit(const F& f) {
  double low = 0, high = 1, best = 0;
  for (int round = 0; round < 6; ++round) {
    double at = low;
    best = f(low);
    for (int i = 1; i <= 20; ++i) {
      const double t = low + (high - low) * i / 20;
      if (const double value = f(t); value < best) at = t, best = value;
    }
    const double width = (high - low) / 10;
    low = std::max(0.0, at - width);
    high = std::min(1.0, at + width);
  }
  return best;
}

double tried_segments(const Vector3d& a0, const Vector3d& a1, const Vector3d& b0, const Vector3d& b1) {
  return least_on_unit([&](double s) {
    return least_on_unit([&](double t) { return (a0 + s * (a1 - a0) - b0 - t * (b1 - b0)).norm(); });
  });
}

double tried_box(const Vector3d& p0, const Vector3d& p1, const Vector3d& half) {
  return least_on_unit([&](double t) {
    const Vector3d p = p0 + t * (p1 - p0);
    return (p - p.cwiseMax(-half).cwiseMin(half)).norm();
  });
}

}  // namespace

TEST_CASE("the distance of two segments is the least of all tried points") {
  Random random(41);
  for (int n = 0; n < 60; ++n) {
    const Vector3d a0 = random.in_box({1, 1, 1}), a1 = random.in_box({1, 1, 1}), b0 = random.in_box({1, 1, 1});
    const Vector3d b1 = n % 5 == 0 ? Vector3d(b0 + 2 * (a1 - a0)) : random.in_box({1, 1, 1});  // also parallel ones
    const double found = segment_distance(a0, a1, b0, b1);
    CHECK(found == doctest::Approx(tried_segments(a0, a1, b0, b1)).epsilon(1e-4));
    CHECK(found == doctest::Approx(segment_distance(b1, b0, a0, a1)).epsilon(1e-12));
  }
  CHECK(segment_distance({-1, 0, 0}, {1, 0, 0}, {0, -1, 0.5}, {0, 1, 0.5}) == 0.5);
  CHECK(segment_distance({0, 0, 0}, {0, 0, 0}, {3, 4, 0}, {3, 4, 0}) == 5);
  CHECK(segment_distance({-1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {1, -1, 0}) == 0);
}

TEST_CASE("the distance of a segment and a box is the least of all tried points") {
  Random random(42);
  int apart = 0;
  for (int n = 0; n < 300; ++n) {
    const Vector3d half(random.within(0.1, 0.5), random.within(0.1, 0.5), random.within(0.1, 0.5));
    const Vector3d p0 = random.in_box({1.5, 1.5, 1.5}), p1 = random.in_box({1.5, 1.5, 1.5});
    const double tried = tried_box(p0, p1, half), found = box_distance(p0, p1, half);
    CHECK(std::abs(found - tried) < 1e-4);
    CHECK(found <= tried + 1e-12);
    apart += found > 0;
  }
  CHECK(apart > 100);
  CHECK(box_distance({-2, 0, 0}, {2, 0, 0}, {1, 1, 1}) == 0);
  CHECK(box_distance({0.1, 0, 0}, {0.2, 0, 0}, {1, 1, 1}) == 0);
  CHECK(box_distance({2, 0, 0}, {2, 0, 0}, {1, 1, 1}) == 1);
  CHECK(box_distance({2, -3, 0}, {2, 3, 0}, {1, 1, 1}) == 1);
}

TEST_CASE("the default robot has air between its cables at home and two cables cross when it turns far") {
  const Robot& robot = Robot::standard();
  const Clearance home = clearance(robot, robot.home());
  CHECK(home.cables > 0.01);
  CHECK(home.first >= 0);
  CHECK(home.platform > 0.001);
  // Turned by half a turn about the vertical, cables run through the platform.
  const Clearance turned = clearance(robot, pose_from(robot.design().home, rotation_from_rpy(0, 0, 3.141592653589793)));
  CHECK(turned.platform == 0);
  CHECK(turned.cutting >= 0);
}

TEST_CASE("clearance is that of the nearest pair") {
  Random random(43);
  const Robot& robot = Robot::standard();
  for (int n = 0; n < 3; ++n) {
    const Pose pose = random.pose(robot, 0.3, 0.6);
    const Clearance found = clearance(robot, pose);
    double least = 1e9;
    for (int i = 0; i < 8; ++i)
      for (int j = 0; j < i; ++j)
        least = std::min(least, segment_distance(pose * robot.cable(i).platform, robot.cable(i).frame,
                                                 pose * robot.cable(j).platform, robot.cable(j).frame));
    CHECK(found.cables == doctest::Approx(least).epsilon(1e-12));
    double to_box = 1e9;
    for (int i = 0; i < 8; ++i) {
      const Vector3d far = pose.inverse() * robot.cable(i).frame, near = robot.cable(i).platform;
      to_box =
          std::min(to_box, tried_box(near + grip(robot) * (far - near).normalized(), far, robot.design().size / 2));
    }
    CHECK(std::abs(found.platform - to_box) < 1e-5);
  }
}

TEST_CASE("cables that share an end are not compared") {
  const Robot robot = *Robot::from(cable_samples::caroca());
  const Clearance found = clearance(robot, pose_from({0, 0, 1.5}, Eigen::Matrix3d::Identity()));
  CHECK(found.cables > 0);
  CHECK(robot.cable(found.first).frame != robot.cable(found.second).frame);
}

}  // namespace tandem::cables
