// SPDX-License-Identifier: Apache-2.0
// Where the cables can hold the platform, for one pose: exact margins, closure, and what may touch what. Many poses at
// once are in cable_workspace_batch.hpp, grids in cable_workspace_grid.hpp.
#pragma once

#include <span>
#include <vector>

#include "tandem/kinematics/cable/robot.hpp"

namespace tandem::cables {

// What makes a pose belong to the workspace.
enum class Kind : unsigned char {
  feasible,  // weight and every load are held with tensions within their range
  closure,   // any wrench can be held if tensions may grow without bound (weight plays no part)
  force,     // any force without moment can be
};
const char* name(Kind kind);
inline constexpr Kind all_kinds[] = {Kind::feasible, Kind::closure, Kind::force};

// The margin of a pose that cannot hold its loads whatever the tensions (it is singular), or is not finite.
inline constexpr double no_margin = -1e9;  // N

// The corners of a box of wrenches about zero: half its extent by component; those of zero extent are not doubled.
std::vector<Wrench> load_corners(const Wrench& half);

// Nothing below throws or allocates. Loads act beside the weight, each alone; none: the weight only. As the set of
// wrenches that can be held is convex, all that is between the loads is held too.

// The largest distance that all tensions can keep from both ends of their range at once, over all ways to hold the
// worst of the loads, N. 0 on the border; negative: by how much every range had to be wider.
double margin(const Robot& robot, const Pose& pose, std::span<const Wrench> loads = {});
// The same by a linear program, as margin() does for other numbers of cables than eight and near singularities.
double margin_by_program(const Robot& robot, const Pose& pose, std::span<const Wrench> loads = {});

// 0: not wrench-closed; else how evenly the cables can pull against each other: the least tension over the mean of
// them, at best, within (0, 1].
double closure(const Robot& robot, const Pose& pose);

// The least tension of any cable, at best, over the worst of four forces of 1 N that span all forces with positive
// weights; at most 1, negative where a force cannot be exerted by pulling.
double force_closure(const Robot& robot, const Pose& pose);

// One of the three, and whether the pose belongs to the workspace.
struct Standing {
  bool inside = false;
  double margin = 0;
};
Standing standing(const Robot& robot, const Pose& pose, Kind kind, std::span<const Wrench> loads = {});
bool is_inside(Kind kind, double margin);

}  // namespace tandem::cables
