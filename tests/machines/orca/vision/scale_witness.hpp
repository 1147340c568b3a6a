// SPDX-License-Identifier: Apache-2.0
// How many metres a unit of a SLAM's map truly is, from both ways over the last two metres.
#pragma once

#include <deque>
#include <optional>

#include "tandem/base/transforms.hpp"

namespace tandem::orca {

class ScaleWitness {
 public:
  // A frame that was tracked in this map, from where the camera truly was.
  void see(std::uint32_t map, const Eigen::Vector3d& truth, const Eigen::Vector3d& seen) {
    if (map != map_) ways_.clear();
    map_ = map;
    ways_.push_back({truth, seen});
    while (ways_.size() > 2 && (ways_.back().truth - ways_[1].truth).norm() > 2) ways_.pop_front();
  }
  // The next frame does not go on from the last.
  void lose() { ways_.clear(); }
  // None before nearly two metres.
  std::optional<double> scale() const {
    if (ways_.size() < 2) return std::nullopt;
    const double way = (ways_.back().truth - ways_.front().truth).norm();
    if (way < 1.8) return std::nullopt;
    return way / (ways_.back().seen - ways_.front().seen).norm();
  }

 private:
  struct Way {
    Eigen::Vector3d truth, seen;  // of the camera: m in the map, and units in the SLAM's world
  };
  std::deque<Way> ways_;
  std::uint32_t map_ = 0;
};

}  // namespace tandem::orca
