// SPDX-License-Identifier: Apache-2.0
// A fleet's routes as one more input of the multiplexer.
#include "tandem/machines/raptorlift/control/machine.hpp"

namespace tandem::raptorlift {

// A route that comes while nothing may drive it is over, and so is one of an earlier arm.
void Machine::take_route() {
  if (const auto route = commands_.route.take()) {
    follower_.take(*route);
    if (route->enabled != state_.enabled) follower_.end("of an earlier arm");
  }
  if (state_.activity == Activity::driving && commander_ == Commander::internal) return;
  follower_.end(commander_ == Commander::internal ? "not armed" : "control: joint_commands");
  state_.route = follower_.progress();
}

// Whoever takes the truck out of the fleet's hands ends its route, also while the fleet is late: it must not drive on
// by itself when it is heard again.
void Machine::follow_route(double dt, Instant now) {
  const PathFollower::Seen seen{.X_odom_axle = controller_.X_odom_axle(),
                                .speed = state_.twist.vx,
                                .curvature = kinematics::ackermann::curvature_from_steering(
                                    description_.geometry, state_.measured.rear_right, state_.measured.rear_left),
                                .standstill = state_.at_standstill};
  if (const auto twist = follower_.step(seen, now, dt))
    mux_.take(VelocityInput::fleet, *twist, now);
  else
    mux_.drop(VelocityInput::fleet);
  const auto choice = mux_.choose(now);
  if (choice && choice->input < VelocityInput::fleet && follower_.holds_route()) {
    follower_.overrule(source(choice->input).name);
    mux_.drop(VelocityInput::fleet);
  }
  state_.route = follower_.progress();
}

}  // namespace tandem::raptorlift
