// SPDX-License-Identifier: Apache-2.0
// A grid of the workspace as a file: CSV, VTK (legacy structured points), or a picture (SVG, PNG).
#pragma once

#include <string>

#include "tandem/kinematics/cable/workspace/grid.hpp"

namespace tandem::cable_robot {

enum class WorkspaceFormat { csv, vtk, picture };

// By the end of the name; the error says which there are.
Result<WorkspaceFormat> workspace_format(const std::string& path);

// One row per cell: x, y, z, feasible (0 or 1), margin, conditioning, between_cables, to_platform; the last three only
// if they were looked at.
std::string workspace_csv(const cables::GridAnswer& answer, cables::Kind kind);
// The same as scalars of points; opens in ParaView.
std::string workspace_vtk(const cables::GridAnswer& answer, cables::Kind kind, const std::string& title);

// Writes the file, or says which and why not: it is there whole or not at all.
Result<void> write_workspace(const std::string& path, const cables::Robot& robot, const cables::GridTask& task,
                             const cables::GridAnswer& answer);

}  // namespace tandem::cable_robot
