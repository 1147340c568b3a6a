// SPDX-License-Identifier: Apache-2.0
// True ways of a camera that looks down, and how far an odometry strays from them.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "tandem/vision/tracking.hpp"

namespace flight {

// World: z up. The top of the image points forward, at yaw 0 along x.
inline tandem::Pose looking_down(double x, double y, double z, double yaw = 0, double roll = 0, double pitch = 0) {
  Eigen::Matrix3d optical;  // axes of a level camera: right is -y, down the image is -x, into the scene is -z
  optical << 0, -1, 0, -1, 0, 0, 0, 0, -1;
  return tandem::pose_from({x, y, z}, tandem::rotation_from_rpy(roll, pitch, yaw) * optical);
}

// A box of 4 m sides, 1 to 2 m above a floor at -4 m, with a quarter turn at each corner; `way` in m along the sides,
// where a turn takes as long as 1.2 m.
inline tandem::Pose on_box(double way) {
  constexpr double side = 4, turn = 1.2;
  const int leg = static_cast<int>(way / (side + turn)) % 4;
  const double here = std::fmod(way, side + turn);
  const double along = std::min(here, side);
  const double yaw = std::numbers::pi / 2 * (leg + std::max(0.0, here - side) / turn);
  const double x = leg == 0 ? along : leg == 1 ? side : leg == 2 ? side - along : 0;
  const double y = leg == 0 ? 0 : leg == 1 ? along : leg == 2 ? side : side - along;
  return looking_down(x, y, -2.5 + 0.4 * std::sin(0.5 * way), yaw, 0.05 * std::sin(3 * way), 0.05 * std::sin(2 * way));
}
constexpr double box_way = 4 * 5.2;  // once round

// Both ways, image by image.
class Course {
 public:
  void add(const tandem::Pose& truth, const tandem::vision::Tracking& tracking) {
    if (tracking.state != tandem::vision::TrackingState::ok) return;
    if (!truth_.empty()) path_ += (truth.translation() - truth_.back().translation()).norm();
    truth_.push_back(truth);
    found_.push_back(tracking.X_world_camera);
  }
  std::size_t size() const { return truth_.size(); }
  double path() const { return path_; }  // m

  // m per unit of the map, from the first `metres` of the true way.
  double scale(double metres = 0.8) const {
    std::size_t i = 0;
    while (i + 1 < truth_.size() && distance(truth_, 0, i) < metres) ++i;
    return distance(truth_, 0, i) / distance(found_, 0, i);
  }
  // The same from the last of it.
  double last_scale(double metres = 0.8) const {
    const std::size_t last = truth_.size() - 1;
    std::size_t i = last;
    while (i > 0 && distance(truth_, i, last) < metres) --i;
    return distance(truth_, i, last) / distance(found_, i, last);
  }
  // How far the last pose is off when the first is given, m and rad.
  double error() const { return (here().translation() - truth_.back().translation()).norm(); }
  double turn_error() const {
    return tandem::angle_between(Eigen::Quaterniond(here().linear()), Eigen::Quaterniond(truth_.back().linear()));
  }

 private:
  static double distance(const std::vector<tandem::Pose>& poses, std::size_t a, std::size_t b) {
    return (poses[a].translation() - poses[b].translation()).norm();
  }
  tandem::Pose here() const {
    tandem::Pose moved = found_.front().inverse() * found_.back();
    moved.translation() *= scale();
    return truth_.front() * moved;
  }

  std::vector<tandem::Pose> truth_, found_;
  double path_ = 0;
};

}  // namespace flight
