// SPDX-License-Identifier: Apache-2.0
// A visual odometry that is given what its camera would see: the same map and poses, without any image.
#pragma once

#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "tandem/vision/mapper.hpp"

namespace tandem::vision {

// No image is worth anything from `from` until `until`, s.
struct Blackout {
  double from = 0;
  double until = 0;
};

struct FeatureSettings {
  Camera camera;
  MapperSettings mapping;
  std::uint64_t seed = 1;
  double floor = -4;      // m, z of the floor in the true world (z up)
  double spacing = 0.12;  // m between spots of the floor, on average
  double relief = 0.02;   // m, spots are up to so much above or below the floor
  double far = 5;         // m, nothing is seen beyond
  double noise = 0.3;     // pixels, standard deviation in each direction
  double dropout = 0.05;  // of the spots are not found in an image, each time others
  std::vector<Blackout> blackouts;
};

// Spots lie on an endless floor, one in every square, always at the same place for one seed. Only their pixels reach
// the mapper; the truth does not. The same calls give the same answers.
class FeatureOdometry {
 public:
  // Throws std::invalid_argument that says what is wrong.
  explicit FeatureOdometry(const FeatureSettings& settings);

  // An image taken from this true pose (optical axes) at `stamp`, s.
  const Tracking& add(const Pose& X_world_camera, double stamp);
  const Tracking& tracking() const { return mapper_.tracking(); }
  void reset() { mapper_.reset(); }

 private:
  std::vector<Track> tracks_from(const Pose& X_world_camera);
  Eigen::Vector3d spot_in(int column, int row) const;
  int id_of(int column, int row);

  FeatureSettings settings_;
  Mapper mapper_;
  std::mt19937_64 dice_;
  std::map<std::pair<int, int>, int> ids_;  // of the squares seen so far
  int next_id_ = 0;
  double stamp_before_ = 0;
  bool started_ = false;
};

}  // namespace tandem::vision
