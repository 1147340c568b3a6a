// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/winch.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace tandem::cables {
namespace {

constexpr double whole_turn = 2 * std::numbers::pi;

double travel(const Drum& drum, double angle) { return drum.pitch * (angle - drum.level) / whole_turn; }

// From drum to eye: the cable on this way is out of the drum but not yet beyond the eye.
double way_to_eye(const Drum& drum, double angle) {
  return drum.eye > 0 ? std::hypot(drum.eye, travel(drum, angle)) : 0;
}

Error bad_drum(const char* what, const char* expected, double seen) {
  return {Fault::invalid, fmt::format("drum {}: expected {}, got {}", what, expected, seen)};
}

}  // namespace

Result<void> check_drum(const Drum& drum) {
  if (!(drum.radius > 0 && drum.radius <= 100)) return bad_drum("radius", "m above 0 and up to 100", drum.radius);
  if (!(drum.pitch >= 0 && drum.pitch <= drum.radius)) return bad_drum("pitch", "m from 0 to the radius", drum.pitch);
  if (!std::isfinite(drum.zero)) return bad_drum("zero", "a finite number of m", drum.zero);
  if (drum.sense != 1 && drum.sense != -1) return bad_drum("sense", "1 or -1", drum.sense);
  if (!(drum.eye >= 0 && drum.eye <= 1e4)) return bad_drum("eye", "m from 0 to 10000", drum.eye);
  if (!std::isfinite(drum.level)) return bad_drum("level", "a finite number of rad", drum.level);
  return {};
}

double length_per_turn(const Drum& drum) { return std::hypot(whole_turn * drum.radius, drum.pitch); }

double length_from_angle(const Drum& drum, double angle) {
  return drum.zero + drum.sense * length_per_turn(drum) * angle / whole_turn -
         (way_to_eye(drum, angle) - way_to_eye(drum, 0));
}

double length_rate(const Drum& drum, double angle) {
  const double wound = drum.sense * length_per_turn(drum) / whole_turn;
  if (!(drum.eye > 0)) return wound;
  return wound - drum.pitch / whole_turn * travel(drum, angle) / way_to_eye(drum, angle);
}

double angle_from_length(const Drum& drum, double length) {
  double angle = drum.sense * (length - drum.zero) * whole_turn / length_per_turn(drum);
  if (!(drum.eye > 0)) return angle;
  // The rate changes by less than a sixth over all angles (the pitch is at most the radius), so Newton cannot fail.
  for (int i = 0; i < 20; ++i) {
    const double step = (length - length_from_angle(drum, angle)) / length_rate(drum, angle);
    angle += step;
    if (!(std::abs(step) > 1e-15 * (1 + std::abs(angle)))) break;
  }
  return angle;
}

}  // namespace tandem::cables
