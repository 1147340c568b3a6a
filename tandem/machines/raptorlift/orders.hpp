// What others want of the truck, on its way from their threads to the machine's: newest wins.
#pragma once

#include <array>

#include "tandem/base/latest.hpp"
#include "tandem/kinematics/ackermann_odometry.hpp"
#include "tandem/machines/raptorlift/velocity_mux.hpp"

namespace tandem::raptorlift {

struct TwistOrder {
  kinematics::ackermann::Twist twist;
  Instant at{};  // when it was heard
};

struct JointOrder {
  kinematics::ackermann::Wheels wheels;
  Instant at{};
};

// Values in them are finite and in range; whoever posts has checked that.
struct Orders {
  std::array<Mailbox<TwistOrder>, velocity_input_count> twists;  // by VelocityInput
  Mailbox<JointOrder> joints;
  Mailbox<int> gear;
  Mailbox<kinematics::ackermann::PlanarPose> place;  // where the base frame is said to stand in odom

  void post(VelocityInput input, const TwistOrder& order) { twists[static_cast<std::size_t>(input)].post(order); }
};

}  // namespace tandem::raptorlift
