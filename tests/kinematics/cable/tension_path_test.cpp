// SPDX-License-Identifier: Apache-2.0
// Along a path tensions change steadily with every aim: where they change most, halving the step again and again
// leaves nothing of the change.
#include <doctest/doctest.h>

#include <string>

#include "tests/kinematics/cable/tension_samples.hpp"

namespace {

using namespace cable_samples;

// A closed path in six degrees of freedom about home with a load that swings.
class SwingingPath {
 public:
  SwingingPath(Random& random, const Robot& robot, double shift, double turn, double push) : robot_(robot) {
    for (int k = 0; k < 12; ++k) {
      phase_[k] = random.within(0, 6.28);
      rate_[k] = 1 + random.below(3);
    }
    shift_ = shift, turn_ = turn, push_ = push;
  }

  Distribution at(double s, Aim aim) const {
    const auto wave = [&](int k) { return std::sin(rate_[k] * 6.283185307179586 * s + phase_[k]); };
    const Eigen::Vector3d turn = turn_ * Eigen::Vector3d(wave(3), wave(4), wave(5));
    const Pose pose = pose_from(robot_.design().home + shift_ * Eigen::Vector3d(wave(0), wave(1), wave(2)),
                                quaternion_from_rotation_vector(turn).toRotationMatrix());
    Wrench load = weight(robot_, pose);
    for (int k = 0; k < 6; ++k) load[k] += push_ * wave(6 + k) * (k < 3 ? 1 : robot_.scale() / 2);
    return distribute(robot_, structure(robot_, pose), load, aim);
  }

 private:
  const Robot& robot_;
  double phase_[12], rate_[12], shift_, turn_, push_;
};

// One that holds its weight at home with something to spare.
Robot capable_robot(Random& random, int cables) {
  for (int tries = 0; tries < 1000; ++tries) {
    const Robot robot = random_robot(random, cables);
    const Distribution found = distribute(robot, structure(robot, robot.home()), weight(robot, robot.home()));
    if (found.feasible && found.margin > 1) return robot;
  }
  std::abort();
}

struct Steadiness {
  double steepest = 0;  // N per whole path
  double jump = 0;      // N, left when the worst step has been halved 30 times
  int pairs = 0;        // of neighbours that both are feasible
};

Steadiness steadiness(const SwingingPath& path, Aim aim, int steps) {
  Steadiness found;
  double worst_from = 0;
  Distribution last = path.at(0, aim);
  for (int i = 1; i <= steps; ++i) {
    const Distribution next = path.at(static_cast<double>(i) / steps, aim);
    if (last.feasible && next.feasible) {
      ++found.pairs;
      const double slope = (next.tensions - last.tensions).cwiseAbs().maxCoeff() * steps;
      if (slope > found.steepest) found.steepest = slope, worst_from = static_cast<double>(i - 1) / steps;
    }
    last = next;
  }
  double from = worst_from, to = worst_from + 1.0 / steps;
  for (int i = 0; i < 30; ++i) {
    const double half = 0.5 * (from + to);
    const Distribution a = path.at(from, aim), m = path.at(half, aim), b = path.at(to, aim);
    if (!a.feasible || !m.feasible || !b.feasible) return found;  // leaves what can be held in between
    const double first = (m.tensions - a.tensions).norm(), second = (b.tensions - m.tensions).norm();
    found.jump = std::max(first, second);
    (first > second ? to : from) = half;
  }
  return found;
}

// `steepest`: how many times the upper bound a tension may change over a path, at its steepest rate.
void check_steady(Random& random, const Robot& robot, double shift, double turn, double push, double steepest,
                  int paths) {
  for (int i = 0; i < paths; ++i) {
    const SwingingPath path(random, robot, shift, turn, push);
    for (const Aim aim : {Aim::middle, Aim::least, Aim::barycentre}) {
      CAPTURE(std::string(name(aim)));
      CAPTURE(robot.cables());
      const Steadiness found = steadiness(path, aim, 400);
      CHECK(found.pairs > 40);
      CHECK(found.jump < 1e-5 * robot.design().tension.most);
      CHECK(found.steepest < steepest * robot.design().tension.most);
    }
  }
}

}  // namespace

TEST_CASE("Tensions of eight cables change steadily along paths with every aim") {
  Random random(621);
  check_steady(random, Robot::standard(), 0.1, 0.25, 4, 120, count(6, 60));
}

TEST_CASE("Tensions of eight cables from above change steadily along paths with every aim") {
  Random random(622);
  check_steady(random, suspended(), 0.8, 0.1, 100, 120, count(3, 30));
}

TEST_CASE("Tensions of many cables change steadily along paths with every aim") {
  Random random(623);
  for (const int cables : {9, 11, 13, 16})
    check_steady(random, capable_robot(random, cables), 0.08, 0.2, 2, 400, count(1, 10));
}
