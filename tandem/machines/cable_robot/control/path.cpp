// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/control/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace tandem::cable_robot {
namespace {

constexpr double longest_tick = 0.02;     // s
constexpr double easing = 0.9;            // of the acceleration is used to come to rest: the rest is for rounding
constexpr double worth_tilting = 0.02;    // m: a tilt must bring the platform so much lower
constexpr double short_of_border = 2e-4;  // m, rad: a projected target stays so far inside

// s from rest to rest.
double duration(double distance, double speed, double acceleration) {
  const double ramps = speed * speed / acceleration;  // m that the two ramps take
  return distance > ramps ? distance / speed + speed / acceleration : 2 * std::sqrt(distance / acceleration);
}

// The speed from which rest can be reached in this distance, if it is gone for one tick more.
double speed_for(double distance, double acceleration, double dt) {
  if (!(acceleration > 0)) return 0;
  return acceleration * (std::sqrt(dt * dt + 2 * distance / acceleration) - dt);
}

Eigen::Vector3d no_longer_than(const Eigen::Vector3d& v, double most) {
  const double length = v.norm();
  return length > most ? Eigen::Vector3d(v * (most / length)) : v;
}

Eigen::Vector3d slowed(const Eigen::Vector3d& v, double by) {
  const double speed = v.norm();
  return speed > by ? Eigen::Vector3d(v * (1 - by / speed)) : Eigen::Vector3d::Zero();
}

Eigen::Vector3d turn_between(const Pose& from, const Pose& to) {
  return rotation_vector_from_quaternion(Eigen::Quaterniond(to.linear()) *
                                         Eigen::Quaterniond(from.linear()).conjugate());
}

Pose shifted(const Pose& pose, const Eigen::Vector3d& shift, const Eigen::Vector3d& turn) {
  const Eigen::Quaterniond turned = quaternion_from_rotation_vector(turn) * Eigen::Quaterniond(pose.linear());
  return pose_from(pose.translation() + shift, turned.normalized().toRotationMatrix());
}

// Ways to tilt, small ones first: about the axes, and about what lies between two or three of them.
constexpr std::array tilt_angles{0.06, 0.12, 0.2};  // rad
constexpr int tilt_axes = 26, tilts = static_cast<int>(tilt_angles.size()) * tilt_axes;

Eigen::Vector3d tilt_by(int which) {
  const int axis = which % tilt_axes, k = axis < tilt_axes / 2 ? axis : axis + 1;  // not the one in the middle: none
  return tilt_angles[static_cast<std::size_t>(which / tilt_axes)] *
         Eigen::Vector3d(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1).normalized();
}

struct Part {
  Eigen::Vector3d velocity;
  bool there = false;
};

// One tick of a part (translation or rotation) towards a goal that is `left` away and moves with `goal`.
Part towards(const Eigen::Vector3d& left, const Eigen::Vector3d& velocity, const Eigen::Vector3d& goal, double speed,
             double acceleration, double most_speed, double dt) {
  const Eigen::Vector3d behind = left - goal * dt;  // what is left when the goal's own motion is gone along with
  const double distance = behind.norm();
  if (distance <= acceleration * dt * dt && (velocity - goal).norm() <= 2 * acceleration * dt) return {goal, true};
  const double closing = std::min(speed, speed_for(distance, easing * acceleration, dt));
  const Eigen::Vector3d along = distance > 0 ? Eigen::Vector3d(behind / distance) : Eigen::Vector3d::Zero();
  const Eigen::Vector3d wanted = no_longer_than(goal + closing * along, most_speed);
  return {velocity + no_longer_than(wanted - velocity, acceleration * dt), false};
}

}  // namespace

const char* name(Outside outside) { return outside == Outside::refuse ? "refuse" : "project"; }

Path::Path(const cables::Robot& robot, const PathOptions& options) : options_(options), border_(robot, options.border) {
  restart(robot.home());
}

void Path::restart(const Pose& pose) {
  now_ = SetPoint{pose, cables::Twist::Zero(), cables::Twist::Zero()};
  goal_ = now_;
  then_.reset();
  down_ = {};
  was_inside_ = border_.look(pose).inside;
  braking_ = following_ = at_border_ = false;
  arrived_ = true;
  pace_for(pose);
}

