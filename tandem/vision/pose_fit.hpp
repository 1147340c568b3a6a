// SPDX-License-Identifier: Apache-2.0
// The pose of a camera from points that it sees.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <span>
#include <vector>

#include "tandem/base/transforms.hpp"
#include "tandem/vision/camera.hpp"

namespace tandem::vision {

using Matrix23 = Eigen::Matrix<double, 2, 3>;
using Matrix26 = Eigen::Matrix<double, 2, 6>;
using Vector6 = Eigen::Matrix<double, 6, 1>;

// A point of the world, and where the camera sees it.
struct Sight {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  Eigen::Vector2d pixel = Eigen::Vector2d::Zero();
};

struct PoseFit {
  Pose X_camera_world = Pose::Identity();
  std::vector<bool> fits;  // for each sight
  int count = 0;           // of those that fit
  double error = 0;        // pixels, root mean square of those that fit
};

// How a pixel follows small motions of camera and point.
struct Projection {
  bool in_front = false;
  Eigen::Vector2d pixel = Eigen::Vector2d::Zero();
  Matrix26 by_pose = Matrix26::Zero();   // moved(X_camera_world, step): translation, then rotation vector
  Matrix23 by_point = Matrix23::Zero();  // of the world
};
Projection project(const Camera& camera, const Pose& X_camera_world, const Eigen::Vector3d& p_world);
// The pose after a small step in the camera's frame.
Pose moved(const Pose& X_camera_world, const Vector6& step);

// How much a wide error counts: all of it up to the limit, then as limit / error.
double huber_weight(double error, double limit);
double huber_cost(double error, double limit);

// From a guess: the sum of Huber's errors at its lowest. `tolerance` in pixels says who fits.
PoseFit refine_pose(const Camera& camera, std::span<const Sight> sights, const Pose& X_camera_world, double tolerance);

// Without a guess: the pose that most sights agree on, refined. Always the same answer to the same question.
std::optional<PoseFit> find_pose(const Camera& camera, std::span<const Sight> sights, double tolerance);

}  // namespace tandem::vision
