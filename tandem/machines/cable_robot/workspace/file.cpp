// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/workspace/file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "tandem/base/nearest.hpp"
#include "tandem/machines/cable_robot/workspace/picture.hpp"

namespace tandem::cable_robot {

namespace {

using cables::Grid;
using cables::GridAnswer;
using cables::Kind;

// Readers of these files know no infinity.
double readable(double value) { return std::clamp(value, -1e9, 1e9); }

struct Extra {
  const char* name;
  const std::vector<double>* values;
};

// What was looked at beside the margin.
std::vector<Extra> extras_of(const GridAnswer& answer) {
  std::vector<Extra> extras = {{"conditioning", &answer.conditioning},
                               {"between_cables", &answer.between_cables},
                               {"to_platform", &answer.to_platform}};
  std::erase_if(extras, [](const Extra& extra) { return extra.values->empty(); });
  return extras;
}

}  // namespace

Result<WorkspaceFormat> workspace_format(const std::string& path) {
  if (path.ends_with(".csv")) return WorkspaceFormat::csv;
  if (path.ends_with(".vtk")) return WorkspaceFormat::vtk;
  if (path.ends_with(".svg") || path.ends_with(".png")) return WorkspaceFormat::picture;
  return Error{Fault::unsupported, fmt::format("out: expected a name that ends in .csv, .vtk, .svg or .png, got '{}'",
                                               printable(path, 200))};
}

std::string workspace_csv(const GridAnswer& answer, Kind kind) {
  const auto extras = extras_of(answer);
  std::string text = "x,y,z,feasible,margin";
  for (const Extra& extra : extras) text += fmt::format(",{}", extra.name);
  text += '\n';
  const Grid& grid = answer.grid;
  auto to = std::back_inserter(text);
  for (int z = 0; z < grid.counts[2]; ++z) {
    for (int y = 0; y < grid.counts[1]; ++y) {
      for (int x = 0; x < grid.counts[0]; ++x) {
        const std::size_t i = grid.index(x, y, z);
        const double margin = answer.margins[i];
        fmt::format_to(to, "{:.6g},{:.6g},{:.6g},{},{:.6g}", grid.at(0, x), grid.at(1, y), grid.at(2, z),
                       cables::is_inside(kind, margin) ? 1 : 0, readable(margin));
        for (const Extra& extra : extras) fmt::format_to(to, ",{:.6g}", readable((*extra.values)[i]));
        text += '\n';
      }
    }
  }
  return text;
}

std::string workspace_vtk(const GridAnswer& answer, Kind kind, const std::string& title) {
  const Grid& grid = answer.grid;
  const Eigen::Vector3d cell = grid.cell();
  std::string text = fmt::format(
      "# vtk DataFile Version 3.0\n{}\nASCII\nDATASET STRUCTURED_POINTS\nDIMENSIONS {} {} {}\n"
      "ORIGIN {:.9g} {:.9g} {:.9g}\nSPACING {:.9g} {:.9g} {:.9g}\nPOINT_DATA {}\n",
      printable(title, 200), grid.counts[0], grid.counts[1], grid.counts[2], grid.at(0, 0), grid.at(1, 0),
      grid.at(2, 0), cell.x(), cell.y(), cell.z(), grid.points());
  auto to = std::back_inserter(text);
  text += "SCALARS feasible int 1\nLOOKUP_TABLE default\n";
  for (const double margin : answer.margins) text += cables::is_inside(kind, margin) ? "1\n" : "0\n";
  const auto scalars = [&](const char* name, const std::vector<double>& values) {
    fmt::format_to(to, "SCALARS {} float 1\nLOOKUP_TABLE default\n", name);
    for (const double value : values) fmt::format_to(to, "{:.6g}\n", readable(value));
  };
  scalars("margin", answer.margins);
  for (const Extra& extra : extras_of(answer)) scalars(extra.name, *extra.values);
  return text;
}

Result<void> write_workspace(const std::string& path, const cables::Robot& robot, const cables::GridTask& task,
                             const GridAnswer& answer) {
  const auto format = workspace_format(path);
  if (!format) return format.error();
  switch (*format) {
    case WorkspaceFormat::csv:
      return plot::write_file(path, workspace_csv(answer, task.kind));
    case WorkspaceFormat::vtk:
      return plot::write_file(
          path,
          workspace_vtk(answer, task.kind, fmt::format("{} workspace of {}", name(task.kind), robot.design().name)));
    case WorkspaceFormat::picture:
      break;
  }
  const auto figure = workspace_picture(robot, task, answer);
  if (!figure) return figure.error();
  return plot::write(*figure, path);
}

}  // namespace tandem::cable_robot
