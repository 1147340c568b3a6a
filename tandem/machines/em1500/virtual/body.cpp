// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/virtual/body.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/machines/em1500/description.hpp"

namespace tandem::em1500 {

Body::Body(const ModelOptions& options)
    : world_(mjcf(geometry(), home_pose(), stroke, options)), top_(world_.body("top")) {
  for (std::size_t i = 0; i < 6; ++i) {
    const std::size_t number = i + 1;
    legs_[i] = {world_.joint(fmt::format("sway_{}", number)), world_.joint(fmt::format("swing_{}", number)),
                world_.joint(fmt::format("leg_{}", number)), world_.actuator(fmt::format("drive_{}", number)),
                world_.body(fmt::format("rod_{}", number))};
  }
}

void Body::stand(const Pose& X_base_top) {
  world_.reset();
  world_.place(top_, X_base_top);
  const Pose home = home_pose();
  for (std::size_t i = 0; i < 6; ++i) {
    const Pose X_base_leg = leg_frame(geometry(), home, static_cast<int>(i));
    const Eigen::Vector3d tip = X_base_leg.inverse() * (X_base_top * geometry().top[i]);
    const Eigen::Vector3d along = tip.normalized();
    // The hinges turn about x, then about y: Rx(sway) Ry(swing) z = along.
    world_.place(legs_[i].sway, std::atan2(-along.y(), along.z()));
    world_.place(legs_[i].swing, std::asin(std::clamp(along.x(), -1.0, 1.0)));
    const double displacement = tip.norm() - (home * geometry().top[i] - geometry().base[i]).norm();
    world_.place(legs_[i].slide, displacement);
    world_.control(legs_[i].drive, displacement);
  }
  world_.update();
}

void Body::command(const stewart::Lengths& displacements, const stewart::Lengths& velocities) {
  for (std::size_t i = 0; i < 6; ++i) world_.control(legs_[i].drive, displacements[i] + leg_lead * velocities[i]);
}

bool Body::step() { return world_.step(); }

stewart::Lengths Body::displacements() const {
  stewart::Lengths all{};
  for (std::size_t i = 0; i < 6; ++i) all[i] = world_.position(legs_[i].slide);
  return all;
}

stewart::Lengths Body::velocities() const {
  stewart::Lengths all{};
  for (std::size_t i = 0; i < 6; ++i) all[i] = world_.velocity(legs_[i].slide);
  return all;
}

stewart::Lengths Body::forces() const {
  stewart::Lengths all{};
  for (std::size_t i = 0; i < 6; ++i) all[i] = world_.force(legs_[i].drive);
  return all;
}

Pose Body::pose() const { return world_.pose(top_); }

double Body::opening() const {
  const Pose X_base_top = pose();
  double largest = 0;
  for (std::size_t i = 0; i < 6; ++i)
    largest = std::max(largest, (world_.pose(legs_[i].rod).translation() - X_base_top * geometry().top[i]).norm());
  return largest;
}

}  // namespace tandem::em1500
