// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/ackermann/corner.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "tandem/kinematics/ackermann/quadrature.hpp"

namespace tandem::kinematics::ackermann {
namespace {

constexpr double sharpest = std::numbers::pi - 0.02;  // rad
constexpr double spare = 1.1;                         // of the radius: what is left for corrections
constexpr double easy_transition = 1.2;               // m: no reason to slow down
constexpr double widest = 20;                         // times the smallest radius, for the slightest corners
// Shares of the deflection that the two clothoids take.
constexpr std::array<double, 9> shares = {0.8, 0.65, 0.5, 0.35, 0.25, 0.15, 0.1, 0.05, 0};

// A corner whose arc has radius 1; all lengths grow with the radius.
Corner unit_corner(double angle, double share) {
  const double turned = share * angle / 2, length = 2 * turned;  // of one clothoid, whose curvature ends at 1
  PlanarPose end;
  constexpr int pieces = 4;
  for (int i = 0; i < pieces && length > 0; ++i)
    end = end * clothoid(static_cast<double>(i) / pieces, 1 / length, length / pieces);
  const double centre_x = end.x - std::sin(turned), centre_y = end.y + std::cos(turned);
  Corner corner;
  corner.deflection = angle;
  corner.curvature = 1;
  corner.transition = length;
  corner.arc = angle * (1 - share);
  corner.tangent = centre_x + centre_y * std::tan(angle / 2);
  corner.deviation = centre_y / std::cos(angle / 2) - 1;
  return corner;
}

Corner scaled(const Corner& unit, double radius, double sign) {
  return {sign * unit.deflection, sign / radius,         unit.transition * radius,
          unit.arc * radius,      unit.tangent * radius, unit.deviation * radius};
}

}  // namespace

double least_tangent(double deflection, double radius) { return radius * std::tan(std::abs(deflection) / 2); }
double least_deviation(double deflection, double radius) {
  return radius * (1 / std::cos(std::abs(deflection) / 2) - 1);
}

std::optional<Corner> round_corner(double deflection, const CornerRoom& room) {
  const double angle = std::abs(deflection), sign = deflection < 0 ? -1 : 1;
  if (!(angle < sharpest)) return std::nullopt;
  const double tight = spare * room.smallest_radius;
  const double wide = std::clamp(easy_transition / (shares[0] * angle), tight, widest * tight);
  for (const double radius : {wide, std::sqrt(wide * tight), tight, room.smallest_radius}) {
    for (const double share : shares) {
      const Corner unit = unit_corner(angle, share);
      if (unit.tangent * radius > room.tangent || unit.deviation * radius > room.deviation) continue;
      return scaled(unit, radius, sign);
    }
  }
  return std::nullopt;
}

}  // namespace tandem::kinematics::ackermann
