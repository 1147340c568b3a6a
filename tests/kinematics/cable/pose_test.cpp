// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/pose.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "tests/allocations.hpp"
#include "tests/kinematics/cable/samples.hpp"

using namespace tandem;
using namespace tandem::cables;
using cable_samples::distance;
using cable_samples::Random;

namespace {

std::vector<Robot> robots_to_find() {
  return {Robot::standard(), *Robot::from(cable_samples::caroca()), *Robot::from(cable_samples::cdpr3()),
          *Robot::from(cable_samples::cogiro())};
}

bool mentions(const Result<PoseFit>& fit, const std::string& part) {
  return !fit.ok() && fit.error().text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("the pose is found from lengths without knowing where to begin") {
  Random random(1);
  for (const Robot& robot : robots_to_find()) {
    for (int k = 0; k < 2500; ++k) {
      const Pose pose = random.pose(robot, 0.6, 0.5);
      const auto fit = pose_from_lengths(robot, lengths(robot, pose));
      REQUIRE(fit.ok());
      CHECK(fit->converged);
      CHECK(fit->residual < 1e-13);
      CHECK(fit->iterations <= 60);
      CHECK(distance(fit->pose, pose) < 1e-11);
    }
  }
}

TEST_CASE("the pose is found from lengths for any attitude") {
  Random random(2);
  for (const Robot& robot : robots_to_find()) {
    for (int k = 0; k < 300; ++k) {
      const Pose pose = random.pose(robot, 0.7, 3.1);
      const auto fit = pose_from_lengths(robot, lengths(robot, pose));
      REQUIRE(fit.ok());
      CHECK(distance(fit->pose, pose) < 1e-9);
    }
  }
}

TEST_CASE("random robots of six to sixteen cables are found") {
  Random random(3);
  for (int cables = 6; cables <= 16; ++cables) {
    const Robot robot = random.robot(cables);
    for (int k = 0; k < 300; ++k) {
      const Pose pose = random.pose(robot, 0.35, 0.5);
      const auto cold = pose_from_lengths(robot, lengths(robot, pose));
      REQUIRE(cold.ok());
      CHECK(cold->residual < 1e-12);
      if (cables > 6) CHECK(distance(cold->pose, pose) < 1e-9);  // six may have a second pose with the same lengths
      const PoseFit warm = fit_pose(robot, lengths(robot, pose), cable_samples::moved(pose, random.six(1), 0.002));
      CHECK(warm.converged);
      CHECK(warm.iterations <= 12);
      if (cables > 6) CHECK(distance(warm.pose, pose) < 1e-9);
    }
  }
}

TEST_CASE("lengths over pulleys are found as well") {
  Random random(4);
  const Robot& robot = Robot::standard();
  std::vector<Pulley> pulleys(8);
  for (int i = 0; i < 8; ++i)
    pulleys[static_cast<std::size_t>(i)] = {0.015, Eigen::Vector3d(0, 0, robot.cable(i).frame.z() > 0.3 ? 1 : -1)};
  for (int k = 0; k < 500; ++k) {
    const Pose pose = random.pose(robot, 0.5, 0.4);
    const PerCable over = lengths(robot, pulleys, pose);
    const auto fit = pose_from_lengths(robot, over, pulleys);
    REQUIRE(fit.ok());
    CHECK(distance(fit->pose, pose) < 1e-10);
    CHECK(fit_pose(robot, over, pose).residual > 1e-4);  // the plain model does not explain them
  }
}

TEST_CASE("noisy lengths give the nearest pose and tell the residual") {
  Random random(5);
  const Robot& robot = Robot::standard();
  for (int k = 0; k < 300; ++k) {
    const Pose pose = random.pose(robot, 0.5, 0.4);
    PerCable noisy = lengths(robot, pose);
    for (int i = 0; i < 8; ++i) noisy[i] += random.within(-1e-3, 1e-3);
    const PoseFit fit = fit_pose(robot, noisy, pose);
    CHECK(fit.converged);
    CHECK(fit.residual < 1e-3);
    // Least squares: what is left is at right angles to every motion.
    const PerCable left = lengths(robot, fit.pose) - noisy;
    CHECK((structure(robot, fit.pose) * left).norm() < 1e-10);
    CHECK(std::abs(left.norm() / std::sqrt(8.0) - fit.residual) < 1e-12);
  }
}

TEST_CASE("one wrong length is refused and named") {
  Random random(6);
  const Robot& robot = Robot::standard();
  int named = 0;
  for (int k = 0; k < 24; ++k) {
    PerCable wrong = lengths(robot, random.pose(robot, 0.3, 0.3));
    const int cable = k % 8;
    wrong[cable] += 0.4;  // it is cut, and its drum ran on
    const auto fit = pose_from_lengths(robot, wrong);
    REQUIRE(!fit.ok());
    CHECK(fit.error().fault == Fault::not_found);
    CHECK(mentions(fit, "no pose was found"));
    named += mentions(fit, "without cable" + std::to_string(cable) + " they fit");
  }
  CHECK(named >= 20);
}

TEST_CASE("lengths that mean nothing are refused") {
  const Robot& robot = Robot::standard();
  PerCable good = lengths(robot, robot.home());
  CHECK(mentions(pose_from_lengths(robot, good.head(7)), "expected 8, one for each cable, got 7"));
  PerCable bad = good;
  bad[2] = std::numeric_limits<double>::quiet_NaN();
  CHECK(mentions(pose_from_lengths(robot, bad), "length of cable2: expected a positive number"));
  bad[2] = -0.1;
  CHECK(mentions(pose_from_lengths(robot, bad), "got -0.1"));
  CHECK(mentions(pose_from_lengths(robot, PerCable::Constant(8, 9)), "no pose was found"));
  CHECK(mentions(pose_from_lengths(robot, PerCable::Constant(8, 1e-3)), "no pose was found"));
  Pose nowhere = robot.home();
  nowhere.translation().x() = std::numeric_limits<double>::infinity();
  CHECK(mentions(pose_from_lengths(robot, good, nowhere), "start of the search"));
  CHECK(!fit_pose(robot, good, nowhere).converged);
  CHECK(!fit_pose(robot, bad.head(3), robot.home()).converged);
}

TEST_CASE("following lengths allocates nothing") {
  const Robot& robot = Robot::standard();
  Random random(7);
  const Pose pose = random.pose(robot, 0.4, 0.3);
  const PerCable given = lengths(robot, pose);
  const std::size_t before = allocations;
  const PoseFit fit = fit_pose(robot, given, robot.home());
  const Structure held = structure(robot, fit.pose);
  const Twist twist = twist_from_rates(held, rates(held, Twist::Ones()));
  const double quality = conditioning(robot, held);
  CHECK(allocations == before);
  CHECK(fit.converged);
  CHECK(twist.allFinite());
  CHECK(quality > 0);
}