void Path::pace_for(const Pose& goal) {
  const PathLimits& limits = options_.limits;
  const double distance = (goal.translation() - now_.pose.translation()).norm();
  const double angle = turn_between(now_.pose, goal).norm();
  const double speed = now_.velocity.head<3>().norm(), spin = now_.velocity.tail<3>().norm();
  const double linear_time = duration(distance, limits.speed, limits.acceleration) + speed / limits.acceleration;
  const double angular_time =
      duration(angle, limits.angular_speed, limits.angular_acceleration) + spin / limits.angular_acceleration;
  const double time = std::max({linear_time, angular_time, 1e-6});
  // Time stretched by 1/s divides speeds by s and accelerations by s^2; what moves already is braked no slower than the
  // whole motion lasts.
  const auto stretch = [time](double own_time, double most_speed, double acceleration, double has) {
    const double share = own_time / time;
    return Pace{std::clamp(has, most_speed * share, most_speed),
                std::clamp(2 * has / time, std::max(acceleration * share * share, 1e-6), acceleration)};
  };
  linear_ = stretch(linear_time, limits.speed, limits.acceleration, speed);
  angular_ = stretch(angular_time, limits.angular_speed, limits.angular_acceleration, spin);
}

Result<Pose> Path::target(const Pose& pose) {
  Look seen;
  const double share = border_.inside_until(now_.pose, pose, seen);
  Pose goal = pose;
  if (share < 1) {
    const Eigen::Vector3d& to = pose.translation();
    const bool target_itself = !border_.look(pose).inside;
    const std::string place = fmt::format("target ({:.3f}, {:.3f}, {:.3f}) m", to.x(), to.y(), to.z());
    const double way = std::max((to - now_.pose.translation()).norm(), turn_between(now_.pose, pose).norm());
    const double nearer = share - short_of_border / std::max(way, short_of_border);
    if (options_.outside == Outside::refuse || seen.bound == Bound::numbers || nearer < 0) {
      const Look why = target_itself ? border_.look(pose) : seen;
      const std::string what = target_itself
                                   ? std::string("outside the workspace")
                                   : fmt::format("the straight path leaves the workspace after {:.0f} %", 100 * share);
      return Error{Fault::unsupported, fmt::format("{}: {}: {}", place, what, border_.words(why).view())};
    }
    goal = between(now_.pose, pose, nearer);
  }
  goal_ = SetPoint{goal, cables::Twist::Zero(), cables::Twist::Zero()};
  then_.reset();
  braking_ = following_ = at_border_ = arrived_ = false;
  pace_for(goal);
  return goal;
}

Result<void> Path::follow(const SetPoint& reference) {
  if (!reference.velocity.allFinite() || !reference.acceleration.allFinite())
    return Error{Fault::invalid, "reference: velocity or acceleration is not finite"};
  const double speed = reference.velocity.head<3>().norm(), spin = reference.velocity.tail<3>().norm();
  if (speed > options_.limits.speed || spin > options_.limits.angular_speed)
    return Error{Fault::unsupported,
                 fmt::format("reference: expected at most {:g} m/s and {:g} rad/s, got {:.3g} m/s and {:.3g} rad/s",
                             options_.limits.speed, options_.limits.angular_speed, speed, spin)};
  if (const Look seen = border_.look(reference.pose); !seen.inside)
    return Error{Fault::unsupported, fmt::format("reference: outside the workspace: {}", border_.words(seen).view())};
  goal_ = reference;
  then_.reset();
  const PathLimits& limits = options_.limits;
  linear_ = {limits.speed, limits.acceleration};
  angular_ = {limits.angular_speed, limits.angular_acceleration};
  braking_ = at_border_ = arrived_ = false;
  following_ = true;
  return {};
}

void Path::brake() {
  braking_ = true;
  following_ = false;
  then_.reset();
  down_ = {};
}

SetPoint Path::moved(double dt) const {
  const Part linear = towards(goal_.pose.translation() - now_.pose.translation(), now_.velocity.head<3>(),
                              goal_.velocity.head<3>(), linear_.speed, linear_.acceleration, options_.limits.speed, dt);
  const Part angular = towards(turn_between(now_.pose, goal_.pose), now_.velocity.tail<3>(), goal_.velocity.tail<3>(),
                               angular_.speed, angular_.acceleration, options_.limits.angular_speed, dt);
  SetPoint next;
  next.velocity << linear.velocity, angular.velocity;
  next.acceleration = (next.velocity - now_.velocity) / dt;
  next.pose = shifted(now_.pose, linear.velocity * dt, angular.velocity * dt);
  if (linear.there) {
    next.pose.translation() = goal_.pose.translation();
    next.acceleration.head<3>() = goal_.acceleration.head<3>();
  }
  if (angular.there) {
    next.pose.linear() = goal_.pose.linear();
    next.acceleration.tail<3>() = goal_.acceleration.tail<3>();
  }
  return next;
}

