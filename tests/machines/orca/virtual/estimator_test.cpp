// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/pilot/estimator.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "tandem/base/transforms.hpp"
#include "tandem/machines/orca/description.hpp"

namespace tandem::orca {
namespace {

constexpr double sample = 0.0025;  // s
constexpr double pi = 3.14159265358979323846;

// A way through the water in closed form, NED and FRD: it stands at first, then goes round with nodding and rolling.
struct Path {
  double radius = 2, period = 40, start = 3;  // m, s, s

  // The angle travelled, smooth from standing: its speed grows within two seconds.
  double angle(double t) const {
    const double w = 2 * pi / period, s = t - start;
    if (s <= 0) return 0;
    const double ramp = 2;
    if (s < ramp) return w * (s * s * s / (ramp * ramp) - s * s * s * s / (2 * ramp * ramp * ramp));
    return w * (s - ramp / 2);
  }
  Eigen::Vector3d position(double t) const {
    const double a = angle(t);
    return {radius * std::sin(a), radius * (1 - std::cos(a)), 1.5 + 0.3 * std::sin(3 * a)};
  }
  Eigen::Matrix3d attitude(double t) const {
    const double a = angle(t);
    return rotation_from_rpy(0.08 * std::sin(5 * a), 0.05 * std::sin(4 * a), a);
  }
};

// The sensors along the path, from differences of it, with noise and biases.
class Walk {
 public:
  explicit Walk(const Path& path, const EstimatorOptions& options = {}) : path_(path), estimator(options) {
    gyro_bias_ = {0.0015, -0.002, 0.001};
    force_bias_ = {0.015, -0.01, 0.02};
  }

  void run(double seconds) {
    const double end = time_ + seconds;
    while (time_ + 0.5 * sample < end) step();
  }
  void step() {
    const double t = time_, h = sample;
    const Eigen::Matrix3d R0 = path_.attitude(t), R1 = path_.attitude(t + h), R = path_.attitude(t + h / 2);
    const Eigen::Vector3d gyro =
        rotation_vector_from_quaternion(Eigen::Quaterniond(Eigen::Matrix3d(R0.transpose() * R1))) / h;
    const double d = 0.01;
    const Eigen::Vector3d acceleration =
        (path_.position(t + h / 2 + d) - 2 * path_.position(t + h / 2) + path_.position(t + h / 2 - d)) / (d * d);
    const Eigen::Vector3d force = R.transpose() * (acceleration - Eigen::Vector3d(0, 0, 9.81));
    time_ += h;
    estimator.imu(gyro + gyro_bias_ + noise(0.002), force + force_bias_ + noise(0.03), h);
    if (++count_ % 8 == 0) {
      estimator.depth(path_.position(time_).z() + noise(0.002).x());
      const Eigen::Vector3d field(18.2e-6 * std::cos(0.0), 0, 49.5e-6);  // magnetic axes
      const Eigen::Vector3d ned = Eigen::AngleAxisd(0.265, Eigen::Vector3d::UnitZ()) * field;
      estimator.field(path_.attitude(time_).transpose() * ned + noise(0.3e-6));
    }
    if (vision && count_ % 40 == 0) see();
  }
  // What a camera would say about the last tenth of a second.
  void see() {
    const double span = 0.1;
    VisionDelta delta;
    delta.position = path_.attitude(time_).transpose() * (path_.position(time_) - path_.position(time_ - span));
    delta.position += noise(vision_noise);
    delta.span = span;
    delta.confidence = 80;
    taken += estimator.delta(delta) ? 1 : 0;
  }
  Eigen::Vector3d noise(double sigma) {
    return {sigma * normal_(random_), sigma * normal_(random_), sigma * normal_(random_)};
  }
  // m, horizontally, between estimate and truth, each from where the estimate began.
  double error(const Eigen::Vector2d& began = Eigen::Vector2d::Zero()) const {
    return (estimator.estimate().position.head<2>() - (path_.position(time_).head<2>() - began)).norm();
  }
  double attitude_error() const {
    return angle_between(estimator.estimate().q_ned_frd, Eigen::Quaterniond(path_.attitude(time_)));
  }
  double time() const { return time_; }
  Eigen::Vector3d gyro_bias() const { return gyro_bias_; }
  std::vector<std::string> events() {
    std::vector<std::string> all;
    while (const auto event = estimator.next_event()) all.emplace_back(*event);
    return all;
  }

