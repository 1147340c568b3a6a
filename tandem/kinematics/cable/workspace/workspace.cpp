// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/workspace/workspace.hpp"

#include <algorithm>
#include <cmath>

#include "tandem/kinematics/cable/holding.hpp"

namespace tandem::cables {

namespace {

constexpr double closure_rounding = 1e-10;  // below it zero is meant

double range_margin(const Holding& holding, const TensionRange& range, const Wrench& outer) {
  const auto start = holding.shortest(outer);
  if (!start) return no_margin;
  const auto count = start->size(), free = holding.null_space().cols();
  LargestShare problem;
  problem.slope.resize(2 * count, free);
  problem.slope.topRows(count) = holding.null_space();
  problem.slope.bottomRows(count) = -holding.null_space();
  problem.share.setOnes(2 * count);
  problem.right.resize(2 * count);
  problem.right << (range.most - start->array()).matrix(), (start->array() - range.least).matrix();
  return problem.solve();
}

bool finite(const Pose& pose) { return pose.matrix().allFinite(); }

}  // namespace

const char* name(Kind kind) {
  switch (kind) {
    case Kind::feasible:
      return "feasible";
    case Kind::closure:
      return "closure";
    case Kind::force:
      return "force";
  }
  return "?";
}

std::vector<Wrench> load_corners(const Wrench& half) {
  std::vector<Wrench> corners = {Wrench::Zero()};
  for (int k = 0; k < 6; ++k) {
    if (half[k] == 0) continue;
    const std::size_t before = corners.size();
    for (std::size_t i = 0; i < before; ++i) {
      corners.push_back(corners[i]);
      corners.back()[k] = half[k];
      corners[i][k] = -half[k];
    }
  }
  return corners;
}

double margin_by_program(const Robot& robot, const Pose& pose, std::span<const Wrench> loads) {
  if (!finite(pose)) return no_margin;
  const Holding holding(robot, structure(robot, pose));
  const Wrench own = weight(robot, pose);
  if (loads.empty()) return range_margin(holding, robot.design().tension, own);
  double least = -no_margin;
  for (const Wrench& load : loads) least = std::min(least, range_margin(holding, robot.design().tension, own + load));
  return least;
}

double closure(const Robot& robot, const Pose& pose) {
  if (!finite(pose)) return 0;
  const Holding holding(robot, structure(robot, pose));
  const auto& null = holding.null_space();
  if (holding.rank() < 6 || null.cols() == 0) return 0;
  // Tensions without any wrench, all at least s, their sum at most the count.
  const auto count = null.rows();
  LargestShare problem;
  problem.slope.resize(count + 1, null.cols());
  problem.slope.topRows(count) = -null;
  problem.slope.row(count) = null.colwise().sum();
  problem.share.setOnes(count + 1);
  problem.share[count] = 0;
  problem.right.setZero(count + 1);
  problem.right[count] = static_cast<double>(count);
  const double evenness = problem.solve();
  return evenness > closure_rounding ? std::min(evenness, 1.0) : 0;
}

double force_closure(const Robot& robot, const Pose& pose) {
  if (!finite(pose)) return no_margin;
  const Holding holding(robot, structure(robot, pose));
  const double third = 1 / std::sqrt(3.0);
  double least = 1;
  for (const Eigen::Vector3d& force :
       {Eigen::Vector3d(third, third, third), Eigen::Vector3d(third, -third, -third),
        Eigen::Vector3d(-third, third, -third), Eigen::Vector3d(-third, -third, third)}) {
    Wrench outer = Wrench::Zero();
    outer.head<3>() = -force;
    const auto start = holding.shortest(outer);
    if (!start) return no_margin;
    const auto count = start->size(), free = holding.null_space().cols();
    LargestShare problem;
    problem.slope.setZero(count + 1, free);
    problem.slope.topRows(count) = -holding.null_space();
    problem.share.setOnes(count + 1);
    problem.right.resize(count + 1);
    problem.right << *start, 1.0;
    least = std::min(least, problem.solve());
  }
  return std::abs(least) < closure_rounding ? 0 : least;
}

bool is_inside(Kind kind, double margin) { return kind == Kind::closure ? margin > 0 : margin >= 0; }

Standing standing(const Robot& robot, const Pose& pose, Kind kind, std::span<const Wrench> loads) {
  const double found = kind == Kind::feasible  ? margin(robot, pose, loads)
                       : kind == Kind::closure ? closure(robot, pose)
                                               : force_closure(robot, pose);
  return {is_inside(kind, found), found};
}

}  // namespace tandem::cables
