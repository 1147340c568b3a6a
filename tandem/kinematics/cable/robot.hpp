// SPDX-License-Identifier: Apache-2.0
// A robot whose platform hangs in 6 to 16 cables: lengths, structure matrix, rates, loads. Cables are straight and
// massless here; pulleys are in cable_pulley.hpp, sag in cable_sag.hpp. World axes, z up; SI.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <string>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/base/transforms.hpp"

namespace tandem::cables {

inline constexpr int fewest_cables = 6;
inline constexpr int most_cables = 16;
inline constexpr double gravity = 9.81;  // m/s^2

// One number for each cable, in their order; never on the heap.
using PerCable = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, most_cables, 1>;
// One column for each cable: what a tension of 1 N does to the platform, force above moment about its origin.
using Structure = Eigen::Matrix<double, 6, Eigen::Dynamic, Eigen::ColMajor, 6, most_cables>;
using Wrench = Eigen::Matrix<double, 6, 1>;  // N, then N m about the platform's origin; world axes
using Twist = Eigen::Matrix<double, 6, 1>;   // m/s of the platform's origin, then rad/s; world axes

struct Cable {
  Eigen::Vector3d frame = Eigen::Vector3d::Zero();     // where it leaves the frame, world
  Eigen::Vector3d platform = Eigen::Vector3d::Zero();  // where it holds the platform, platform's axes
};

struct TensionRange {
  double least = 2;   // N; below it a cable counts as slack
  double most = 100;  // N
};

// What a geometry file says; anything may be here.
struct Design {
  std::string name;
  std::vector<Cable> cables;
  double mass = 1;                                               // kg
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();              // of mass, platform's axes
  Eigen::Matrix3d inertia = Eigen::Matrix3d::Identity() * 2e-3;  // kg m^2 about it, platform's axes
  TensionRange tension;
  Eigen::Vector3d size = Eigen::Vector3d(0.1, 0.1, 0.08);  // of the platform, a box about its origin, m
  Eigen::Vector3d home = Eigen::Vector3d::Zero();          // where it is at rest, level, world
  double stiffness = 5e4;                                  // N: force over strain, E A
};

// Eight cables in a frame of 0.6 m: ours, as the original's points were never published (docs/cable_robot.md).
Design default_design();

// A design that was looked at.
class Robot {
 public:
  // Fault::invalid, naming the cable, what was expected and what was seen, for: fewer than 6 cables or more than 16,
  // numbers that are not finite, two cables that are one, a cable without length at home, mass, inertia, size,
  // invalid stiffness or tensions, and layouts that leave a motion of the platform without any cable (rank below
  // 6 at home and around it; the error says which motion).
  static Result<Robot> from(const Design& design);
  static const Robot& standard();  // of default_design()

  const Design& design() const { return design_; }
  int cables() const { return static_cast<int>(design_.cables.size()); }
  const Cable& cable(int i) const { return design_.cables[static_cast<std::size_t>(i)]; }
  Pose home() const;
  // A length that makes moments comparable with forces: root mean square distance of the platform's points.
  double scale() const { return scale_; }

 private:
  explicit Robot(Design design);
  Design design_;
  double scale_ = 1;
};

// Nothing below throws or allocates.

// Fault::invalid for numbers that are not finite and for quaternions further than 1e-3 from unit length.
Result<Pose> pose_from_numbers(const double (&numbers)[7]);  // x, y, z, qx, qy, qz, qw

PerCable lengths(const Robot& robot, const Pose& pose);
// Columns (u, (R b) x u) with u pointing from the platform along the cable. A cable without length has zeros.
Structure structure(const Robot& robot, const Pose& pose);
// structure * structure', structure * pulls and structure' * wrench, compiled once: Eigen's products of these sizes
// cost every unit that names them seconds.
Eigen::Matrix<double, 6, 6> squared(const Structure& structure);
Wrench wrench_of(const Structure& structure, const PerCable& pulls);
PerCable along(const Structure& structure, const Wrench& wrench);
// How fast the lengths grow.
PerCable rates(const Structure& structure, const Twist& twist);
// The motion that fits the rates best.
Twist twist_from_rates(const Structure& structure, const PerCable& rates);
// Weight of the platform about its origin, with its attitude.
Wrench weight(const Robot& robot, const Pose& pose);
// What the cables must exert for this motion: M a + bias, without weight and outer loads.
Wrench inertial_wrench(const Robot& robot, const Pose& pose, const Twist& velocity, const Twist& acceleration);

// Smallest over largest singular value of the structure with moments divided by robot.scale(): 0 is singular.
double conditioning(const Robot& robot, const Structure& structure);

// Unwound (unstretched) length of a taut cable, and back.
double unstretched(double length, double tension, double stiffness);
double stretched(double unwound, double tension, double stiffness);

}  // namespace tandem::cables
