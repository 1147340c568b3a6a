// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/stewart/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tandem::stewart {
namespace {

// The search walks outwards in these steps and halves the last one; narrower gaps than a step are walked over.
constexpr std::array<double, 2> search_step = {0.005, 0.005};  // m, rad
constexpr std::array<double, 2> search_end = {10, 3.14};       // m, rad from the start
constexpr double precision = 1e-10;

bool allowed(const Platform& platform, const Strokes& strokes, const Coordinates& at, RotationOrder order) {
  if (clearance(strokes, leg_lengths(platform, at, order)).distance < 0) return false;
  return relative_determinant(platform, pose_from_coordinates(at, order)) > 0;
}

// The furthest value of one coordinate in one direction.
double furthest(const Platform& platform, const Strokes& strokes, Coordinates at, std::size_t axis, double direction,
                RotationOrder order) {
  const std::size_t unit = axis < 3 ? 0 : 1;
  const double start = at[axis];
  const auto fits = [&](double distance) {
    at[axis] = start + direction * distance;
    return allowed(platform, strokes, at, order);
  };
  double inside = 0;
  while (inside < search_end[unit] && fits(inside + search_step[unit])) inside += search_step[unit];
  double outside = inside + search_step[unit];
  while (outside - inside > precision) {
    const double middle = (inside + outside) / 2;
    (fits(middle) ? inside : outside) = middle;
  }
  return start + direction * inside;
}

}  // namespace

Clearance clearance(const Strokes& strokes, const Lengths& lengths) {
  Clearance least{0, std::numeric_limits<double>::infinity(), false};
  for (int i = 0; i < 6; ++i) {
    const double below = lengths[i] - strokes.shortest;
    const double above = strokes.longest - lengths[i];
    const double distance =
        std::isfinite(lengths[i]) ? std::min(below, above) : -std::numeric_limits<double>::infinity();
    if (distance < least.distance) least = {i + 1, distance, above < below};
  }
  return least;
}

std::string why_unreachable(const Strokes& strokes, const Lengths& lengths) {
  const Clearance worst = clearance(strokes, lengths);
  if (worst.distance >= 0) return {};
  return fmt::format("leg {} would have to be {:.4f} m, {:.4f} m {} its {} {:.4f} m", worst.leg, lengths[worst.leg - 1],
                     -worst.distance, worst.upper ? "beyond" : "short of", worst.upper ? "longest" : "shortest",
                     worst.upper ? strokes.longest : strokes.shortest);
}

Result<std::array<Range, 6>> reach(const Platform& platform, const Strokes& strokes, const Coordinates& start,
                                   RotationOrder order) {
  const Lengths lengths = leg_lengths(platform, start, order);
  if (std::string why = why_unreachable(strokes, lengths); !why.empty())
    return Error{Fault::invalid, "start of the reach: " + why};
  if (!allowed(platform, strokes, start, order))
    return Error{Fault::invalid, "start of the reach: a singularity is between home and the pose"};
  std::array<Range, 6> ranges;
  for (std::size_t axis = 0; axis < 6; ++axis) {
    ranges[axis] = {furthest(platform, strokes, start, axis, -1, order),
                    furthest(platform, strokes, start, axis, +1, order)};
  }
  return ranges;
}

}  // namespace tandem::stewart
