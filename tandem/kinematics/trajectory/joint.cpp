// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/trajectory/joint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/kinematics/trajectory/error.hpp"

namespace tandem::kinematics::trajectory {
namespace {

Result<void> finite(const char* what, const char* name, const Joints& values) {
  for (int i = 0; i < 6; ++i)
    if (!std::isfinite(values[i]))
      return wrong(fmt::format("{}: {} of joint {} is not finite", what, name, ur::joint_names[std::size_t(i)]));
  return {};
}

Result<void> within(const Model& model, const Joints& q) {
  const auto joint = ur::outside_limits(model, q);
  if (!joint) return {};
  const auto j = static_cast<std::size_t>(*joint);
  return wrong(fmt::format("movej: joint {} cannot go to {:.4f} rad, its limits are {:.4f} to {:.4f}",
                           ur::joint_names[j], q[*joint], model.lowest[j], model.highest[j]));
}

// A time that asks for more than a joint can do.
Result<void> feasible(const Model& model, const Joints& way, const Profile& profile) {
  for (int i = 0; i < 6; ++i) {
    const auto j = static_cast<std::size_t>(i);
    const double speed = std::abs(way[i]) * profile.peak_speed();
    if (speed > model.speed[j] * (1 + 1e-9))
      return wrong(fmt::format("movej: in {:.3f} s joint {} would need {:.3f} rad/s, its limit is {:.3f}",
                               profile.duration(), ur::joint_names[j], speed, model.speed[j]));
    const double acceleration = std::abs(way[i]) * profile.acceleration();
    if (acceleration > model.acceleration[j] * (1 + 1e-9))
      return wrong(fmt::format("movej: in {:.3f} s joint {} would need {:.2f} rad/s^2, its limit is {:.2f}",
                               profile.duration(), ur::joint_names[j], acceleration, model.acceleration[j]));
  }
  return {};
}

}  // namespace

Result<JointMove> JointMove::make(const Model& model, const Joints& from, const Joints& to, const Pace& pace) {
  if (auto r = finite("movej", "the start", from); !r) return r.error();
  if (auto r = finite("movej", "the target", to); !r) return r.error();
  if (auto r = check("movej", pace); !r) return r.error();
  if (auto r = within(model, to); !r) return r.error();
  JointMove move;
  move.from_ = from, move.to_ = to;
  const double longest = (to - from).cwiseAbs().maxCoeff();
  if (longest > 0) move.way_ = (to - from) / longest;
  if (pace.time > 0) {
    move.profile_ = *Profile::timed(longest, pace.time);
    if (auto r = feasible(model, move.way_, move.profile_); !r) return r.error();
    return move;
  }
  double speed = pace.speed, acceleration = pace.acceleration;
  for (int i = 0; i < 6; ++i) {
    const double share = std::abs(move.way_[i]);
    if (share == 0) continue;
    speed = std::min(speed, model.speed[std::size_t(i)] / share);
    acceleration = std::min(acceleration, model.acceleration[std::size_t(i)] / share);
  }
  auto profile = Profile::fastest(longest, speed, acceleration);
  if (!profile) return profile.error();
  move.profile_ = *profile;
  return move;
}

JointState JointMove::sample(double t) const {
  const Progress p = profile_.at(t);
  if (t >= duration()) return {to_, Joints::Zero(), Joints::Zero()};
  return {from_ + way_ * p.s, way_ * p.sd, way_ * p.sdd};
}

Result<JointStop> JointStop::make(const Joints& q, const Joints& qd, double deceleration) {
  if (auto r = finite("stopj", "the angle", q); !r) return r.error();
  if (auto r = finite("stopj", "the speed", qd); !r) return r.error();
  if (auto r = positive("stopj", "the deceleration", deceleration); !r) return r.error();
  JointStop stop;
  stop.q_ = q, stop.qd_ = qd, stop.duration_ = qd.cwiseAbs().maxCoeff() / deceleration;
  return stop;
}

JointState JointStop::sample(double t) const {
  if (!(t > 0)) t = 0;
  if (t >= duration_) return {q_ + qd_ * (0.5 * duration_), Joints::Zero(), Joints::Zero()};
  const double share = t / duration_;
  return {q_ + qd_ * (t * (1 - 0.5 * share)), qd_ * (1 - share), -qd_ / duration_};
}

Result<JointRamp> JointRamp::make(const Model& model, const Joints& q, const Joints& qd, const Joints& wanted,
                                  double acceleration) {
  if (auto r = finite("speedj", "the angle", q); !r) return r.error();
  if (auto r = finite("speedj", "the speed", qd); !r) return r.error();
  if (auto r = finite("speedj", "the target speed", wanted); !r) return r.error();
  if (auto r = positive("speedj", "the acceleration", acceleration); !r) return r.error();
  for (int i = 0; i < 6; ++i)
    if (std::abs(wanted[i]) > model.speed[std::size_t(i)] * (1 + 1e-9))
      return wrong(fmt::format("speedj: joint {} cannot do {:.3f} rad/s, its limit is {:.3f}",
                               ur::joint_names[std::size_t(i)], wanted[i], model.speed[std::size_t(i)]));
  JointRamp ramp;
  ramp.q_ = q, ramp.qd_ = qd, ramp.wanted_ = wanted;
  ramp.ramp_ = (wanted - qd).cwiseAbs().maxCoeff() / acceleration;
  return ramp;
}

JointState JointRamp::sample(double t) const {
  if (!(t > 0)) t = 0;
  if (t >= ramp_) return {q_ + (qd_ + wanted_) * (0.5 * ramp_) + wanted_ * (t - ramp_), wanted_, Joints::Zero()};
  const Joints change = (wanted_ - qd_) / ramp_;
  return {q_ + qd_ * t + change * (0.5 * t * t), qd_ + change * t, change};
}

}  // namespace tandem::kinematics::trajectory
