// SPDX-License-Identifier: Apache-2.0
// Joint states from ROS as the arm's state: by name, whatever their order and whatever else is in the message.
#pragma once

#include <atomic>
#include <memory>

#include "tandem/base/latest.hpp"
#include "tandem/machines/ur3e/api/arm_queue.hpp"
#include "tandem/machines/ur3e/arm.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"

namespace tandem::ur3e {

struct FingerState {
  Instant received{};
  double position = 0;  // m, mean of both, 0 closed
  double speed = 0;     // m/s
};

// What callbacks of ROS and the caller's threads share. Cells have one writer: the subscription.
class RosJoints {
 public:
  explicit RosJoints(Duration stale_after) : stale_after_(stale_after) { offset_.put(Six{}); }

  // Positions that are missing or NaN leave the sample out; speeds that are missing or NaN are taken from
  // positions and stamps.
  void take(const ros2::sensor_msgs::JointState& message, Instant now);

  std::optional<ArmState> state() const { return state_.get(); }
  std::optional<FingerState> fingers() const { return fingers_.get(); }
  bool fresh(Instant now) const;

  void tcp_offset(const Six& offset) { offset_.put(offset); }  // one thread
  // Samples that stayed away for too long, since the last time this was asked.
  bool gap() { return gap_.exchange(false, std::memory_order_acq_rel); }

 private:
  void take_fingers(const ros2::sensor_msgs::JointState& message, Instant now);

  Duration stale_after_;
  Latest<ArmState> state_;
  Latest<FingerState> fingers_;
  Latest<Six> offset_;
  std::atomic<bool> gap_ = false;
};

}  // namespace tandem::ur3e
