// SPDX-License-Identifier: Apache-2.0
// What the cable robot's bridge knows of the robot, as one value that threads can hand over.
#pragma once

#include <array>
#include <cstdint>

#include "tandem/base/clock.hpp"
#include "tandem/base/quality.hpp"
#include "tandem/base/short_text.hpp"
#include "tandem/machines/cable_robot/control/controller.hpp"

namespace tandem::cable_robot {

using PoseNumbers = std::array<double, 7>;                     // x, y, z, qx, qy, qz, qw
using CableNumbers = std::array<double, cables::most_cables>;  // as many as there are cables
inline constexpr PoseNumbers level_pose = {0, 0, 0, 0, 0, 0, 1};

inline PoseNumbers numbers_of(const Pose& X) {
  const Eigen::Quaterniond q = Eigen::Quaterniond(X.linear()).normalized();
  return {X.translation().x(), X.translation().y(), X.translation().z(), q.x(), q.y(), q.z(), q.w()};
}
// Of numbers that are a pose.
inline Pose pose_of(const PoseNumbers& n) {
  Pose X = Pose::Identity();
  X.linear() = Eigen::Quaterniond(n[6], n[3], n[4], n[5]).normalized().toRotationMatrix();
  X.translation() = Eigen::Vector3d(n[0], n[1], n[2]);
  return X;
}
inline CableNumbers numbers_of(const cables::PerCable& values) {
  CableNumbers numbers{};
  for (Eigen::Index i = 0; i < values.size(); ++i) numbers[static_cast<std::size_t>(i)] = values[i];
  return numbers;
}

inline constexpr const char* task_input = "task";  // State::input while our own task moves the platform

// Who commands the winches; the others are refused.
enum class Commander : std::uint8_t {
  pose,      // our controller, told where the platform shall be
  tensions,  // another client's controller, with a tension for each cable
};

struct State {
  int cables = 0;
  CableNumbers lengths{};   // m, measured: unwound and unstretched
  CableNumbers speeds{};    // m/s, positive unwinds
  CableNumbers tensions{};  // N, measured
  CableNumbers wanted{};    // N, tensions
  std::array<std::uint16_t, cables::most_cables> flags{};

  PoseNumbers pose = level_pose;  // estimated, world
  bool pose_known = false;
  double residual = 0;              // m: how badly the lengths fit together
  PoseNumbers target = level_pose;  // where it shall be in the end
  bool has_target = false;
  PoseNumbers set_point = level_pose;
  std::array<double, 6> set_velocity{};           // m/s, rad/s
  double tracking_error = 0, tracking_angle = 0;  // m, rad: from the set point to the estimate
  double margin = 0;                              // N, of the wanted tensions to the nearest bound
  int margin_cable = -1;
  bool feasible = false;
  bool arrived = false, at_border = false;
  std::uint16_t slack = 0;  // one bit for each cable
  std::uint64_t recoveries = 0;

  bool compared = false;  // with where a virtual platform really is; then:
  PoseNumbers truth = level_pose;
  PoseNumbers compared_pose = level_pose;         // the estimate at that moment
  double estimate_error = 0, estimate_angle = 0;  // m, rad: from the estimate to the truth
  double true_error = 0;                          // m: from the set point to the truth

  Activity activity = Activity::idle;
  Finding finding = Finding::fine;
  bool enabled = false;              // the winches are, as far as we know
  WinchMode mode = WinchMode::hold;  // as the winches have it
  ShortText<16> input;               // who says where to go: "desired_pose", "task", ...
  ShortText<160> stopped;            // why it was stopped last
  ShortText<160> refusal;            // of the last target that was refused
  std::uint64_t refused = 0;         // targets

  std::uint64_t samples = 0;
  std::uint64_t rejected = 0;   // samples that were not believed
  std::uint64_t jumps = 0;      // of them: torn values, most likely
  std::uint64_t timeouts = 0;   // requests that were not answered in time
  std::uint64_t late = 0;       // answers that came after that, or to no one
  std::uint64_t saturated = 0;  // commands that did not fit their registers
  Instant live_at{};            // when the last live sample was received
  Quality quality = Quality::invalid;
  ShortText<160> why;  // when not live
};

}  // namespace tandem::cable_robot