SetPoint Path::braked(double dt) const {
  SetPoint next;
  next.velocity << slowed(now_.velocity.head<3>(), options_.limits.acceleration * dt),
      slowed(now_.velocity.tail<3>(), options_.limits.angular_acceleration * dt);
  next.acceleration = (next.velocity - now_.velocity) / dt;
  next.pose = shifted(now_.pose, next.velocity.head<3>() * dt, next.velocity.tail<3>() * dt);
  return next;
}

Pose Path::rest_of(const SetPoint& from) const {
  const Eigen::Vector3d v = from.velocity.head<3>(), w = from.velocity.tail<3>();
  return shifted(from.pose, v * (v.norm() / (2 * options_.limits.acceleration)),
                 w * (w.norm() / (2 * options_.limits.angular_acceleration)));
}

const SetPoint& Path::step(double dt) {
  if (!(dt > 0) || !std::isfinite(dt)) return now_;
  if (arrived_ && !following_ && !braking_ && now_.velocity.isZero(0)) return now_;
  dt = std::min(dt, longest_tick);
  if (!following_) goal_.velocity = goal_.acceleration = cables::Twist::Zero();
  SetPoint next = braking_ ? braked(dt) : moved(dt);
  if (!braking_) {
    Look seen = border_.look(next.pose);
    if (seen.inside) {
      was_inside_ = true;
      seen = border_.look(rest_of(next));
    }
    // Braking from the set point before ends inside, as was looked at then.
    if (!seen.inside && was_inside_) {
      braking_ = at_border_ = true;
      then_.reset();
      seen_ = seen;
      next = braked(dt);
    }
  }
  now_ = next;
  const bool at_goal = now_.pose.isApprox(goal_.pose, 1e-12) && now_.velocity == goal_.velocity;
  arrived_ = !braking_ && at_goal;
  if (braking_ && now_.velocity.isZero(0)) {
    braking_ = false;
    arrived_ = true;
    now_.acceleration.setZero();
    goal_ = now_;
  }
  following_ = false;
  if (arrived_ && then_) {
    goal_.pose = *then_;
    then_.reset();
    arrived_ = false;
    pace_for(goal_.pose);
  }
  return now_;
}

double Path::depth_below(const Pose& from, Pose& lowest) const {
  // Without a floor: as far as the cables go.
  const double drop = std::isfinite(border_.lowest()) ? from.translation().z() - border_.lowest()
                                                      : cables::lengths(border_.robot(), from).maxCoeff();
  Pose down = from;
  down.translation().z() -= std::max(drop, 0.0);
  Look seen;
  lowest = between(from, down, border_.inside_until(from, down, seen));
  lowest.translation().z() = std::min(lowest.translation().z() + short_of_border, from.translation().z());
  return from.translation().z() - lowest.translation().z();
}

void Path::consider(const Eigen::Vector3d& tilt) {
  const Pose tilted = shifted(now_.pose, Eigen::Vector3d::Zero(), tilt);
  if (!border_.look(tilted).inside) return;
  Pose lowest;
  const double depth = depth_below(tilted, lowest);
  if (depth < down_.depth + worth_tilting) return;
  down_.depth = depth;
  down_.first = tilted;
  down_.last = lowest;
}

std::optional<bool> Path::lower(const PathLimits& limits) {
  options_.limits = limits;
  const int look = down_.looked_at++;
  consider(look == 0 ? Eigen::Vector3d::Zero() : tilt_by(look - 1));
  if (look < tilts) return std::nullopt;
  const WayDown way = down_;
  down_ = {};
  if (way.depth < 0) return false;
  goal_ = SetPoint{way.first, cables::Twist::Zero(), cables::Twist::Zero()};
  then_ = way.last;
  was_inside_ = border_.look(now_.pose).inside;
  braking_ = following_ = at_border_ = arrived_ = false;
  pace_for(goal_.pose);
  return true;
}

}  // namespace tandem::cable_robot
