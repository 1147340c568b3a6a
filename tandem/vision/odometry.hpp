// SPDX-License-Identifier: Apache-2.0
// Monocular visual odometry: where a camera is, from nothing but its images.
//
// ORB corners spread over the image become tracks, followed from keyframe to present image by their patches. Two images
// apart make a map (by the homography where the floor is flat), each further image a pose in it, keyframes new points
// and a local bundle adjustment. What is lost is recognised by its corners; a place seen before is used again instead
// of being mapped twice. Scale is not known and never guessed.
//
// The same images give the same answers. One thread at a time.
#pragma once

#include <memory>

#include "tandem/vision/mapper.hpp"

namespace tandem::vision {

struct OdometrySettings {
  Camera camera;
  MapperSettings mapping;
};

class Odometry {
 public:
  // Throws std::invalid_argument that says what is wrong with the camera.
  explicit Odometry(const OdometrySettings& settings);
  Odometry(Odometry&&) noexcept;
  Odometry& operator=(Odometry&&) noexcept;
  ~Odometry();

  // The next image, taken at `stamp` (s, any origin; one that stands still or jumps costs the prediction, no more).
  // An image of another size is refused and changes nothing.
  Result<void> add(const GrayView& image, double stamp);
  // Of the last image that was not refused.
  const Tracking& tracking() const;
  // Forgets everything and begins the next map.
  void reset();

  const Map& map() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tandem::vision
