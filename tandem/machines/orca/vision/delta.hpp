// SPDX-License-Identifier: Apache-2.0
// From the SLAM's camera poses to the body's: the chain world -> camera -> body, and what the body did between two
// images, as VISION_POSITION_DELTA means it.
#pragma once

#include "tandem/base/clock.hpp"
#include "tandem/base/transforms.hpp"

namespace tandem::orca {

// The body between two images.
struct BodyDelta {
  Eigen::Vector3d rotation = Eigen::Vector3d::Zero();  // rad: rotation vector from the earlier body FRD to the later
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m: change of position, in the later body FRD
  Pose X_before_now = Pose::Identity();                // the same as a pose of the body, FLU
  Duration span{};                                     // between the images
  double confidence = 0;                               // %, 0 to 100
};

// Where the body is in the SLAM's own frame. The camera's way is scaled; the lever from camera to body is in metres
// already.
Pose X_slam_base(const Pose& X_world_camera, double scale, const Pose& X_base_camera);

// Between two unscaled camera poses of one map. The way between them is scaled, not the poses, so that a scale which
// changes does not move a body that is far from the origin.
BodyDelta delta_between(const Pose& X_world_before, const Pose& X_world_now, double scale, const Pose& X_base_camera);

// What the sonar's range means along the optical axis, over a level floor: the sonar receives the nearest point of its
// cone and sits elsewhere, while the camera looks where the body's tilt points it. In two steps, since the two measure
// at different times: `up` is the map's upward axis in the body. Zero when one looks beside the floor.
double height_from_sonar(double sonar, const Eigen::Vector3d& up, const Pose& X_base_ping, double half_angle);
double camera_range(double height, const Eigen::Vector3d& up, const Pose& X_base_camera);

// What a delta is worth. ArduPilot takes 100 % for an error of 0.1 m/s and 0 % for 0.9 m/s.
struct Trust {
  double scale_spread = 0;  // of the ratios that made the scale, as a share
  std::size_t points = 0;   // that made the visual range
  Duration ratio_age{};     // since the scale was last seen to be right
  Duration longest_hold = 1s;
};
double confidence_from(const Trust& trust);  // %

}  // namespace tandem::orca
