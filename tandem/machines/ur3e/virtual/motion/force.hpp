// SPDX-License-Identifier: Apache-2.0
// force_mode: along the compliant axes the tool gives way until the wanted force is there.
#pragma once

#include <array>

#include "tandem/machines/ur3e/virtual/body.hpp"
#include "tandem/machines/ur3e/virtual/motion/motion.hpp"

namespace tandem::ur3e {

struct ForceTask {
  Pose X_base_task = Pose::Identity();
  std::array<bool, 6> compliant{};  // x, y, z, and about them, task axes
  Twist6 wrench = Twist6::Zero();   // wanted along compliant axes: N, N m
  Twist6 limits = Twist6::Zero();   // the most speed along compliant axes: m/s, rad/s
};

class ForceMode {
 public:
  void start(const ForceTask& task);
  void end();
  bool active() const { return active_; }

  // What the joints should do beside everything else, rad/s; `outside` is the wrench on the tool at the TCP, base axes.
  // While the arm is held, the tool comes to rest.
  Joints step(double dt, const Joints& q, const Pose& X_flange_tcp, const Wrench& outside, bool held);
  void rest() { speed_.setZero(); }  // the arm is at rest already

  double damping = 0.025;   // 0 to 1, as force_mode_set_damping
  double gain_scaling = 1;  // 0 to 2

 private:
  bool active_ = false;
  ForceTask task_;
  Twist6 felt_ = Twist6::Zero();   // filtered, task axes
  Twist6 speed_ = Twist6::Zero();  // task axes
};

}  // namespace tandem::ur3e
