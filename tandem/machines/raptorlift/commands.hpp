// SPDX-License-Identifier: Apache-2.0
// What others want of the truck, on its way from their threads to the machine's: newest wins.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "tandem/base/clock.hpp"
#include "tandem/base/latest.hpp"
#include "tandem/base/short_text.hpp"
#include "tandem/kinematics/ackermann/odometry.hpp"
#include "tandem/machines/raptorlift/route_command.hpp"
#include "tandem/machines/raptorlift/velocity_inputs.hpp"

namespace tandem::raptorlift {

struct TwistCommand {
  kinematics::ackermann::Twist twist;
  Instant at{};  // when it was received
};

struct JointCommand {
  kinematics::ackermann::Wheels wheels;
  Instant at{};
};

// Values in them are finite and in range; the poster has checked that.
struct Commands {
  std::array<Mailbox<TwistCommand>, velocity_input_count> twists;  // by VelocityInput
  Mailbox<JointCommand> joints;
  RouteMailbox route;
  Mailbox<int> gear;
  Mailbox<ShortText<120>> disarm;                    // why; asked of the arm latch if the truck may drive
  Mailbox<kinematics::ackermann::PlanarPose> place;  // where the base frame is said to be in odom
  // Actions of an order that wait for a person at the truck, and how often one has confirmed.
  std::atomic<std::size_t> awaited{0};
  std::atomic<std::uint64_t> confirmed{0};

  void post(VelocityInput input, const TwistCommand& order) { twists[static_cast<std::size_t>(input)].post(order); }
};

}  // namespace tandem::raptorlift
