#include "tandem/machines/ur3e/virtual_motion.hpp"

#include <algorithm>
#include <cmath>

#include "tandem/kinematics/trajectory_track.hpp"

namespace tandem::ur3e {
namespace {

constexpr double rate_slope = 5.0;          // 1/s: a slider or a pause takes a fifth of a second
constexpr double default_deceleration = 8;  // rad/s^2, of what was dropped
constexpr double offset_return = 0.2;       // rad/s, back onto the path after force control
constexpr double still = 1e-6;              // rad/s
constexpr double limit_margin = 0.01;       // rad before the end of a joint

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

bool Motion::speed_reached() const {
  if (mode_ == Mode::speed) return (wanted_ - speed_).cwiseAbs().maxCoeff() < 1e-6;
  return mode_ != Mode::tool_speed || (wanted_twist_ - twist_).cwiseAbs().maxCoeff() < 1e-6;
}

void Motion::torque(const Joints& torque) {
  begin(Mode::torque);
  torque_ = torque;
}

void Motion::freedrive(bool on) {
  if (on) return begin(Mode::freedrive);
  if (mode_ == Mode::freedrive) stop(default_deceleration);
}

void Motion::stop(double deceleration) {
  current_ = {stop_path(hold_, real_, deceleration), 0, 0, true};
  if (current_.path) current_.blend_at = current_.path->duration();
  tails_.clear();
  mode_ = Mode::path;
  along_ = 1;
  along_slope_ = 0;
  torque_.setZero();
}

void Motion::stop_along(double time) {
  if (time <= 0) return stop(default_deceleration);
  // Speeds and servo targets have no path to stay on: all joints slow down together.
  if (mode_ != Mode::path) return stop(real_.cwiseAbs().maxCoeff() / time);
  along_slope_ = 1 / time;
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
  rate_ = rate_ < rate ? std::min(rate, rate_ + rate_slope * dt) : std::max(rate, rate_ - rate_slope * dt);
  if (mode_ == Mode::freedrive || mode_ == Mode::torque) {
    real_ = out_speed_ = (actual - q_) / dt;
    q_ = hold_ = actual;
    offset_.setZero();
    out_acceleration_.setZero();
    yielding_.setZero();
    return;
  }
  const Joints last = q_;
  along_ = std::max(0.0, along_ - along_slope_ * dt);
  const double scale = rate_ * along_;
  if (mode_ == Mode::path) advance_paths(dt, scale);
  if (mode_ == Mode::servo) advance_servo(dt * scale);
  if (mode_ == Mode::speed) advance_speed(dt * scale);
  if (mode_ == Mode::tool_speed) advance_tool_speed(dt * scale);
  if (mode_ != Mode::path) real_ = speed_ * scale;
  if (along_ == 0) {  // braked on the path: stand here
    real_.setZero();
    current_ = {};
    tails_.clear();
    along_ = 1;
    along_slope_ = 0;
  }
  offset_ += yielding_ * dt;
  if (yielding_.isZero() && !offset_.isZero()) {
    if (mode_ == Mode::path && !current_.path) {
      hold_ += offset_;
      offset_.setZero();
    } else {
      const double length = offset_.cwiseAbs().maxCoeff();
      offset_ *= std::max(0.0, 1 - offset_return * dt / length);
      q_ = hold_ + offset_;
    }
  } else {
    q_ = hold_ + offset_;
  }
  yielding_.setZero();
  keep_limits();
  out_speed_ = (q_ - last) / dt;
  if (mode_ == Mode::path && offset_.isZero()) out_speed_ = real_;
  out_acceleration_ = (out_speed_ - before) / dt;
}

// hold_ becomes the sum of all that is followed: the newest path, and how far older ones still are from their ends.
void Motion::advance_paths(double dt, double scale) {
  real_.setZero();
  if (!current_.path) return;
  const auto advance = [&](Active& active) {
    const double pace = active.unscaled ? along_ : scale;
    active.time += dt * pace;
    JointState now = active.path->at(active.time);
    now.qd *= pace;
    return now;
  };
  const JointState now = advance(current_);
  hold_ = now.q;
  real_ = now.qd;
  for (Active& tail : tails_) {
    const JointState rest = advance(tail);
    hold_ += rest.q - tail.path->end();
    real_ += rest.qd;
  }
  std::erase_if(tails_, [](const Active& tail) { return tail.time >= tail.path->duration(); });
  if (tails_.empty() && current_.time >= current_.path->duration()) {
    hold_ = current_.path->end();
    real_.setZero();
    current_ = {};
  }
}

void Motion::advance_servo(double dt) {
  if (dt <= 0) return;
  const JointState& now = servo_->step(dt);
  hold_ = now.q;
  speed_ = now.qd;
}

void Motion::advance_speed(double dt) {
  const Joints change = wanted_ - speed_;
  const double largest = change.cwiseAbs().maxCoeff();
  speed_ += largest > ramp_ * dt ? Joints(change * (ramp_ * dt / largest)) : change;
  hold_ += speed_ * dt;
}

void Motion::advance_tool_speed(double dt) {
  const auto ramp = [dt](auto now, const auto& wanted, double most) {
    const Eigen::Vector3d change = wanted - now;
    const double size = change.norm();
    now += size > most * dt ? Eigen::Vector3d(change * (most * dt / size)) : change;
  };
  ramp(twist_.head<3>(), wanted_twist_.head<3>(), ramp_);
  ramp(twist_.tail<3>(), wanted_twist_.tail<3>(), rotation_ramp_);
  speed_ = kinematics::trajectory::joint_speeds({&arm_model, X_flange_tcp_}, hold_, twist_);
  double slowing = 1;
  for (int i = 0; i < 6; ++i)
    slowing = std::max(slowing, std::abs(speed_[i]) / arm_model.speed[static_cast<std::size_t>(i)]);
  speed_ /= slowing;
  hold_ += speed_ * dt;
}

void Motion::keep_limits() {
  if (mode_ == Mode::path && offset_.isZero()) return;
  for (int i = 0; i < 6; ++i) {
    const auto joint = static_cast<std::size_t>(i);
    const double low = arm_model.lowest[joint] + limit_margin, high = arm_model.highest[joint] - limit_margin;
    if (q_[i] >= low && q_[i] <= high) continue;
    q_[i] = std::clamp(q_[i], low, high);
    hold_[i] = q_[i] - offset_[i];
    speed_[i] = 0;
    limit_hit_ = mode_ == Mode::speed || mode_ == Mode::tool_speed;
  }
}

}  // namespace tandem::ur3e
