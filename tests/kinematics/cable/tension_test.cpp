// SPDX-License-Identifier: Apache-2.0
// Tensions: closed form, barycentre, few cables, structures that are singular, and what is no number.
#include "tandem/kinematics/cable/tension/tension.hpp"

#include <doctest/doctest.h>

#include <Eigen/LU>
#include <Eigen/SVD>
#include <algorithm>
#include <limits>
#include <string>

#include "tests/allocations.hpp"
#include "tests/kinematics/cable/tension_samples.hpp"

namespace {

using namespace cable_samples;

constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
constexpr double no_end = std::numeric_limits<double>::infinity();

PerCable all_of(const Robot& robot, double value) { return PerCable::Constant(robot.cables(), value); }

Even even_of(const Robot& robot, const Structure& raw, const Wrench& outer) {
  return {robot, raw, outer, all_of(robot, robot.design().tension.least), all_of(robot, robot.design().tension.most)};
}

// The pseudo-inverse's solution nearest to `aim`, by singular values.
Eigen::VectorXd closed_form(const Even& even, const Eigen::VectorXd& aim) {
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(even.structure, Eigen::ComputeThinU | Eigen::ComputeThinV);
  return aim + svd.solve(even.wanted - even.structure * aim);
}

// The centre of area of the feasible polygon: every crossing of two bounds that all others allow is a corner.
bool centre_by_corners(const Even& even, Eigen::VectorXd& centre) {
  const Eigen::MatrixXd kernel = even.structure.fullPivLu().kernel();
  if (kernel.cols() != 2) return false;
  const Eigen::VectorXd base = closed_form(even, even.middle());
  std::vector<Eigen::Vector2d> corners;
  const auto n = base.size();
  for (Eigen::Index i = 0; i < 2 * n; ++i) {
    for (Eigen::Index j = i + 1; j < 2 * n; ++j) {
      Eigen::Matrix2d lines;
      lines << kernel.row(i / 2), kernel.row(j / 2);
      if (std::abs(lines.determinant()) < 1e-9) continue;
      const auto bound = [&](Eigen::Index k) { return (k % 2 ? even.most : even.least)[k / 2] - base[k / 2]; };
      const Eigen::Vector2d z = lines.inverse() * Eigen::Vector2d(bound(i), bound(j));
      const Eigen::VectorXd t = base + kernel * z;
      if ((t.array() >= even.least.array() - 1e-9).all() && (t.array() <= even.most.array() + 1e-9).all())
        corners.push_back(z);
    }
  }
  if (corners.size() < 3) return false;
  Eigen::Vector2d inside = Eigen::Vector2d::Zero();
  for (const auto& c : corners) inside += c / static_cast<double>(corners.size());
  std::sort(corners.begin(), corners.end(), [&](const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    return std::atan2(a.y() - inside.y(), a.x() - inside.x()) < std::atan2(b.y() - inside.y(), b.x() - inside.x());
  });
  double area = 0;
  Eigen::Vector2d sum = Eigen::Vector2d::Zero();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Eigen::Vector2d a = corners[i] - inside, b = corners[(i + 1) % corners.size()] - inside;
    const double piece = a.x() * b.y() - a.y() * b.x();
    area += piece;
    sum += piece * (a + b) / 3;
  }
  if (area < 1e-6) return false;
  centre = base + kernel * (inside + sum / area);
  return true;
}

void check_unusable(const Distribution& found, int cables) {
  CHECK_FALSE(found.feasible);
  CHECK(found.tensions.size() == cables);
  CHECK(found.tensions.allFinite());
  CHECK(found.nearest.allFinite());
  CHECK(found.margin == -no_end);
}

}  // namespace

TEST_CASE("Tensions of the closed form are taken where they lie within the range") {
  Random random(611);
  const Robot& robot = Robot::standard();
  int taken = 0;
  for (int i = 0; i < 100; ++i) {
    const Pose pose = random_pose(random, robot, 0.1, 0.3);
    const Structure raw = structure(robot, pose);
    const Wrench outer = random_load(random, robot, pose, 5);
    const Even even = even_of(robot, raw, outer);
    for (const Aim aim : {Aim::middle, Aim::least}) {
      const Eigen::VectorXd expected =
          closed_form(even, aim == Aim::middle ? even.middle() : Eigen::VectorXd(Eigen::VectorXd::Zero(8)));
      const Distribution found = distribute(robot, raw, outer, aim);
      if (!even.within(expected)) continue;
      ++taken;
      CHECK(found.feasible);
      CHECK((found.tensions - expected).norm() < 1e-9);
      CHECK(found.nearest == outer);
      Eigen::Index nearest = 0;
      const Eigen::VectorXd room = (expected - even.least).cwiseMin(even.most - expected);
      CHECK(found.margin == doctest::Approx(room.minCoeff(&nearest)).epsilon(1e-9));
      CHECK(room[found.cable] == doctest::Approx(room[nearest]));
    }
  }
  CHECK(taken > 50);
}

