// SPDX-License-Identifier: Apache-2.0
// What is remembered of one frame: where it was in its parent, and when.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <deque>
#include <optional>

#include "tandem/base/clock.hpp"

namespace tandem::ros2 {

// A rotation, then a translation (m). Rotations stay quaternions, so that long chains do not drift from orthogonal.
struct TfPose {
  Eigen::Vector3d translation = Eigen::Vector3d::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();

  TfPose operator*(const TfPose& X_b_c) const {
    return {translation + rotation * X_b_c.translation, rotation * X_b_c.rotation};
  }
  TfPose inverse() const {
    const Eigen::Quaterniond back = rotation.conjugate();
    return {-(back * translation), back};
  }
};

struct TfSample {
  UtcTime stamp{};
  std::uint32_t parent = 0;  // number of the frame that the pose is in
  TfPose X_parent_child;
};

// The samples around a time. At a sample both are that one.
struct TfBracket {
  const TfSample* before = nullptr;
  const TfSample* after = nullptr;
};

// Straight between the translations, and the shortest turn at constant rate between the rotations; exact at samples.
// Between samples in different parents there is no path, so the earlier one stays until the later.
TfPose pose_at(const TfBracket& bracket, UtcTime time);

class TfHistory {
 public:
  // A history of a frame that never moves keeps the last sample, which holds at every time.
  explicit TfHistory(bool is_static = false) : is_static_(is_static) {}

  // Sorted in by its stamp; a sample of the same stamp is replaced. False when it is older than `keep` before the
  // newest, or than all of `most` newer ones.
  bool insert(const TfSample& sample, Duration keep, std::size_t most);

  // Nothing when the time is outside of oldest() to newest(): a history does not extrapolate.
  std::optional<TfBracket> at(UtcTime time) const;

  bool is_static() const { return is_static_; }
  bool empty() const { return samples_.empty(); }
  std::size_t size() const { return samples_.size(); }
  const TfSample& oldest() const { return samples_.front(); }
  const TfSample& newest() const { return samples_.back(); }
  void drop_oldest() { samples_.pop_front(); }
  void clear() { samples_.clear(); }

 private:
  bool is_static_;
  std::deque<TfSample> samples_;
};

}  // namespace tandem::ros2
