// SPDX-License-Identifier: Apache-2.0
// The map of a visual odometry: keyframes, and the points that they see.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "tandem/vision/pose_fit.hpp"

namespace tandem::vision {

// A spot of the scene, distinguished from others by its id, and where it is in an image.
struct Track {
  int id = 0;
  Eigen::Vector2d pixel = Eigen::Vector2d::Zero();
};

struct Keyframe {
  int id = 0;  // later ones have higher ids
  Pose X_camera_world = Pose::Identity();
  std::vector<Track> tracks;  // by id

  const Eigen::Vector2d* pixel_of(int track) const;  // nullptr when it is not seen
};

struct Map {
  std::vector<Keyframe> keyframes;                  // oldest first
  std::unordered_map<int, Eigen::Vector3d> points;  // world, of those tracks whose place is known

  const Keyframe* keyframe(int id) const;  // nullptr when there is none
  const Eigen::Vector3d* point(int track) const;
  int points_of(const Keyframe& keyframe) const;
};

// What fits and what does not.
struct MapRules {
  double tolerance = 2;    // pixels
  double parallax = 0.02;  // rad, the least that gives a point
  std::size_t window = 7;  // keyframes that are adjusted together
  std::size_t most_keyframes = 120;
};

// Sights of the known ones among the tracks; `chosen` receives their places in `tracks`.
std::vector<Sight> sights_of(const Map& map, std::span<const Track> tracks, std::vector<std::size_t>& chosen);

// Gives places to the newest keyframe's tracks that an earlier one saw from elsewhere.
void add_points(Map& map, const Camera& camera, const MapRules& rules);

// Adjusts the newest keyframe, those that share most points with it, and the points; then drops the points that are
// not where a keyframe sees them.
void adjust_newest(Map& map, const Camera& camera, const MapRules& rules);

// Drops the oldest keyframes, and the points that no other one sees, until there are no more than the rules allow.
void forget_oldest(Map& map, const MapRules& rules);

// The plane n . p = 1 through the points that a keyframe sees, in its camera's frame.
std::optional<Eigen::Vector3d> floor_seen_by(const Map& map, const Keyframe& keyframe);

// Pixels of a camera from pixels of the keyframe, for what lies on that plane.
std::optional<Eigen::Matrix3d> view_from_keyframe(const Map& map, const Keyframe& keyframe, const Camera& camera,
                                                  const Pose& X_camera_world);

}  // namespace tandem::vision
