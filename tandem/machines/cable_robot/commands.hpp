// SPDX-License-Identifier: Apache-2.0
// What others want of the robot, on its way from their threads to the machine's: newest wins.
#pragma once

#include "tandem/base/latest.hpp"
#include "tandem/machines/cable_robot/state.hpp"

namespace tandem::cable_robot {

struct PoseCommand {
  PoseNumbers pose = level_pose;  // world
  Instant at{};                   // when it was received
};

struct MotionCommand {
  std::array<double, 6> values{};  // m/s and rad/s, or m/s^2 and rad/s^2; world axes
  Instant at{};
};

struct TensionCommand {
  CableNumbers tensions{};  // N
  Instant at{};
};

// Numbers in them are finite, and poses are poses; the poster has checked that.
struct Commands {
  Mailbox<PoseCommand> pose;
  Mailbox<MotionCommand> velocity, acceleration;  // feed-forward beside the pose
  Mailbox<TensionCommand> tensions;
};

}  // namespace tandem::cable_robot
