// SPDX-License-Identifier: Apache-2.0
// The UR3e by the numbers of its maker's page, multiplied out by hand: the oracle beside description and simulation.
#pragma once

#include <Eigen/Dense>
#include <array>
#include <cmath>
#include <numbers>

namespace published {

using Vector6 = Eigen::Matrix<double, 6, 1>;

inline Eigen::Matrix4d link(double q, double a, double d, double alpha) {
  Eigen::Matrix4d m;
  m << std::cos(q), -std::sin(q) * std::cos(alpha), std::sin(q) * std::sin(alpha), a * std::cos(q),  //
      std::sin(q), std::cos(q) * std::cos(alpha), -std::cos(q) * std::sin(alpha), a * std::sin(q),   //
      0, std::sin(alpha), std::cos(alpha), d,                                                        //
      0, 0, 0, 1;
  return m;
}

// The Denavit-Hartenberg frames in base, flange last.
inline std::array<Eigen::Matrix4d, 6> frames(const Vector6& q) {
  constexpr double quarter = std::numbers::pi / 2;
  constexpr std::array<double, 6> a = {0, -0.24355, -0.2132, 0, 0, 0};
  constexpr std::array<double, 6> d = {0.15185, 0, 0, 0.13105, 0.08535, 0.0921};
  constexpr std::array<double, 6> alpha = {quarter, 0, 0, quarter, -quarter, 0};
  std::array<Eigen::Matrix4d, 6> all;
  Eigen::Matrix4d sum = Eigen::Matrix4d::Identity();
  for (std::size_t i = 0; i < 6; ++i) all[i] = sum = (sum * link(q[static_cast<int>(i)], a[i], d[i], alpha[i])).eval();
  return all;
}

inline Eigen::Matrix4d tool(const Vector6& q) { return frames(q)[5]; }

// J, of links and a payload on the flange.
inline double potential(const Vector6& q, double payload, const Eigen::Vector3d& payload_centre) {
  constexpr std::array<double, 6> mass = {1.98, 3.4445, 1.437, 0.871, 0.805, 0.261};
  const std::array<Eigen::Vector3d, 6> centre = {
      {{0, -0.02, 0}, {0.13, 0, 0.1157}, {0.05, 0, 0.0238}, {0, 0, 0.01}, {0, 0, 0.01}, {0, 0, -0.02}}};
  const auto at = frames(q);
  double sum = payload * 9.81 * (at[5] * payload_centre.homogeneous()).z();
  for (std::size_t i = 0; i < 6; ++i) sum += mass[i] * 9.81 * (at[i] * centre[i].homogeneous()).z();
  return sum;
}

// Joint angles for the tool pointing straight down, its x along base x, near a guess; Newton on numbers.
inline Vector6 tool_down(const Eigen::Vector3d& position, Vector6 q) {
  const auto error = [&](const Vector6& at) {
    const Eigen::Matrix4d now = tool(at);
    const Eigen::Matrix3d want = Eigen::Vector3d(1, -1, -1).asDiagonal();
    const Eigen::AngleAxisd turn(Eigen::Matrix3d(want * now.topLeftCorner<3, 3>().transpose()));
    Vector6 e;
    e << position - now.topRightCorner<3, 1>(), turn.angle() * turn.axis();
    return e;
  };
  for (int round = 0; round < 100; ++round) {
    const Vector6 e = error(q);
    if (e.norm() < 1e-10) break;
    Eigen::Matrix<double, 6, 6> J;
    for (int i = 0; i < 6; ++i) {
      Vector6 moved = q;
      moved[i] += 1e-6;
      J.col(i) = (error(moved) - e) / 1e-6;
    }
    Vector6 step = -J.fullPivLu().solve(e);
    q += step * std::min(1.0, 0.3 / step.cwiseAbs().maxCoeff());
  }
  return q;
}

}  // namespace published
