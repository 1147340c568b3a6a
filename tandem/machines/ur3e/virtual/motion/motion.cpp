// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/virtual/motion/motion.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tandem::ur3e {
namespace {

constexpr double rate_slope = 5.0;          // 1/s: a slider or a pause takes a fifth of a second
constexpr double default_deceleration = 8;  // rad/s^2, of what was dropped
constexpr double offset_return = 0.2;       // rad/s, back onto the path after force control
constexpr double still = 1e-6;              // rad/s

}  // namespace

Motion::Claim::~Claim() {
  if (motion_.owner_ != this) return;
  motion_.owner_ = nullptr;
  if (!settled_) motion_.stop(default_deceleration);
}

Result<std::shared_ptr<Motion::Claim>> Motion::claim(int thread) {
  if (owner_ != nullptr && owner_->thread() != thread)
    return Error{Fault::busy, "another thread is already controlling the robot"};
  auto made = std::make_shared<Claim>(*this, thread);
  owner_ = made.get();
  return made;
}

Joints Motion::rest() {
  if (mode_ != Mode::path) stop(default_deceleration);
  return current_.path ? current_.path->end() : hold_;
}

void Motion::begin(Mode mode) {
  if (mode_ == mode) return;
  // What is underway in paths ends here; its speed is kept.
  const double scale = rate_ * along_;
  speed_ = scale > 1e-3 ? Joints(real_ / scale) : Joints::Zero();
  current_ = {};
  tails_.clear();
  along_ = 1;
  along_slope_ = 0;
  mode_ = mode;
}

void Motion::follow(std::unique_ptr<Path> path, double blend_at) {
  rest();
  if (current_.path) tails_.push_back(std::move(current_));
  along_ = 1;
  along_slope_ = 0;
  current_ = {std::move(path), 0, blend_at};
}

bool Motion::passed() const { return mode_ == Mode::path && (!current_.path || current_.time >= current_.blend_at); }

bool Motion::at_rest() const {
  if (mode_ == Mode::path) return !current_.path && tails_.empty();
  return real_.cwiseAbs().maxCoeff() < still;
}

double Motion::turn(double time) {
  const double overshot = elapsed_ - turn_end_;
  const bool follows = overshot >= 0 && overshot < last_step_;
  turn_end_ = (follows ? turn_end_ : elapsed_) + time;
  return turn_end_;
}

Result<void> Motion::servo(const Joints& target, const ServoSettings& settings) {
  if (mode_ != Mode::servo) {
    begin(Mode::servo);
    servo_.emplace(arm_model, JointState{hold_, speed_});
  }
  return servo_->want(target, settings);
}

void Motion::speed(const Joints& wanted, double acceleration) {
  begin(Mode::speed);
  wanted_ = wanted;
  ramp_ = acceleration;
}

void Motion::tool_speed(const Twist6& wanted, double acceleration, double rotation_acceleration,
                        const Pose& X_flange_tcp) {
  if (mode_ != Mode::tool_speed) {
    begin(Mode::tool_speed);
    twist_ = kinematics::ur::jacobian(arm_model, hold_, X_flange_tcp.translation()) * speed_;
  }
  wanted_twist_ = wanted;
  X_flange_tcp_ = X_flange_tcp;
  ramp_ = acceleration;
  rotation_ramp_ = rotation_acceleration;
}

void Motion::tool_servo(const Pose& target, double speed, double acceleration, const Pose& X_flange_tcp) {
  if (mode_ != Mode::tool_servo) {
    begin(Mode::tool_servo);
    twist_ = kinematics::ur::jacobian(arm_model, hold_, X_flange_tcp.translation()) * speed_;
  }
  tool_target_ = target;
  X_flange_tcp_ = X_flange_tcp;
  most_tool_speed_ = speed;
  ramp_ = acceleration;
}

bool Motion::speed_reached() const {
  if (mode_ == Mode::speed) return (wanted_ - speed_).cwiseAbs().maxCoeff() < 1e-6;
  return mode_ != Mode::tool_speed || (wanted_twist_ - twist_).cwiseAbs().maxCoeff() < 1e-6;
}

void Motion::torque(const Joints& torque) {
  begin(Mode::torque);
  torque_ = torque;
  torque_given_ = true;
}

void Motion::freedrive(bool on) {
  if (on) return begin(Mode::freedrive);
  if (mode_ == Mode::freedrive) stop(default_deceleration);
}

void Motion::stop(double deceleration) {
  // There is no path to return to any more.
  if (!keeps_added_) {
    hold_ += offset_;
    offset_.setZero();
  }
  current_ = {};
  if (auto path = stop_path(hold_, real_, deceleration)) {
    const double duration = path->duration();
    current_ = {std::move(path), 0, duration, true};
  }
  tails_.clear();
  mode_ = Mode::path;
  along_ = 1;
  along_slope_ = 0;
  torque_.setZero();
}

