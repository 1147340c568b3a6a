// SPDX-License-Identifier: Apache-2.0
// Cable robots with published numbers, and seeded random ones.
#pragma once

#include <random>
#include <vector>

#include "tandem/kinematics/cable/robot.hpp"

namespace cable_samples {

using tandem::Pose;
using tandem::cables::Cable;
using tandem::cables::Design;
using tandem::cables::PerCable;
using tandem::cables::Robot;
using tandem::cables::Twist;
using tandem::cables::Wrench;

// CAROCA as in the public cdpr package: hangs from four corners, two cables from each.
inline Design caroca() {
  Design design;
  design.name = "caroca";
  design.cables = {{{-3.5, -2, 3.5}, {0.6, -0.3, -0.2}}, {{-3.5, -2, 3.5}, {-0.6, 0.3, 0.2}},
                   {{3.5, -2, 3.5}, {-0.6, -0.3, 0.2}},  {{3.5, -2, 3.5}, {0.6, 0.3, -0.2}},
                   {{-3.5, 2, 3.5}, {-0.6, -0.3, -0.2}}, {{-3.5, 2, 3.5}, {0.6, 0.3, 0.2}},
                   {{3.5, 2, 3.5}, {0.6, -0.3, 0.2}},    {{3.5, 2, 3.5}, {-0.6, 0.3, -0.2}}};
  design.mass = 150;
  design.inertia = Eigen::Matrix3d::Identity() * 100;
  design.tension = {50, 10000};
  design.size = {1.2, 0.6, 0.4};
  design.home = {0.9, 0.9, 0.2};
  return design;
}

// The box of the same package's third version: a cable to every corner.
inline Design cdpr3() {
  Design design;
  design.name = "cdpr3";
  for (const double up : {-1.0, 1.0})
    for (const auto& [x, y] : {std::pair(-1.0, -1.0), std::pair(-1.0, 1.0), std::pair(1.0, 1.0), std::pair(1.0, -1.0)})
      design.cables.push_back({{2.5 * x, 1.5 * y, 2 + 2 * up}, {0.5 * x, 0.2 * y, 0.1 * up}});
  design.mass = 10;
  design.size = {1, 0.4, 0.2};
  design.tension = {5, 400};
  design.home = {0, 0, 2};
  // Of a solid box: the package leaves it at zero.
  design.inertia = Eigen::Vector3d(0.4 * 0.4 + 0.2 * 0.2, 1 + 0.2 * 0.2, 1 + 0.4 * 0.4).asDiagonal();
  design.inertia *= 10.0 / 12;
  return design;
}

// CoGiRo, Tecnalia and LIRMM, with the points and masses that cdpyr has.
inline Design cogiro() {
  Design design;
  design.name = "cogiro";
  design.cables = {{{-7.11966, 5.47261, 5.41063}, {0.49605, 0.35613, 0.99961}},
                   {{7.50556, 5.07892, 5.41820}, {0.49983, -0.34038, 0.99913}},
                   {{7.14351, -5.54158, 5.39749}, {-0.50453, -0.34632, 0.99765}},
                   {{-7.47855, -5.15440, 5.40093}, {-0.50968, 0.35080, 0.99759}},
                   {{-7.40830, 5.19141, 5.39874}, {-0.50316, -0.26997, 0}},
                   {{7.22425, 5.36889, 5.40799}, {-0.50316, 0.49282, 0}},
                   {{7.42883, -5.26133, 5.38777}, {0.50214, 0.27502, -0.00067}},
                   {{-7.19673, -5.43978, 5.39277}, {0.50316, -0.49282, 0}}};
  design.mass = 91.058;
  design.centre = {-0.034, -0.013, 0.264};
  design.inertia << 42.955, -0.414, 2.205, -0.414, 42.427, -1.849, 2.205, -1.849, 25.557;
  design.tension = {10, 5000};
  design.size = {1, 1, 1};
  design.home = {0.0109, -0.0101, 1.3176};
  design.stiffness = 1e6;
  return design;
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double within(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(engine_); }
  Eigen::Vector3d in_box(const Eigen::Vector3d& half) {
    return {within(-half.x(), half.x()), within(-half.y(), half.y()), within(-half.z(), half.z())};
  }
  Eigen::Vector3d direction() {
    Eigen::Vector3d d;
    do d = in_box({1, 1, 1});
    while (d.norm() > 1 || d.norm() < 0.1);
    return d.normalized();
  }
  Wrench six(double scale) {
    Wrench all;
    for (int i = 0; i < 6; ++i) all[i] = within(-scale, scale);
    return all;
  }

  // Near home: within these shares of the frame, turned by at most `turn` rad about any axis.
  Pose pose(const Robot& robot, double share, double turn) {
    Eigen::Vector3d low = robot.cable(0).frame, high = low;
    for (const Cable& cable : robot.design().cables) {
      low = low.cwiseMin(cable.frame);
      high = high.cwiseMax(cable.frame);
    }
    Eigen::Vector3d half = (high - low) / 2;
    half.z() = std::min(half.x(), std::max(half.z(), robot.home().translation().z() / 2));
    return tandem::pose_from(robot.design().home + share * in_box(half),
                             Eigen::AngleAxisd(within(0, turn), direction()).toRotationMatrix());
  }

  // Frame points about a sphere, platform points about a smaller one.
  Robot robot(int cables) {
    for (;;) {
      Design design;
      for (int i = 0; i < cables; ++i)
        design.cables.push_back({within(0.8, 1.2) * direction(), within(0.1, 0.2) * direction()});
      design.inertia = Eigen::Vector3d(1, 1.2, 1.4).asDiagonal();
      design.centre = 0.05 * direction();
      auto made = Robot::from(design);
      if (made && conditioning(*made, structure(*made, made->home())) > 0.05) return *made;
    }
  }

 private:
  std::mt19937_64 engine_;
};

// The largest difference of place, m, and attitude, rad.
inline double distance(const Pose& a, const Pose& b) {
  const double turn = tandem::angle_between(Eigen::Quaterniond(a.linear()), Eigen::Quaterniond(b.linear()));
  return std::max((a.translation() - b.translation()).norm(), turn);
}

// The pose after this twist for the time h, in world axes.
inline Pose moved(const Pose& pose, const Twist& twist, double h) {
  Pose there = pose;
  there.translation() += h * twist.head<3>();
  there.linear() = tandem::quaternion_from_rotation_vector(h * twist.tail<3>()).toRotationMatrix() * pose.linear();
  return there;
}

}  // namespace cable_samples
