// SPDX-License-Identifier: Apache-2.0
// Tensions, pose and conditioning of the default cable robot as they are usually written: peers to measure against.
#pragma once

#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <algorithm>
#include <cmath>

#include "bench/textbook_qp.hpp"
#include "tandem/kinematics/cable/robot.hpp"

namespace peer {

using namespace tandem;
using namespace tandem::cables;

inline const Robot& robot() { return Robot::standard(); }

inline Eigen::MatrixXd structure(const Pose& pose) {
  Eigen::MatrixXd all(6, robot().cables());
  for (int i = 0; i < robot().cables(); ++i) {
    const Eigen::Vector3d arm = pose.linear() * robot().cable(i).platform;
    const Eigen::Vector3d along = (robot().cable(i).frame - pose.translation() - arm).normalized();
    all.col(i) << along, arm.cross(along);
  }
  return all;
}

inline Eigen::VectorXd unclamped(const Pose& pose, const Wrench& outer) {
  const Eigen::MatrixXd all = structure(pose);
  const TensionRange& range = robot().design().tension;
  const Eigen::VectorXd middle = Eigen::VectorXd::Constant(all.cols(), 0.5 * (range.least + range.most));
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(all, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const Eigen::VectorXd inverse = svd.singularValues().cwiseInverse();
  const Eigen::MatrixXd pseudo = svd.matrixV() * inverse.asDiagonal() * svd.matrixU().transpose();
  return middle + pseudo * (-outer - all * middle);
}

inline Eigen::VectorXd tensions(const Pose& pose, const Wrench& outer) {
  const TensionRange& range = robot().design().tension;
  return unclamped(pose, outer).cwiseMax(range.least).cwiseMin(range.most);
}

inline Pose pose(const PerCable& lengths, Pose pose) {
  for (int step = 0; step < 20; ++step) {
    Eigen::MatrixXd slopes(robot().cables(), 6);
    Eigen::VectorXd errors(robot().cables());
    for (int i = 0; i < robot().cables(); ++i) {
      const Eigen::Vector3d arm = pose.linear() * robot().cable(i).platform;
      const Eigen::Vector3d span = pose.translation() + arm - robot().cable(i).frame;
      errors[i] = lengths[i] - span.norm();
      slopes.row(i) << span.normalized().transpose(), arm.cross(span.normalized()).transpose();
    }
    const Eigen::VectorXd twist = slopes.colPivHouseholderQr().solve(errors);
    pose.translation() += twist.head<3>();
    const Eigen::Vector3d turn = twist.tail<3>();
    if (turn.norm() > 0) pose.linear() = Eigen::AngleAxisd(turn.norm(), turn.normalized()) * pose.linear();
    if (twist.norm() < 1e-10) break;
  }
  return pose;
}

// As tensions are usually asked for: nearest to the middle of the range, by quadratic programming.
inline bool tensions_by_qp(const Structure& all, const Wrench& outer, textbook::DualActiveSet<8, 6>& qp) {
  const TensionRange& range = robot().design().tension;
  for (int r = 0; r < 6; ++r) {
    const double factor = r < 3 ? 1 : 1 / robot().scale();
    for (int i = 0; i < 8; ++i) qp.equalities[r][i] = factor * all(r, i);
    qp.right[r] = -factor * outer[r];
  }
  for (int i = 0; i < 8; ++i) {
    qp.aim[i] = 0.5 * (range.least + range.most);
    qp.least[i] = range.least, qp.most[i] = range.most;
  }
  return qp.solve();
}

// Newton's method in all tensions with the equations as constraints, from the middle of the ranges.
inline Eigen::Matrix<double, 8, 1> centre(const Structure& all, const Wrench& outer) {
  using Eight = Eigen::Matrix<double, 8, 1>;
  const TensionRange& range = robot().design().tension;
  Eight t = Eight::Constant(0.5 * (range.least + range.most));
  for (int step = 0; step < 40; ++step) {
    const Eight below = (t.array() - range.least).inverse(), above = (range.most - t.array()).inverse();
    Eigen::Matrix<double, 14, 14> kkt = Eigen::Matrix<double, 14, 14>::Zero();
    Eigen::Matrix<double, 14, 1> rest;
    kkt.topLeftCorner<8, 8>().diagonal() = below.cwiseAbs2() + above.cwiseAbs2();
    kkt.topRightCorner<8, 6>() = all.transpose();
    kkt.bottomLeftCorner<6, 8>() = all;
    rest << below - above, -outer - all * t;
    const Eight way = kkt.partialPivLu().solve(rest).head<8>();
    double part = 1;
    for (int i = 0; i < 8; ++i)
      part = std::min(part, 0.9 * (way[i] > 0 ? range.most - t[i] : t[i] - range.least) / std::abs(way[i]));
    t += part * way;
    if (part == 1 && way.norm() < 1e-9) break;
  }
  return t;
}

inline double conditioning(const Pose& pose) {
  Eigen::MatrixXd all = structure(pose);
  all.bottomRows(3) /= robot().scale();
  const Eigen::VectorXd values = Eigen::JacobiSVD<Eigen::MatrixXd>(all).singularValues();
  return values[5] / values[0];
}

}  // namespace peer
