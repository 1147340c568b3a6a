// SPDX-License-Identifier: Apache-2.0
// What the bridge makes of one sample: set points, commands, and when to end the motion.
#include <fmt/format.h>

#include <algorithm>

#include "tandem/machines/cable_robot/control/machine.hpp"

namespace tandem::cable_robot {
namespace {

constexpr Duration longest_lowering = 30s;  // of a platform with a cut cable; then the winches hold
constexpr double at_rest = 1e-6;            // m/s and rad/s, of the set point

std::array<double, 6> six_of(const cables::Twist& twist) {
  return {twist[0], twist[1], twist[2], twist[3], twist[4], twist[5]};
}

cables::Twist twist_of(const std::array<double, 6>& six) {
  return (cables::Twist() << six[0], six[1], six[2], six[3], six[4], six[5]).finished();
}

// A reference that moves on since it was received.
SetPoint moved_on(const PoseCommand& order, const cables::Twist& velocity, const cables::Twist& acceleration,
                  double age) {
  SetPoint point;
  point.velocity = velocity + age * acceleration;
  point.acceleration = acceleration;
  const cables::Twist mean = velocity + 0.5 * age * acceleration;
  const Pose from = pose_of(order.pose);
  point.pose.translation() = from.translation() + age * mean.head<3>();
  point.pose.linear() = quaternion_from_rotation_vector(age * mean.tail<3>()).toRotationMatrix() * from.linear();
  return point;
}

}  // namespace

void Machine::control(double dt, Instant now) {
  const bool moves = phase_ == Phase::driving || phase_ == Phase::braking;
  if (commander_ == Commander::tensions) {
    (void)controller_.step(feedback_, dt, false);
    if (moves) follow_tensions(now);
    return;
  }
  if (phase_ == Phase::driving) take_orders(dt, now);
  const Step& step = controller_.step(feedback_, dt, moves);
  if (!moves) return;
  reported_ = step.command;
  has_command_ = true;
  judge_motion();
}

void Machine::take_orders(double dt, Instant now) {
  if (controller_.last().state.activity == Activity::lowering) return forget_orders();
  if (const auto order = commands_.velocity.take()) velocity_ = *order;
  if (const auto order = commands_.acceleration.take()) acceleration_ = *order;
  if (velocity_ && now - velocity_->at > command_age_) velocity_.reset();
  if (acceleration_ && now - acceleration_->at > command_age_) acceleration_.reset();
  const auto order = commands_.pose.take();
  if (order) {
    reference_ = *order;
    state_.input = "desired pose";
  }
  const bool tensioning = controller_.last().state.activity == Activity::tensioning;  // nothing is followed yet
  // A pose that no one says any more does not move on: it stays where the path has it as its goal.
  const bool moves_on = reference_ && velocity_ && now - reference_->at <= command_age_;
  if (moves_on && !tensioning) {
    const cables::Twist rate = acceleration_ ? twist_of(acceleration_->values) : cables::Twist::Zero();
    const double age = seconds(now - reference_->at);
    if (auto followed = controller_.follow(moved_on(*reference_, twist_of(velocity_->values), rate, age)); !followed)
      refuse("reference", followed.error());
    return;
  }
  if (order) {
    const auto goal = controller_.target(pose_of(order->pose));
    if (!goal) return refuse("desired pose", goal.error());
    state_.target = numbers_of(*goal);
    state_.has_target = true;
    state_.refusal = {};
    return;
  }
  if (!task_ || reference_) return;
  state_.input = task_input;
  if (tensioning) return;
  if (auto followed = controller_.follow(task_->step(dt)); !followed) refuse("task", followed.error());
}

// What is said in every cycle counts once, as long as the reason stays.
void Machine::refuse(std::string_view who, const Error& error) {
  const std::string text = fmt::format("{}: refused: {}", who, error.text);
  if (who != "desired pose" && state_.refusal.view() == text) return;
  ++state_.refused;
  state_.refusal = text;
}

// Tensions of another client's controller, within the robot's range. When they end, the cables stay as long as they
// are.
void Machine::follow_tensions(Instant now) {
  if (const auto order = commands_.tensions.take()) tensions_ = *order;
  if (tensions_ && now - tensions_->at > command_age_) tensions_.reset();
  const cables::TensionRange& range = robot_.design().tension;
  const bool was_tension = has_command_ && reported_.mode == WinchMode::tension;
  if (tensions_ || was_tension || !has_command_) reported_.lengths = feedback_.lengths;
  reported_.mode = tensions_ ? WinchMode::tension : WinchMode::length;
  reported_.speeds.setZero(robot_.cables());
  reported_.tensions.setConstant(robot_.cables(), range.least);
  for (int i = 0; tensions_ && i < robot_.cables(); ++i)
    reported_.tensions[i] = std::clamp(tensions_->tensions[static_cast<std::size_t>(i)], range.least, range.most);
  has_command_ = true;
  state_.input = tensions_ ? "cable_command" : "";
}

void Machine::judge_motion() {
  const ControlState& seen = controller_.last().state;
  if (seen.activity == Activity::stopped) {
    std::string why(seen.why.view());
    if (why.empty()) why = fmt::format("cable{}: {}", seen.cable, name(seen.finding));
    return hold(ask_stop(std::move(why)));
  }
  if (seen.activity == Activity::lowering) {
    if (lowering_since_ == Instant{}) lowering_since_ = measured_at_;
    state_.stopped = seen.why;
    if (measured_at_ - lowering_since_ < longest_lowering) return;
    return hold(ask_stop(fmt::format("{}; timed out", seen.why.view())));
  }
  if (phase_ == Phase::braking && seen.set_point.velocity.cwiseAbs().maxCoeff() <= at_rest)
    hold(std::string(state_.stopped.view()));
}

void Machine::compare(const WinchTruth& truth) {
  state_.truth = truth.pose;
  state_.compared_pose = state_.pose;
  state_.compared = true;
  const Pose X_true = pose_of(truth.pose), X_estimated = pose_of(state_.pose);
  state_.estimate_error = (X_true.translation() - X_estimated.translation()).norm();
  state_.estimate_angle = angle_between(Eigen::Quaterniond(X_true.linear()), Eigen::Quaterniond(X_estimated.linear()));
  state_.true_error = (X_true.translation() - pose_of(state_.set_point).translation()).norm();
}

void Machine::fill_state() {
  const ControlState& seen = controller_.last().state;
  state_.lengths = numbers_of(feedback_.lengths);
  state_.speeds = numbers_of(feedback_.speeds);
  state_.tensions = numbers_of(feedback_.tensions);
  state_.flags = feedback_.flags;
  state_.enabled = feedback_.enabled;
  state_.pose_known = seen.pose_known;
  if (seen.pose_known) state_.pose = numbers_of(seen.X_world_platform);
  state_.residual = seen.residual;
  const bool moves = phase_ == Phase::driving || phase_ == Phase::braking;
  const bool controlled = moves && commander_ == Commander::pose;
  state_.wanted = moves ? numbers_of(reported_.tensions) : CableNumbers{};
  state_.set_point = controlled ? numbers_of(seen.set_point.pose) : state_.pose;
  state_.set_velocity = controlled ? six_of(seen.set_point.velocity) : std::array<double, 6>{};
  state_.tracking_error = controlled ? seen.position_error.norm() : 0;
  state_.tracking_angle = controlled ? seen.rotation_error.norm() : 0;
  state_.margin = seen.margin;
  state_.margin_cable = seen.margin_cable;
  state_.feasible = seen.feasible;
  state_.arrived = controlled && seen.arrived;
  state_.at_border = controlled && seen.at_border;
  state_.slack = seen.slack;
  for (int i = 0; !moves && i < robot_.cables(); ++i) {
    if (has(feedback_.flags[static_cast<std::size_t>(i)], WinchFlag::slack))
      state_.slack |= static_cast<std::uint16_t>(1U << static_cast<unsigned>(i));
  }
  state_.recoveries = seen.recoveries;
  state_.finding = seen.finding;
  state_.activity = seen.activity;
  if (commander_ == Commander::tensions && moves) state_.activity = tensions_ ? Activity::moving : Activity::resting;
  if (state_.at_border) state_.refusal = seen.why;
}

}  // namespace tandem::cable_robot
