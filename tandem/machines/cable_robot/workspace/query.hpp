// SPDX-License-Identifier: Apache-2.0
// The question `workspace` for `tandem solve`.
#pragma once

#include "tandem/machines/machine.hpp"

namespace tandem::cable_robot {

Result<std::string> workspace(std::string_view json, const machines::Progress& progress);

inline constexpr std::string_view workspace_flags[] = {"grid", "out", "geometry", "kind"};

inline constexpr machines::Query workspace_query{
    "workspace",
    "grid (\"NxNxN\" or [N, N, N]: cells; 40x40x40 unless given), out (FILE.csv, .vtk, .svg or .png), geometry (FILE), "
    "kind (feasible, closure or force), box ([[x, y, z], [x, y, z]], m: its corners; the frame less the platform "
    "unless "
    "given), attitude ([roll, pitch, yaw], rad, or a list of them: all must be held), wrenches (a list of [fx, fy, fz, "
    "mx, my, mz] beside the weight), wrench_box (six numbers: half the extent of a box of them) -> points, feasible, "
    "fraction, volume (m^3), largest_margin (N), at ([x, y, z]), seconds, out",
    R"({"grid": "40x40x40", "out": "workspace.svg"})", workspace, workspace_flags};

}  // namespace tandem::cable_robot
