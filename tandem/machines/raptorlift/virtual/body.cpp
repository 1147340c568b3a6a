// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/virtual/body.hpp"

#include <algorithm>
#include <cmath>

namespace tandem::raptorlift {

Body::Body(const Description& truck, const ModelOptions& options)
    : geometry_(truck.geometry),
      world_(mjcf(truck, options)),
      truck_(world_.body("truck")),
      rolling_{world_.joint("rear_right_wheel_joint"), world_.joint("rear_left_wheel_joint")},
      wheels_{world_.body("front_right_wheel"), world_.body("front_left_wheel"), world_.body("rear_right_wheel"),
              world_.body("rear_left_wheel")} {
  for (std::size_t i = 0; i < 4; ++i) {
    axes_[i] = world_.joint(joint_names[i]);
    motors_[i] = world_.actuator(joint_names[i]);
  }
  observe();
  look();
}

void Body::torques(const Axes& torques) {
  for (std::size_t i = 0; i < 4; ++i) world_.control(motors_[i], torques[i]);
}

bool Body::step() {
  if (!world_.step()) return false;
  const auto before = state_.axle;
  observe();
  state_.distance += std::hypot(state_.axle.x - before.x, state_.axle.y - before.y);
  return true;
}

void Body::observe() {
  for (std::size_t i = 0; i < 4; ++i) {
    state_.angles[i] = world_.position(axes_[i]);
    state_.speeds[i] = world_.velocity(axes_[i]);
  }
  const Pose X_world_truck = world_.pose(truck_);
  const double yaw = std::atan2(X_world_truck.linear()(1, 0), X_world_truck.linear()(0, 0));
  const Eigen::Vector3d middle = X_world_truck * Eigen::Vector3d(body::front_axle, 0, 0);
  state_.axle = {middle.x() - body::front_axle, middle.y(), yaw};  // it was at the origin at first
  const sim::Twist twist = world_.twist(truck_);
  const double forward = std::cos(yaw) * twist.linear.x() + std::sin(yaw) * twist.linear.y();
  const double sideways = -std::sin(yaw) * twist.linear.x() + std::cos(yaw) * twist.linear.y();
  const double w = twist.angular.z();
  state_.twist = {forward, sideways + w * body::front_axle, w};
}

// Of the point where a wheel touches the ground: what its hub does less what its rolling takes away.
double Body::slip() const {
  double fastest = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    const double x = steers(i) ? -geometry_.wheelbase : 0;  // from the traction axle's middle
    const double track = steers(i) ? geometry_.steering_track : geometry_.traction_track;
    const double y = (i % 2 == 0 ? -1 : 1) * track / 2;
    const double vx = state_.twist.vx - state_.twist.w * y;
    const double vy = state_.twist.vy + state_.twist.w * x;
    const double heading = steers(i) ? -state_.angles[i] : 0;
    const double rolling =
        geometry_.wheel_radius * (steers(i) ? world_.velocity(rolling_[i - first_steering_axis]) : state_.speeds[i]);
    const double along = std::cos(heading) * vx + std::sin(heading) * vy - rolling;
    const double across = -std::sin(heading) * vx + std::cos(heading) * vy;
    fastest = std::max(fastest, std::hypot(along, across));
  }
  return fastest;
}

Axes Body::loads() const {
  Axes all{};
  for (const sim::Contact& contact : world_.contacts())
    for (std::size_t i = 0; i < 4; ++i)
      if (contact.a.index == wheels_[i].index || contact.b.index == wheels_[i].index) all[i] += contact.normal;
  return all;
}

}  // namespace tandem::raptorlift
