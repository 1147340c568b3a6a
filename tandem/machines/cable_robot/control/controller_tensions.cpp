// SPDX-License-Identifier: Apache-2.0
// The part of the controller that makes tensions of a set point, and keeps the measured ones near them.
#include <algorithm>
#include <cmath>

#include "tandem/base/linear.hpp"
#include "tandem/machines/cable_robot/control/controller.hpp"

namespace tandem::cable_robot {

cables::Twist Controller::correction(double dt) {
  const ControlState& state = step_.state;
  cables::Twist error, all;
  error << state.position_error, state.rotation_error;
  if (!reported_) {
    error.setZero();  // a guess is nothing to correct by
  } else if (options_.mode == WinchMode::length) {
    // How far the drums are behind is their own affair: taken off, so that only what the cables give way is left.
    cables::PerCable behind = step_.command.lengths - measured_;
    cables::Structure held = structure_;
    for (int i = 0; i < behind.size(); ++i) {
      if (!path_.border().given_up(i)) continue;
      behind[i] = 0;
      held.col(i).setZero();
    }
    const cables::Twist of_drums = solve_positive(cables::squared(held), cables::wrench_of(held, behind));
    if (of_drums.allFinite()) error += of_drums;
  }
  // The set point is smooth, so the derivative of the error serves: the measurement is minus the error, the target 0.
  for (int i = 0; i < 6; ++i) all[i] = pose_pid_[static_cast<std::size_t>(i)].step(0, -error[i], dt);
  return all;
}

void Controller::wish_tensions(double dt) {
  ControlState& state = step_.state;
  const SetPoint& at = state.set_point;
  const auto before = pose_pid_;
  const cables::Twist corrected = at.acceleration + correction(dt);
  structure_ = cables::structure(robot_, at.pose);
  const cables::Wrench weight = cables::weight(robot_, at.pose);
  const auto held_with = [&](const cables::Twist& acceleration) {
    const cables::Wrench outer = weight - cables::inertial_wrench(robot_, at.pose, at.velocity, acceleration);
    return cables::distribute(robot_, structure_, outer, path_.border().least(), path_.border().most(),
                              cut_ < 0 ? options_.aim : options_.lowering_aim);
  };
  cables::Distribution held = held_with(corrected);
  if (!held.feasible) {
    // What the cables cannot exert must not pile up in the outer loop.
    pose_pid_ = before;
    held = held_with(at.acceleration);
  }
  wanted_ = held.tensions;
  state.feasible = held.feasible;
  state.margin = held.margin;
  state.margin_cable = held.cable;
}

void Controller::blend_tensions(double dt) {
  // Both ends of the blend hold the platform, so all between them do.
  if (blend_ < 1) {
    const double change = (wanted_ - first_tensions_).cwiseAbs().maxCoeff();
    blend_ = change > 0 ? std::min(1.0, blend_ + options_.tension_rate * dt / change) : 1;
  }
  step_.state.tensions =
      blend_ < 1 ? cables::PerCable(first_tensions_ + blend_ * (wanted_ - first_tensions_)) : wanted_;
}

void Controller::trim(const WinchFeedback& feedback, double dt) {
  ControlState& state = step_.state;
  if (blend_ < 1 || state.slack != 0) return;
  cables::PerCable error = feedback.tensions - state.tensions;
  // Only what moves nothing: the part of the error that the cables pull against each other.
  const cables::Wrench share = solve_positive(cables::squared(structure_), cables::wrench_of(structure_, error));
  if (!share.allFinite()) return;
  error -= cables::along(structure_, share);
  state.trim_at_limit = false;
  for (int i = 0; i < trim_.size(); ++i) {
    const double stretch = error[i] * feedback.lengths[i] / robot_.design().stiffness;
    const double next = trim_[i] + options_.trim_rate * stretch * dt;
    trim_[i] = std::clamp(next, -options_.most_trim, options_.most_trim);
    state.trim_at_limit = state.trim_at_limit || std::abs(next) > options_.most_trim;
  }
}

}  // namespace tandem::cable_robot
