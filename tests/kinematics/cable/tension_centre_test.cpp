// SPDX-License-Identifier: Apache-2.0
// The analytic centre of the tensions beside a Newton method on the dense problem in all tensions, and whether there
// are tensions at all, in a word.
#include <Eigen/LU>
#include <Eigen/SVD>

#include <doctest/doctest.h>

#include "tests/kinematics/cable/tension_samples.hpp"

namespace {

using namespace cable_samples;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Only the cables that have a choice.
struct Free {
  MatrixXd structure;
  VectorXd wanted, least, most;
  std::vector<Index> cables;

  explicit Free(const Even& even) : wanted(even.wanted) {
    for (Index i = 0; i < even.least.size(); ++i) {
      if (even.least[i] < even.most[i])
        cables.push_back(i);
      else
        wanted -= even.structure.col(i) * even.least[i];
    }
    structure = even.structure(Eigen::all, cables);
    least = even.least(cables), most = even.most(cables);
  }
  VectorXd gradient(const VectorXd& t) const { return (most - t).cwiseInverse() - (t - least).cwiseInverse(); }
};

// Newton's method with the equations as constraints, from the middle of the ranges, halving steps until what is left of
// the optimality conditions shrinks. Nothing when it does not converge.
std::optional<VectorXd> centre_by_dense_newton(const Free& free) {
  const Index n = free.least.size();
  VectorXd t = (free.least + free.most) / 2, nu = VectorXd::Zero(6);
  const auto left = [&](const VectorXd& at, const VectorXd& with) {
    VectorXd all(n + 6);
    all << free.gradient(at) + free.structure.transpose() * with, free.structure * at - free.wanted;
    return all;
  };
  for (int step = 0; step < 200; ++step) {
    const VectorXd now = left(t, nu);
    if (now.head(n).norm() < 1e-10 && now.tail(6).norm() < 1e-9) return t;
    MatrixXd kkt = MatrixXd::Zero(n + 6, n + 6);
    kkt.topLeftCorner(n, n).diagonal() =
        (free.most - t).cwiseInverse().cwiseAbs2() + (t - free.least).cwiseInverse().cwiseAbs2();
    kkt.topRightCorner(n, 6) = free.structure.transpose();
    kkt.bottomLeftCorner(6, n) = free.structure;
    const VectorXd way = kkt.fullPivLu().solve(-now);
    double part = 1;
    for (int halving = 0; halving < 60; ++halving, part /= 2) {
      const VectorXd next = t + part * way.head(n);
      if ((next - free.least).minCoeff() <= 0 || (free.most - next).minCoeff() <= 0) continue;
      if (left(next, nu + part * way.tail(6)).norm() <= (1 - 0.01 * part) * now.norm()) break;
    }
    t += part * way.head(n);
    nu += part * way.tail(6);
  }
  return std::nullopt;
}

struct Compared {
  int all = 0, inside = 0;
};

void compare_centre(const Robot& robot, const Pose& pose, const Wrench& outer, const PerCable& least,
                    const PerCable& most, Compared& tally) {
  const Structure raw = structure(robot, pose);
  const Distribution found = distribute(robot, raw, outer, least, most, Aim::analytic_centre);
  CHECK(found.feasible == distribute(robot, raw, outer, least, most, Aim::middle).feasible);
  ++tally.all;
  if (!found.feasible) return;
  const Even even(robot, raw, outer, least, most);
  CHECK(even.within(found.tensions));
  CHECK(even.missing(found.tensions).norm() < 1e-9 * most.maxCoeff() * 8);
  const Free free(even);
  if (free.cables.size() < 7 || found.margin < 1e-4 * (most - least).maxCoeff()) return;
  ++tally.inside;
  const VectorXd t = VectorXd(found.tensions)(free.cables), gradient = free.gradient(t);
  const Eigen::JacobiSVD<MatrixXd> svd(free.structure, Eigen::ComputeFullV);
  const VectorXd along = svd.matrixV().rightCols(t.size() - 6).transpose() * gradient;
  CHECK(along.norm() < 1e-8 * (t - free.least).cwiseInverse().norm());
  const std::optional<VectorXd> newton = centre_by_dense_newton(free);
  REQUIRE(newton);
  CHECK((*newton - t).cwiseAbs().maxCoeff() < 1e-6 * (most - least).maxCoeff());
}

void compare_many(Random& random, const Robot& robot, int poses, double shift, double push, bool cut, Compared& tally) {
  for (int n = 0; n < poses; ++n) {
    const Pose pose = random_pose(random, robot, shift, 0.4);
    const Wrench outer = random_load(random, robot, pose, push);
    PerCable least = PerCable::Constant(robot.cables(), robot.design().tension.least);
    PerCable most = PerCable::Constant(robot.cables(), robot.design().tension.most);
    if (cut) {
      const int gone = random.below(robot.cables());
      least[gone] = most[gone] = 0;
    }
    compare_centre(robot, pose, outer, least, most, tally);
  }
}

// The load along this direction that can just be held, from zero on; 0 when none can.
double border_of(const Robot& robot, const Structure& raw, const Wrench& weight, const Wrench& push) {
  double inside = 0, outside = 1e4;
  if (!distribute(robot, raw, weight).feasible) return 0;
  for (int n = 0; n < 100; ++n) {
    const double half = (inside + outside) / 2;
    (distribute(robot, raw, weight + half * push).feasible ? inside : outside) = half;
  }
  return inside;
}

}  // namespace

