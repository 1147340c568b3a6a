// SPDX-License-Identifier: Apache-2.0
// Three paths of one dive to be drawn or compared: the true one, the autopilot's estimate, and the SLAM's, which has a
// scale and a frame of its own in every map.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tandem/base/transforms.hpp"

namespace tandem::orca {

struct PathPoint {
  double time = 0;                                     // s, of one clock for all paths
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // map, m; of the SLAM: its world, its own unit
  std::uint32_t map = 0;                               // of the SLAM
};

// At most this many points: when it is full, every other one goes and from then on only half as many are taken.
class Path {
 public:
  explicit Path(std::size_t capacity = 8192) : capacity_(capacity < 2 ? 2 : capacity) {}

  // A point that is no number, or not later than the last one, is left out.
  void add(const PathPoint& point);
  std::span<const PathPoint> points() const { return points_; }
  double length() const;  // m along the points
  // Between its points; none before the first and after the last.
  std::optional<Eigen::Vector3d> at(double time) const;

 private:
  std::size_t capacity_;
  std::uint64_t stride_ = 1, seen_ = 0;
  std::vector<PathPoint> points_;
};

// One map of the SLAM laid upon another path by scale, rotation and shift, as least squares have it.
struct Alignment {
  std::uint32_t map = 0;
  double scale = 1;             // m per unit of the map
  double rms = 0;               // m, what is left
  double worst = 0;             // m
  std::vector<PathPoint> path;  // in the frame of the other
};

struct PathLog {
  Path truth, estimate, slam;

  void add(double time, const Pose& X_map_base, const Pose& X_map_estimate);
  void add_slam(double time, std::uint32_t map, const Pose& X_world_camera);

  // Each map of the SLAM that has at least three points within the true path, not all in one place; without any truth
  // within the estimate.
  std::vector<Alignment> aligned() const;
  // How far the estimate is from the truth at the last instant that both know, m, once both begin at the same point.
  std::optional<double> drift() const;
  // "path,time_s,x_m,y_m,z_m,map": truth, estimate, and the SLAM's laid upon the truth.
  std::string csv() const;
};

}  // namespace tandem::orca
