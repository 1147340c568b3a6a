// SPDX-License-Identifier: Apache-2.0
// The Robotiq URCap of the virtual controller: the gripper's registers in front of its fingers.
#pragma once

#include "tandem/machines/ur3e/virtual/gripper.hpp"
#include "tandem/protocols/ur/gripper/gripper.hpp"

namespace tandem::ur3e {

class Hand final : public ur::gripper::Device {
 public:
  int read(ur::gripper::Variable variable) const override;
  void write(ur::gripper::Variable variable, int value) override;

  // One cycle: what the fingers are to do, from what they have done.
  void step(double dt, const GripperState& state, bool powered);
  const GripperCommand& command() const { return command_; }

 private:
  enum class Status { reset = 0, activating = 1, active = 3 };

  // The fingers have been asked for something that they do not do yet.
  bool asked() const { return status_ == Status::active && go_ && (!command_.go || wanted_ != command_.position); }

  Status status_ = Status::reset;
  GripperState state_;
  GripperCommand command_;
  bool activate_ = false;  // ACT
  bool go_ = false;        // GTO
  int wanted_ = 0;         // PRE
  int release_ = 0, release_direction_ = 0;
  double activating_ = 0;  // s
  int count_ = 0;
};

}  // namespace tandem::ur3e
