// SPDX-License-Identifier: Apache-2.0
// The values of the ISCoin API: joint positions, poses of the tool centre point, and way-points with their limits.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "tandem/base/transforms.hpp"
#include "tandem/kinematics/ur/ur.hpp"

namespace tandem::ur3e {

using Six = std::array<double, 6>;  // one per joint, or x, y, z and a rotation vector
inline Six six(const kinematics::ur::Vector6& v) { return {v[0], v[1], v[2], v[3], v[4], v[5]}; }

struct Joint6D {
  double j1 = 0, j2 = 0, j3 = 0, j4 = 0, j5 = 0, j6 = 0;  // rad, base first

  static Joint6D from_radians(const Six& q) { return {q[0], q[1], q[2], q[3], q[4], q[5]}; }
  static Joint6D from_degrees(const Six& q);
  static Joint6D from(const kinematics::ur::Joints& q) { return {q[0], q[1], q[2], q[3], q[4], q[5]}; }

  Six list() const { return {j1, j2, j3, j4, j5, j6}; }
  kinematics::ur::Joints vector() const;
  double operator[](std::size_t index) const { return list()[index]; }  // below 6

  friend bool operator==(const Joint6D&, const Joint6D&) = default;
};

Joint6D operator+(const Joint6D& a, const Joint6D& b);
Joint6D operator-(const Joint6D& a, const Joint6D& b);
Joint6D operator*(const Joint6D& a, double factor);
Joint6D operator/(const Joint6D& a, double divisor);

// The tool centre point in the base frame. Sums and multiples are taken number by number, as the users of the original
// mean them; compose() is the product of poses.
struct TCP6D {
  double x = 0, y = 0, z = 0;     // m
  double rx = 0, ry = 0, rz = 0;  // rotation vector, rad

  static TCP6D from_metres_radians(const Six& pose) { return {pose[0], pose[1], pose[2], pose[3], pose[4], pose[5]}; }
  static TCP6D from_millimetres_radians(const Six& pose);
  static TCP6D from(const Pose& pose);

  Six list() const { return {x, y, z, rx, ry, rz}; }
  Pose pose() const;
  double operator[](std::size_t index) const { return list()[index]; }  // below 6

  friend bool operator==(const TCP6D&, const TCP6D&) = default;
};

TCP6D operator+(const TCP6D& a, const TCP6D& b);
TCP6D operator-(const TCP6D& a, const TCP6D& b);
TCP6D operator*(const TCP6D& a, double factor);
TCP6D operator/(const TCP6D& a, double divisor);
// `b` as seen from `a`, like URScript's pose_trans.
TCP6D compose(const TCP6D& a, const TCP6D& b);

// A way-point of movej_waypoints.
struct Joint6DDescriptor {
  Joint6D joints;
  double a = 1.4;   // rad/s^2
  double v = 2.05;  // rad/s
  double t = 0;     // s; 0: as a and v have it
  double r = 0;     // blend radius, m

  static std::vector<Joint6DDescriptor> list_of(std::span<const Joint6D> joints, double a = 1.4, double v = 2.05,
                                                double t = 0, double r = 0);
};

// A way-point of movel_waypoints.
struct TCP6DDescriptor {
  TCP6D tcp;
  double a = 1.2;   // m/s^2
  double v = 0.25;  // m/s
  double t = 0;     // s; 0: as a and v have it
  double r = 0;     // blend radius, m

  static std::vector<TCP6DDescriptor> list_of(std::span<const TCP6D> poses, double a = 1.2, double v = 0.25,
                                              double t = 0, double r = 0);
};

enum class DirectionFeature { base, tool };
enum class DirectionAxis { x_positive, x_negative, y_positive, y_negative, z_positive, z_negative };

// `from` moved by this many metres along an axis of the base, or of the tool itself.
TCP6D displaced(const TCP6D& from, DirectionFeature feature, DirectionAxis axis, double distance);

}  // namespace tandem::ur3e
