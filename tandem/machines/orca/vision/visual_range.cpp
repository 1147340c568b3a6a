// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/vision/visual_range.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

namespace tandem::orca {
namespace {

// Changes the order. Of an even number the mean of the middle two.
double median_of(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return *middle;
  return 0.5 * (*middle + *std::max_element(values.begin(), middle));
}

// A normal distribution's standard deviation is this many median deviations.
constexpr double deviations_per_median = 1.4826;

}  // namespace

VisualRangefinder::VisualRangefinder(const VisualRangeOptions& options)
    : options_(options), tangent_(std::tan(options.half_angle)) {}

VisualRange VisualRangefinder::measure(const Pose& X_world_camera, std::span<const Eigen::Vector3f> points) {
  const Pose X_camera_world = X_world_camera.inverse();
  depths_.clear();
  depths_.reserve(points.size());
  spots_.clear();
  spots_.reserve(points.size());
  for (const Eigen::Vector3f& point : points) {
    const Eigen::Vector3d p = X_camera_world * point.cast<double>();
    const double reach = p.z() * tangent_;
    if (!(p.z() > 0) || !std::isfinite(p.z()) || p.x() * p.x() + p.y() * p.y() > reach * reach) continue;
    depths_.push_back(p.z());
    spots_.push_back({p.x() / p.z(), p.y() / p.z(), p.z()});
  }
  VisualRange visual;
  visual.points = static_cast<std::uint32_t>(depths_.size());
  if (depths_.size() < std::max<std::size_t>(options_.least_points, 1)) return visual;
  visual.range = median_of(depths_);
  for (double& depth : depths_) depth = std::abs(depth - visual.range);
  visual.spread = deviations_per_median * median_of(depths_) / visual.range;
  visual.axis = range_on_axis();
  return visual;
}

// Over a floor that is flat one over the depth is a linear function of the place in the image. Its slope is found
// twice, the second time without what does not fit, and taken out before the median.
double VisualRangefinder::range_on_axis() {
  constexpr double steepest_unseen = 0.02;  // so steep a floor may be found where points tell nothing about it
  constexpr double misfit = 3;              // standard deviations
  Eigen::Vector2d slope = Eigen::Vector2d::Zero();
  double middle = 0, most = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 2; ++round) {
    Eigen::Matrix3d sums = Eigen::Vector3d(0, steepest_unseen, steepest_unseen).asDiagonal();
    Eigen::Vector3d moments = Eigen::Vector3d::Zero();
    for (const Spot& spot : spots_) {
      const double near = 1 / spot.depth;
      if (!(std::abs(near - slope.x() * spot.x - slope.y() * spot.y - middle) <= most)) continue;
      const Eigen::Vector3d row(1, spot.x, spot.y);
      sums += row * row.transpose();
      moments += near * row;
    }
    const Eigen::Vector3d fit = sums.inverse() * moments;
    if (!fit.allFinite()) break;
    slope = fit.tail<2>();
    nearness_.clear();
    for (const Spot& spot : spots_) nearness_.push_back(1 / spot.depth - slope.x() * spot.x - slope.y() * spot.y);
    middle = median_of(nearness_);
    for (double& one : nearness_) one = std::abs(one - middle);
    most = misfit * deviations_per_median * median_of(nearness_) + 1e-12;
  }
  return middle > 0 && std::isfinite(1 / middle) ? 1 / middle : 0;
}

}  // namespace tandem::orca
