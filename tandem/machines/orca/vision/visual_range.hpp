// SPDX-License-Identifier: Apache-2.0
// A rangefinder made of what the camera tracks: the depth of the points around the optical axis.
#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "tandem/machines/orca/sighting.hpp"

namespace tandem::orca {

struct VisualRangeOptions {
  double half_angle = 0.3490658503988659;  // rad, of the cone: 20 degrees
  std::size_t least_points = 15;           // in it, or there is no range
};

// Keeps its room, so that it does not allocate once warm. For one thread.
class VisualRangefinder {
 public:
  explicit VisualRangefinder(const VisualRangeOptions& options = {});

  // Points and camera in the SLAM's world, unscaled. The range is the median depth; points that are no numbers, or
  // behind the camera, do not count. A camera that tilts sees more of the floor's far side than of its near one, which
  // the median follows; the range on the axis does not.
  VisualRange measure(const Pose& X_world_camera, std::span<const Eigen::Vector3f> points);

 private:
  struct Spot {
    double x, y, depth;  // where in the image, at depth 1
  };
  double range_on_axis();

  VisualRangeOptions options_;
  double tangent_;
  std::vector<Spot> spots_;
  std::vector<double> depths_, nearness_;
};

}  // namespace tandem::orca
