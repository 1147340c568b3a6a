// SPDX-License-Identifier: Apache-2.0
// How the pilot serves goals: trajectories by a stream of targets, grips by the gripper's socket.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/machines/ur3e/control/pilot.hpp"
#include "tandem/machines/ur3e/description.hpp"

namespace tandem::ur3e {
namespace {

namespace trajectory = kinematics::trajectory;

constexpr Duration progress_every = 50ms;
constexpr Duration command_within = 2s;  // a command that our program did not take by then has failed
constexpr Duration stop_within = 5s;
constexpr Duration replaced_within = 50ms;
constexpr Duration longest_grip = 8s;
constexpr double servo_time = 0.002;  // s; the newest target counts in every cycle of the controller
// A target further from the joints than this is a mistake and is not sent.
constexpr double longest_reach = 0.5;  // rad

trajectory::JointState standing(const State& state) {
  return {Joint6D::from_radians(state.controller.actual_q).vector(),
          Joint6D::from_radians(state.controller.actual_qd).vector(), Joints::Zero()};
}

// The joint whose next target is out of reach, if any.
std::optional<std::size_t> out_of_reach(const Six& target, const Six& q) {
  for (std::size_t i = 0; i < 6; ++i)
    if (!(std::abs(target[i] - q[i]) <= longest_reach)) return i;
  return std::nullopt;
}

}  // namespace

Result<void> Pilot::take_command(Link& link, Instant now) {
  if (command_ && program_.taken(command_->sequence)) {
    command_->wanted->finished({});
    command_.reset();
  } else if (command_ && now - command_->since > command_within) {
    command_->wanted->finished(Error{Fault::timeout, "the controller did not accept the command within the timeout"});
    command_.reset();
  }
  if (command_) return {};
  auto wanted = commands_.command.take();
  if (!wanted) return {};
  const auto sequence = program_.write(link, wanted->write);
  if (!sequence) {
    wanted->finished(sequence.error());
    return sequence.error();
  }
  command_ = Command{std::move(wanted), *sequence, now};
  return {};
}

// The newest trajectory, when its time has come.
std::shared_ptr<TrajectoryRequest> Pilot::due_trajectory(Instant now) {
  if (auto newest = commands_.trajectory.take()) {
    finish(ahead_, Finish::replaced, "superseded by a newer trajectory");
    ahead_ = std::move(newest);
  }
  if (!ahead_) return nullptr;
  if (ahead_->canceling && ahead_->canceling()) {
    finish(std::exchange(ahead_, nullptr), Finish::canceled, "canceled");
  } else if (ahead_->active && !ahead_->active()) {
    finish(std::exchange(ahead_, nullptr), Finish::replaced, "");
  } else if (now >= ahead_->start) {
    return std::exchange(ahead_, nullptr);
  }
  return nullptr;
}

void Pilot::take_trajectory(const State& state, Instant now) {
  if (stopping_) return;  // it waits until the arm is still
  const auto wanted = due_trajectory(now);
  if (!wanted) return;
  // A path in work hands over at its present speed.
  auto next = Follower::begin(wanted, follower_ ? follower_->reference() : standing(state));
  if (!next) {
    refusal_ = next.error().text;
    finish(wanted, Finish::refused, next.error().text);
    return;
  }
  if (follower_) finish(follower_->wanted(), Finish::replaced, "superseded by a newer trajectory");
  follower_ = std::move(*next);
}

Result<void> Pilot::follow(Link& link, State& state, double dt, Instant now) {
  const std::shared_ptr<TrajectoryRequest> wanted = follower_->wanted();
  const ur::ControllerState& c = state.controller;
  state.activity = Activity::trajectory;
  if (wanted->canceling && wanted->canceling()) return stop(link, wanted, Finish::canceled, "canceled", now);
  // The goal that replaces this one may be on its way.
  if (!wanted->active || wanted->active()) {
    wanted_at_ = now;
  } else if (now - wanted_at_ > replaced_within) {
    return stop(link, nullptr, Finish::replaced, "", now);
  }
  // A program that is held at the pendant holds the path with it.
  const double scaling = c.runtime_state == ur::RuntimeState::playing ? c.speed_scaling : 0.0;
  const Follower::Verdict verdict = follower_->step(dt, scaling, c.actual_q, c.actual_qd);
  state.reference = six(follower_->reference().q);
  state.reference_speed = six(follower_->reference().qd);
  state.progress = std::min(follower_->time(), follower_->duration());
  state.length = follower_->duration();
  switch (verdict) {
    case Follower::Verdict::going:
      break;
    case Follower::Verdict::reached:
      ++driven_;
      return stop(link, wanted, Finish::reached, "", now);
    case Follower::Verdict::strayed:
      return stop(link, wanted, Finish::strayed, follower_->why(), now);
    case Follower::Verdict::missed:
      return stop(link, wanted, Finish::missed, follower_->why(), now);
  }
  if (const auto joint = out_of_reach(state.reference, c.actual_q)) {
    return stop(link, wanted, Finish::strayed,
                fmt::format("{} would have to jump from {:.3f} to {:.3f} rad", joint_names[*joint], c.actual_q[*joint],
                            state.reference[*joint]),
                now);
  }
  if (wanted->progress && now >= next_progress_) {
    next_progress_ = now + progress_every;
    wanted->progress(state);
  }
  if (command_) return {};  // the registers hold another command until it is taken
  const auto sequence = program_.write(link, {.code = script::Code::servoj,
                                              .first = state.reference,
                                              .third = {servo_time, options_.servo_lookahead, options_.servo_gain}});
  return sequence ? Result<void>{} : Result<void>(sequence.error());
}

// Slows down and ends the wanted when the arm is still.
Result<void> Pilot::stop(Link& link, std::shared_ptr<TrajectoryRequest> wanted, Finish how, std::string why,
                         Instant now) {
  follower_.reset();
  if (!why.empty()) refusal_ = why;
  const auto sequence = program_.write(link, {.code = script::Code::stopj, .third = {options_.stop_deceleration}});
  if (!sequence) {
    finish(wanted, Finish::dropped, sequence.error().text);
    return sequence.error();
  }
  stopping_ = Stopping{*sequence, now, std::move(wanted), how, std::move(why)};
  return {};
}

void Pilot::watch_stop(Instant now) {
  if (!stopping_) return;
  const bool over = program_.finished(stopping_->sequence) || now - stopping_->since > stop_within;
  if (!over) return;
  finish(stopping_->wanted, stopping_->finish, stopping_->why);
  stopping_.reset();
}

void Pilot::serve_grips(Peripherals& side, const HandState& hand, Instant now) {
  for (std::size_t i = 0; i < holding_.size(); ++i) {
    if (auto wanted = commands_.grips[i].take()) {
      if (holding_[i] && holding_[i]->wanted->finished) holding_[i]->wanted->finished(Finish::replaced, hand);
      const int position = wanted->finger <= 0                     ? 255
                           : wanted->finger >= hand::finger_stroke ? 0
                                                                   : hand::position_from_finger(wanted->finger);
      const double force = wanted->force > 0 ? wanted->force : 40;
      const double part = (force - hand::least_force) / (hand::most_force - hand::least_force);
      // One drive moves both fingers: the newer wish counts for both.
      if (auto& other = holding_[1 - i]; other && other->position != position) {
        if (other->wanted->finished) other->wanted->finished(Finish::replaced, hand);
        other.reset();
      }
      side.move_hand(position, 255, static_cast<int>(std::lround(255 * std::clamp(part, 0.0, 1.0))));
      holding_[i] = Holding{std::move(wanted), position, hand.moves, now, now};
    }
    if (!holding_[i]) continue;
    const std::shared_ptr<GripRequest> wanted = holding_[i]->wanted;
    const Duration spent = now - holding_[i]->since;
    if (wanted->canceling && wanted->canceling()) {
      side.halt_hand();
      holding_[i].reset();
      if (wanted->finished) wanted->finished(Finish::canceled, hand);
      continue;
    }
    if (wanted->progress && hand.known && now - holding_[i]->told >= progress_every) {
      holding_[i]->told = now;
      wanted->progress(hand);
    }
    const bool arrived = is_done(hand, holding_[i]->position, holding_[i]->moves);
    if (!arrived && spent < longest_grip) continue;
    holding_[i].reset();
    if (wanted->finished) wanted->finished(arrived ? Finish::reached : Finish::missed, hand);
  }
}

}  // namespace tandem::ur3e
