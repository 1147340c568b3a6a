// SPDX-License-Identifier: Apache-2.0
// Where the physics of a virtual UR3e really is, cycle by cycle, whatever controller and machine say of it.
#pragma once

#include <mutex>

#include "tandem/machines/ur3e/virtual/device.hpp"

namespace tandem::ur3e {

class ArmTruth {
 public:
  struct Motion {
    double turned = 0;   // rad, the way of the joint that turned farthest
    double path = 0;     // m, the way of the tool
    double fastest = 0;  // rad/s, of all joints, now
  };

  // For VirtualDeviceSetup::cycle_begins: in the device's thread.
  void look(const Body& body) {
    const Measured& now = body.measured();
    const std::lock_guard lock(mutex_);
    if (known_) {
      const Joints step = (now.position - q_).cwiseAbs();
      ways_ += step.unaryExpr([](double one) { return one > noise ? one : 0.0; });
      if (step.maxCoeff() > noise) motion_.path += (now.tool0.translation() - tool_).norm();
    }
    known_ = true;
    q_ = now.position;
    tool_ = now.tool0.translation();
    motion_.turned = ways_.maxCoeff();
    motion_.fastest = now.velocity.cwiseAbs().maxCoeff();
  }

  // From now on.
  void mark() {
    const std::lock_guard lock(mutex_);
    ways_.setZero();
    motion_ = {.fastest = motion_.fastest};
  }
  Motion since_mark() const {
    const std::lock_guard lock(mutex_);
    return motion_;
  }

 private:
  static constexpr double noise = 1e-6;  // rad in a cycle

  mutable std::mutex mutex_;
  bool known_ = false;
  Joints q_ = Joints::Zero(), ways_ = Joints::Zero();
  Eigen::Vector3d tool_ = Eigen::Vector3d::Zero();
  Motion motion_;
};

}  // namespace tandem::ur3e