TEST_CASE("At home the default robot holds its weight with each aim") {
  const Robot& robot = Robot::standard();
  const Structure raw = structure(robot, robot.home());
  const Wrench outer = weight(robot, robot.home());
  for (const Aim aim : {Aim::middle, Aim::least, Aim::barycentre}) {
    CAPTURE(std::string(name(aim)));
    const Distribution found = distribute(robot, raw, outer, aim);
    CHECK(found.feasible);
    CHECK(found.margin >= 0);
    CHECK((raw * found.tensions + outer).norm() < 1e-9);
  }
  const auto norm = [&](Aim aim) { return distribute(robot, raw, outer, aim).tensions.norm(); };
  CHECK(norm(Aim::least) < norm(Aim::middle));
}

TEST_CASE("The barycentre is the centre of the polygon that its corners make") {
  Random random(612);
  const Robot robots[] = {Robot::standard(), suspended(), random_robot(random, 8)};
  int compared = 0;
  for (const Robot& robot : robots) {
    for (int i = 0; i < 40; ++i) {
      const double size = robot.scale() / 0.08;
      const Pose pose = random_pose(random, robot, 0.12 * size, 0.4);
      const Structure raw = structure(robot, pose);
      const Wrench outer = random_load(random, robot, pose, 0.3 * robot.design().mass * gravity);
      const Even even = even_of(robot, raw, outer);
      Eigen::VectorXd expected;
      if (!centre_by_corners(even, expected)) continue;
      const Distribution found = distribute(robot, raw, outer, Aim::barycentre);
      ++compared;
      CHECK(found.feasible);
      CHECK((found.tensions - expected).norm() < 1e-7 * even.most.maxCoeff());
    }
  }
  CHECK(compared > 60);
}

TEST_CASE("Seven cables have a line of solutions and its middle is the barycentre") {
  Random random(613);
  int compared = 0;
  for (int i = 0; i < 400; ++i) {
    const Robot robot = random_robot(random, 7);
    const Structure raw = structure(robot, robot.home());
    const Wrench outer = weight(robot, robot.home());
    const Even even = even_of(robot, raw, outer);
    const Eigen::VectorXd along = even.structure.fullPivLu().kernel().col(0), base = closed_form(even, even.middle());
    double from = -no_end, to = no_end;
    for (int k = 0; k < 7; ++k) {
      const double a = (even.least[k] - base[k]) / along[k], b = (even.most[k] - base[k]) / along[k];
      from = std::max(from, std::min(a, b));
      to = std::min(to, std::max(a, b));
    }
    CHECK(distribute(robot, raw, outer).feasible == (from <= to));
    if (from > to) continue;
    ++compared;
    const auto differs = [&](Aim aim, double s) {
      return (distribute(robot, raw, outer, aim).tensions - (base + s * along)).norm();
    };
    CHECK(differs(Aim::middle, std::clamp(0.0, from, to)) < 1e-8);
    CHECK(differs(Aim::barycentre, 0.5 * (from + to)) < 1e-8);
  }
  CHECK(compared >= 5);
}

TEST_CASE("Six cables have one solution or none") {
  Random random(614);
  const Robot robot = random_robot(random, 6);
  const Structure raw = structure(robot, robot.home());
  PerCable tensions(6);
  for (int i = 0; i < 6; ++i) tensions[i] = random.within(robot.design().tension.least, robot.design().tension.most);
  const Distribution found = distribute(robot, raw, -(raw * tensions), Aim::barycentre);
  CHECK(found.feasible);
  CHECK((found.tensions - tensions).norm() < 1e-9);
  tensions[3] = robot.design().tension.most + 2;
  const Distribution none = distribute(robot, raw, -(raw * tensions));
  CHECK_FALSE(none.feasible);
  CHECK(none.margin == doctest::Approx(-2));
  CHECK(none.cable == 3);
  CHECK(none.at_most);
}

TEST_CASE("A load too heavy names an upper cable and one upwards a lower one") {
  const Robot& robot = Robot::standard();
  const Structure raw = structure(robot, robot.home());
  Wrench outer = Wrench::Zero();
  outer[2] = -500;
  const Distribution down = distribute(robot, raw, outer);
  CHECK_FALSE(down.feasible);
  CHECK(down.margin < 0);
  CHECK(down.nearest[2] > -500);
  CHECK(down.nearest[2] < -100);
  REQUIRE(down.cable >= 0);
  CHECK((down.at_most == (robot.cable(down.cable).frame.z() > 0.3)));
  outer = down.nearest;  // can be held, though with nothing to spare
  const Distribution border = distribute(robot, raw, outer);
  CHECK(border.feasible);
  CHECK(border.margin < 1e-6);
}

