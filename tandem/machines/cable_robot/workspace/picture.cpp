// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/workspace/picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/base/nearest.hpp"
#include "tandem/machines/cable_robot/workspace/view.hpp"

namespace tandem::cable_robot {

namespace {

using cables::Grid;
using cables::GridAnswer;
using cables::GridTask;
using cables::Kind;
using cables::Robot;

constexpr const char* axis_names[] = {"x", "y", "z"};
constexpr int slice_cells = 160;  // along the longer side
constexpr int body_cells = 48;    // each way
constexpr plot::Color cable_color{0.35, 0.38, 0.44}, platform_color{0.86, 0.31, 0.12};

// Which axes of the world go right and up, and which is cut.
struct Slice {
  int right, up, cut;
};
constexpr Slice slices[] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}};

// Where home is within the box, else its middle.
double plane_of(const Robot& robot, const Grid& grid, int axis) {
  const double home = robot.design().home[axis];
  return home > grid.low[axis] && home < grid.high[axis] ? home : (grid.low[axis] + grid.high[axis]) / 2;
}

Result<GridAnswer> look_at_slice(const Robot& robot, const GridTask& whole, const Slice& slice) {
  GridTask task = whole;
  task.conditioning = task.clearance = false;
  const double plane = plane_of(robot, whole.grid, slice.cut);
  const Eigen::Vector3d extent = whole.grid.high - whole.grid.low;
  const double cell = std::max(extent[slice.right], extent[slice.up]) / slice_cells;
  task.grid.low[slice.cut] = plane - cell / 2;
  task.grid.high[slice.cut] = plane + cell / 2;
  task.grid.counts = {1, 1, 1};
  for (const int axis : {slice.right, slice.up})
    task.grid.counts[static_cast<std::size_t>(axis)] = std::max(2, static_cast<int>(std::lround(extent[axis] / cell)));
  return look_at(robot, task);
}

plot::Cells cells_of(const GridAnswer& answer, Kind kind, const Slice& slice) {
  plot::Cells cells;
  cells.x = {answer.grid.low[slice.right], answer.grid.high[slice.right]};
  cells.y = {answer.grid.low[slice.up], answer.grid.high[slice.up]};
  cells.columns = answer.grid.counts[static_cast<std::size_t>(slice.right)];
  cells.rows = answer.grid.counts[static_cast<std::size_t>(slice.up)];
  cells.values = answer.margins;  // x runs before y and y before z, as right before up
  cells.floor = cells.outline = least_inside(kind);
  return cells;
}

plot::Line box_outline(const Eigen::Vector3d& low, const Eigen::Vector3d& high, const Slice& slice) {
  plot::Line line;
  line.x = {low[slice.right], high[slice.right], high[slice.right], low[slice.right]};
  line.y = {low[slice.up], low[slice.up], high[slice.up], high[slice.up]};
  line.closed = true;
  return line;
}

// The box at home as it is seen: the outline of its corners, which is convex.
plot::Line platform_outline(const Robot& robot, const cables::GridTask& task, const Slice& slice) {
  std::vector<Eigen::Vector2d> corners;
  for (int i = 0; i < 8; ++i) {
    const Eigen::Vector3d corner =
        Eigen::Vector3d(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5).cwiseProduct(robot.design().size);
    const Eigen::Vector3d at = robot.design().home + task.attitudes.front() * corner;
    corners.emplace_back(at[slice.right], at[slice.up]);
  }
  const auto turns_left = [](const Eigen::Vector2d& a, const Eigen::Vector2d& b, const Eigen::Vector2d& c) {
    return (b.x() - a.x()) * (c.y() - a.y()) - (b.y() - a.y()) * (c.x() - a.x()) > 1e-12;
  };
  std::sort(corners.begin(), corners.end(), [](const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    return a.x() != b.x() ? a.x() < b.x() : a.y() < b.y();
  });
  std::vector<Eigen::Vector2d> hull;
  for (int side = 0; side < 2; ++side) {
    const std::size_t start = hull.size();
    for (const Eigen::Vector2d& corner : corners) {
      while (hull.size() >= start + 2 && !turns_left(hull[hull.size() - 2], hull.back(), corner)) hull.pop_back();
      hull.push_back(corner);
    }
    hull.pop_back();
    std::reverse(corners.begin(), corners.end());
  }
  plot::Line line;
  for (const Eigen::Vector2d& corner : hull) {
    line.x.push_back(corner.x());
    line.y.push_back(corner.y());
  }
  line.closed = true;
  line.color = platform_color;
  line.width = 1.6;
  line.fill = plot::paper;
  line.fill_opacity = 0.85;
  return line;
}

