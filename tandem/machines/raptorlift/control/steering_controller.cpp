// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/control/steering_controller.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tandem::raptorlift {

namespace ackermann = kinematics::ackermann;

SteeringController::SteeringController(const SteeringOptions& options)
    : options_(options), most_speed_(options.limits.speed), odometry_(axle_from_base({})) {}

ackermann::PlanarPose SteeringController::axle_from_base(const ackermann::PlanarPose& X_odom_base) const {
  return X_odom_base * ackermann::PlanarPose{-options_.base.x, -options_.base.y, 0};
}

Result<SteeringController::Output> SteeringController::step(const std::optional<ackermann::Twist>& reference,
                                                            const ackermann::Wheels& measured, double dt) {
  const ackermann::Twist wanted = reference.value_or(ackermann::Twist{});
  // Checks the numbers, and knows the turn that goes with them.
  auto asked = ackermann::wheels_from_twist(options_.geometry, wanted, curvature_);
  if (!asked) return std::move(asked).error();
  const double curvature = asked->curvature;
  double most = std::min(options_.limits.speed, most_speed_);
  if (curvature != 0) most = std::min(most, options_.limits.turn / std::abs(curvature));
  // The turn follows the speed along one arc: v and w each on its own would have the wheels wander between two arcs.
  const double v = std::clamp(wanted.v, -most, most);
  auto slower = ackermann::limited(options_.limits, {v, last_.w}, last_, dt);
  if (!slower) return std::move(slower).error();
  // What the speed does to the turn on the arc the truck is on is not limited again, or a stop would tighten the arc.
  const ackermann::Twist on_arc{slower->v, slower->v * curvature_};
  auto now = ackermann::limited(options_.limits, {slower->v, slower->v * curvature}, on_arc, dt);
  if (!now) return std::move(now).error();
  if (now->v == 0) now->w = 0;
  auto command = ackermann::wheels_from_twist(options_.geometry, *now, curvature);
  if (!command) return std::move(command).error();
  Output output{command->wheels, command->twist, command->middle_angle, asked->at_limit};
  if (options_.reduce_speed) {
    const double there = ackermann::curvature_from_steering(options_.geometry, measured.rear_right, measured.rear_left);
    const double share =
        ackermann::speed_until_steered(output.angle, ackermann::middle_angle(options_.geometry, there));
    output.wheels.front_right *= share;
    output.wheels.front_left *= share;
  }
  last_ = command->twist;
  curvature_ = command->curvature;
  return output;
}

void SteeringController::rest(const ackermann::Wheels& measured) {
  last_ = {};
  curvature_ = ackermann::curvature_from_steering(options_.geometry, measured.rear_right, measured.rear_left);
}

Result<void> SteeringController::observe(const ackermann::Wheels& measured, double dt) {
  auto estimate = ackermann::twist_from_wheels(options_.geometry, measured, options_.steering_weight);
  if (!estimate) return std::move(estimate).error();
  slip_ = estimate->slip;
  return odometry_.advance(estimate->twist, dt);
}

void SteeringController::place(const ackermann::PlanarPose& X_odom_base) {
  odometry_.place(axle_from_base(X_odom_base));
}

}  // namespace tandem::raptorlift
