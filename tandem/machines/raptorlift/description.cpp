// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/description.hpp"

#include <algorithm>

namespace tandem::raptorlift {
namespace {

constexpr std::array<std::string_view, axis_count> target_names = {
    "front_right speed_limit", "front_left speed_limit", "rear_right target_position", "rear_left target_position"};
constexpr std::array<std::string_view, axis_count> torque_names = {
    "front_right target_torque", "front_left target_torque", "rear_right target_torque", "rear_left target_torque"};
constexpr std::array<std::string_view, axis_count> feedback_names = {
    "front_right rotation_speed", "front_left rotation_speed", "rear_right actual_position",
    "rear_left actual_position"};

// Feedback beyond these is no truck's: five times what a wheel does, and well past the steering's stop.
constexpr double plausible_speed = 5 * traction_speed;  // rad/s
constexpr double plausible_angle = 1.0;                 // rad more than the limit

double sign_of(const Plc& plc, std::size_t axis) {
  const bool flipped = steers(axis) && plc.flip_steering;
  return flipped ? -plc.motor_directions[axis] : plc.motor_directions[axis];
}

// N m: driving or braking, whichever is larger.
double most_traction(const Description& description) {
  return std::max(description.traction.output_limit, description.plc.brake_torque / description.plc.scales.torque);
}

}  // namespace

std::array<double, 3> wheel_place(const Description& description, std::size_t axis) {
  const auto& geometry = description.geometry;
  const double track = steers(axis) ? geometry.steering_track : geometry.traction_track;
  const double side = axis % 2 == 0 ? -0.5 : 0.5;  // right, left
  return {steers(axis) ? body::front_axle - geometry.wheelbase : body::front_axle, side * track, -body::wheel_drop};
}

double gear_speed(int gear) {
  constexpr double slowest = 0.05, fastest = 1.0;  // m/s
  return slowest + (fastest - slowest) * (std::clamp(gear, 1, most_gear) - 1) / (most_gear - 1);
}

std::array<CommandRow, axis_count> command_registers(const Description& description) {
  const Plc& plc = description.plc;
  std::array<CommandRow, axis_count> rows;
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    const auto address = static_cast<std::uint16_t>(registers::command_start + 4 * axis);
    const double torque = steers(axis) ? description.steering.output_limit : most_traction(description);
    Register& target = rows[axis].target;
    if (steers(axis)) {
      const double most = description.geometry.steering_limit;
      target = {target_names[axis], address, true, plc.scales.position, sign_of(plc, axis), "rad", -most, most};
    } else {
      // A limit has no direction.
      target = {target_names[axis], address, false, plc.scales.speed_limit, 1, "rad/s", 0, traction_speed};
    }
    rows[axis].torque = {torque_names[axis],
                         static_cast<std::uint16_t>(address + 2),
                         true,
                         plc.scales.torque,
                         sign_of(plc, axis),
                         "N m",
                         -torque,
                         torque};
  }
  return rows;
}

std::array<Register, axis_count> feedback_registers(const Description& description) {
  const Plc& plc = description.plc;
  std::array<Register, axis_count> rows;
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    const auto address = static_cast<std::uint16_t>(registers::feedback_start + 2 * axis);
    const double most = steers(axis) ? description.geometry.steering_limit + plausible_angle : plausible_speed;
    const double scale = steers(axis) ? plc.scales.position : plc.scales.velocity;
    const std::string_view unit = steers(axis) ? "rad" : "rad/s";
    rows[axis] = {feedback_names[axis], address, true, scale, sign_of(plc, axis), unit, -most, most};
  }
  return rows;
}

}  // namespace tandem::raptorlift