TEST_CASE("A structure of lower rank holds what lies in its range and nothing else") {
  // An aligned square platform between the corners of a cube has no hold on yaw.
  const Robot& robot = Robot::standard();
  Structure raw(6, 8);
  for (int i = 0; i < 8; ++i) {
    const Eigen::Vector3d corner(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1);
    const Eigen::Vector3d arm = 0.05 * corner, along = (0.3 * corner - arm).normalized();
    raw.col(i) << along, Eigen::Vector3d(arm.x(), arm.y(), -arm.z()).cross(along);
  }
  CHECK(raw.bottomRows<1>().norm() < 1e-12);
  Wrench outer = Wrench::Zero();
  outer[2] = -9.81;
  for (const Aim aim : {Aim::middle, Aim::least, Aim::barycentre}) {
    const Distribution held = distribute(robot, raw, outer, aim);
    CHECK(held.feasible);
    CHECK((raw * held.tensions + outer).norm() < 1e-9);
  }
  outer[5] = 0.1;
  const Distribution not_held = distribute(robot, raw, outer);
  CHECK_FALSE(not_held.feasible);
  CHECK(not_held.margin == -no_end);
  CHECK(not_held.cable == -1);
  CHECK(std::abs(not_held.nearest[5]) < 1e-9);
  CHECK(std::abs(not_held.nearest[2] + 9.81) < 1e-7);
  raw.setZero();
  CHECK_FALSE(distribute(robot, raw, outer).feasible);
  CHECK(distribute(robot, raw, Wrench::Zero()).feasible);
}

TEST_CASE("What is no number or no range is not feasible and gives no such numbers") {
  const Robot& robot = Robot::standard();
  const Structure raw = structure(robot, robot.home());
  const Wrench outer = weight(robot, robot.home());
  for (const double bad : {no_number, no_end, -no_end, 1e200}) {
    for (const Aim aim : {Aim::middle, Aim::least, Aim::barycentre}) {
      Structure broken = raw;
      broken(4, 3) = bad;
      check_unusable(distribute(robot, broken, outer, aim), 8);
      Wrench pushed = outer;
      pushed[5] = bad;
      check_unusable(distribute(robot, raw, pushed, aim), 8);
      check_unusable(distribute(robot, raw, outer, TensionRange{bad, 100}, aim), 8);
      check_unusable(distribute(robot, raw, outer, TensionRange{-1, -std::abs(bad)}, aim), 8);
    }
  }
  check_unusable(distribute(robot, raw, outer, TensionRange{5, 4}, Aim::middle), 8);
  check_unusable(distribute(robot, raw, outer, PerCable::Zero(7), PerCable::Zero(8), Aim::middle), 8);
}

TEST_CASE("Numbers of any size never leave the range and never become none") {
  Random random(615);
  for (int i = 0; i < count(1500, 30000); ++i) {
    const int cables = fewest_cables + random.below(most_cables - fewest_cables + 1);
    Structure raw(6, cables);
    Wrench outer;
    PerCable least(cables), most(cables);
    const auto any = [&] {
      return random.below(4) == 0 ? 0 : random.within(-1, 1) * std::pow(10, random.below(13) - 6);
    };
    for (int k = 0; k < cables; ++k) {
      for (int r = 0; r < 6; ++r) raw(r, k) = random.below(3) ? random.within(-1, 1) : any();
      if (k > 0 && random.below(6) == 0) raw.col(k) = raw.col(random.below(k));
      least[k] = any();
      most[k] = least[k] + (random.below(5) == 0 ? 0 : std::abs(any()));
    }
    for (int r = 0; r < 6; ++r) outer[r] = any();
    if (random.below(2)) outer = -(raw * (least + random.within(0, 1) * (most - least)));
    const Distribution found =
        distribute(Robot::standard(), raw, outer, least, most, static_cast<Aim>(random.below(3)));
    CHECK(found.tensions.allFinite());
    CHECK((found.tensions.array() >= least.array()).all());
    CHECK((found.tensions.array() <= most.array()).all());
    CHECK_FALSE(std::isnan(found.margin));
    CHECK((found.margin >= 0) == found.feasible);
    CHECK(found.nearest.allFinite());
  }
}

TEST_CASE("Distributing tensions never allocates") {
  Random random(616);
  std::vector<Robot> robots;
  for (int cables = fewest_cables; cables <= most_cables; ++cables) robots.push_back(random_robot(random, cables));
  int feasible = 0, all = 0;
  const std::size_t before = allocations;
  for (const Robot& robot : robots) {
    for (int i = 0; i < 20; ++i) {
      const Pose pose = random_pose(random, robot, 0.2, 0.5);
      const Structure raw = structure(robot, pose);
      for (const Aim aim : {Aim::middle, Aim::least, Aim::barycentre}) {
        feasible += distribute(robot, raw, random_load(random, robot, pose, 10), aim).feasible;
        ++all;
      }
    }
  }
  CHECK(allocations == before);
  CHECK(feasible > 0);
  CHECK(feasible < all);
}
