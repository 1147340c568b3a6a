// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/robot.hpp"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "tandem/base/linear.hpp"
#include "tandem/kinematics/cable/design.hpp"

namespace tandem::cables {

Design default_design() {
  constexpr double near = 0.01812, far = 0.06761, high = 0.04;  // 70 mm from the axis, turned by 30 degrees
  constexpr double corner = 0.3, top = 0.6;
  constexpr double signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  Design design;
  design.name = "tandem";
  for (const auto& [x, y] : signs) design.cables.push_back({{x * corner, y * corner, top}, {x * near, y * far, -high}});
  for (const auto& [x, y] : signs) design.cables.push_back({{x * corner, y * corner, 0}, {x * far, y * near, high}});
  design.home = {0, 0, 0.3};
  design.inertia = box_inertia(design.mass, design.size);
  return design;
}

Eigen::Matrix3d box_inertia(double mass, const Eigen::Vector3d& size) {
  const Eigen::Vector3d squares = size.cwiseAbs2();
  return (Eigen::Vector3d::Constant(squares.sum()) - squares).asDiagonal().toDenseMatrix() * (mass / 12);
}

Robot::Robot(Design design) : design_(std::move(design)) {
  double sum = 0;
  for (const Cable& cable : design_.cables) sum += cable.platform.squaredNorm();
  scale_ = std::sqrt(sum / static_cast<double>(design_.cables.size()));
}

Result<Robot> Robot::from(const Design& design) {
  if (auto good = check_design(design); !good) return std::move(good).error();
  Robot robot(design);
  if (auto good = check_rank(robot); !good) return std::move(good).error();
  return robot;
}

const Robot& Robot::standard() {
  static const Robot robot = *from(default_design());
  return robot;
}

Pose Robot::home() const { return pose_from(design_.home, Eigen::Matrix3d::Identity()); }

Result<Pose> pose_from_numbers(const double (&numbers)[7]) {
  constexpr const char* names[] = {"x", "y", "z", "qx", "qy", "qz", "qw"};
  for (int i = 0; i < 7; ++i) {
    if (!std::isfinite(numbers[i]))
      return Error{Fault::invalid, fmt::format("pose {}: expected a finite number, got {}", names[i], numbers[i])};
  }
  const Eigen::Quaterniond q(numbers[6], numbers[3], numbers[4], numbers[5]);
  const double norm = q.norm();
  if (!(std::abs(norm - 1) <= 1e-3))
    return Error{
        Fault::invalid,
        fmt::format("pose: expected a quaternion (qx, qy, qz, qw) of length 1, got ({}, {}, {}, {}) of length {:g}",
                    q.x(), q.y(), q.z(), q.w(), norm)};
  return pose_from({numbers[0], numbers[1], numbers[2]}, q.normalized().toRotationMatrix());
}

PerCable lengths(const Robot& robot, const Pose& pose) {
  PerCable all(robot.cables());
  for (int i = 0; i < robot.cables(); ++i) {
    const Cable& cable = robot.cable(i);
    const Eigen::Vector3d held = pose.translation() + pose.linear() * cable.platform;
    all[i] = (held - cable.frame).norm();
  }
  return all;
}

Structure structure(const Robot& robot, const Pose& pose) {
  Structure all(6, robot.cables());
  for (int i = 0; i < robot.cables(); ++i) {
    const Cable& cable = robot.cable(i);
    const Eigen::Vector3d arm = pose.linear() * cable.platform;
    const Eigen::Vector3d span = cable.frame - pose.translation() - arm;
    const double length = span.norm();
    const Eigen::Vector3d along = length > 0 ? Eigen::Vector3d(span / length) : Eigen::Vector3d::Zero();
    all.col(i) << along, arm.cross(along);
  }
  return all;
}

Eigen::Matrix<double, 6, 6> squared(const Structure& structure) {
  Matrix6 all = Matrix6::Zero();
  for (Eigen::Index k = 0; k < structure.cols(); ++k) {
    const double* const column = structure.data() + 6 * k;
    for (int j = 0; j < 6; ++j)
      for (int i = 0; i < 6; ++i) all(i, j) += column[i] * column[j];
  }
  return all;
}

Wrench wrench_of(const Structure& structure, const PerCable& pulls) {
  Wrench all = Wrench::Zero();
  for (Eigen::Index k = 0; k < structure.cols(); ++k)
    for (int i = 0; i < 6; ++i) all[i] += structure(i, k) * pulls[k];
  return all;
}

PerCable along(const Structure& structure, const Wrench& wrench) {
  PerCable all = PerCable::Zero(structure.cols());
  for (Eigen::Index k = 0; k < structure.cols(); ++k)
    for (int i = 0; i < 6; ++i) all[k] += structure(i, k) * wrench[i];
  return all;
}

PerCable rates(const Structure& structure, const Twist& twist) { return -along(structure, twist); }

Twist twist_from_rates(const Structure& structure, const PerCable& rates) {
  using Tall = Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::ColMajor, most_cables, 6>;
  const Tall transposed = -structure.transpose();
  constexpr double no_motion = 1e-14;  // of the strongest
  return Reflected(transposed).nearest(rates.data(), no_motion);
}

Wrench weight(const Robot& robot, const Pose& pose) {
  const Eigen::Vector3d force(0, 0, -robot.design().mass * gravity);
  Wrench all;
  all << force, (pose.linear() * robot.design().centre).cross(force);
  return all;
}

Wrench inertial_wrench(const Robot& robot, const Pose& pose, const Twist& velocity, const Twist& acceleration) {
  const Eigen::Matrix3d& turned = pose.linear();
  const Eigen::Vector3d centre = turned * robot.design().centre;
  const Eigen::Matrix3d inertia = turned * robot.design().inertia * turned.transpose();
  const Eigen::Vector3d spin = velocity.tail<3>(), spin_up = acceleration.tail<3>();
  const Eigen::Vector3d at_centre = acceleration.head<3>() + spin_up.cross(centre) + spin.cross(spin.cross(centre));
  const Eigen::Vector3d force = robot.design().mass * at_centre;
  const Eigen::Vector3d momentum = inertia * spin;
  Wrench all;
  all << force, inertia * spin_up + spin.cross(momentum) + centre.cross(force);
  return all;
}

double conditioning(const Robot& robot, const Structure& structure) {
  Structure even = structure;
  if (robot.scale() > 0) even.bottomRows<3>() /= robot.scale();
  const Matrix6 products = squared(even);
  if (!products.allFinite()) return 0;
  const Vector6 squares = eigenvalues(products);
  const double least = squares[0], most = squares[5];
  return least > 0 && most > 0 ? std::sqrt(least / most) : 0;
}

double unstretched(double length, double tension, double stiffness) { return length / (1 + tension / stiffness); }

double stretched(double unwound, double tension, double stiffness) { return unwound * (1 + tension / stiffness); }

}  // namespace tandem::cables
