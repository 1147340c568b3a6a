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
  // behind the camera, do not count.
  VisualRange measure(const Pose& X_world_camera, std::span<const Eigen::Vector3f> points);

 private:
  VisualRangeOptions options_;
  double tangent_;
  std::vector<double> depths_;
};

}  // namespace tandem::orca
