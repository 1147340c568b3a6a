// SPDX-License-Identifier: Apache-2.0
// What the Orca does with each frame of a SLAM: the depth of its points, held against the sonar, is the map's scale.
#include <cstdio>
#include <vector>

#include "tandem/machines/orca/vision/scale_filter.hpp"
#include "tandem/machines/orca/vision/visual_range.hpp"

int main() {
  using namespace tandem;
  // A floor 0.5 units before the camera, which looks along z as OpenCV's do: 25 points about its axis.
  std::vector<Eigen::Vector3f> points;
  for (int row = -2; row <= 2; ++row) {
    for (int column = -2; column <= 2; ++column)
      points.emplace_back(0.05F * static_cast<float>(column), 0.05F * static_cast<float>(row), 0.5F);
  }
  const orca::VisualRange seen = orca::VisualRangefinder().measure(Pose::Identity(), points);
  std::printf("visual range: %.3f units from %u points\n", seen.best(), seen.points);

  orca::ScaleFilter scale;
  const Instant now = system_clock().now();
  const double sonar = 1.9;  // m
  if (!scale.hear(sonar, now) || !scale.observe(0, seen.best(), sonar, now)) return std::printf("no scale\n"), 1;
  std::printf("scale of map 0: %.3f m per unit\n", scale.scale(0).value);
}
