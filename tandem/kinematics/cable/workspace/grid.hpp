// SPDX-License-Identifier: Apache-2.0
// A box of positions, looked at on all cores: which of them belong to the workspace, and how well.
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/kinematics/cable/workspace/batch.hpp"

namespace tandem::cables {

// The box is cut into counts[0] x counts[1] x counts[2] cells, and the middle of each is looked at.
struct Grid {
  Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = Eigen::Vector3d::Zero();  // world, m
  std::array<int, 3> counts = {20, 20, 20};

  static constexpr std::size_t most_points = 50'000'000;
  std::size_t points() const;
  double volume() const;                         // of the box, m^3
  Eigen::Vector3d cell() const;                  // its extent, m
  double at(int axis, int i) const;              // middle of the cell, m
  std::size_t index(int x, int y, int z) const;  // x runs first
};

// The box of the frame's points, less what the level platform and its points need. Where the frame is flat: half of its
// largest extent to either side of home, but neither through the frame nor from above z = 0 to below it.
Grid default_grid(const Robot& robot);

struct GridTask {
  Grid grid;
  Kind kind = Kind::feasible;
  std::vector<Wrench> loads;  // beside the weight; none: the weight only
  // A position counts when all of these can be held there; margins are the least over them.
  std::vector<Eigen::Matrix3d> attitudes = {Eigen::Matrix3d::Identity()};
  bool conditioning = false;  // look at these too; they take longer than the margins
  bool clearance = false;
  int threads = 0;  // 0: all cores
};

struct GridAnswer {
  Grid grid;
  std::vector<double> margins;                      // as Standing::margin; x runs first
  std::vector<double> conditioning;                 // empty unless asked for; the least over the attitudes, as are:
  std::vector<double> between_cables, to_platform;  // m
  std::size_t inside = 0;
  double volume = 0;   // m^3, of the cells whose middle is inside
  double seconds = 0;  // that it took
};

// Fault::invalid for a box without extent, counts below 1 or too many points in all, attitudes that are none. The
// progress (0 to 1) is reported by the calling thread; threads that cannot be started are done without.
Result<GridAnswer> look_at(const Robot& robot, const GridTask& task, const std::function<void(double)>& progress = {},
                           const kernel::Kernels& kernels = kernel::best());

}  // namespace tandem::cables
