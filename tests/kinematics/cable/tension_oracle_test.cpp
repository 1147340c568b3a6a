// SPDX-License-Identifier: Apache-2.0
// Tensions beside linear programs solved by Clp: whether there are any, by how much not, and whether ours are the best.
#include <doctest/doctest.h>

#include "tests/kinematics/cable/tension_samples.hpp"
#include "tests/kinematics/linear_program.hpp"

namespace {

using namespace cable_samples;

// By how much every range had to be wider (negative: could be narrower), of cables that have a choice; nothing when no
// widening helps.
std::optional<double> widening_by_program(const Even& even) {
  const auto n = even.least.size();
  linear_program::Program program;
  program.rows.setZero(6 + 2 * n, n + 1);
  program.rows.topLeftCorner(6, n) = even.structure;
  program.row_least.setConstant(6 + 2 * n, -linear_program::infinity);
  program.row_most.setConstant(6 + 2 * n, linear_program::infinity);
  program.row_least.head(6) = program.row_most.head(6) = even.wanted;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double choice = even.least[i] < even.most[i] ? 1 : 0;
    program.rows(6 + i, i) = program.rows(6 + n + i, i) = 1;
    program.rows(6 + i, n) = choice;
    program.rows(6 + n + i, n) = -choice;
    program.row_least[6 + i] = even.least[i];
    program.row_most[6 + n + i] = even.most[i];
  }
  program.least.setConstant(n + 1, -linear_program::infinity);
  program.most.setConstant(n + 1, linear_program::infinity);
  program.cost.setZero(n + 1);
  program.cost[n] = 1;
  return linear_program::minimum(program);
}

// The least of direction * tensions over all tensions that hold the platform.
std::optional<double> least_along(const Even& even, const Eigen::VectorXd& direction) {
  return linear_program::minimum({even.structure, even.wanted, even.wanted, even.least, even.most, direction});
}

struct Tally {
  int feasible = 0, not_feasible = 0, unsure = 0, wrong = 0;
};

// One load on one pose, against the oracle; returns what it found.
Distribution compare(const Robot& robot, const Structure& raw, const Wrench& outer, const Even& even, Tally& tally) {
  const Distribution found = distribute(robot, raw, outer, PerCable(even.least), PerCable(even.most), Aim::middle);
  const std::optional<double> widening = widening_by_program(even);
  const double scale = even.most.maxCoeff();
  CHECK(found.tensions.allFinite());
  CHECK(even.within(found.tensions));
  if (found.feasible) CHECK(even.missing(found.tensions).norm() <= 1e-9 * scale * 8);
  if (!widening) {
    tally.wrong += found.feasible;
    ++tally.not_feasible;
  } else if (std::abs(*widening) < 1e-8 * scale) {
    ++tally.unsure;  // too near to the border for the oracle
  } else {
    tally.wrong += found.feasible != (*widening < 0);
    ++(*widening < 0 ? tally.feasible : tally.not_feasible);
    if (*widening > 0) CHECK(-found.margin == doctest::Approx(*widening).epsilon(1e-6));
  }
  return found;
}

// Nothing that holds the platform lies further towards the aim: for all of them (t - aim) . (other - t) >= 0.
void check_optimum(const Robot& robot, const Structure& raw, const Wrench& outer, const Even& even) {
  for (const Aim aim : {Aim::middle, Aim::least}) {
    const Distribution found = distribute(robot, raw, outer, PerCable(even.least), PerCable(even.most), aim);
    REQUIRE(found.feasible);
    CHECK(even.within(found.tensions));
    Eigen::VectorXd away = found.tensions;
    if (aim == Aim::middle) away -= even.middle();
    const std::optional<double> best = least_along(even, away);
    const double scale = even.most.maxCoeff();
    if (best) CHECK(*best >= away.dot(found.tensions) - 1e-8 * scale * scale);
  }
}

// The wrench is the nearest: no cable could move within its range and bring it nearer.
void check_nearest(const Distribution& found, const Wrench& outer, const Robot& robot, const Even& even) {
  const Eigen::VectorXd missing = even.missing(found.tensions);
  Wrench reached = found.nearest - outer;
  reached.tail<3>() /= robot.scale();
  CHECK((reached - missing).norm() <= 1e-9 * (1 + outer.norm()));
  const Eigen::VectorXd pull = even.structure.transpose() * missing;
  const double noise = 1e-8 * even.most.maxCoeff() * (1 + missing.norm());
  for (Eigen::Index i = 0; i < pull.size(); ++i) {
    if (pull[i] > noise) CHECK(found.tensions[i] == even.most[i]);
    if (pull[i] < -noise) CHECK(found.tensions[i] == even.least[i]);
  }
  if (found.cable < 0) return;
  CHECK(std::abs(pull[found.cable]) >= pull.cwiseAbs().maxCoeff() - noise);
  CHECK(found.at_most == (pull[found.cable] > 0));
}

void compare_all(Random& random, const Robot& robot, int poses, double shift, double turn, double push, double cut,
                 Tally& tally) {
  for (int i = 0; i < poses; ++i) {
    const Pose pose = random_pose(random, robot, shift, turn);
    const Structure raw = structure(robot, pose);
    const Wrench outer = random_load(random, robot, pose, push);
    PerCable least = PerCable::Constant(robot.cables(), robot.design().tension.least);
    PerCable most = PerCable::Constant(robot.cables(), robot.design().tension.most);
    if (random.within(0, 1) < cut) {
      const int gone = random.below(robot.cables());
      least[gone] = most[gone] = 0;
    }
    const Even even(robot, raw, outer, least, most);
    const Distribution found = compare(robot, raw, outer, even, tally);
    if (!found.feasible) check_nearest(found, outer, robot, even);
    if (found.feasible && i % 4 == 0) check_optimum(robot, raw, outer, even);
  }
}

void check(const Tally& tally, int all) {
  CAPTURE(tally.feasible);
  CAPTURE(tally.not_feasible);
  CHECK(tally.wrong == 0);
  CHECK(tally.unsure <= 1 + all / 500);
  CHECK(tally.feasible >= all / 10);
  CHECK(tally.not_feasible >= all / 20);
}

}  // namespace

TEST_CASE("Eight cables hold the platform exactly where a linear program says so") {
  Random random(601);
  Tally tally;
  const int poses = count(1500, 10000);
  compare_all(random, Robot::standard(), poses, 0.25, 0.9, 12, 0, tally);
  check(tally, poses);
}

TEST_CASE("Eight cables from above hold the platform exactly where a linear program says so") {
  Random random(602);
  Tally tally;
  const int poses = count(300, 3000);
  compare_all(random, suspended(), poses, 1.8, 0.5, 400, 0, tally);
  check(tally, poses);
}

TEST_CASE("Random robots of six to sixteen cables agree with a linear program") {
  Random random(603);
  Tally tally;
  int all = 0;
  for (int cables = fewest_cables; cables <= most_cables; ++cables) {
    for (int n = 0; n < count(4, 20); ++n) {
      const Robot robot = random_robot(random, cables);
      const int poses = count(12, 40);
      compare_all(random, robot, poses, 0.2, 0.4, cables < 8 ? 2 : 8, 0, tally);
      all += poses;
    }
  }
  check(tally, all);
}

TEST_CASE("With a cut cable the others hold the platform where a linear program says so") {
  Random random(604);
  Tally tally;
  const int poses = count(300, 3000);
  compare_all(random, Robot::standard(), poses, 0.15, 0.4, 4, 1, tally);
  compare_all(random, random_robot(random, 12), poses / 3, 0.2, 0.4, 4, 1, tally);
  check(tally, poses);
}
