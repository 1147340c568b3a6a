// SPDX-License-Identifier: Apache-2.0
#include "tandem/vision/camera.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tandem::vision {

Eigen::Vector2d Camera::pixel_of(const Eigen::Vector3d& p_camera) const {
  return {fx * p_camera.x() / p_camera.z() + cx, fy * p_camera.y() / p_camera.z() + cy};
}

Eigen::Vector3d Camera::ray_through(const Eigen::Vector2d& pixel) const {
  return {(pixel.x() - cx) / fx, (pixel.y() - cy) / fy, 1};
}

Eigen::Matrix3d Camera::matrix() const {
  Eigen::Matrix3d k = Eigen::Matrix3d::Identity();
  k(0, 0) = fx;
  k(1, 1) = fy;
  k(0, 2) = cx;
  k(1, 2) = cy;
  return k;
}

bool Camera::shows(const Eigen::Vector2d& pixel, double margin) const {
  return pixel.x() >= margin && pixel.y() >= margin && pixel.x() <= width - 1 - margin &&
         pixel.y() <= height - 1 - margin;
}

Camera scaled(const Camera& camera, double factor) {
  return {static_cast<int>(std::lround(camera.width * factor)),
          static_cast<int>(std::lround(camera.height * factor)),
          camera.fx * factor,
          camera.fy * factor,
          (camera.cx + 0.5) * factor - 0.5,
          (camera.cy + 0.5) * factor - 0.5};
}

Result<void> check(const Camera& camera) {
  if (camera.width < 64 || camera.height < 64 || camera.width > 8192 || camera.height > 8192) {
    return Error{Fault::invalid,
                 fmt::format("camera: expected 64 to 8192 pixels a side, got {} x {}", camera.width, camera.height)};
  }
  if (!std::isfinite(camera.fx) || !std::isfinite(camera.fy) || camera.fx <= 1 || camera.fy <= 1) {
    return Error{Fault::invalid,
                 fmt::format("camera: expected focal lengths above 1 pixel, got {} and {}", camera.fx, camera.fy)};
  }
  if (!camera.shows({camera.cx, camera.cy})) {
    return Error{Fault::invalid, fmt::format("camera: expected a centre within {} x {} pixels, got ({}, {})",
                                             camera.width, camera.height, camera.cx, camera.cy)};
  }
  return {};
}

}  // namespace tandem::vision
