// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/trajectory/profile.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tandem::kinematics::trajectory {
namespace {

Error improper(const char* what, const char* name, const char* expected, double seen) {
  return {Fault::invalid, fmt::format("{}: {}: expected a number {}, got {}", what, name, expected, seen), 0};
}

bool positive(double value) { return std::isfinite(value) && value > 0; }

}  // namespace

Result<void> check(const char* what, const Pace& pace) {
  if (!(std::isfinite(pace.time) && pace.time >= 0)) return improper(what, "the time", "not below 0", pace.time);
  if (pace.time > 0) return {};
  if (!positive(pace.speed)) return improper(what, "the speed", "above 0", pace.speed);
  if (!positive(pace.acceleration)) return improper(what, "the acceleration", "above 0", pace.acceleration);
  return {};
}

Result<Profile> Profile::fastest(double distance, double speed, double acceleration) {
  if (!(std::isfinite(distance) && distance >= 0)) return improper("profile", "the distance", "not below 0", distance);
  if (!positive(speed)) return improper("profile", "the speed", "above 0", speed);
  if (!positive(acceleration)) return improper("profile", "the acceleration", "above 0", acceleration);
  if (speed * speed >= distance * acceleration)
    return Profile(distance, acceleration, std::sqrt(distance / acceleration), 0);
  const double ramp = speed / acceleration;
  return Profile(distance, acceleration, ramp, distance / speed - ramp);
}

Result<Profile> Profile::timed(double distance, double time) {
  if (!(std::isfinite(distance) && distance >= 0)) return improper("profile", "the distance", "not below 0", distance);
  if (!positive(time)) return improper("profile", "the time", "above 0", time);
  return Profile(distance, 4.5 * distance / (time * time), time / 3, time / 3);
}

Progress Profile::at(double t) const {
  if (!(t > 0)) return {0, 0, 0};
  if (t >= duration()) return {distance_, 0, 0};
  if (t < ramp_) return {0.5 * acceleration_ * t * t, acceleration_ * t, acceleration_};
  if (t < slowing()) return {acceleration_ * ramp_ * (t - 0.5 * ramp_), peak_speed(), 0};
  const double left = duration() - t;
  return {distance_ - 0.5 * acceleration_ * left * left, acceleration_ * left, -acceleration_};
}

double Profile::time_of(double s) const {
  if (!(s > 0)) return 0;
  if (s >= distance_) return duration();
  const double ramp = 0.5 * acceleration_ * ramp_ * ramp_;
  if (s < ramp) return std::sqrt(2 * s / acceleration_);
  if (s <= distance_ - ramp) return std::min(slowing(), 0.5 * ramp_ + s / peak_speed());
  return duration() - std::sqrt(2 * (distance_ - s) / acceleration_);
}

Profile Profile::stretched(double longer) const {
  const double k = duration() > 0 ? longer / duration() : 1;
  return {distance_, acceleration_ / (k * k), ramp_ * k, cruise_ * k};
}

}  // namespace tandem::kinematics::trajectory