void add_robot(plot::Panel& panel, const Robot& robot, const GridTask& task, const Slice& slice) {
  Eigen::Vector3d low = robot.cable(0).frame, high = low;
  plot::Points anchors, ends;
  anchors.radius = 3.5;
  ends.radius = 1.8;
  ends.color = platform_color;
  std::vector<plot::Line> cables_seen;
  for (const cables::Cable& cable : robot.design().cables) {
    low = low.cwiseMin(cable.frame);
    high = high.cwiseMax(cable.frame);
    const Eigen::Vector3d end = robot.design().home + task.attitudes.front() * cable.platform;
    plot::Line line;
    line.x = {cable.frame[slice.right], end[slice.right]};
    line.y = {cable.frame[slice.up], end[slice.up]};
    line.color = cable_color;
    line.width = 0.9;
    cables_seen.push_back(line);
    anchors.x.push_back(cable.frame[slice.right]);
    anchors.y.push_back(cable.frame[slice.up]);
    ends.x.push_back(end[slice.right]);
    ends.y.push_back(end[slice.up]);
  }
  plot::Line frame = box_outline(low, high, slice);
  frame.width = 2;
  plot::Line looked_at = box_outline(task.grid.low, task.grid.high, slice);
  looked_at.width = 0.8;
  looked_at.dashed = true;
  looked_at.color = plot::grey;
  panel.lines.push_back(looked_at);
  panel.lines.push_back(frame);
  panel.lines.insert(panel.lines.end(), cables_seen.begin(), cables_seen.end());
  panel.lines.push_back(platform_outline(robot, task, slice));
  panel.points = {anchors, ends};
  const auto range = [&](int axis) {
    const double least = std::min(low[axis], task.grid.low[axis]), most = std::max(high[axis], task.grid.high[axis]);
    const double more = 0.05 * (most - least);
    return plot::Range{least - more, most + more};
  };
  panel.x = {fmt::format("{}, m", axis_names[slice.right]), range(slice.right)};
  panel.y = {fmt::format("{}, m", axis_names[slice.up]), range(slice.up)};
}

plot::ColorScale scale_of(Kind kind, double most) {
  plot::ColorScale scale;
  if (kind == Kind::closure) {
    scale.label = "evenness of tensions";
    scale.range = {0, 1};
    return scale;
  }
  scale.label = kind == Kind::feasible ? "margin of every tension, N" : "least tension at 1 N, N";
  scale.range = {0, kind == Kind::feasible && most > 0 ? most : 1};
  return scale;
}

std::string heading(const Robot& robot, Kind kind, const GridAnswer& answer) {
  const char* what = "Force-closure workspace";
  if (kind == Kind::feasible) what = "Wrench-feasible workspace";
  if (kind == Kind::closure) what = "Wrench-closure workspace";
  return fmt::format("{} of \"{}\", {} cables: {:.3g} m³, {:.0f} % of the dashed box", what,
                     printable(robot.design().name, 30), robot.cables(), answer.volume,
                     100 * answer.volume / answer.grid.volume());
}

}  // namespace

Result<plot::Figure> workspace_picture(const Robot& robot, const GridTask& task, const GridAnswer& answer) {
  plot::Figure figure;
  figure.width = 860;
  figure.height = 800;
  figure.columns = 2;
  figure.title = heading(robot, task.kind, answer);
  const cables::TensionRange& range = robot.design().tension;
  const char* held = "any force can be held";
  if (task.kind == Kind::feasible) held = "weight and loads are held with every cable taut";
  if (task.kind == Kind::closure) held = "any wrench can be held";
  figure.note = fmt::format("platform {:.6g} kg, tensions {:.6g} to {:.6g} N, {} cells; coloured where {}",
                            robot.design().mass, range.least, range.most, answer.grid.points(), held);
  double most = 0;
  for (const Slice& slice : slices) {
    const auto found = look_at_slice(robot, task, slice);
    if (!found) return found.error();
    most = std::max(most, *std::max_element(found->margins.begin(), found->margins.end()));
    plot::Panel panel;
    panel.title = fmt::format("{} = {:.3g} m", axis_names[slice.cut], plane_of(robot, task.grid, slice.cut));
    panel.equal = true;
    panel.cells.push_back(cells_of(*found, task.kind, slice));
    add_robot(panel, robot, task, slice);
    figure.panels.push_back(std::move(panel));
  }
  figure.scale = scale_of(task.kind, most);
  GridTask body = task;
  body.conditioning = body.clearance = false;
  body.grid.counts = {body_cells, body_cells, body_cells};
  const auto found = look_at(robot, body);
  if (!found) return found.error();
  figure.panels.insert(figure.panels.begin(), workspace_view(robot, task, *found, *figure.scale));
  return figure;
}

}  // namespace tandem::cable_robot
