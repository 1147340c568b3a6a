// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/virtual/platform.hpp"

#include <algorithm>
#include <cmath>

#include "tandem/machines/em1500/description.hpp"

namespace tandem::em1500 {
namespace {

constexpr double transit_speed = 0.2;     // m/s of the fastest leg, half of what it can do
constexpr double freeze_time = 0.5;       // s to come to rest
constexpr double stroke_reserve = 0.005;  // m that the controller keeps to the ends of a leg

stewart::Coordinates neutral_coordinates() { return stewart::coordinates_from_pose(home_pose()); }

stewart::Coordinates settled_coordinates() {
  stewart::Coordinates at = neutral_coordinates();
  at[2] -= settled_depth;
  return at;
}

PoseLimiter::Limits limits() {
  return {.speed = 0.95 * leg_speed,
          .strokes = {neutral_length - stroke + stroke_reserve, neutral_length + stroke - stroke_reserve}};
}

}  // namespace

VirtualPlatform::VirtualPlatform(const Setup& setup)
    : setup_(setup),
      body_(setup.model),
      limiter_(platform(), limits(), setup.start == LabState::neutral ? neutral_coordinates() : settled_coordinates()),
      phase_(setup.start == LabState::neutral   ? Phase::neutral
             : setup.start == LabState::settled ? Phase::settled
                                                : Phase::off),
      goal_(setup.start),
      mode_(setup.start == LabState::neutral ? LabMode::neutral : LabMode::settled),
      active_(mode_),
      target_(limiter_.coordinates()) {
  body_.stand(stewart::pose_from_coordinates(target_));
}

void VirtualPlatform::command(LabCommand command) {
  switch (command) {
    case LabCommand::to_off:
      goal_ = LabState::off;
      break;
    case LabCommand::to_settled:
      goal_ = LabState::settled;
      break;
    case LabCommand::to_neutral:
      goal_ = LabState::neutral;
      break;
    case LabCommand::to_engaged:
      goal_ = LabState::engaged;
      if (!engaged_mode()) mode_ = LabMode::generator;
      break;
    case LabCommand::ack_fault:
      limited_ = false;
      if (body_.cause().empty()) break;
      // Whatever the body did, it starts again from the ground and waits for a command.
      body_.stand(stewart::pose_from_coordinates(settled_coordinates()));
      limiter_ = PoseLimiter(platform(), limits(), settled_coordinates());
      target_ = limiter_.coordinates();
      transit_.reset();
      phase_ = Phase::off;
      goal_ = LabState::off;
      mode_ = LabMode::settled;
      break;
  }
}

void VirtualPlatform::mode(LabMode mode) {
  mode_ = mode;
  goal_ = LabState::engaged;
  if (mode == LabMode::settled) goal_ = LabState::settled;
  if (mode == LabMode::neutral) goal_ = LabState::neutral;
}

void VirtualPlatform::travel(const stewart::Coordinates& to, Phase then) {
  transit_.emplace(platform(), limiter_.coordinates(), to, transit_speed, 1.0);
  phase_ = Phase::transit;
  after_transit_ = then;
}

void VirtualPlatform::proceed() {
  const Phase before = phase_;
  const bool wants_up = goal_ == LabState::neutral || goal_ == LabState::engaged;
  switch (phase_) {
    case Phase::off:
      if (goal_ != LabState::off) phase_ = Phase::oil_heating;
      break;
    case Phase::oil_heating:
      if (elapsed_ >= setup_.heating) phase_ = Phase::settled;
      break;
    case Phase::settled:
      if (goal_ == LabState::off) phase_ = Phase::off;
      if (wants_up) travel(neutral_coordinates(), Phase::neutral);
      break;
    case Phase::neutral:
      if (!wants_up) travel(settled_coordinates(), Phase::settled);
      if (goal_ == LabState::engaged) {
        phase_ = Phase::engaging;
        active_ = mode_;
        generator_.restart();
        motion_time_ = 0;
        followed_ = {};
      }
      break;
    case Phase::engaging:
      if (elapsed_ >= setup_.engaging) phase_ = Phase::engaged;
      break;
    case Phase::engaged:
      if (goal_ != LabState::engaged || active_ != mode_) phase_ = Phase::disengaging;
      break;
    case Phase::disengaging:
      if (elapsed_ >= setup_.engaging) phase_ = Phase::neutral;
      break;
    case Phase::transit:
      if (transit_->done()) phase_ = after_transit_;
      break;
  }
  if (phase_ != before) elapsed_ = 0;
}

// A second-order follower: a client may jump, the platform must not.
Axes VirtualPlatform::remote_setpoint(double time) {
  constexpr double quickness = 6;  // rad/s
  for (std::size_t i = 0; i < 6; ++i) {
    const bool usable = std::isfinite(remote_.position[i]) && std::isfinite(remote_.velocity[i]);
    const double position =
        usable ? std::clamp(remote_.position[i], -laboratory_limits[i], laboratory_limits[i]) : followed_.position[i];
    const double velocity = usable ? std::clamp(remote_.velocity[i], -1.0, 1.0) : 0.0;
    if (!usable || position != remote_.position[i]) limited_ = true;
    const double acceleration =
        quickness * quickness * (position - followed_.position[i]) + 2 * quickness * (velocity - followed_.velocity[i]);
    followed_.velocity[i] += acceleration * time;
    followed_.position[i] += followed_.velocity[i] * time;
  }
  return followed_.position;
}

Axes VirtualPlatform::setpoint(double time) {
  switch (active_) {
    case LabMode::simulation:
      return ship_motion(motion_time_);
    case LabMode::generator:
      return generator_.next(generator_parameters_, time);
    case LabMode::remote:
      return remote_setpoint(time);
    default:
      return {};
  }
}

stewart::Coordinates VirtualPlatform::engaged_at(double time) {
  motion_time_ += time;
  Axes axes = setpoint(time);
  double share = 1;
  if (phase_ == Phase::engaging) share = smooth_step(elapsed_ / setup_.engaging);
  if (phase_ == Phase::disengaging) share = 1 - smooth_step(elapsed_ / setup_.engaging);
  for (std::size_t i = 0; i < 6; ++i) {
    const double allowed = std::clamp(axes[i], -laboratory_limits[i], laboratory_limits[i]);
    if (std::abs(allowed - axes[i]) > 1e-9) limited_ = true;
    axes[i] = share * allowed;
  }
  return stewart::coordinates_from_pose(
      stewart::pose_from_coordinates(setup_.map.platform_from_plc(plc_pose(axes)), setup_.map.order));
}

stewart::Coordinates VirtualPlatform::wanted(double time) {
  switch (phase_) {
    case Phase::engaging:
    case Phase::engaged:
    case Phase::disengaging:
      return engaged_at(time);
    case Phase::transit:
      return transit_->advance(time);
    case Phase::neutral:
      return neutral_coordinates();
    default:
      return settled_coordinates();
  }
}

void VirtualPlatform::step() {
  if (!body_.cause().empty()) return;
  const double dt = timestep();
  rate_ = std::clamp(rate_ + (enabled_ ? dt : -dt) / freeze_time, 0.0, 1.0);
  const double time = rate_ * dt;
  if (time > 0) {
    elapsed_ += time;
    proceed();
    target_ = wanted(time);
  }
  const stewart::Lengths before = limiter_.lengths();
  if (!limiter_.advance(target_, dt)) limited_ = true;
  const stewart::Lengths& after = limiter_.lengths();
  stewart::Lengths displacements{};
  stewart::Lengths velocities{};
  for (std::size_t i = 0; i < 6; ++i) {
    displacements[i] = after[i] - platform().home_lengths[i];
    velocities[i] = (after[i] - before[i]) / dt;
  }
  body_.command(displacements, velocities);
  body_.step();
}

LabState VirtualPlatform::state() const {
  const bool frozen = !enabled_;
  switch (phase_) {
    case Phase::off:
      return LabState::off;
    case Phase::settled:
      return LabState::settled;
    case Phase::oil_heating:
      return LabState::oil_heating;
    case Phase::neutral:
      return frozen ? LabState::neutral_freeze : LabState::neutral;
    case Phase::engaged:
      return frozen ? LabState::engaged_freeze : LabState::engaged;
    default:
      return LabState::transit;
  }
}

LabStatus VirtualPlatform::status() const {
  if (!body_.cause().empty()) return LabStatus::error;
  return limited_ ? LabStatus::warning : LabStatus::ok;
}

PlcPose VirtualPlatform::pose() const {
  return setup_.map.plc_from_platform(stewart::coordinates_from_pose(body_.pose(), setup_.map.order));
}

PlcPose VirtualPlatform::commanded() const {
  return setup_.map.plc_from_platform(
      stewart::coordinates_from_pose(stewart::pose_from_coordinates(limiter_.coordinates()), setup_.map.order));
}

}  // namespace tandem::em1500
