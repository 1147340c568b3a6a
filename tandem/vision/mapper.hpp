// SPDX-License-Identifier: Apache-2.0
// Poses and a map from tracks of any source: the half of a visual odometry that never sees an image.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tandem/vision/map.hpp"
#include "tandem/vision/tracking.hpp"

namespace tandem::vision {

struct MapperSettings {
  double tolerance = 2;           // pixels of an image 800 wide; others in proportion, never below one
  double first_parallax = 0.06;   // rad, median, from which a map is made
  std::size_t first_points = 50;  // fewest of a new map
  int fewest_points = 15;         // that hold a pose
  double lost_after = 30;         // s without a pose until the map is given up
  std::size_t most_keyframes = 120;
};

// One call per image: begin() or initialise() while there is no map, then place() or miss(), and after place() a
// keyframe when needs_keyframe() says so. A pose that is no number never gets out.
class Mapper {
 public:
  Mapper(const Camera& camera, const MapperSettings& settings);

  const Tracking& tracking() const { return tracking_; }
  const Map& map() const { return map_; }
  bool begun() const { return !map_.keyframes.empty(); }
  bool has_map() const { return !map_.points.empty(); }
  double tolerance() const { return rules_.tolerance; }

  // The first keyframe of a map to be; nothing is known but its tracks.
  void begin(std::span<const Track> tracks);
  // Makes the map, and this image its second keyframe, if these tracks and the first keyframe's say enough.
  bool initialise(std::span<const Track> tracks);
  // There is nothing to see, and no map to be lost in.
  void wait();

  // X_camera_world if the camera goes on as it did.
  Pose predicted() const;
  Pose X_camera_world() const { return tracking_.X_world_camera.inverse(); }
  // The pose that explains the tracks, from a guess or from nothing.
  std::optional<PoseFit> locate(std::span<const Track> tracks, const std::optional<Pose>& X_camera_world) const;
  // This image is there; `seconds` since the image before.
  void place(std::span<const Track> tracks, const PoseFit& fit, double seconds);
  // The placed image is there instead: a keyframe seen before knows better. A jump, and no motion.
  void correct(std::span<const Track> tracks, const PoseFit& fit);
  // This image has no pose. After `lost_after` the map is given up, and the image after that begins another.
  void miss(double seconds);

  // The keyframe that the present tracks come from, -1 before the first.
  int reference() const { return reference_; }
  void reference(int keyframe) { reference_ = keyframe; }
  bool needs_keyframe() const;
  // The tracks of the placed image, without those that do not fit.
  std::span<const Track> present() const { return present_; }
  // Keeps the placed image; `fresh` are spots that were not tracked so far.
  void add_keyframe(std::span<const Track> fresh);
  // Spots for the newest keyframe that were not tracked so far.
  void add_tracks(std::span<const Track> fresh);

  // Forgets everything; the next map has the next id.
  void reset();

 private:
  void forget_map();
  void take(std::span<const Track> tracks, const PoseFit& fit);

  Camera camera_;
  MapperSettings settings_;
  MapRules rules_;
  Map map_;
  Tracking tracking_;
  std::vector<Track> present_;
  int reference_ = -1;
  int next_keyframe_ = 0;
  Pose X_now_before_ = Pose::Identity();  // motion of the camera from the image before
  double lost_ = 0;                       // s
};

}  // namespace tandem::vision
