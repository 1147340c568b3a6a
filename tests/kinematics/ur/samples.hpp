// SPDX-License-Identifier: Apache-2.0
// Seeded joint angles, and forward kinematics as the plain product of the Denavit-Hartenberg matrices.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "tandem/kinematics/ur/ur.hpp"
#include "tests/full.hpp"

namespace ur_samples {

using tandem::Pose;
using tandem::kinematics::ur::Joints;
using tandem::kinematics::ur::Model;

inline constexpr double pi = 3.14159265358979323846;

// Plain arrays, and local to each source: an inline function would run as slowly as the least optimised source has it.
[[maybe_unused]] static Pose chain(const Model& m, const Joints& q, int links = 6) {
  double X[4][4] = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  const auto append = [&X](const double(&step)[4][4]) {
    double product[4][4] = {};
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        for (int k = 0; k < 4; ++k) product[i][j] += X[i][k] * step[k][j];
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) X[i][j] = product[i][j];
  };
  for (int i = 0; i < links; ++i) {
    const double a = m.a[std::size_t(i)], d = m.d[std::size_t(i)], alpha = m.alpha[std::size_t(i)], angle = q.data()[i];
    const double s = std::sin(angle), c = std::cos(angle), sa = std::sin(alpha), ca = std::cos(alpha);
    append({{c, -s, 0, 0}, {s, c, 0, 0}, {0, 0, 1, d}, {0, 0, 0, 1}});      // about and along z
    append({{1, 0, 0, a}, {0, ca, -sa, 0}, {0, sa, ca, 0}, {0, 0, 0, 1}});  // along and about x
  }
  Pose out = Pose::Identity();
  double* to = out.matrix().data();  // by columns
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) to[4 * j + i] = X[i][j];
  return out;
}

inline double angle_between(const Pose& a, const Pose& b) {
  // From the difference of the matrices: keeps its digits for small angles, where the trace does not.
  return (a.linear() - b.linear()).norm() / std::sqrt(2.0);
}

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double within(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Joints joints(double range = pi) {
    Joints q;
    for (int i = 0; i < 6; ++i) q[i] = within(-range, range);
    return q;
  }

 private:
  std::mt19937_64 engine_;
};

inline const Model* const models[] = {&tandem::kinematics::ur::ur3e,  &tandem::kinematics::ur::ur5e,
                                      &tandem::kinematics::ur::ur10e, &tandem::kinematics::ur::ur16e,
                                      &tandem::kinematics::ur::ur20,  &tandem::kinematics::ur::ur30};

// The largest difference of an angle, modulo whole turns.
inline double distance(const Joints& a, const Joints& b) {
  double worst = 0;
  for (int i = 0; i < 6; ++i) worst = std::fmax(worst, std::abs(std::remainder(a[i] - b[i], 2 * pi)));
  return worst;
}

}  // namespace ur_samples
