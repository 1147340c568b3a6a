// SPDX-License-Identifier: Apache-2.0
// Bundle adjustment: the poses of some cameras and the points they see, moved until all pixels agree best.
#pragma once

#include <vector>

#include "tandem/vision/pose_fit.hpp"

namespace tandem::vision {

struct BundleView {
  Pose X_camera_world = Pose::Identity();
  bool fixed = false;
};

struct BundleSight {
  int view = 0;
  int point = 0;
  Eigen::Vector2d pixel = Eigen::Vector2d::Zero();
};

struct Bundle {
  std::vector<BundleView> views;
  std::vector<Eigen::Vector3d> points;  // world
  std::vector<BundleSight> sights;      // those of one point stand together
};

// Levenberg and Marquardt with Huber's errors (`limit` in pixels), points eliminated first. At least one view should
// be fixed, two where the scale must stay as it is.
void adjust(const Camera& camera, Bundle& bundle, int most_steps, double limit);

}  // namespace tandem::vision