TEST_CASE("The analytic centre of eight cables is that of a dense Newton method") {
  Random random(701);
  Compared tally;
  compare_many(random, Robot::standard(), count(600, 10'000), 0.22, 8, false, tally);
  compare_many(random, suspended(), count(200, 3000), 1.5, 300, false, tally);
  CHECK(tally.inside > tally.all / 4);
  CHECK(tally.inside < tally.all);
}

TEST_CASE("The analytic centre of six to sixteen cables is that of a dense Newton method") {
  Random random(702);
  Compared tally;
  for (int cables = fewest_cables; cables <= most_cables; ++cables)
    for (int n = 0; n < count(6, 40); ++n)
      compare_many(random, random_robot(random, cables), 10, 0.2, cables < 8 ? 2 : 6, false, tally);
  CHECK(tally.inside > tally.all / 4);
}

TEST_CASE("With a cut cable the analytic centre is that of the others") {
  Random random(703);
  Compared tally;
  compare_many(random, Robot::standard(), count(300, 3000), 0.12, 3, true, tally);
  compare_many(random, random_robot(random, 12), count(100, 1000), 0.15, 3, true, tally);
  CHECK(tally.inside > tally.all / 5);
}

TEST_CASE("The analytic centre has no kinks along a path") {
  const Robot& robot = Robot::standard();
  const auto at = [&](double s) {
    const Pose pose =
        pose_from(robot.design().home + s * Eigen::Vector3d(0.15, 0.11, 0.08), Eigen::Matrix3d::Identity());
    const Distribution found = distribute(robot, structure(robot, pose), weight(robot, pose), Aim::analytic_centre);
    REQUIRE(found.feasible);
    return VectorXd(found.tensions);
  };
  // A kink bends by the same amount however short the step is, a smooth curve by a quarter when it is halved.
  const auto bend = [&](double step) {
    double most = 0;
    for (double s = -1; s <= 1; s += 0.02) most = std::max(most, (at(s + step) - 2 * at(s) + at(s - step)).norm());
    return most;
  };
  CHECK(bend(0.002) < 0.3 * bend(0.004));
  CHECK(bend(0.004) < 0.3 * bend(0.008));
}

TEST_CASE("Whether there are tensions is what the distribution says, up to the border") {
  Random random(704);
  int held = 0, all = 0;
  for (int n = 0; n < count(3000, 30'000); ++n) {
    const Robot robot = n % 10 == 0 ? random_robot(random, 6 + random.below(11)) : Robot::standard();
    const Pose pose = random_pose(random, robot, 0.25, 0.9);
    const Structure raw = structure(robot, pose);
    const Wrench outer = random_load(random, robot, pose, robot.cables() < 8 ? 2 : 12);
    const bool feasible = distribute(robot, raw, outer).feasible;
    CHECK(is_feasible(robot, raw, outer) == feasible);
    held += feasible;
    ++all;
  }
  CHECK(held > all / 10);
  CHECK(held < all * 9 / 10);
  int borders = 0;
  for (int n = 0; n < count(100, 1000); ++n) {
    const Robot& robot = Robot::standard();
    const Pose pose = random_pose(random, robot, 0.15, 0.3);
    const Structure raw = structure(robot, pose);
    const Wrench own = weight(robot, pose), push = random_load(random, robot, pose, 1) - own;
    const double border = border_of(robot, raw, own, push);
    if (border == 0) continue;
    ++borders;
    for (const double off : {0.0, 1e-15, 1e-13, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-6}) {
      const Wrench inner = own + border * (1 - off) * push, outer = own + border * (1 + off) * push;
      CHECK(is_feasible(robot, raw, inner) == distribute(robot, raw, inner).feasible);
      CHECK(is_feasible(robot, raw, outer) == distribute(robot, raw, outer).feasible);
    }
  }
  CHECK(borders > count(100, 1000) / 2);
  const Structure raw = structure(Robot::standard(), Robot::standard().home());
  CHECK(!is_feasible(Robot::standard(), raw, Wrench::Constant(std::nan(""))));
  CHECK(!is_feasible(Robot::standard(), raw, Wrench::Zero(), {5, 2}));
}
