// SPDX-License-Identifier: Apache-2.0
// What a visual odometry reports of one image, with the meaning that orb_slam3_ros gives it.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "tandem/base/transforms.hpp"

namespace tandem::vision {

// The numbers are those of orb_slam3_msgs/SlamStatus.
enum class TrackingState : std::int8_t {
  not_ready = -1,
  no_images = 0,
  not_initialised = 1,  // waits for enough of a view, and for motion
  ok = 2,
  recently_lost = 3,  // looks for a place of its map
  lost = 4,           // gives this map up; the next image begins another
};

const char* name(TrackingState state);

// The world of a map is its first keyframe's camera (optical axes), and its unit of length is its own.
struct Tracking {
  TrackingState state = TrackingState::no_images;
  std::uint32_t map_id = 0;
  bool map_changed = false;  // at this image: the map is new, or a place seen before has corrected the pose by a jump
  Pose X_world_camera = Pose::Identity();  // the last known one while lost
  std::vector<Eigen::Vector3d> points;     // world, those of the map that are seen in this image
};

}  // namespace tandem::vision
