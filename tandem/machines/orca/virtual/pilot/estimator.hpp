// SPDX-License-Identifier: Apache-2.0
// The virtual autopilot's estimator: attitude, velocity and position from what a submarine measures, and from vision
// when there is some. An error-state Kalman filter in ArduPilot's axes: the world is NED, the body FRD. It never sees
// the truth, so without vision its horizontal position is worth nothing after a while, as with the real one.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "tandem/machines/orca/virtual/pilot/estimator_state.hpp"

namespace tandem::orca {

class Estimator {
 public:
  explicit Estimator(const EstimatorOptions& options = {});

  // Parameters were changed; the state goes on.
  void options(const EstimatorOptions& options) { options_ = options; }
  const EstimatorOptions& options() const { return options_; }

  // Measurements, body axes FRD; `dt` in s since the last. What is not finite is left out.
  void imu(const Eigen::Vector3d& gyro, const Eigen::Vector3d& acceleration, double dt);
  void depth(double metres);                 // under the surface
  void field(const Eigen::Vector3d& tesla);  // any unit
  void floor_seen(bool seen) { floor_ = seen; }

  // Vision, as it arrives. False when it was left out: too soon after the last, no numbers, not the chosen source.
  bool delta(const VisionDelta& delta);
  bool pose(const VisionPose& pose);

  // Where the local frame begins on Earth has been reported: nothing horizontal without it.
  void origin();
  // 1 to 3. False for another.
  bool source_set(int number);

  // Moves the horizontal position, m NED; counted as a reset.
  void shift(const Eigen::Vector2d& north_east);

  const Estimate& estimate() const { return estimate_; }
  EstimatorReport report() const;
  Eigen::Vector3d gyro_bias() const { return gyro_bias_; }
  // 1 sigma, m, of north and east.
  Eigen::Vector2d position_uncertainty() const;
  // What happened since the last call, in ArduPilot's words; ask until there is nothing.
  std::optional<std::string_view> next_event();

 private:
  using State = Eigen::Matrix<double, 15, 1>;  // errors: position, velocity, attitude (body), gyro bias, accelerometer
  using Covariance = Eigen::Matrix<double, 15, 15>;
  struct Row {
    State h = State::Zero();
    double residual = 0, variance = 1;
  };
  struct Span {  // how the body moved in one step of the covariance
    double time = -1;
    Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  // m/s, FRD
  };

  void align(const Eigen::Vector3d& gyro, const Eigen::Vector3d& acceleration, double dt);
  void propagate(const Eigen::Vector3d& rate, const Eigen::Vector3d& force, double dt);
  void tend(const Eigen::Vector3d& force);
  void fuse_gravity(const Eigen::Vector3d& force);
  void fuse_stillness();
  bool fuse_body_velocity(const Eigen::Vector3d& measured, double sigma, double span, double delay);
  bool fuse_position(const Eigen::Vector3d& measured, double sigma);
  void fuse_yaw(double measured, double sigma);
  Eigen::Vector3d mean_velocity(double from, double to) const;

  // The worst of the rows' squared innovations over what `gate` sigmas allow: above 1 it does not fit.
  double ratio(std::span<const Row> rows, double gate) const;
  void fuse(std::span<const Row> rows);
  void inject(const State& error);

  const EstimatorSources& sources() const { return options_.sources[static_cast<std::size_t>(set_ - 1)]; }
  bool may_aid() const;
  void start_aiding();
  void stop_aiding();
  void watch_aiding();
  void reset_velocity(const Eigen::Vector3d& ned);
  void reset_position(const Eigen::Vector2d& north_east, double sigma);
  void spread(int first, int count, double sigma);
  void publish(const Eigen::Vector3d& rate);
  void event(std::string_view text);

  EstimatorOptions options_;
  double time_ = 0;  // s, of all samples so far
  Eigen::Quaterniond q_ = Eigen::Quaterniond::Identity();
  Eigen::Vector3d velocity_ = Eigen::Vector3d::Zero(), position_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d gyro_bias_ = Eigen::Vector3d::Zero(), acceleration_bias_ = Eigen::Vector3d::Zero();
  Covariance P_ = Covariance::Zero();

  bool aligned_ = false;
  double align_time_ = 0;
  int align_count_ = 0;
  Eigen::Vector3d gyro_sum_ = Eigen::Vector3d::Zero(), force_sum_ = Eigen::Vector3d::Zero();
  Eigen::Vector3d field_sum_ = Eigen::Vector3d::Zero();

  double span_time_ = 0;  // s gathered for the next step of the covariance
  int span_count_ = 0;
  Eigen::Vector3d span_rate_ = Eigen::Vector3d::Zero(), span_force_ = Eigen::Vector3d::Zero();
  std::array<Span, 64> past_{};
  std::size_t next_past_ = 0;
  double next_still_ = 0;

  int set_ = 1;
  bool has_origin_ = false, floor_ = false;
  bool aiding_ = false, was_aiding_ = false, odometry_told_ = false;
  bool place_pending_ = false, speed_pending_ = false;  // the next of vision is taken as it is
  double delta_at_ = -1, pose_at_ = -1;                 // when vision came last
  double good_since_ = -1;                              // vision has come without a break since
  double good_at_ = -1;                                 // when some was fused, or could have been
  std::optional<std::uint8_t> reset_counter_;           // of the last pose
  EstimatorReport ratios_;
  Estimate estimate_;
  std::array<std::string_view, 8> events_{};
  std::size_t first_event_ = 0, event_count_ = 0;
};

}  // namespace tandem::orca
