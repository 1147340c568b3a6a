// Seeded joint angles, and forward kinematics as the plain product of the Denavit-Hartenberg matrices.
#pragma once

#include <Eigen/Geometry>
#include <cmath>
#include <cstdlib>
#include <random>

#include "tandem/kinematics/ur.hpp"

namespace ur_samples {

using tandem::Pose;
using tandem::kinematics::ur::Joints;
using tandem::kinematics::ur::Model;

inline constexpr double pi = 3.14159265358979323846;

inline Pose chain(const Model& m, const Joints& q, int links = 6) {
  Pose X = Pose::Identity();
  for (int i = 0; i < links; ++i) {
    const auto k = static_cast<std::size_t>(i);
    X = X * Eigen::AngleAxisd(q[i], Eigen::Vector3d::UnitZ()) * Eigen::Translation3d(m.a[k], 0, m.d[k]) *
        Eigen::AngleAxisd(m.alpha[k], Eigen::Vector3d::UnitX());
  }
  return X;
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

// A sample normally; the full number with TANDEM_FULL=1.
inline int count(int sample, int full) { return std::getenv("TANDEM_FULL") != nullptr ? full : sample; }

// The largest difference of an angle, modulo whole turns.
inline double distance(const Joints& a, const Joints& b) {
  double worst = 0;
  for (int i = 0; i < 6; ++i) worst = std::fmax(worst, std::abs(std::remainder(a[i] - b[i], 2 * pi)));
  return worst;
}

}  // namespace ur_samples
