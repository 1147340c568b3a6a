#include "tandem/machines/orca/visual_range.hpp"

#include <algorithm>
#include <cmath>

namespace tandem::orca {
namespace {

// Changes the order. Of an even number the mean of the middle two.
double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

// A normal distribution's standard deviation is so many median deviations.
constexpr double deviations_per_median = 1.4826;

}  // namespace

VisualRangefinder::VisualRangefinder(const VisualRangeOptions& options)
    : options_(options), tangent_(std::tan(options.half_angle)) {}

VisualRange VisualRangefinder::measure(const Pose& X_world_camera, std::span<const Eigen::Vector3f> points) {
  const Pose X_camera_world = X_world_camera.inverse();
  depths_.clear();
  depths_.reserve(points.size());
  for (const Eigen::Vector3f& point : points) {
    const Eigen::Vector3d p = X_camera_world * point.cast<double>();
    const double reach = p.z() * tangent_;
    if (p.z() > 0 && std::isfinite(p.z()) && p.x() * p.x() + p.y() * p.y() <= reach * reach) depths_.push_back(p.z());
  }
  VisualRange visual;
  visual.points = static_cast<std::uint32_t>(depths_.size());
  if (depths_.size() < std::max<std::size_t>(options_.least_points, 1)) return visual;
  visual.range = median_of(depths_);
  for (double& depth : depths_) depth = std::abs(depth - visual.range);
  visual.spread = deviations_per_median * median_of(depths_) / visual.range;
  return visual;
}

}  // namespace tandem::orca
