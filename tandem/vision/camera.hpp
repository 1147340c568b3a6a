// SPDX-License-Identifier: Apache-2.0
// A pinhole camera without distortion, and the gray images that it takes.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "tandem/base/result.hpp"

namespace tandem::vision {

// Optical axes: x right, y down, z into the scene. The centre of the first pixel is (0, 0).
// The numbers are those of the Orca model's camera (generate_model.py: 80 degrees wide).
struct Camera {
  int width = 800;   // pixels
  int height = 600;  // pixels
  double fx = 474.897;
  double fy = 474.897;
  double cx = 400.5;
  double cy = 300.5;

  // The pixel of a point in the camera's frame; the point must be in front of the camera.
  Eigen::Vector2d pixel_of(const Eigen::Vector3d& p_camera) const;
  // The point at depth 1 that is seen there.
  Eigen::Vector3d ray_through(const Eigen::Vector2d& pixel) const;
  Eigen::Matrix3d matrix() const;
  // Whether the pixel is in the image, and at least this far from its edges.
  bool shows(const Eigen::Vector2d& pixel, double margin = 0) const;
};

// The same view with another number of pixels: 0.5 gives 400 x 300.
Camera scaled(const Camera& camera, double factor);

// Whether these numbers can be a camera; the text says which one cannot.
Result<void> check(const Camera& camera);

// a gray image owned elsewhere, one byte per pixel.
struct GrayView {
  const std::uint8_t* pixels = nullptr;
  int width = 0;
  int height = 0;
  std::size_t stride = 0;  // bytes from one row to the next
};

struct GrayImage {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;  // row by row, no padding

  GrayView view() const { return {pixels.data(), width, height, static_cast<std::size_t>(width)}; }
};

}  // namespace tandem::vision
