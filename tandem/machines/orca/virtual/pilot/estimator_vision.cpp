// SPDX-License-Identifier: Apache-2.0
// Vision in the virtual autopilot's estimator: when it is trusted, how it is fused, and what is said about it.
#include <algorithm>
#include <cmath>

#include "tandem/machines/orca/description.hpp"
#include "tandem/machines/orca/virtual/pilot/estimator.hpp"

namespace tandem::orca {
namespace {

constexpr double vision_gate = 5;      // sigmas
constexpr double misfit_patience = 2;  // s of vision that does not fit until the state follows it
constexpr int north = 0, north_speed = 3, attitude_error = 6;  // rows of the covariance

}  // namespace

bool Estimator::may_aid() const {
  const bool chosen = sources().position == source::vision || sources().velocity == source::vision;
  return aligned_ && has_origin_ && options_.vision && chosen;
}

bool Estimator::delta(const VisionDelta& delta) {
  const bool numbers = delta.position.allFinite() && delta.angle.allFinite() && std::isfinite(delta.confidence);
  if (!numbers || !(delta.span >= options_.least_span) || !aligned_) return false;
  if (delta_at_ >= 0 && time_ - delta_at_ < options_.least_interval) return false;
  if (!options_.vision || sources().velocity != source::vision) return false;
  delta_at_ = time_;
  const double unsure = 1 - std::clamp(delta.confidence, 0.0, 100.0) / 100;
  const double sigma = options_.delta_error_least + (options_.delta_error_most - options_.delta_error_least) * unsure;
  const Eigen::Vector3d swing = estimate_.rate.cross(options_.camera);
  return fuse_body_velocity(delta.position / delta.span - swing, sigma, delta.span, options_.vision_delay);
}

bool Estimator::pose(const VisionPose& pose) {
  if (!pose.position.allFinite() || !std::isfinite(pose.yaw) || !pose.velocity.allFinite() || !aligned_) return false;
  if (pose_at_ >= 0 && time_ - pose_at_ < options_.least_interval) return false;
  if (!options_.vision || sources().position != source::vision) return false;
  pose_at_ = time_;
  const bool jumped = reset_counter_ && *reset_counter_ != pose.reset_counter;
  reset_counter_ = pose.reset_counter;
  const Eigen::Vector3d place = pose.position - q_ * options_.camera;
  if (jumped) place_pending_ = true;
  if (!fuse_position(place, options_.position_error)) return false;
  if (pose.has_velocity && aiding_)
    fuse_body_velocity(pose.velocity, options_.velocity_error, options_.least_span, options_.vision_delay);
  if (aiding_ && sources().yaw == source::vision) fuse_yaw(pose.yaw, options_.yaw_error);
  return true;
}

// What vision says is the mean over its span, and that ended a while ago: it is held against the same of the estimate.
bool Estimator::fuse_body_velocity(const Eigen::Vector3d& measured, double sigma, double span, double delay) {
  if (good_since_ < 0) good_since_ = time_;
  if (!aiding_) {
    good_at_ = time_;
    watch_aiding();
  }
  if (!aiding_ || speed_pending_) {
    if (aiding_) reset_velocity(q_ * measured);
    good_at_ = time_;
    return true;
  }
  const Eigen::Vector3d own = q_.conjugate() * velocity_;
  const Eigen::Vector3d expected = mean_velocity(time_ - delay - span, time_ - delay);
  const Eigen::Matrix3d R_body_ned = q_.conjugate().toRotationMatrix();
  Eigen::Matrix3d by_attitude;
  by_attitude << 0, -own.z(), own.y(),  //
      own.z(), 0, -own.x(),             //
      -own.y(), own.x(), 0;
  std::array<Row, 3> rows;
  for (int i = 0; i < 3; ++i) {
    Row& row = rows[static_cast<std::size_t>(i)];
    row.h.segment<3>(north_speed) = R_body_ned.row(i).transpose();
    row.h.segment<3>(attitude_error) = by_attitude.row(i).transpose();
    row.residual = measured(i) - expected(i);
    row.variance = sigma * sigma;
  }
  const double fit = ratio(rows, vision_gate);
  ratios_.velocity = std::sqrt(fit);
  if (fit > 1) {
    if (time_ - good_at_ < misfit_patience) return false;
    reset_velocity(q_ * measured);
  } else {
    fuse(rows);
  }
  good_at_ = time_;
  return true;
}

bool Estimator::fuse_position(const Eigen::Vector3d& measured, double sigma) {
  if (good_since_ < 0) good_since_ = time_;
  if (!aiding_) {
    good_at_ = time_;
    watch_aiding();
  }
  if (!aiding_ || place_pending_) {
    if (aiding_) reset_position(measured.head<2>(), sigma);
    good_at_ = time_;
    return true;
  }
  const int count = sources().height == source::vision ? 3 : 2;
  std::array<Row, 3> rows;
  for (int i = 0; i < count; ++i) {
    Row& row = rows[static_cast<std::size_t>(i)];
    row.h(north + i) = 1;
    row.residual = measured(i) - position_(i);
    row.variance = sigma * sigma;
  }
  const std::span<const Row> used(rows.data(), static_cast<std::size_t>(count));
  const double fit = ratio(used, vision_gate);
  ratios_.position = std::sqrt(fit);
  if (fit > 1) {
    if (time_ - good_at_ < misfit_patience) return false;
    reset_position(measured.head<2>(), sigma);
  } else {
    fuse(used);
  }
  good_at_ = time_;
  return true;
}

Eigen::Vector3d Estimator::mean_velocity(double from, double to) const {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  int count = 0;
  const Span* nearest = nullptr;
  for (const Span& span : past_) {
    if (span.time < 0) continue;
    if (nearest == nullptr || std::abs(span.time - to) < std::abs(nearest->time - to)) nearest = &span;
    if (span.time < from || span.time > to) continue;
    sum += span.velocity;
    ++count;
  }
  if (count > 0) return sum / count;
  return nearest != nullptr ? nearest->velocity : Eigen::Vector3d(q_.conjugate() * velocity_);
}

void Estimator::watch_aiding() {
  if (good_since_ < 0) return;
  const double silence = time_ - good_at_;
  if (aiding_) {
    if (silence > options_.aiding_timeout || !may_aid()) stop_aiding();
    return;
  }
  if (silence > options_.break_in_vision) {
    good_since_ = -1;
    odometry_told_ = false;
    return;
  }
  const double delay = was_aiding_ ? options_.return_delay : options_.aiding_delay;
  if (!odometry_told_ && time_ - good_since_ >= std::min(1.0, delay)) {
    odometry_told_ = true;
    event(delta_at_ >= pose_at_ ? "EKF3 IMU0 fusing odometry" : "EKF3 IMU0 is using external nav data");
  }
  if (may_aid() && time_ - good_since_ >= delay) start_aiding();
}

// The position begins where it was given up, or at the origin, unless vision knows better.
void Estimator::start_aiding() {
  aiding_ = was_aiding_ = true;
  place_pending_ = speed_pending_ = true;
  good_at_ = time_;
  spread(north, 2, 0.1);
  spread(north_speed, 2, 0.3);
  ++estimate_.resets;
  event("EKF3 IMU0 started relative aiding");
}

// The body does not stand because no one sees it: the last velocity is carried on and fades.
void Estimator::stop_aiding() {
  aiding_ = false;
  good_since_ = -1;
  odometry_told_ = false;
  event("EKF3 IMU0 stopped aiding");
}

void Estimator::reset_velocity(const Eigen::Vector3d& ned) {
  speed_pending_ = false;
  velocity_.head<2>() = ned.head<2>();
  spread(north_speed, 2, 0.3);
  past_.fill(Span{});
  ++estimate_.resets;
}

void Estimator::reset_position(const Eigen::Vector2d& north_east, double sigma) {
  place_pending_ = false;
  position_.head<2>() = north_east;
  spread(north, 2, sigma);
  ++estimate_.resets;
}

void Estimator::shift(const Eigen::Vector2d& north_east) {
  if (!north_east.allFinite()) return;
  position_.head<2>() += north_east;
  ++estimate_.resets;
  event("EKF3 IMU0 forced reset");
}

void Estimator::origin() {
  if (!has_origin_) event("EKF3 IMU0 origin set");
  has_origin_ = true;
}

bool Estimator::source_set(int number) {
  if (number < 1 || number > static_cast<int>(options_.sources.size())) return false;
  set_ = number;
  return true;
}

EstimatorReport Estimator::report() const {
  EstimatorReport report = ratios_;
  if (!aligned_) {
    report.flags = ekf::uninitialised;
    return report;
  }
  report.flags = ekf::attitude | ekf::velocity_horizontal | ekf::velocity_vertical | ekf::height;
  if (floor_) report.flags |= ekf::height_above_ground;
  report.flags |= aiding_ ? ekf::position_relative | ekf::predicted_relative : ekf::constant_position;
  return report;
}

Eigen::Vector2d Estimator::position_uncertainty() const {
  return {std::sqrt(P_(north, north)), std::sqrt(P_(north + 1, north + 1))};
}

void Estimator::event(std::string_view text) {
  if (event_count_ == events_.size()) return;
  events_[(first_event_ + event_count_++) % events_.size()] = text;
}

std::optional<std::string_view> Estimator::next_event() {
  if (event_count_ == 0) return std::nullopt;
  const std::string_view text = events_[first_event_];
  first_event_ = (first_event_ + 1) % events_.size();
  --event_count_;
  return text;
}

}  // namespace tandem::orca
