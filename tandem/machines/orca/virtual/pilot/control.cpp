// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/pilot/control.hpp"

#include <algorithm>
#include <cmath>

#include "tandem/base/frames.hpp"
#include "tandem/base/transforms.hpp"

namespace tandem::orca {
namespace {

// Columns of the mixer.
enum MixerColumn : std::size_t { to_roll, to_pitch, to_yaw, to_throttle, to_forward, to_lateral };

double share(double wanted, double most) { return most > 0 ? std::clamp(wanted / most, -1.0, 1.0) : 0; }

// kg and kg m^2 that the loops reckon with: hull and water together, FRD.
Eigen::Vector3d moved_mass() {
  const Hull hull;
  return Eigen::Vector3d::Constant(hull.mass) + hull.added_mass;
}
Eigen::Vector3d turned_inertia() {
  const Hull hull;
  const Eigen::Vector3d square = hull.size.cwiseAbs2();
  const Eigen::Vector3d box =
      hull.mass / 12 * Eigen::Vector3d(square.y() + square.z(), square.x() + square.z(), square.x() + square.y());
  return box + hull.added_inertia;
}

}  // namespace

Authority authority() {
  const auto all = thrusters();
  const auto factors = mixer();
  const auto wrench = [&](std::size_t column) {
    Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
    for (std::size_t i = 0; i < thruster_count; ++i) {
      const Eigen::Vector3d force = most_thrust * factors[i][column] * all[i].direction;
      sum.head<3>() += frd_from_flu(force);
      sum.tail<3>() += frd_from_flu(all[i].position.cross(force));
    }
    return sum;
  };
  return {wrench(to_roll)(3),      wrench(to_pitch)(4),   wrench(to_yaw)(5),
          -wrench(to_throttle)(2), wrench(to_forward)(0), wrench(to_lateral)(1)};
}

Demand demand_from(const Eigen::Vector3d& force, const Eigen::Vector3d& torque) {
  static const Authority most = authority();
  return {share(torque.x(), most.roll),     share(torque.y(), most.pitch),  share(torque.z(), most.yaw),
          share(-force.z(), most.throttle), share(force.x(), most.forward), share(force.y(), most.lateral)};
}

Demand operator+(const Demand& a, const Demand& b) {
  return {a.roll + b.roll,         a.pitch + b.pitch,     a.yaw + b.yaw,
          a.throttle + b.throttle, a.forward + b.forward, a.lateral + b.lateral};
}

std::array<double, thruster_count> pulses_from(const Demand& demand) {
  static const auto factors = mixer();
  const std::array<double, 6> told{demand.roll,     demand.pitch,   demand.yaw,
                                   demand.throttle, demand.forward, demand.lateral};
  std::array<double, thruster_count> sums{};
  std::array<bool, thruster_count> upright{};
  std::array<double, 2> largest{1, 1};  // of those in the plane, and of the upright ones
  for (std::size_t i = 0; i < thruster_count; ++i) {
    for (std::size_t axis = 0; axis < told.size(); ++axis)
      sums[i] += factors[i][axis] * (std::isfinite(told[axis]) ? std::clamp(told[axis], -1.0, 1.0) : 0);
    upright[i] = factors[i][to_throttle] != 0;
    largest[upright[i] ? 1 : 0] = std::max(largest[upright[i] ? 1 : 0], std::abs(sums[i]));
  }
  std::array<double, thruster_count> pulses{};
  for (std::size_t i = 0; i < thruster_count; ++i) {
    const double sum = sums[i] / largest[upright[i] ? 1 : 0];
    pulses[i] = pwm_stop + pwm_swing * std::copysign(std::sqrt(std::abs(sum)), sum);
  }
  return pulses;
}

Eigen::Vector3d AttitudeControl::hold(const Estimate& estimate, const Eigen::Quaterniond& wanted, double yaw_rate,
                                      double dt) {
  const Eigen::Vector3d error = rotation_vector_from_quaternion(estimate.q_ned_frd.conjugate() * wanted);
  Eigen::Vector3d rates = (gains_.attitude * error).cwiseMax(-gains_.most_rate).cwiseMin(gains_.most_rate);
  rates += estimate.q_ned_frd.conjugate() * Eigen::Vector3d(0, 0, yaw_rate);
  return turn(estimate, rates, dt);
}

Eigen::Vector3d AttitudeControl::turn(const Estimate& estimate, const Eigen::Vector3d& wanted, double dt) {
  static const Eigen::Vector3d inertia = turned_inertia();
  const Eigen::Vector3d error = wanted - estimate.rate;
  constexpr double most = 10;  // rad/s^2
  integral_ = (integral_ + gains_.rate_integral * dt * error).cwiseMax(-most).cwiseMin(most);
  return inertia.cwiseProduct(gains_.rate * error + integral_);
}

Eigen::Vector3d VelocityControl::force(const Estimate& estimate, const Eigen::Vector3d& wanted, bool level, double dt) {
  static const Eigen::Vector3d mass = moved_mass();
  Eigen::Vector3d error = wanted - estimate.velocity;
  if (!level) error.head<2>().setZero();
  integral_ =
      (integral_ + gains_.speed_integral * dt * error).cwiseMax(-gains_.most_integral).cwiseMin(gains_.most_integral);
  if (!level) integral_.head<2>().setZero();
  return mass.cwiseProduct(estimate.q_ned_frd.conjugate() * (gains_.speed * error + integral_));
}

Eigen::Vector3d Carrot::velocity(const Estimate& estimate, const Eigen::Vector3d& destination, double level_speed,
                                 double vertical_speed, const Gains& gains, double dt) {
  const Eigen::Vector3d way = destination - position_;
  Eigen::Vector3d step = Eigen::Vector3d::Zero();
  if ((position_ - estimate.position).norm() < leash && way.norm() > 1e-6) {
    // As fast as the slower of the two limits allows along the straight line, and slower towards the end.
    const double level = way.head<2>().norm(), vertical = std::abs(way.z());
    double speed = std::min(1e3, gains.position * way.norm() + 0.02);
    if (level > 1e-9) speed = std::min(speed, level_speed * way.norm() / level);
    if (vertical > 1e-9) speed = std::min(speed, vertical_speed * way.norm() / vertical);
    step = way.normalized() * std::min(speed, way.norm() / dt);
  }
  position_ += step * dt;
  const Eigen::Vector3d error = position_ - estimate.position;
  Eigen::Vector3d wanted = step;
  wanted.head<2>() += gains.position * error.head<2>();
  wanted.z() += gains.depth * error.z();
  const double level = wanted.head<2>().norm(), most = 1.5 * level_speed;
  if (level > most) wanted.head<2>() *= most / level;
  wanted.z() = std::clamp(wanted.z(), -1.5 * vertical_speed, 1.5 * vertical_speed);
  return wanted;
}

}  // namespace tandem::orca
