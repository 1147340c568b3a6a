// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/pilot/estimator.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tandem/base/transforms.hpp"
#include "tandem/machines/orca/description.hpp"

namespace tandem::orca {
namespace {

constexpr double estimator_gravity = 9.81;  // m/s^2
constexpr double covariance_span = 0.02;    // s; the state itself goes on with every sample

// How uncertain the state becomes by itself, per square root of a second. Larger than the sensors' own noise: the
// model is not perfect either.
constexpr double velocity_walk = 0.05;           // m/s
constexpr double attitude_walk = 3e-4;           // rad
constexpr double gyro_bias_walk = 3e-5;          // rad/s
constexpr double acceleration_bias_walk = 2e-4;  // m/s^2

// Rows and columns of the covariance.
constexpr int at_position = 0, at_velocity = 3, at_attitude = 6, at_gyro_bias = 9, at_acceleration_bias = 12;

// Heading of the body's x axis, from the field as it would be felt without roll and pitch.
double yaw_from_field(const Eigen::Quaterniond& q_ned_frd, const Eigen::Vector3d& field, double declination) {
  const Eigen::Vector3d rpy = rpy_from_rotation(q_ned_frd.toRotationMatrix());
  const Eigen::Vector3d level = rotation_from_rpy(rpy.x(), rpy.y(), 0) * field;
  return declination - std::atan2(level.y(), level.x());
}

}  // namespace

Estimator::Estimator(const EstimatorOptions& options) : options_(options) {}

void Estimator::imu(const Eigen::Vector3d& gyro, const Eigen::Vector3d& acceleration, double dt) {
  if (!gyro.allFinite() || !acceleration.allFinite() || !(dt > 0 && dt < 1)) return;
  time_ += dt;
  if (!aligned_) return align(gyro, acceleration, dt);
  const Eigen::Vector3d rate = gyro - gyro_bias_;
  const Eigen::Vector3d force = acceleration - acceleration_bias_;
  q_ = (q_ * quaternion_from_rotation_vector(rate * dt)).normalized();
  const Eigen::Vector3d before = velocity_;
  velocity_ += (q_ * force + Eigen::Vector3d(0, 0, estimator_gravity)) * dt;
  position_ += (before + velocity_) * (dt / 2);
  span_time_ += dt;
  ++span_count_;
  span_rate_ += rate;
  span_force_ += force;
  if (span_time_ + 1e-9 >= covariance_span) {
    const Eigen::Vector3d mean_force = span_force_ / span_count_;
    propagate(span_rate_ / span_count_, mean_force, span_time_);
    tend(mean_force);
    span_time_ = 0;
    span_count_ = 0;
    span_rate_.setZero();
    span_force_.setZero();
  }
  publish(rate);
}

// The mean of a while gives the gyros' bias, and where down and north are.
void Estimator::align(const Eigen::Vector3d& gyro, const Eigen::Vector3d& acceleration, double dt) {
  align_time_ += dt;
  ++align_count_;
  gyro_sum_ += gyro;
  force_sum_ += acceleration;
  if (align_time_ < options_.settle || field_sum_.isZero()) return;
  const Eigen::Vector3d force = force_sum_ / align_count_;
  if (force.norm() < 1) return;
  gyro_bias_ = gyro_sum_ / align_count_;
  const double roll = std::atan2(-force.y(), -force.z());
  const double pitch = std::atan2(force.x(), std::hypot(force.y(), force.z()));
  q_ = Eigen::Quaterniond(rotation_from_rpy(roll, pitch, 0));
  const double yaw = yaw_from_field(q_, field_sum_, options_.declination);
  q_ = Eigen::Quaterniond(rotation_from_rpy(roll, pitch, yaw));
  P_.setZero();
  spread(at_position, 3, 1);
  spread(at_velocity, 3, 0.3);
  spread(at_attitude, 2, 0.01);
  spread(at_attitude + 2, 1, options_.compass_error);
  spread(at_gyro_bias, 3, 1e-3);
  spread(at_acceleration_bias, 3, 0.03);
  aligned_ = true;
  event("EKF3 IMU0 initialised");
  event("EKF3 IMU0 tilt alignment complete");
  event("EKF3 IMU0 MAG0 initial yaw alignment complete");
  publish(Eigen::Vector3d::Zero());
}

// P = F P F' + Q, where F is the identity and three rows of blocks.
void Estimator::propagate(const Eigen::Vector3d& rate, const Eigen::Vector3d& force, double dt) {
  const Eigen::Matrix3d R = q_.toRotationMatrix();
  const Eigen::Matrix3d tilt = -R * cross_matrix(force) * dt;
  const Eigen::Matrix3d push = -R * dt;
  const Eigen::Matrix3d turn = -cross_matrix(rate) * dt;
  const auto forward = [&](const Covariance& m) {
    Covariance out = m;
    out.middleRows<3>(at_position) += dt * m.middleRows<3>(at_velocity);
    out.middleRows<3>(at_velocity).noalias() += tilt * m.middleRows<3>(at_attitude);
    out.middleRows<3>(at_velocity).noalias() += push * m.middleRows<3>(at_acceleration_bias);
    out.middleRows<3>(at_attitude).noalias() += turn * m.middleRows<3>(at_attitude);
    out.middleRows<3>(at_attitude) -= dt * m.middleRows<3>(at_gyro_bias);
    return out;
  };
  const Covariance once = forward(P_);
  const Covariance turned = once.transpose();
  P_ = forward(turned);
  const auto grow = [&](int first, double walk) {
    for (int i = first; i < first + 3; ++i) P_(i, i) += walk * walk * dt;
  };
  grow(at_velocity, velocity_walk);
  grow(at_attitude, attitude_walk);
  grow(at_gyro_bias, gyro_bias_walk);
  grow(at_acceleration_bias, acceleration_bias_walk);
}

void Estimator::tend(const Eigen::Vector3d& force) {
  past_[next_past_] = {time_, q_.conjugate() * velocity_};
  next_past_ = (next_past_ + 1) % past_.size();
  fuse_gravity(force);
  watch_aiding();
  if (!aiding_ && time_ >= next_still_) {
    fuse_stillness();
    next_still_ = time_ + 0.1;
  }
}

double Estimator::ratio(std::span<const Row> rows, double gate) const {
  double worst = 0;
  for (const Row& row : rows) {
    const double expected = row.h.dot(P_ * row.h) + row.variance;
    worst = std::max(worst, row.residual * row.residual / (gate * gate * expected));
  }
  return worst;
}

// One number after the other, which needs no inverse.
void Estimator::fuse(std::span<const Row> rows) {
  State error = State::Zero();
  for (const Row& row : rows) {
    const State spread = P_ * row.h;
    const State gain = spread / (row.h.dot(spread) + row.variance);
    error += gain * (row.residual - row.h.dot(error));
    P_ -= gain * spread.transpose();
  }
  P_ = 0.5 * (P_ + Covariance(P_.transpose()));
  for (int i = 0; i < P_.rows(); ++i) P_(i, i) = std::max(P_(i, i), 1e-12);
  inject(error);
}

void Estimator::inject(const State& error) {
  position_ += error.segment<3>(at_position);
  velocity_ += error.segment<3>(at_velocity);
  q_ = (q_ * quaternion_from_rotation_vector(error.segment<3>(at_attitude))).normalized();
  gyro_bias_ += error.segment<3>(at_gyro_bias);
  acceleration_bias_ += error.segment<3>(at_acceleration_bias);
}

// What is known about these is forgotten.
void Estimator::spread(int first, int count, double sigma) {
  P_.middleRows(first, count).setZero();
  P_.middleCols(first, count).setZero();
  for (int i = first; i < first + count; ++i) P_(i, i) = sigma * sigma;
}

// A body that does not accelerate for long feels its weight. The less it looks like that, the less it counts; and with
// vision the velocity says better where down is, also while the body gains speed.
void Estimator::fuse_gravity(const Eigen::Vector3d& force) {
  const double at_rest = aiding_ ? 3 : 0.5;  // m/s^2
  const Eigen::Vector3d expected = q_.conjugate() * Eigen::Vector3d(0, 0, -estimator_gravity);
  const double sigma = at_rest + 2 * std::abs(force.norm() - estimator_gravity);
  const Eigen::Matrix3d by_attitude = cross_matrix(expected);
  std::array<Row, 3> rows;
  for (int i = 0; i < 3; ++i) {
    Row& row = rows[static_cast<std::size_t>(i)];
    row.h.segment<3>(at_attitude) = by_attitude.row(i).transpose();
    row.h(at_acceleration_bias + i) = 1;
    row.residual = force(i) - expected(i);
    row.variance = sigma * sigma;
  }
  fuse(rows);
}

// Without anything better a submarine is taken to stand still, more or less; not at once when it was seen to move.
void Estimator::fuse_stillness() {
  const bool seen_lately = was_aiding_ && time_ - good_at_ < options_.aiding_timeout;
  std::array<Row, 2> rows;
  for (int i = 0; i < 2; ++i) {
    Row& row = rows[static_cast<std::size_t>(i)];
    row.h(at_velocity + i) = 1;
    row.residual = -velocity_(i);
    row.variance = seen_lately ? 2 : 0.25;
  }
  fuse(rows);
}

void Estimator::depth(double metres) {
  if (!aligned_ || !std::isfinite(metres)) return;
  std::array<Row, 1> rows;
  rows[0].h(at_position + 2) = 1;
  rows[0].residual = metres - position_.z();
  rows[0].variance = options_.depth_error * options_.depth_error;
  ratios_.height = std::sqrt(ratio(rows, 5));
  if (sources().height == source::own || !aiding_) fuse(rows);
}

void Estimator::field(const Eigen::Vector3d& tesla) {
  if (!tesla.allFinite() || tesla.norm() == 0) return;
  if (!aligned_) {
    field_sum_ += tesla.normalized();
    return;
  }
  if (sources().yaw == source::vision && aiding_) return;
  fuse_yaw(yaw_from_field(q_, tesla, options_.declination), options_.compass_error);
}

void Estimator::fuse_yaw(double measured, double sigma) {
  const Eigen::Matrix3d R = q_.toRotationMatrix();
  const double yaw = std::atan2(R(1, 0), R(0, 0));
  std::array<Row, 1> rows;
  rows[0].h.segment<3>(at_attitude) = R.row(2).transpose();
  rows[0].residual = std::remainder(measured - yaw, 2 * std::numbers::pi);
  rows[0].variance = sigma * sigma;
  const double fit = ratio(rows, 3);
  ratios_.compass = std::sqrt(fit);
  if (fit > 1) rows[0].variance *= fit;  // far off: it still leads, slowly
  fuse(rows);
}

void Estimator::publish(const Eigen::Vector3d& rate) {
  estimate_.time = time_;
  estimate_.q_ned_frd = q_;
  estimate_.rate = rate;
  estimate_.velocity = velocity_;
  estimate_.position = position_;
  estimate_.attitude_good = aligned_;
  estimate_.position_good = aiding_;
}

}  // namespace tandem::orca
