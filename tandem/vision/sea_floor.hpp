// SPDX-License-Identifier: Apache-2.0
// What a camera sees of a flat sea floor: sand, ripples and pebbles from a seed, through water.
#pragma once

#include <cstdint>
#include <memory>

#include "tandem/base/transforms.hpp"
#include "tandem/vision/camera.hpp"

namespace tandem::vision {

struct SeaFloorSettings {
  std::uint64_t seed = 1;   // another seed, another floor
  double height = -4;       // m, z of the floor in the world (z up)
  double far = 5;           // m, nothing is seen beyond; at most 10
  double attenuation = .1;  // 1/m, of light in the water; 0 is clear
  double vignette = .25;    // how much darker the corners are, 0 to 1
  double noise = 1.5;       // standard deviation of the sensor, gray levels
};

// The floor has no end and no repetition: it is made in pieces where a client looks, always the same, and the pieces
// last looked at are kept (at most 16 MB). The same calls give the same images, noise included.
class SeaFloor {
 public:
  // Throws std::invalid_argument that says what is wrong.
  explicit SeaFloor(const SeaFloorSettings& settings);
  SeaFloor(SeaFloor&&) noexcept;
  SeaFloor& operator=(SeaFloor&&) noexcept;
  ~SeaFloor();

  // Perspective is exact to 1/32 of a texel (0.16 mm). A camera below the floor, or a pose that is no pose, sees water;
  // one that check() refuses takes no image (0 x 0).
  void render(const Camera& camera, const Pose& X_world_camera, GrayImage& image);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tandem::vision
