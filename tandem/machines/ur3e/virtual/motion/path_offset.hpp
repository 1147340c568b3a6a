// SPDX-License-Identifier: Apache-2.0
// path_offset_*: a Cartesian offset on top of whatever the arm follows.
#pragma once

#include "tandem/machines/ur3e/virtual/motion/motion.hpp"

namespace tandem::ur3e {

class PathOffset {
 public:
  enum class Frame : std::uint8_t { base = 1, tool, motion, world };

  void enable() { enabled_ = true; }
  void disable();
  void clear();  // no offset is wanted or applied any more
  bool enabled() const { return enabled_; }

  void offset(const Twist6& offset, Frame frame);  // m, and a rotation vector (rad); limited
  Twist6 applied(Frame frame, const Pose& X_base_tool) const;
  void filter(double alpha) { alpha_ = alpha; }
  void limits(double distance, double angle) { most_distance_ = distance, most_angle_ = angle; }  // m, rad, per axis

  // What the joints should do beside everything else, rad/s: `planned` is where they would be without an offset, and
  // `velocity` (rad/s) how fast.
  Joints step(double dt, const Joints& planned, const Joints& q, const Joints& velocity, const Pose& X_flange_tcp);
  // The same while the arm is held: to rest.
  Joints brake(double dt);
  void rest() { speed_.setZero(); }  // the arm is at rest already

 private:
  Pose target(const Pose& X_base_tool, const Eigen::Vector3d& travel);
  Pose limited(const Pose& X_base_tool, const Pose& wanted) const;

  bool enabled_ = false;
  Frame frame_ = Frame::base;
  Twist6 wanted_ = Twist6::Zero(), filtered_ = Twist6::Zero();
  Joints speed_ = Joints::Zero();  // rad/s, of the offset alone
  double alpha_ = 1;
  double most_distance_ = 0.1, most_angle_ = 0.52;
  Eigen::Matrix3d along_ = Eigen::Matrix3d::Identity();  // of the last travel, base axes
};

}  // namespace tandem::ur3e
