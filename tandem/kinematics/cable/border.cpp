// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/border.hpp"

#include <algorithm>

namespace tandem::cables {

namespace {

constexpr int sections = 8, rounds = 3;
constexpr std::size_t ways = 6;

// The margins of all six ways at this part of each way's interval (1 to 8 of `width` from `start`).
struct Probe {
  std::array<double, ways * sections> x, y, z, margin;
};

Eigen::Vector3d way_axis(std::size_t way) {
  Eigen::Vector3d axis = Eigen::Vector3d::Zero();
  axis[static_cast<Eigen::Index>(way / 2)] = way % 2 == 0 ? 1 : -1;
  return axis;
}

// Narrows each way to the first section whose end is outside; `measure` fills the margins of a probe.
template <typename Measure>
std::array<double, ways> first_outside(double reach, double reserve, const Measure& measure) {
  std::array<double, ways> start{};
  std::array<bool, ways> met{};
  double width = reach / sections;
  for (int round = 0; round < rounds; ++round, width /= sections) {
    Probe probe;
    measure(start, width, probe);
    for (std::size_t way = 0; way < ways; ++way) {
      if (round > 0 && !met[way]) continue;
      const double* margins = probe.margin.data() + way * sections;
      const double* outside = std::find_if_not(margins, margins + sections, [&](double m) { return m >= reserve; });
      if (round == 0) met[way] = outside != margins + sections;
      // In later rounds the end of the last section is known to be outside.
      start[way] += width * static_cast<double>(std::min<std::ptrdiff_t>(outside - margins, met[way] ? 7 : 8));
    }
  }
  return start;
}

}  // namespace

Border distance_to_border(const Robot& robot, const Pose& pose, std::span<const Wrench> loads,
                          const BorderReach& reach) {
  Border border;
  border.margin = margin(robot, pose, loads);
  border.inside = border.margin >= reach.reserve;
  if (!border.inside) return border;
  const Eigen::Matrix3d rotation = pose.linear();
  const Eigen::Vector3d here = pose.translation();
  border.moves = first_outside(
      reach.distance, reach.reserve, [&](const std::array<double, ways>& start, double width, Probe& probe) {
        for (std::size_t i = 0; i < ways * sections; ++i) {
          const std::size_t way = i / sections;
          const Eigen::Vector3d at =
              here + way_axis(way) * (start[way] + width * static_cast<double>(i % sections + 1));
          probe.x[i] = at.x(), probe.y[i] = at.y(), probe.z[i] = at.z();
        }
        margins(robot, rotation, {probe.x, probe.y, probe.z}, loads, probe.margin);
      });
  border.distance = *std::min_element(border.moves.begin(), border.moves.end());
  if (!(reach.angle > 0)) return border;
  border.turns =
      first_outside(reach.angle, reach.reserve, [&](const std::array<double, ways>& start, double width, Probe& probe) {
        const std::span<const double> x(&here[0], 1), y(&here[1], 1), z(&here[2], 1);
        for (std::size_t i = 0; i < ways * sections; ++i) {
          const std::size_t way = i / sections;
          const double angle = start[way] + width * static_cast<double>(i % sections + 1);
          const Eigen::Matrix3d turned = Eigen::AngleAxisd(angle, way_axis(way)) * rotation;
          margins(robot, turned, {x, y, z}, loads, std::span(&probe.margin[i], 1));
        }
      });
  return border;
}

}  // namespace tandem::cables
