// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/control/machine_setup.hpp"

#include <algorithm>

#include "tandem/machines/raptorlift/options.hpp"

namespace tandem::raptorlift {

LinkOptions link_options_from(const machines::Setup& setup) {
  modbus::Peer peer = plc_address_from(setup.device);
  peer.pipelining = setup.options.flag("pipelining");
  return {.peer = peer,
          .description = description_from(setup.options),
          .times = times_from(setup.options),
          .truth = setup.options.flag("truth"),
          .one_request = setup.options.text("exchange") == "one_request",
          .tap = setup.tap};
}

SteeringOptions steering_options_from(const machines::Options& options) {
  const Description description = description_from(options);
  return {.geometry = description.geometry,
          .limits = description.limits,
          .base = base_point,
          .reduce_speed = options.flag("reduce_wheel_speed_until_steering_reached"),
          .steering_weight = options.flag("position_feedback") ? 1.0 : 0.0};
}

DriveOptions drive_options_from(const Description& description) {
  DriveOptions options;
  options.traction = description.traction;
  options.steering = description.steering;
  options.most_speed = traction_speed;
  options.steering_limit = description.geometry.steering_limit;
  options.brake_torque = description.plc.brake_torque / description.plc.scales.torque;
  options.brake_fade = description.plc.brake_fade;
  if (description.traction.proportional > 0)
    options.soft_fade = options.brake_torque / description.traction.proportional;
  options.soft_fade = std::max(options.soft_fade, options.brake_fade);
  const double radius = description.geometry.wheel_radius, mass = body::chassis_mass + 4 * body::wheel_mass;
  options.slowing = slowing_margin * options.brake_torque / (mass / 2 * radius * radius);
  return options;
}

FollowerOptions follower_options_from(const Description& description) {
  FollowerOptions options;
  options.most_curvature = kinematics::ackermann::most_curvature(description.geometry);
  options.acceleration = std::min(options.acceleration, description.limits.acceleration);
  return options;
}

FeedbackLimits feedback_limits_from(const Description& description) {
  FeedbackLimits limits;
  limits.angle = description.geometry.steering_limit + 0.1;
  limits.speed_jump = 32768 / description.plc.scales.velocity;
  return limits;
}

std::optional<FigureEight> task_from(const machines::Options& options) {
  if (options.text("task") != "figure_eight") return std::nullopt;
  return FigureEight(options.number("task_speed"), options.number("task_period"));
}

}  // namespace tandem::raptorlift