void Motion::absorb_added() {
  keeps_added_ = false;
  if (offset_.isZero()) return;
  hold_ += offset_;
  offset_.setZero();
  real_ = out_speed_;
}

void Motion::stop_along(double time) {
  if (time <= 0) return stop(default_deceleration);
  // Speeds and servo targets have no path to stay on: all joints slow down together.
  if (mode_ != Mode::path) return stop(real_.cwiseAbs().maxCoeff() / time);
  along_slope_ = 1 / time;
}

void Motion::freeze(double deceleration) {
  if (guided() || current_.unscaled) return stop(deceleration);
  const double fastest = out_speed_.cwiseAbs().maxCoeff();
  freeze_slope_ = fastest > still ? rate_ * deceleration / fastest : 0;
}

void Motion::freeze_at(const Joints& q) {
  if (guided() || !current_.path || current_.unscaled) {
    const Mode resumed = mode_;
    // What is kept beside the plan stays as it is, so that it is not added once more when the program goes on.
    const Joints added = keeps_added_ ? offset_ : Joints::Zero();
    hold(q);
    offset_ = added;
    hold_ -= added;
    // A speed or a servo target goes on from here, from rest.
    if (resumed == Mode::servo || resumed == Mode::speed || resumed == Mode::tool_speed ||
        resumed == Mode::tool_servo) {
      mode_ = resumed;
      speed_.setZero();
      twist_.setZero();
      if (resumed == Mode::servo) servo_.emplace(arm_model, JointState{hold_});
    }
  } else {
    q_ = q;
    offset_ = q - hold_;
    real_.setZero();
    out_speed_.setZero();
  }
  rate_ = 0;
}

void Motion::hold(const Joints& q) {
  q_ = hold_ = q;
  real_.setZero();
  out_speed_.setZero();
  offset_.setZero();
  stop(default_deceleration);
}

Drive Motion::drive() const {
  if (mode_ == Mode::freedrive) return Drive::freedrive;
  return mode_ == Mode::torque ? Drive::torque : Drive::servo;
}

void Motion::step(double dt, double rate, const Joints& actual) {
  limit_hit_ = false;
  const Joints before = out_speed_;
  if (rate > 0) freeze_slope_ = 0;
  const double slope = std::max(rate_slope, freeze_slope_);
  rate_ = rate_ < rate ? std::min(rate, rate_ + slope * dt) : std::max(rate, rate_ - slope * dt);
  if (mode_ == Mode::torque && !std::exchange(torque_given_, false)) stop(default_deceleration);
  last_step_ = guided() ? dt : dt * rate_;
  elapsed_ += last_step_;
  if (guided()) return guide(dt, actual);
  const Joints last = q_;
  along_ = std::max(0.0, along_ - along_slope_ * dt);
  const double scale = rate_ * along_;
  if (mode_ == Mode::path) advance_paths(dt, scale);
  if (mode_ == Mode::servo) advance_servo(dt * scale);
  if (mode_ == Mode::speed) advance_speed(dt * scale);
  if (mode_ == Mode::tool_speed) advance_tool_speed(dt * scale);
  if (mode_ == Mode::tool_servo) advance_tool_servo(dt * scale);
  if (mode_ != Mode::path) real_ = speed_ * scale;
  if (along_ == 0) {  // braked on the path: are here
    real_.setZero();
    current_ = {};
    tails_.clear();
    along_ = 1;
    along_slope_ = 0;
  }
  offset_ += yielding_ * dt;
  if (!yields_ && !keeps_added_ && !offset_.isZero()) {
    if (mode_ == Mode::path && !current_.path) {
      hold_ += offset_;
      offset_.setZero();
    } else {
      const double length = offset_.cwiseAbs().maxCoeff();
      offset_ *= std::max(0.0, 1 - offset_return * rate_ * dt / length);
      q_ = hold_ + offset_;
    }
  } else {
    q_ = hold_ + offset_;
  }
  yielding_.setZero();
  yields_ = false;
  keep_limits();
  out_speed_ = (q_ - last) / dt;
  if (mode_ == Mode::path && offset_.isZero()) out_speed_ = real_;
  out_acceleration_ = (out_speed_ - before) / dt;
}

// The arm goes where a hand or a torque moves it; the plan follows.
void Motion::guide(double dt, const Joints& actual) {
  real_ = out_speed_ = (actual - q_) / dt;
  q_ = hold_ = actual;
  offset_.setZero();
  out_acceleration_.setZero();
  yielding_.setZero();
  yields_ = false;
}

}  // namespace tandem::ur3e
