// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/control/pilot.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/machines/ur3e/description.hpp"
#include "tandem/machines/ur3e/device/gate.hpp"

namespace tandem::ur3e {
namespace {

constexpr double longest_step = 0.1;  // s: a path does not jump ahead further than this

// Where a cube that is held now will stand when it is let go.
std::array<double, 3> below_pads(const State& state) {
  const Pose X_base_flange =
      kinematics::ur::forward(arm_model, Joint6D::from_radians(state.controller.actual_q).vector());
  const Eigen::Vector3d pads = X_base_flange * Eigen::Vector3d(0, 0, hand::grip_reach);
  return {pads.x(), pads.y(), state.cube[2]};
}

}  // namespace

std::optional<std::string> forbidden(const ur::ControllerState& state) {
  if (!hindrance(state)) return std::nullopt;
  if (state.robot_mode != ur::RobotMode::running && state.safety_mode == ur::SafetyMode::normal)
    return fmt::format("robot mode {}: power it on and release its brakes, then arm", ur::name(state.robot_mode));
  if (state.safety_mode != ur::SafetyMode::normal && state.safety_mode != ur::SafetyMode::reduced)
    return fmt::format("safety mode {}: clear it at the robot or its dashboard, then arm", ur::name(state.safety_mode));
  return fmt::format("safety status bits {:#x}: clear the stop at the robot, then arm", state.safety_status_bits);
}

bool is_done(const HandState& hand, int position, std::uint32_t moves_before) {
  return hand.known && hand.active && !hand.moving && hand.moves != moves_before && hand.requested == position;
}

void Pilot::begin() {
  program_.forget();
  stamp_.reset();
}

void Pilot::finish(const std::shared_ptr<TrajectoryRequest>& wanted, Finish how, const std::string& why) {
  if (wanted && wanted->finished) wanted->finished(how, why);
}

// Everything that was under way ends here; what the robot does is another matter.
void Pilot::give_up(Peripherals* side, Finish how, const std::string& why) {
  if (follower_) finish(follower_->wanted(), how, why);
  finish(std::exchange(ahead_, nullptr), how, why);
  if (stopping_) finish(stopping_->wanted, how, why);
  if (command_) command_->wanted->finished(Error{Fault::refused, why});
  bool gripping = task_grip_.has_value();
  for (auto& holding : holding_) {
    if (!holding) continue;
    gripping = true;
    if (holding->wanted->finished) holding->wanted->finished(how, side != nullptr ? side->hand() : HandState{});
    holding.reset();
  }
  if (gripping && side != nullptr) side->halt_hand();
  if (follower_ || stopping_ || command_) refusal_ = why;
  follower_.reset();
  stopping_.reset();
  command_.reset();
  task_move_.reset();
  task_grip_.reset();
  task_begun_ = task_off_ = false;
  commands_.end_task = false;
}

// What came while nothing may be done is not kept for later.
void Pilot::refuse_orders(const std::string& why) {
  if (const auto wanted = commands_.trajectory.take()) {
    finish(wanted, Finish::refused, why);
    refusal_ = why;
  }
  for (auto& slot : commands_.grips) {
    const auto wanted = slot.take();
    if (wanted && wanted->finished) wanted->finished(Finish::refused, HandState{});
  }
  if (const auto wanted = commands_.command.take()) wanted->finished(Error{Fault::refused, why});
}

void Pilot::leave(Link* link, Peripherals* side, const std::string& why) {
  if (link != nullptr) program_.end(*link);
  program_.forget();
  give_up(side, Finish::dropped, why);
  refuse_orders(why);
}

Result<std::optional<std::string>> Pilot::step(Link& link, Peripherals& side, State& state,
                                               const machines::Permit& permit, Instant now) {
  using Reason = std::optional<std::string>;
  const double stamp = state.controller.timestamp;
  const double dt = std::clamp(stamp - stamp_.value_or(stamp), 0.0, longest_step);
  stamp_ = stamp;
  state.activity = Activity::idle;
  state.armed = prepared_ = false;
  if (options_.task) show_cube(state);
  state.reference = state.controller.actual_q;
  state.reference_speed = state.controller.actual_qd;

  // What was under way is given up even when the robot has ended our program before we did.
  const bool engaged = program_.phase() != ControlProgram::Phase::absent;
  Reason reason = program_.look(link, now);
  const bool permitted = permit.armed();
  if (!permitted && engaged) {
    leave(&link, &side, "disarmed: the arm was stopped; see `tandem status`");
  } else if (permitted) {
    if (auto why = forbidden(state.controller)) reason = std::move(why);
    if (!reason && commands_.hand_back.exchange(false)) reason = "control was handed back by a service call";
    if (reason) leave(&link, &side, *reason);
  }
  if (!permitted) commands_.hand_back = false;
  if (!permitted || reason) {
    refuse_orders(reason ? *reason : "not armed: call ~/arm or `tandem arm` first");
    state.refusal = refusal_;
    return permitted ? reason : Reason{};
  }
  prepared_ = program_.phase() == ControlProgram::Phase::absent || program_.phase() == ControlProgram::Phase::claiming;
  if (prepared_) {
    if (auto started = program_.start(link, now); !started) return std::move(started).error();
  }
  if (auto beaten = program_.beat(link); !beaten) return std::move(beaten).error();
  state.armed = program_.running();
  if (state.armed)
    if (auto worked = work(link, side, state, dt, now); !worked) return std::move(worked).error();
  state.trajectories = driven_;
  state.refusal = refusal_;
  return Reason{};
}

Result<void> Pilot::work(Link& link, Peripherals& side, State& state, double dt, Instant now) {
  serve_grips(side, state.hand, now);
  if (auto done = take_command(link, now); !done) return done;
  watch_stop(now);
  if (yields_task()) return stop(link, nullptr, Finish::canceled, "", now);
  take_trajectory(state, now);
  if (follower_) return follow(link, state, dt, now);
  if (stopping_) {
    state.activity = Activity::stopping;
    return {};
  }
  if (task_off_) state.step = "off: another client drives; stop, reset and arm restart it";
  return drives_task() ? do_task(link, side, state, now) : Result<void>{};
}

// Where the task has put the cube while it runs; else where anyone who drives the arm puts it.
void Pilot::show_cube(State& state) {
  if (!std::exchange(cube_shown_, true) || (task_begun_ && drives_task())) {
    state.cube = options_.task->cube();
  } else if (state.hand.object) {
    state.cube = below_pads(state);
  }
  if (options_.task_paused) state.step = "paused: the arm is free for a script or another client";
}

// Anyone who drives goes before the task; what they want waits until the arm is still.
bool Pilot::yields_task() {
  const bool asked = commands_.end_task.exchange(false);
  if (!drives_task() || (!asked && !commands_.trajectory.waiting())) return false;
  task_off_ = true;
  task_move_.reset();
  task_grip_.reset();
  return true;
}

Result<void> Pilot::do_task(Link& link, Peripherals& side, State& state, Instant now) {
  constexpr Duration longest_grip = 8s;
  PickAndPlace& task = *options_.task;
  state.activity = Activity::task;
  if (!std::exchange(task_begun_, true)) task.restart();
  bool done = true;
  if (task_move_) done = program_.finished(*task_move_);
  if (task_grip_) {
    done = is_done(state.hand, task_grip_->position, task_grip_->moves) || now - task_grip_->since > longest_grip;
  }
  if (done && !command_) {
    task_move_.reset();
    task_grip_.reset();
    const PickAndPlace::Action action = task.next(state);
    if (const auto* grip = std::get_if<PickAndPlace::Grip>(&action)) {
      side.move_hand(grip->position, 255, 50);
      task_grip_ = TaskGrip{grip->position, state.hand.moves, now};
    } else {
      const auto sequence = program_.write(link, std::get<script::Write>(action));
      if (!sequence) return sequence.error();
      task_move_ = *sequence;
    }
  }
  state.step = task.step();
  state.cubes = task.placed();
  return {};
}

}  // namespace tandem::ur3e
