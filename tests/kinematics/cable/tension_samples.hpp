// SPDX-License-Identifier: Apache-2.0
// Cable robots and what hangs on them, for the tension tests: ours, a published one, and random ones of 6 to 16 cables.
#pragma once

#include <cmath>
#include <random>
#include <vector>

#include "tandem/kinematics/cable/tension/tension.hpp"
#include "tests/full.hpp"

namespace cable_samples {

using namespace tandem;
using namespace tandem::cables;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double within(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int below(int end) { return std::uniform_int_distribution<int>(0, end - 1)(engine_); }
  Eigen::Vector3d box(double half) { return {within(-half, half), within(-half, half), within(-half, half)}; }

 private:
  std::mt19937_64 engine_;
};

// Eight cables from above, 150 kg: numbers of the CAROCA robot.
inline Robot suspended() {
  Design design = default_design();
  design.name = "caroca";
  design.cables = {{{-3.5, -2, 3.5}, {0.6, -0.3, -0.2}}, {{-3.5, -2, 3.5}, {-0.6, 0.3, 0.2}},
                   {{3.5, -2, 3.5}, {-0.6, -0.3, 0.2}},  {{3.5, -2, 3.5}, {0.6, 0.3, -0.2}},
                   {{-3.5, 2, 3.5}, {-0.6, -0.3, -0.2}}, {{-3.5, 2, 3.5}, {0.6, 0.3, 0.2}},
                   {{3.5, 2, 3.5}, {0.6, -0.3, 0.2}},    {{3.5, 2, 3.5}, {-0.6, 0.3, -0.2}}};
  design.mass = 150;
  design.inertia = Eigen::Matrix3d::Identity() * 20;
  design.size = {1.2, 0.6, 0.4};
  design.home = {0, 0, 1.5};
  design.tension = {50, 10000};
  return *Robot::from(design);
}

// Frame points anywhere on a shell of 1 m, platform points within 0.25 m.
inline Robot random_robot(Random& random, int cables) {
  for (int tries = 0; tries < 1000; ++tries) {
    Design design = default_design();
    design.name = "random";
    design.home.setZero();
    design.tension = {random.within(1, 5), random.within(30, 150)};
    design.mass = random.within(0.2, 3);
    design.centre = random.box(0.02);
    design.cables.clear();
    for (int i = 0; i < cables; ++i)
      design.cables.push_back({(random.box(1).normalized() + random.box(0.2)).eval(), random.box(0.14)});
    if (auto robot = Robot::from(design)) return *robot;
  }
  std::abort();
}

// A pose about home, so far that a good part of them cannot be held.
inline Pose random_pose(Random& random, const Robot& robot, double shift, double turn) {
  const Eigen::Vector3d axis = random.box(1).normalized();
  return pose_from(robot.design().home + random.box(shift),
                   Eigen::AngleAxisd(random.within(-turn, turn), axis).toRotationMatrix());
}

// Weight and a push.
inline Wrench random_load(Random& random, const Robot& robot, const Pose& pose, double push) {
  Wrench load = weight(robot, pose);
  load.head<3>() += random.box(push);
  load.tail<3>() += random.box(push * robot.scale() / 2);
  return load;
}

// The problem as the oracles see it: moments over the robot's scale, even * tensions = wanted.
struct Even {
  Eigen::MatrixXd structure;
  Eigen::VectorXd wanted, least, most;

  Even(const Robot& robot, const Structure& raw, const Wrench& outer, const PerCable& low, const PerCable& high)
      : structure(raw), wanted(-outer), least(low), most(high) {
    structure.bottomRows(3) /= robot.scale();
    wanted.tail(3) /= robot.scale();
  }
  Eigen::VectorXd missing(const PerCable& tensions) const { return wanted - structure * tensions; }
  bool within(const PerCable& t) const {
    return (t.array() >= least.array()).all() && (t.array() <= most.array()).all();
  }
  Eigen::VectorXd middle() const { return (least + most) / 2; }
};

}  // namespace cable_samples
