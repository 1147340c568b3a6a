// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/trajectory/tool.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/kinematics/trajectory/error.hpp"

namespace tandem::kinematics::trajectory {
namespace {

Result<void> finite(const char* what, const Pose& X, const Vector6& twist) {
  if (!ur::finite(X)) return wrong(fmt::format("{}: the pose is not finite", what));
  if (!twist.allFinite()) return wrong(fmt::format("{}: the speed is not finite", what));
  return {};
}

Pose moved(const Pose& X, const Eigen::Vector3d& way, const Eigen::Vector3d& turn) {
  return pose_from(X.translation() + way, quaternion_from_rotation_vector(turn).toRotationMatrix() * X.linear());
}

}  // namespace

Result<ToolMove> ToolMove::make(Curve curve, const Pace& pace, const TurnLimits& limits) {
  if (auto r = check("tool move", pace); !r) return r.error();
  if (auto r = positive("tool move", "the turning speed", limits.speed); !r) return r.error();
  if (auto r = positive("tool move", "the turning acceleration", limits.acceleration); !r) return r.error();
  ToolMove move;
  const double rate = curve.turning() ? 1 : curve.turn_rate();
  if (pace.time > 0) {
    move.profile_ = *Profile::timed(curve.length(), pace.time);
    if (rate * move.profile_.peak_speed() > limits.speed * (1 + 1e-9))
      return wrong(fmt::format("tool move: in {:.3f} s the tool would turn at {:.3f} rad/s, its limit is {:.3f}",
                               pace.time, rate * move.profile_.peak_speed(), limits.speed));
  } else {
    double speed = curve.turning() ? limits.speed : pace.speed;
    double acceleration = curve.turning() ? limits.acceleration : pace.acceleration;
    if (rate > 0) speed = std::min(speed, limits.speed / rate);
    if (rate > 0) acceleration = std::min(acceleration, limits.acceleration / rate);
    auto profile = Profile::fastest(curve.length(), speed, acceleration);
    if (!profile) return profile.error();
    move.profile_ = *profile;
  }
  move.curve_ = std::move(curve);
  return move;
}

Result<ToolMove> ToolMove::line(const Pose& from, const Pose& to, const Pace& pace, const TurnLimits& limits) {
  auto curve = Curve::line(from, to);
  if (!curve) return within("movel", curve.error());
  return make(std::move(*curve), pace, limits);
}

ToolState ToolMove::sample(double t) const {
  const Progress p = profile_.at(t);
  const CurvePoint point = curve_.at(p.s);
  return {point.X, point.tangent * p.sd};
}

Result<ToolStop> ToolStop::make(const Pose& X, const Vector6& twist, double deceleration, double turn_deceleration) {
  if (auto r = finite("stopl", X, twist); !r) return r.error();
  if (auto r = positive("stopl", "the deceleration", deceleration); !r) return r.error();
  if (auto r = positive("stopl", "the turning deceleration", turn_deceleration); !r) return r.error();
  ToolStop stop;
  stop.X_ = X, stop.twist_ = twist;
  stop.duration_ = std::max(twist.head<3>().norm() / deceleration, twist.tail<3>().norm() / turn_deceleration);
  return stop;
}

ToolState ToolStop::sample(double t) const {
  if (!(t > 0)) t = 0;
  const double within = std::min(t, duration_);
  const double share = duration_ > 0 ? within / duration_ : 1;
  const double way = within * (1 - 0.5 * share);
  return {moved(X_, twist_.head<3>() * way, twist_.tail<3>() * way), twist_ * (1 - share)};
}

Result<ToolRamp> ToolRamp::make(const ToolState& start, double acceleration, double turn_acceleration) {
  if (auto r = finite("speedl", start.X, start.twist); !r) return r.error();
  if (auto r = positive("speedl", "the acceleration", acceleration); !r) return r.error();
  if (auto r = positive("speedl", "the turning acceleration", turn_acceleration); !r) return r.error();
  ToolRamp ramp;
  ramp.state_ = start, ramp.wanted_ = start.twist;
  ramp.acceleration_ = acceleration, ramp.turn_acceleration_ = turn_acceleration;
  return ramp;
}

Result<void> ToolRamp::want(const Vector6& twist) {
  if (!twist.allFinite()) return wrong("speedl: the speed is not finite");
  wanted_ = twist;
  return {};
}

const ToolState& ToolRamp::step(double dt) {
  if (!(dt > 0)) return state_;
  const auto limited = [](const Eigen::Vector3d& change, double most) -> Eigen::Vector3d {
    const double size = change.norm();
    return size > most ? Eigen::Vector3d(change * (most / size)) : change;
  };
  Vector6 next = state_.twist;
  next.head<3>() += limited((wanted_ - state_.twist).head<3>(), acceleration_ * dt);
  next.tail<3>() += limited((wanted_ - state_.twist).tail<3>(), turn_acceleration_ * dt);
  const Vector6 mean = 0.5 * (state_.twist + next);
  state_.X = moved(state_.X, mean.head<3>() * dt, mean.tail<3>() * dt);
  // Rounding would grow over hours: back to a rotation.
  state_.X.linear() = Eigen::Quaterniond(state_.X.linear()).normalized().toRotationMatrix();
  state_.twist = next;
  return state_;
}

}  // namespace tandem::kinematics::trajectory
