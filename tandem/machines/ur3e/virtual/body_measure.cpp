// SPDX-License-Identifier: Apache-2.0
// What the body's sensors say after a step, and what a controller would stop for.
#include <cmath>

#include "tandem/machines/ur3e/virtual/body.hpp"

namespace tandem::ur3e {
namespace {

constexpr int hand_part = 6;  // hand and fingers; below are the links

Eigen::Vector3d vector_from(std::span<const double> values) { return {values[0], values[1], values[2]}; }

}  // namespace

void Body::measure() {
  Measured& m = measured_;
  const Joints pushed = torque_of(world_.pose(links_[5]).translation(), push_);
  const Joints payload = payload_torque();
  for (std::size_t i = 0; i < 6; ++i) {
    m.position[i] = world_.position(joints_[i]);
    m.velocity[i] = world_.velocity(joints_[i]);
    m.acceleration[i] = world_.acceleration(joints_[i]);
    m.torque[i] = motor_torque_[i];
    m.current[i] = motor_torque_[i] / torque_per_ampere[i];
    m.external_torque[i] = world_.constraint_force(joints_[i]) + pushed[i] + payload[i];
  }
  m.tool0 = world_.pose(links_[5]);
  const Eigen::Matrix3d R = m.tool0.linear();
  const double unexplained = hand_mass_ - payload_.mass;
  const Eigen::Vector3d weight(0, 0, -gravity);
  const Eigen::Vector3d moment = R * (hand_mass_ * hand_centre_ - payload_.mass * payload_.centre);
  m.tool_force.force = contact_on_hand_.force + push_.force + unexplained * weight - R * zero_.force;
  m.tool_force.torque = contact_on_hand_.torque + push_.torque + moment.cross(weight) - R * zero_.torque;
  m.tool_acceleration = vector_from(world_.values(accelerometer_));
  m.flange = {vector_from(world_.values(flange_force_)), vector_from(world_.values(flange_torque_))};
  if (gripper_) m.gripper = gripper_->state();
  m.finding = {};
}

void Body::zero_force() {
  const Eigen::Matrix3d R = measured_.tool0.linear();
  zero_.force += R.transpose() * measured_.tool_force.force;
  zero_.torque += R.transpose() * measured_.tool_force.torque;
  measured_.tool_force = {};
}

void Body::measure_touches() {
  touches_.clear();
  contact_on_hand_ = {};
  const Eigen::Vector3d tool = world_.pose(links_[5]).translation();
  for (const sim::Contact& contact : world_.contacts()) {
    const int a = parts_[static_cast<std::size_t>(contact.a.index)];
    const int b = parts_[static_cast<std::size_t>(contact.b.index)];
    if (a < 0 && b < 0) continue;
    // Told from the outer part, on which b's force is contact.force and a's is the opposite.
    const bool of_b = b > a;
    const Eigen::Vector3d force = of_b ? contact.force : Eigen::Vector3d(-contact.force);
    if ((a == hand_part) != (b == hand_part)) {
      contact_on_hand_.force += force;
      contact_on_hand_.torque += (contact.position - tool).cross(force);
    }
    if (touches_.size() < touches_.capacity())
      touches_.push_back({world_.name(of_b ? contact.b : contact.a), world_.name(of_b ? contact.a : contact.b),
                          contact.position, force, contact.normal});
  }
}

void Body::find_trouble() {
  using Kind = Finding::Kind;
  const auto touching = [this](auto matches) {
    const Touch* hardest = nullptr;
    for (const Touch& touch : touches_)
      if (matches(touch) && (!hardest || touch.normal > hardest->normal)) hardest = &touch;
    return hardest;
  };
  const auto of_hand = [](const Touch& touch) {
    return touch.part == hand::link || touch.part == hand::finger_links[0] || touch.part == hand::finger_links[1];
  };
  Finding& finding = measured_.finding;
  const Touch* on_link = touching([&](const Touch& touch) { return !of_hand(touch); });
  const Touch* on_hand = touching(of_hand);
  const double tool = measured_.tool_force.force.norm();
  if (on_link && on_link->normal > guards_.touch_force) {
    finding = {Kind::collision, -1, on_link->part, on_link->other, on_link->normal, guards_.touch_force};
    return;
  }
  if (tool > guards_.tool_force) {
    finding = {Kind::collision,   -1, on_hand ? on_hand->part : hand::link, on_hand ? on_hand->other : "", tool,
               guards_.tool_force};
    return;
  }
  const Touch* any = on_link ? on_link : on_hand;
  for (std::size_t i = 0; i < 6; ++i) {
    const double external = std::abs(measured_.external_torque[i]);
    const int joint = static_cast<int>(i);
    if (external > guards_.external_torque[i]) {
      finding = {Kind::collision, joint, joint_names[i], any ? any->other : "", external, guards_.external_torque[i]};
      return;
    }
    if (saturated_[i] >= guards_.overload_time) {
      finding = {Kind::overload, joint, joint_names[i], "", std::abs(measured_.torque[i]), arm_model.torque[i]};
      return;
    }
  }
}

}  // namespace tandem::ur3e
