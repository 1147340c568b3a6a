// SPDX-License-Identifier: Apache-2.0
// Two images of the same spots, and nothing else known: how the camera moved, and where the spots are.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "tandem/vision/pose_fit.hpp"

namespace tandem::vision {

// Where the two rays to a spot meet, in the first camera's frame. Nothing when they meet behind a camera, or nowhere
// near both pixels (`tolerance`), or at less than `parallax` (rad).
std::optional<Eigen::Vector3d> triangulate(const Camera& camera, const Pose& X_second_first,
                                           const Eigen::Vector2d& first, const Eigen::Vector2d& second,
                                           double tolerance, double parallax);

struct TwoView {
  Pose X_second_first = Pose::Identity();
  std::vector<std::optional<Eigen::Vector3d>> points;  // for each pair of pixels; first camera's frame
  int count = 0;                                       // of the points
  double parallax = 0;                                 // rad, median
};

// In units of the median depth. A flat scene is recognised by its homography (of the two motions that explain it, the
// one with the plane across the view), another one by its essential matrix.
std::optional<TwoView> two_view(const Camera& camera, std::span<const Eigen::Vector2d> first,
                                std::span<const Eigen::Vector2d> second, double tolerance);

}  // namespace tandem::vision
