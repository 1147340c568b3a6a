// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/body.hpp"

#include <algorithm>
#include <cmath>

namespace tandem::ur3e {
namespace {

// The servo's natural frequency: stiff enough for a tenth of a milliradian, slow enough for steps of 2 ms.
constexpr double servo_frequency = 100;  // rad/s
constexpr double brake_strength = 1.5;   // times the most motor torque
constexpr double brake_give = 0.002;     // rad, before a brake slips

}  // namespace

Body::Body(const ModelOptions& options)
    : world_(mjcf(options)),
      hand_(world_.body(hand::link)),
      flange_force_(world_.sensor("flange_force")),
      flange_torque_(world_.sensor("flange_torque")),
      accelerometer_(world_.sensor("tool_acceleration")),
      parts_(static_cast<std::size_t>(world_.bodies()), -1),
      hand_mass_(options.gripper ? hand::mass() : bare_flange_mass),
      hand_centre_(options.gripper ? hand::centre() : Eigen::Vector3d::Zero()) {
  for (std::size_t i = 0; i < 6; ++i) {
    joints_[i] = world_.joint(joint_names[i]);
    motors_[i] = world_.actuator(joint_names[i]);
    links_[i] = world_.body(link_names[i]);
    parts_[static_cast<std::size_t>(links_[i].index)] = static_cast<int>(i);
  }
  if (options.gripper) gripper_.emplace(world_);
  for (std::size_t i = 0; i < 3 && options.surroundings == Surroundings::cubes; ++i)
    cubes_[i] = world_.body(cube_names[i]);
  const int beyond_links = 6;
  parts_[static_cast<std::size_t>(hand_.index)] = beyond_links;
  for (const std::string_view finger : hand::finger_links)
    if (gripper_) parts_[static_cast<std::size_t>(world_.body(finger).index)] = beyond_links;
  touches_.reserve(128);
  reset();
}

void Body::reset() {
  world_.reset();
  if (gripper_) gripper_->reset(world_);
  push_ = {};
  zero_ = {};
  stand(home());
}

void Body::stand(const Joints& position) {
  for (std::size_t i = 0; i < 6; ++i) {
    world_.place(joints_[i], position[i]);
    world_.control(motors_[i], 0);
  }
  world_.update();
  drive_ = Drive::off;
  motor_torque_.setZero();
  forget_motion();
  contact_on_hand_ = {};
  touches_.clear();
  measure();
}

// Starts servo and brakes afresh from where the arm is.
void Body::forget_motion() {
  for (std::size_t i = 0; i < 6; ++i) {
    locked_[i] = world_.position(joints_[i]);
    step_speed_[i] = world_.velocity(joints_[i]);
  }
  reference_ = locked_;
  reference_speed_ = step_speed_;
  saturated_.setZero();
}

bool Body::step(const Command& command) {
  if (command.drive != drive_) {
    const bool both_braked = command.drive <= Drive::braked && drive_ <= Drive::braked;
    drive_ = command.drive;
    if (!both_braked) forget_motion();
  }
  apply(command);
  if (gripper_) gripper_->drive(world_, command.gripper, command.drive != Drive::off);
  apply_push();
  if (!world_.step()) return false;
  if (gripper_) gripper_->measure(world_);
  measure_touches();
  measure();
  find_trouble();
  return true;
}

// The step ends at a speed that lasts the whole step, so that position is met exactly by the mean of the speeds at its
// two ends.
Joints Body::wanted_acceleration(const Command& command) {
  Joints wanted;
  for (std::size_t i = 0; i < 6; ++i) {
    const double speed = (command.velocity[i] + reference_speed_[i]) / 2;
    wanted[i] = (speed - step_speed_[i]) / timestep() +
                2 * servo_frequency * (step_speed_[i] - world_.velocity(joints_[i])) +
                servo_frequency * servo_frequency * (reference_[i] - world_.position(joints_[i]));
    step_speed_[i] = speed;
  }
  reference_ = command.position;
  reference_speed_ = command.velocity;
  return wanted;
}

// A stiff spring to where the brake grips; when it is stretched too far, the brake slips after it.
Joints Body::brake_acceleration() {
  Joints wanted;
  for (std::size_t i = 0; i < 6; ++i) {
    const double position = world_.position(joints_[i]);
    locked_[i] = std::clamp(locked_[i], position - brake_give, position + brake_give);
    wanted[i] =
        servo_frequency * servo_frequency * (locked_[i] - position) - 2 * servo_frequency * world_.velocity(joints_[i]);
  }
  return wanted;
}

Joints Body::torque_of(const Eigen::Vector3d& point, const Wrench& wrench) const {
  Joints torque;
  for (std::size_t i = 0; i < 6; ++i) {
    const Pose link = world_.pose(links_[i]);
    torque[i] = link.linear().col(2).dot((point - link.translation()).cross(wrench.force) + wrench.torque);
  }
  return torque;
}

// What the motors hold too much because the believed payload is not what hangs there.
Joints Body::payload_torque() const {
  const Pose tool = world_.pose(links_[5]);
  const Joints believed =
      torque_of(tool * payload_.centre, {Eigen::Vector3d(0, 0, gravity * payload_.mass), {0, 0, 0}});
  const Joints real = torque_of(tool * hand_centre_, {Eigen::Vector3d(0, 0, gravity * hand_mass_), {0, 0, 0}});
  return believed - real;
}

void Body::apply(const Command& command) {
  const bool braked = command.drive <= Drive::braked;
  Joints acceleration = Joints::Zero();
  if (braked) acceleration = brake_acceleration();
  if (command.drive == Drive::servo) acceleration = wanted_acceleration(command);
  Joints torque;
  world_.forces_for(joints_, {acceleration.data(), 6}, {torque.data(), 6});
  if (braked) {
    motor_torque_.setZero();
    for (std::size_t i = 0; i < 6; ++i) {
      const double most = brake_strength * arm_model.torque[i];
      world_.control(motors_[i], std::clamp(torque[i], -most, most));
    }
    return;
  }
  const Joints payload = payload_torque();
  for (std::size_t i = 0; i < 6; ++i) {
    torque[i] += payload[i];
    // Guided by hand or by torque, the arm feels its own friction.
    if (command.drive != Drive::servo) torque[i] -= joint_damping[i] * world_.velocity(joints_[i]);
    if (command.drive == Drive::torque) torque[i] += command.torque[i];
    motor_torque_[i] = std::clamp(torque[i], -arm_model.torque[i], arm_model.torque[i]);
    const bool full = motor_torque_[i] != torque[i];
    saturated_[i] = full && command.drive == Drive::servo ? saturated_[i] + timestep() : 0;
    world_.control(motors_[i], motor_torque_[i]);
  }
}

void Body::apply_push() {
  const Pose tool = world_.pose(links_[5]);
  const Eigen::Vector3d centre =
      world_.pose(hand_) * (gripper_ ? hand::inertia().centre : Eigen::Vector3d::Zero().eval());
  world_.push(hand_, push_.force, push_.torque + (tool.translation() - centre).cross(push_.force));
}

}  // namespace tandem::ur3e
