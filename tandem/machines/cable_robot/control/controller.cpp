// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/control/controller.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "tandem/machines/cable_robot/control/controller_gains.hpp"
#include "tandem/machines/cable_robot/control/reason.hpp"
#include "tandem/machines/cable_robot/control/taut_pose.hpp"

namespace tandem::cable_robot {
namespace {

constexpr double longest_cycle = 0.02;  // s

bool readable(const WinchFeedback& feedback, int cables) {
  return feedback.lengths.size() == cables && feedback.tensions.size() == cables && feedback.lengths.allFinite() &&
         feedback.tensions.allFinite() && (feedback.lengths.array() > 0).all();
}

std::uint16_t slack_now(const cables::Robot& robot, const WinchFeedback& feedback) {
  std::uint16_t slack = 0;
  for (int i = 0; i < feedback.tensions.size(); ++i) {
    if (feedback.tensions[i] < robot.design().tension.least) slack |= static_cast<std::uint16_t>(1U << unsigned(i));
  }
  return slack;
}

// Whether the other cables tell the pose: there are enough of them, and they leave no motion open.
bool taut_ones_tell(const cables::Robot& robot, const Pose& pose, std::uint16_t slack) {
  if (slack == 0) return true;
  if (robot.cables() - std::popcount(slack) < cables::fewest_cables) return false;
  cables::Structure structure = cables::structure(robot, pose);
  for (int i = 0; i < robot.cables(); ++i) {
    if (((slack >> i) & 1) != 0) structure.col(i).setZero();
  }
  return cables::conditioning(robot, structure) > 0.05;
}

Error not_now(Activity activity, const Reason& why) {
  if (activity == Activity::idle) return {Fault::busy, "not under control: arm the machine first"};
  return {Fault::busy, fmt::format("{}: {}", name(activity), why.view())};
}

}  // namespace

const char* name(Activity activity) {
  switch (activity) {
    case Activity::idle:
      return "idle";
    case Activity::tensioning:
      return "tensioning";
    case Activity::resting:
      return "resting";
    case Activity::moving:
      return "moving";
    case Activity::lowering:
      return "lowering";
    case Activity::stopped:
      return "stopped";
  }
  return "unknown";
}

Controller::Controller(const cables::Robot& robot, const ControlOptions& options)
    : robot_(robot),
      options_(options),
      path_(robot, options.path),
      watch_(robot, options.slack),
      pose_pid_(pose_pids(robot, options)) {
  step_.state.tensions = cables::PerCable::Zero(robot.cables());
  step_.state.X_world_platform = robot.home();
}

Result<Pose> Controller::target(const Pose& X_world_platform) {
  const ControlState& state = step_.state;
  if (!started_ || state.activity == Activity::lowering) return not_now(state.activity, state.why);
  return path_.target(X_world_platform);
}

Result<void> Controller::follow(const SetPoint& reference) {
  const ControlState& state = step_.state;
  if (!started_ || state.activity == Activity::lowering) return not_now(state.activity, state.why);
  if (blend_ < 1) return Error{Fault::busy, "tensioning: targets are not followed yet"};
  return path_.follow(reference);
}

void Controller::brake() {
  if (started_ && step_.state.activity != Activity::lowering) path_.brake();
}

Result<void> Controller::start(const WinchFeedback& feedback) {
  if (!readable(feedback, robot_.cables())) return Error{Fault::invalid, "winch feedback contains NaN or infinity"};
  const cables::PerCable stretched = stretched_lengths(robot_, feedback);
  const auto found = step_.state.pose_known ? cables::pose_from_lengths(robot_, stretched, step_.state.X_world_platform)
                                            : cables::pose_from_lengths(robot_, stretched);
  if (!found) return within("the platform's pose cannot be solved", found.error());
  const cables::PoseFit fit = taut_pose(robot_, stretched, slack_now(robot_, feedback), 0, found->pose);
  if (!fit.converged || fit.residual > options_.most_residual)
    return Error{Fault::invalid,
                 fmt::format("the platform's pose cannot be solved: the cable lengths agree to {:.1f} mm only",
                             1e3 * fit.residual)};
  path_ = Path(robot_, options_.path);
  path_.restart(fit.pose);
  watch_.restart();
  for (kinematics::Pid& pid : pose_pid_) pid.reset();
  first_tensions_ = feedback.tensions.cwiseMax(0);
  trim_ = cables::PerCable::Zero(robot_.cables());
  const cables::PerCable spans = cables::lengths(robot_, fit.pose);
  misfit_ = feedback.lengths;
  for (int i = 0; i < robot_.cables(); ++i)
    misfit_[i] -= cables::unstretched(spans[i], first_tensions_[i], robot_.design().stiffness);
  structure_ = cables::structure(robot_, fit.pose);
  blend_ = blind_ = 0;
  cut_ = -1;
  lowered_ = false;
  started_ = reported_ = true;

  ControlState& state = step_.state;
  state = {};
  state.X_world_platform = fit.pose;
  state.pose_known = true;
  state.residual = fit.residual;
  state.recoveries = watch_.recoveries();
  state.set_point = path_.now();
  state.tensions = first_tensions_;
  state.activity = Activity::tensioning;
  command();
  return {};
}

void Controller::stop(const Reason& why) {
  started_ = false;
  step_.state.activity = Activity::stopped;
  step_.state.why = why;
}

const Step& Controller::hold(const WinchFeedback& feedback) {
  const int count = robot_.cables();
  step_.command.mode = WinchMode::hold;
  if (readable(feedback, count)) step_.command.lengths = feedback.lengths;
  step_.command.speeds = step_.command.tensions = cables::PerCable::Zero(count);
  return step_;
}

const Step& Controller::step(const WinchFeedback& feedback, double dt, bool may_move) {
  const double passed = dt > 0 ? std::min(dt, longest_cycle) : 0;
  const bool known = estimate(feedback);
  ControlState& state = step_.state;
  if (!may_move) {
    if (state.activity != Activity::stopped) state.activity = Activity::idle;
    started_ = false;
  }
  if (!started_) return hold(feedback);
  if (!judge(feedback, passed)) return hold(feedback);
  if (!may_go_on(known, passed)) return hold(feedback);
  if (passed == 0) return step_;
  move(passed);
  if (!started_) return hold(feedback);
  wish_tensions(passed);
  blend_tensions(passed);
  trim(feedback, passed);
  command();
  return step_;
}

bool Controller::may_go_on(bool known, double dt) {
  const ControlState& state = step_.state;
  blind_ = known ? 0 : blind_ + dt;
  // What is slack is wound in or named by then: the set point needs no pose.
  if (known || (any_slack_ && blind_ < options_.longest_blind)) return true;
  const double misfit = 1e3 * state.residual;
  if (cut_ >= 0) {
    stop(reason("cable{} is cut and the others do not determine the pose ({:.1f} mm): the winches hold", cut_, misfit));
  } else {
    stop(reason("the platform's pose is lost: the cable lengths agree to {:.1f} mm only", misfit));
  }
  return false;
}

bool Controller::estimate(const WinchFeedback& feedback) {
  ControlState& state = step_.state;
  if (!readable(feedback, robot_.cables())) {
    state.pose_known = false;
    return false;
  }
  measured_ = feedback.lengths;
  const cables::PerCable stretched = stretched_lengths(robot_, feedback);
  const std::uint16_t none = 0, gone = cut_ < 0 ? none : watch_.gone(), all_slack = slack_now(robot_, feedback);
  any_slack_ = (all_slack | gone) != 0;
  reported_ = taut_ones_tell(robot_, state.X_world_platform, static_cast<std::uint16_t>(all_slack | gone));
  // What the taut ones leave open stays as it was, where that is known; else slack ones tell more than nothing.
  const std::uint16_t slack = reported_ || started_ || cut_ >= 0 ? all_slack : none;
  cables::PoseFit fit = taut_pose(robot_, stretched, slack, gone, state.X_world_platform);
  if (!started_ && (!fit.converged || fit.residual > options_.most_residual))
    fit = cables::fit_pose(robot_, stretched, robot_.home());
  state.residual = fit.residual;
  state.pose_known = fit.converged && fit.residual <= options_.most_residual;
  if (state.pose_known) state.X_world_platform = fit.pose;
  const Pose& at = started_ ? path_.now().pose : state.X_world_platform;
  state.position_error = at.translation() - state.X_world_platform.translation();
  state.rotation_error = rotation_vector_from_quaternion(
      Eigen::Quaterniond(at.linear()) * Eigen::Quaterniond(state.X_world_platform.linear()).conjugate());
  return state.pose_known;
}

bool Controller::judge(const WinchFeedback& feedback, double dt) {
  ControlState& state = step_.state;
  CableExpectation expected;
  if (options_.mode == WinchMode::length) expected.commanded = step_.command.lengths;
  expected.lengths = cables::lengths(robot_, state.X_world_platform) + misfit_ + trim_;
  expected.tensions = state.tensions;
  expected.lengths_told = reported_;
  const SlackWatch::Verdict verdict = watch_.step(feedback, expected, dt);
  state.slack = verdict.slack;
  state.recoveries = watch_.recoveries();
  if (state.activity == Activity::lowering && verdict.finding <= Finding::slack) return true;  // the cut one stays told
  if (cut_ >= 0) {
    stop(reason("cable{} is cut and {}: the winches hold", cut_, verdict.why.view()));
    return false;
  }
  state.finding = verdict.finding;
  state.cable = verdict.cable;
  state.why = verdict.why;
  if (verdict.finding <= Finding::slack) {
    if (verdict.slack != 0 && blend_ >= 1) path_.brake();
    return true;
  }
  if (verdict.finding == Finding::cut) {
    lower_without(verdict);
  } else {
    stop(verdict.why);
  }
  return started_;
}

void Controller::lower_without(const SlackWatch::Verdict& verdict) {
  cut_ = verdict.cable;
  path_.give_up(verdict.cable, options_.lowering_least, options_.lowering_reserve);
  watch_.give_up(verdict.cable, options_.lowering_least);
  // To rest first, and from the tensions wanted until now to those without the cable.
  path_.brake();
  first_tensions_ = step_.state.tensions;
  first_tensions_[verdict.cable] = 0;
  blend_ = 0;
  step_.state.activity = Activity::lowering;
  step_.state.why = reason("cable{} is cut: lowering the platform with the others", verdict.cable);
}

void Controller::lower() {
  if (lowered_) {
    return stop(
        reason("cable{} is cut: lowered to z = {:.3f} m, the winches hold", cut_, path_.now().pose.translation().z()));
  }
  const std::optional<bool> way = path_.lower(options_.lowering);
  lowered_ = way.value_or(false);
  if (way && !lowered_)
    stop(reason("cable{} is cut and the others cannot hold the platform here: the winches hold", cut_));
}

void Controller::move(double dt) {
  ControlState& state = step_.state;
  const bool lowering = state.activity == Activity::lowering;
  if (blend_ >= 1 || lowering) path_.step(dt);
  const bool there = path_.arrived() && path_.now().velocity.isZero(0);
  if (lowering && there) lower();
  state.set_point = path_.now();
  state.at_border = path_.at_border();
  state.arrived = there && !state.at_border && blend_ >= 1;
  if (lowering) return;
  state.activity = there ? Activity::resting : Activity::moving;
  if (blend_ < 1) state.activity = Activity::tensioning;
  if (state.at_border && state.finding == Finding::fine)
    state.why = reason("stopped at the border: {}", path_.border().words(path_.border_seen()).view());
}

void Controller::command() {
  const ControlState& state = step_.state;
  const cables::PerCable spans = cables::lengths(robot_, state.set_point.pose);
  WinchCommand& command = step_.command;
  const cables::PerCable before = command.lengths;
  command.mode = options_.mode;
  command.tensions = state.tensions;
  cables::Twist velocity = state.set_point.velocity;
  if (options_.mode == WinchMode::tension) {
    velocity.head<3>() += options_.lead_back * state.position_error;
    velocity.tail<3>() += options_.lead_back * state.rotation_error;
  }
  command.speeds = cables::rates(structure_, velocity);
  command.lengths = misfit_ + trim_ - watch_.wound_in();
  for (int i = 0; i < robot_.cables(); ++i) {
    command.lengths[i] += cables::unstretched(spans[i], state.tensions[i], robot_.design().stiffness);
    if (!path_.border().given_up(i) || before.size() <= i) continue;
    command.lengths[i] = before[i];
    command.speeds[i] = 0;
  }
}

}  // namespace tandem::cable_robot
