// SPDX-License-Identifier: Apache-2.0
// One pose at a time: margins against the tension solver and against Clp, closure against Clp.
#include "tandem/kinematics/cable/workspace/workspace.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <limits>

#include "tandem/kinematics/cable/border.hpp"
#include "tandem/kinematics/cable/tension/tension.hpp"
#include "tests/allocations.hpp"
#include "tests/kinematics/cable/samples.hpp"
#include "tests/kinematics/linear_program.hpp"

namespace tandem::cables {

namespace {

using cable_samples::Random;

Eigen::MatrixXd comparable(const Robot& robot, const Pose& pose) {
  Eigen::MatrixXd rows = structure(robot, pose);
  rows.bottomRows(3) /= robot.scale();
  return rows;
}

// Largest s with W t = right, least + s <= t, and t + s <= most where there is a most; s at most 1000.
std::optional<double> largest_distance(const Eigen::MatrixXd& W, const Eigen::VectorXd& right, double least,
                                       std::optional<double> most, double sum = 0) {
  const auto count = W.cols();
  const Eigen::Index rows = 6 + count + (most ? count : 0) + (sum > 0 ? 1 : 0);
  linear_program::Program program;
  program.rows.setZero(rows, count + 1);
  program.row_least.setConstant(rows, -linear_program::infinity);
  program.row_most.setConstant(rows, linear_program::infinity);
  program.rows.topLeftCorner(6, count) = W;
  program.row_least.head(6) = program.row_most.head(6) = right;
  for (Eigen::Index i = 0; i < count; ++i) {
    program.rows(6 + i, i) = 1;
    program.rows(6 + i, count) = -1;
    program.row_least[6 + i] = least;
    if (!most) continue;
    program.rows(6 + count + i, i) = 1;
    program.rows(6 + count + i, count) = 1;
    program.row_most[6 + count + i] = *most;
  }
  if (sum > 0) {
    program.rows.row(rows - 1).head(count).setOnes();
    program.row_most[rows - 1] = sum;
  }
  program.least.setConstant(count + 1, -linear_program::infinity);
  program.most.setConstant(count + 1, linear_program::infinity);
  program.most[count] = 1000;
  program.cost.setZero(count + 1);
  program.cost[count] = -1;
  const auto found = linear_program::minimum(program);
  if (!found) return std::nullopt;
  return -*found;
}

}  // namespace

TEST_CASE("margins agree with the tension solver inside and outside the workspace") {
  Random random(11);
  int inside = 0, count = 0;
  double worst = 0;
  for (int n = 0; n < 600; ++n) {
    const Robot robot = n % 3 == 0 ? Robot::standard() : random.robot(6 + n % 11);
    const Pose pose = random.pose(robot, 0.5, 0.5);
    const auto held = distribute(robot, structure(robot, pose), weight(robot, pose));
    const double found = margin(robot, pose);
    if (std::abs(found) < 1e-9) continue;
    ++count;
    inside += found > 0;
    CHECK((found >= 0) == held.feasible);
    // Feasible: no tensions keep a larger distance. Infeasible: both say by how much ranges had to be wider.
    if (held.feasible) CHECK(held.margin <= found + 1e-9);
    if (!held.feasible) worst = std::max(worst, std::abs(found - held.margin) / (1 + std::abs(found)));
  }
  CHECK(worst < 1e-8);
  CHECK(inside > count / 10);
  CHECK(inside < count * 9 / 10);
}

TEST_CASE("margins agree with Clp for 6 to 16 cables") {
  Random random(12);
  double worst = 0;
  for (int n = 0; n < 300; ++n) {
    const Robot robot = n % 4 == 0 ? Robot::standard() : random.robot(6 + n % 11);
    const Pose pose = random.pose(robot, 0.4, 0.4);
    if (conditioning(robot, structure(robot, pose)) < 1e-3) continue;
    const Wrench load = n % 2 == 0 ? Wrench::Zero() : random.six(3);
    Wrench right = -(weight(robot, pose) + load);
    right.tail<3>() /= robot.scale();
    const TensionRange& range = robot.design().tension;
    const auto oracle = largest_distance(comparable(robot, pose), right, range.least, range.most);
    REQUIRE(oracle);
    const double found = margin(robot, pose, std::span(&load, 1));
    worst = std::max(worst, std::abs(found - *oracle) / (1 + std::abs(*oracle)));
  }
  CHECK(worst < 1e-7);
}

TEST_CASE("closure agrees with Clp and force closure holds wherever closure does") {
  Random random(13);
  int closed = 0, forces = 0, count = 0;
  for (int n = 0; n < 300; ++n) {
    const Robot robot = n % 3 == 0 ? Robot::standard() : random.robot(7 + n % 10);
    const Pose pose = random.pose(robot, 0.7, 0.7);
    if (conditioning(robot, structure(robot, pose)) < 1e-3) continue;
    const Eigen::MatrixXd W = comparable(robot, pose);
    const auto evenness = largest_distance(W, Eigen::VectorXd::Zero(6), 0, std::nullopt, static_cast<double>(W.cols()));
    REQUIRE(evenness);
    const double found = closure(robot, pose);
    CHECK(found == doctest::Approx(*evenness < 1e-10 ? 0 : *evenness).epsilon(1e-6));
    // Any force: the six along the axes are enough, since those that can be exerted are a convex cone.
    bool any_force = true;
    double nearest = 1;
    for (int k = 0; k < 6; ++k) {
      Eigen::VectorXd right = Eigen::VectorXd::Zero(6);
      right[k / 2] = k % 2 == 0 ? 1 : -1;
      const double least = largest_distance(W, right, 0, std::nullopt).value_or(-1);
      any_force = any_force && least >= 0;
      nearest = std::min(nearest, std::abs(least));
    }
    if (nearest > 1e-7) CHECK((force_closure(robot, pose) >= 0) == any_force);
    if (found > 0) CHECK(force_closure(robot, pose) >= 0);
    closed += found > 0;
    forces += any_force;
    ++count;
  }
  CHECK(closed > count / 10);
  CHECK(closed < count * 9 / 10);
  CHECK(forces >= closed);
}

TEST_CASE("a robot that hangs is never closed but holds its weight") {
  const Robot robot = *Robot::from(cable_samples::caroca());
  const Pose pose = pose_from({0, 0, 1.5}, Eigen::Matrix3d::Identity());
  CHECK(closure(robot, pose) == 0);
  CHECK(force_closure(robot, pose) < 0);
  CHECK(margin(robot, pose) > 0);
  CHECK_FALSE(standing(robot, pose, Kind::closure).inside);
  CHECK(standing(robot, pose, Kind::feasible).inside);
  CHECK(is_inside(Kind::force, 0));
  CHECK_FALSE(is_inside(Kind::closure, 0));
}

TEST_CASE("more loads never widen the margin and a box of loads is as good as its corners") {
  Random random(14);
  Wrench half;
  half << 5, 3, 0, 0.1, 0, 0;
  const auto corners = load_corners(half);
  CHECK(corners.size() == 8);
  for (int n = 0; n < 40; ++n) {
    const Pose pose = random.pose(Robot::standard(), 0.4, 0.3);
    const double all = margin(Robot::standard(), pose, corners);
    CHECK(all <= margin(Robot::standard(), pose) + 1e-9);
    // What is between the corners is held at least as well as the worst of them.
    Wrench between = Wrench::Zero();
    for (int k = 0; k < 6; ++k) between[k] = half[k] * random.within(-1, 1);
    CHECK(margin(Robot::standard(), pose, std::span(&between, 1)) >= all - 1e-9);
  }
  CHECK(load_corners(Wrench::Zero()).size() == 1);
  CHECK(load_corners(Wrench::Ones()).size() == 64);
}

TEST_CASE("poses that are not finite and singular ones have no margin") {
  const Robot& robot = Robot::standard();
  Pose pose = robot.home();
  pose.translation().x() = std::nan("");
  CHECK(margin(robot, pose) == no_margin);
  CHECK(closure(robot, pose) == 0);
  CHECK(force_closure(robot, pose) == no_margin);
  pose.translation().x() = 1e12;  // all cables are one
  CHECK(margin(robot, pose) < 0);
  CHECK(closure(robot, pose) == 0);
}

TEST_CASE("the border along the axes is where the margin changes its sign") {
  const Robot& robot = Robot::standard();
  Random random(15);
  for (int n = 0; n < 6; ++n) {
    const Pose pose = n == 0 ? robot.home() : random.pose(robot, 0.3, 0.2);
    const BorderReach reach = {0.3, 1.2};
    const Border border = distance_to_border(robot, pose, {}, reach);
    REQUIRE(border.inside == (margin(robot, pose) >= 0));
    if (!border.inside) continue;
    for (std::size_t way = 0; way < 6; ++way) {
      Eigen::Vector3d axis = Eigen::Vector3d::Zero();
      axis[static_cast<Eigen::Index>(way / 2)] = way % 2 == 0 ? 1 : -1;
      const auto moved = [&](double by) { return pose_from(pose.translation() + by * axis, pose.linear()); };
      const auto turned = [&](double by) {
        return pose_from(pose.translation(), Eigen::AngleAxisd(by, axis) * pose.linear());
      };
      CAPTURE(way);
      CHECK(margin(robot, moved(border.moves[way])) >= -1e-9);
      CHECK(margin(robot, turned(border.turns[way])) >= -1e-9);
      if (border.moves[way] < reach.distance)
        CHECK(margin(robot, moved(border.moves[way] + reach.distance / 512)) < 1e-9);
      if (border.turns[way] < reach.angle) CHECK(margin(robot, turned(border.turns[way] + reach.angle / 512)) < 1e-9);
      CHECK(border.distance <= border.moves[way]);
    }
  }
  const Border outside = distance_to_border(robot, pose_from({0.29, 0.29, 0.3}, Eigen::Matrix3d::Identity()));
  CHECK_FALSE(outside.inside);
  CHECK(outside.distance == 0);
  // A reserve moves the border to where the margin is as much.
  const Border plain = distance_to_border(robot, robot.home(), {}, {0.3, 0});
  const Border kept = distance_to_border(robot, robot.home(), {}, {0.3, 0, 5});
  REQUIRE(kept.inside);
  CHECK(kept.distance < plain.distance);
  for (std::size_t way = 0; way < 6; ++way) {
    Eigen::Vector3d at = robot.home().translation();
    at[static_cast<Eigen::Index>(way / 2)] += (way % 2 == 0 ? 1 : -1) * kept.moves[way];
    CHECK(margin(robot, pose_from(at, Eigen::Matrix3d::Identity())) >= 5 - 1e-9);
  }
  CHECK_FALSE(distance_to_border(robot, robot.home(), {}, {0.3, 0, 60}).inside);
}

TEST_CASE("one pose takes nothing from the heap") {
  const Robot& robot = Robot::standard();
  const std::array<Wrench, 2> loads = {Wrench::Zero(), Wrench::Ones()};
  Border border = distance_to_border(robot, robot.home(), loads);
  const std::size_t before = allocations;
  border = distance_to_border(robot, robot.home(), loads);
  const double found = margin(robot, robot.home(), loads) + closure(robot, robot.home()) +
                       force_closure(robot, robot.home()) + border.distance;
  CHECK(allocations == before);
  CHECK(found > 0);
}

}  // namespace tandem::cables
