// SPDX-License-Identifier: Apache-2.0
// Poses of cable robots as seven numbers.
#pragma once

#include <array>
#include <string>

#include "tandem/kinematics/cable/tension/tension.hpp"
#include "tandem/python/failure.hpp"

namespace tandem::python {

using Seven = std::array<double, 7>;  // x, y, z (m), qx, qy, qz, qw

inline Pose cable_pose_of(const Seven& n) {
  return unwrapped(cables::pose_from_numbers({n[0], n[1], n[2], n[3], n[4], n[5], n[6]}));
}

inline Seven cable_numbers_of(const Pose& pose) {
  Eigen::Quaterniond q(pose.linear());
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  const Eigen::Vector3d p = pose.translation();
  return {p.x(), p.y(), p.z(), q.x(), q.y(), q.z(), q.w()};
}

inline cables::Aim cable_aim_named(const std::string& asked) {
  for (const cables::Aim aim : cables::all_aims)
    if (asked == cables::name(aim)) return aim;
  throw Failure({Fault::invalid, "aim: expected " + std::string(cables::aims_in_words) + ", got " + asked});
}

}  // namespace tandem::python