  bool vision = false;
  double vision_noise = 0.002;  // m
  int taken = 0;

 private:
  Path path_;
  std::mt19937_64 random_{7};
  std::normal_distribution<double> normal_;
  double time_ = 0;
  int count_ = 0;
  Eigen::Vector3d gyro_bias_, force_bias_;

 public:
  Estimator estimator;
};

bool holds(const std::vector<std::string>& all, std::string_view text) {
  for (const std::string& one : all)
    if (one == text) return true;
  return false;
}

EstimatorOptions quick() {
  EstimatorOptions options;
  options.aiding_delay = 1;
  return options;
}

}  // namespace

TEST_CASE("the estimator finds its attitude and depth and the bias of its gyros without vision") {
  Walk walk({});
  CHECK(walk.estimator.report().flags == ekf::uninitialised);
  walk.run(25);
  CHECK(walk.attitude_error() < 0.05);
  CHECK(std::abs(walk.estimator.estimate().position.z() - Path{}.position(walk.time()).z()) < 0.05);
  CHECK((walk.estimator.gyro_bias() - walk.gyro_bias()).norm() < 0.001);
}

TEST_CASE("without vision the position is lost and with it it holds") {
  Walk blind({}, quick()), seeing({}, quick());
  blind.estimator.origin();
  seeing.estimator.origin();
  seeing.vision = true;
  blind.run(25);
  seeing.run(25);
  const double travelled = 2 * 2 * pi * 21 / 40;  // m
  CHECK(seeing.estimator.estimate().position_good);
  CHECK(seeing.error() < 0.03 * travelled);
  CHECK_FALSE(blind.estimator.estimate().position_good);
  CHECK(blind.error() > 5 * seeing.error());
  CHECK(blind.error() > 0.5);
  CHECK(seeing.attitude_error() < 0.04);
}

TEST_CASE("flags tell of constant position and then of relative aiding with the same numbers as ArduSub") {
  Walk walk({}, quick());
  walk.vision = true;
  walk.estimator.floor_seen(true);
  walk.run(3);
  CHECK(walk.estimator.report().flags == 231);  // no origin yet
  walk.estimator.origin();
  walk.run(1.5);
  CHECK(walk.estimator.report().flags == 367);
  const auto events = walk.events();
  CHECK(holds(events, "EKF3 IMU0 initialised"));
  CHECK(holds(events, "EKF3 IMU0 origin set"));
  CHECK(holds(events, "EKF3 IMU0 fusing odometry"));
  CHECK(holds(events, "EKF3 IMU0 started relative aiding"));
}

TEST_CASE("a gap in vision is bridged and a long one gives the position up") {
  Walk walk({}, quick());
  walk.estimator.origin();
  walk.vision = true;
  walk.run(12);
  walk.events();
  walk.vision = false;
  walk.run(4);
  CHECK(walk.estimator.estimate().position_good);
  CHECK(walk.error() < 0.6);  // by dead reckoning
  walk.run(3);
  CHECK_FALSE(walk.estimator.estimate().position_good);
  CHECK((walk.estimator.report().flags & ekf::constant_position) != 0);
  CHECK(holds(walk.events(), "EKF3 IMU0 stopped aiding"));
  walk.vision = true;
  walk.run(2);
  CHECK(walk.estimator.estimate().position_good);
  CHECK(walk.estimator.estimate().resets >= 2);
}

TEST_CASE("deltas that are too frequent or too short or no numbers or not the chosen source are left out") {
  Walk walk({}, quick());
  walk.estimator.origin();
  VisionDelta good;
  good.span = 0.1;
  good.confidence = 80;
  CHECK_FALSE(walk.estimator.delta(good));  // not aligned yet
  walk.run(1.5);
  CHECK(walk.estimator.delta(good));
  CHECK_FALSE(walk.estimator.delta(good));  // at once again
  walk.run(0.1);
  VisionDelta bad = good;
  bad.position.x() = std::nan("");
  CHECK_FALSE(walk.estimator.delta(bad));
  bad = good;
  bad.angle.z() = std::numeric_limits<double>::infinity();
  CHECK_FALSE(walk.estimator.delta(bad));
  bad = good;
  bad.span = 0.005;
  CHECK_FALSE(walk.estimator.delta(bad));
  bad.span = 0;
  CHECK_FALSE(walk.estimator.delta(bad));
  CHECK(walk.estimator.source_set(2));
  CHECK_FALSE(walk.estimator.delta(good));
  CHECK_FALSE(walk.estimator.source_set(4));
  CHECK(walk.estimator.source_set(1));
  CHECK(walk.estimator.delta(good));
}

TEST_CASE("a source set without vision ends aiding at once and the first one brings it back") {
  Walk walk({}, quick());
  walk.estimator.origin();
  walk.vision = true;
  walk.run(6);
  REQUIRE(walk.estimator.estimate().position_good);
  walk.estimator.source_set(2);
  walk.run(0.1);
  CHECK_FALSE(walk.estimator.estimate().position_good);
  walk.estimator.source_set(1);
  walk.run(1.5);
  CHECK(walk.estimator.estimate().position_good);
}

TEST_CASE("a body that goes on when vision ends is not believed to stand") {
  Walk walk({}, quick());
  walk.estimator.origin();
  walk.vision = true;
  walk.run(12);
  const double before = walk.error();
  walk.vision = false;
  walk.estimator.source_set(2);
  walk.run(2);  // 0.6 m of the way
  CHECK_FALSE(walk.estimator.estimate().position_good);
  CHECK(walk.error() < before + 0.25);
}

TEST_CASE("a delta of little confidence counts less") {
  double moved[2] = {};
  for (const int sure : {0, 1}) {
    Walk walk({.start = 100}, quick());
    walk.estimator.origin();
    walk.vision = true;
    walk.run(5);
    walk.vision = false;
    walk.run(0.1);
    const double before = walk.estimator.estimate().velocity.x();
    VisionDelta odd;
    odd.position = {0.03, 0, 0};
    odd.span = 0.1;
    odd.confidence = sure != 0 ? 100 : 0;
    CHECK(walk.estimator.delta(odd));
    walk.run(0.01);
    moved[sure] = walk.estimator.estimate().velocity.x() - before;
  }
  CHECK(moved[1] > 3 * moved[0]);
  CHECK(moved[0] > 0);
}

TEST_CASE("poses of vision hold the position and a new reset counter moves it") {
  Walk walk({.start = 100}, quick());
  walk.estimator.origin();
  VisionPose pose;
  pose.position = {3, -2, 1.5};
  for (int i = 0; i < 40; ++i) {
    walk.run(0.1);
    walk.estimator.pose(pose);
  }
  CHECK((walk.estimator.estimate().position - pose.position).norm() < 0.1);
  const auto resets = walk.estimator.estimate().resets;
  pose.position.x() = 8;
  pose.reset_counter = 1;
  walk.run(0.1);
  walk.estimator.pose(pose);
  walk.run(0.1);
  CHECK(std::abs(walk.estimator.estimate().position.x() - 8) < 0.1);
  CHECK(walk.estimator.estimate().resets > resets);
}

TEST_CASE("wild measurements leave the estimate finite") {
  Walk walk({}, quick());
  walk.estimator.origin();
  walk.vision = true;
  walk.run(4);
  const double worst[] = {std::nan(""), std::numeric_limits<double>::infinity(), 1e300, -1e300, 0};
  for (const double value : worst) {
    walk.estimator.imu(Eigen::Vector3d::Constant(value), Eigen::Vector3d(0, 0, -9.81), value);
    walk.estimator.depth(value == 1e300 || value == -1e300 ? 50 : value);
    walk.estimator.field(Eigen::Vector3d(value == value ? 0 : value, 0, 0));
    walk.estimator.delta({Eigen::Vector3d::Constant(value), Eigen::Vector3d::Zero(), 0.1, value});
  }
  walk.run(1);
  CHECK(walk.estimator.estimate().q_ned_frd.coeffs().allFinite());
  CHECK(walk.estimator.estimate().position.allFinite());
}

}  // namespace tandem::orca
