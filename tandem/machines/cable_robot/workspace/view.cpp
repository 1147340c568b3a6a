// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/workspace/view.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tandem/kinematics/cable/frame.hpp"

namespace tandem::cable_robot {

namespace {

using cables::Grid;
using cables::GridAnswer;
using cables::Robot;
using Eigen::Vector3d;

constexpr int view_pixels = 500;  // each way
constexpr double nothing = -std::numeric_limits<double>::infinity();
constexpr plot::Color body_color{0.60, 0.68, 0.76}, edge_color{0.13, 0.15, 0.19}, cable_ink{0.35, 0.38, 0.44},
    platform_ink{0.86, 0.31, 0.12};

// Margins between the middles of cells, outside the box `nothing`.
class Field {
 public:
  Field(const GridAnswer& answer, const Vector3d& cut, double least) : answer_(answer), cut_(cut), least_(least) {}

  const Grid& grid() const { return answer_.grid; }
  bool cut_away(const Vector3d& p) const { return p.x() > cut_.x() && p.y() < cut_.y(); }
  double margin(const Vector3d& p) const {
    const Grid& grid = answer_.grid;
    if ((p.array() < grid.low.array()).any() || (p.array() > grid.high.array()).any()) return nothing;
    int first[3];
    double share[3];
    for (int k = 0; k < 3; ++k) {
      const int count = grid.counts[static_cast<std::size_t>(k)];
      const double at = std::clamp((p[k] - grid.low[k]) / (grid.high[k] - grid.low[k]) * count - 0.5, 0.0, count - 1.0);
      first[k] = std::min(static_cast<int>(at), std::max(count - 2, 0));
      share[k] = count > 1 ? at - first[k] : 0;
    }
    double sum = 0;
    for (int i = 0; i < 8; ++i) {
      const int d[3] = {i & 1, i >> 1 & 1, i >> 2 & 1};
      double weight = 1;
      for (int k = 0; k < 3; ++k) weight *= d[k] == 1 ? share[k] : 1 - share[k];
      if (weight > 0) sum += weight * answer_.margins[grid.index(first[0] + d[0], first[1] + d[1], first[2] + d[2])];
    }
    return sum;
  }
  bool solid(const Vector3d& p) const { return !cut_away(p) && margin(p) >= least_; }
  Vector3d normal(const Vector3d& p, double step) const {
    Vector3d slope;
    for (int k = 0; k < 3; ++k) {
      const Vector3d d = step * Vector3d::Unit(k);
      const double up = std::max(margin(p + d), -1e3), down = std::max(margin(p - d), -1e3);
      slope[k] = down - up;
    }
    return slope.norm() > 0 ? slope.normalized() : Vector3d(0, 0, 1);
  }

 private:
  const GridAnswer& answer_;
  Vector3d cut_;
  double least_;
};

// Parallel rays: what is on the picture right, up, and away from the viewer.
struct View {
  Vector3d centre;
  double half;  // of the picture, m
  Vector3d right, up, away;

  // All of a box fits.
  View(const Vector3d& low, const Vector3d& high) : centre((low + high) / 2), half(0) {
    away = Vector3d(-0.38, 0.81, -0.45).normalized();
    right = away.cross(Vector3d::UnitZ()).normalized();
    up = right.cross(away);
    const Vector3d to_corner = (high - low) / 2;
    for (const Vector3d& axis : {right, up}) half = std::max(half, 1.04 * axis.cwiseAbs().dot(to_corner));
  }
  double x(const Vector3d& p) const { return right.dot(p - centre); }
  double y(const Vector3d& p) const { return up.dot(p - centre); }
  double depth(const Vector3d& p) const { return away.dot(p - centre); }
  // Nothing that is drawn is nearer to the viewer.
  static constexpr double back = 3;
  Vector3d start(double px, double py) const { return centre + px * right + py * up - back * half * away; }
};

// How far a ray goes until it meets the body, or infinity. Only its part within the box is looked at.
double first_hit(const Field& field, const View& view, const Vector3d& start) {
  constexpr double never = std::numeric_limits<double>::infinity();
  constexpr int steps = 72;
  double enter = 0, leave = never;
  for (int k = 0; k < 3; ++k) {
    const double a = (field.grid().low[k] - start[k]) / view.away[k];
    const double b = (field.grid().high[k] - start[k]) / view.away[k];
    enter = std::max(enter, std::min(a, b));
    leave = std::min(leave, std::max(a, b));
  }
  if (!(enter < leave)) return never;
  const double skin = 1e-9 * view.half, step = (leave - enter - 2 * skin) / steps;
  double outside = enter;
  for (int i = 0; i <= steps; ++i) {
    double inside = enter + skin + i * step;
    if (field.solid(start + inside * view.away)) {
      for (int n = 0; n < 12 && i > 0; ++n) {
        const double middle = (outside + inside) / 2;
        (field.solid(start + middle * view.away) ? inside : outside) = middle;
      }
      return inside;
    }
    outside = inside;
  }
  return never;
}

// A cut or a face of the box shows its margin, the border itself is grey and lit from the upper left.
plot::Color color_at(const Field& field, const View& view, const GridAnswer& answer, const plot::ColorScale& scale,
                     const Vector3d& p) {
  const double small = 0.002 * view.half;
  const bool on_cut = field.cut_away(p - small * view.away);
  const bool on_box = field.margin(p - small * view.away) == nothing;
  if (on_cut || on_box) {
    const double share = std::clamp((field.margin(p) - scale.range.low) / scale.range.extent(), 0.0, 1.0);
    const int step = std::min(static_cast<int>(share * scale.steps), scale.steps - 1);
    return plot::scale_color(static_cast<double>(step) / std::max(scale.steps - 1, 1));
  }
  const double cell = answer.grid.cell().maxCoeff();
  const double light = field.normal(p, cell).dot(Vector3d(-0.2, -0.75, 0.63));
  const double bright = 0.62 + 0.42 * std::round(12 * std::clamp(light, -0.3, 1.0)) / 12;
  return {body_color.red * bright, body_color.green * bright, body_color.blue * bright};
}

// The parts of an edge that nothing hides.
class VisibleEdges {
 public:
  VisibleEdges(const Field& field, const View& view) : field_(field), view_(view) {}

  plot::Line line(const Vector3d& from, const Vector3d& to, const plot::Color& color, double width) const {
    constexpr int parts = 120;
    plot::Line line;
    line.color = color;
    line.width = width;
    for (int i = 0; i <= parts; ++i) {
      const Vector3d p = from + (to - from) * i / parts;
      const bool hidden = first_hit(field_, view_, view_.start(view_.x(p), view_.y(p))) <
                          view_.depth(p) + (View::back - 0.004) * view_.half;
      line.x.push_back(hidden ? std::numeric_limits<double>::quiet_NaN() : view_.x(p));
      line.y.push_back(view_.y(p));
    }
    return line;
  }

 private:
  const Field& field_;
  const View& view_;
};

void add_box(plot::Panel& panel, const VisibleEdges& edges, const Pose& X_world_box, const Vector3d& half,
             const plot::Color& color, double width) {
  for (int i = 0; i < 8; ++i) {
    for (int k = 0; k < 3; ++k) {
      if (i >> k & 1) continue;
      const auto corner = [&](int bits) -> Vector3d {
        return X_world_box * Vector3d(bits & 1 ? half.x() : -half.x(), bits & 2 ? half.y() : -half.y(),
                                      bits & 4 ? half.z() : -half.z());
      };
      panel.lines.push_back(edges.line(corner(i), corner(i | 1 << k), color, width));
    }
  }
}

}  // namespace

plot::Panel workspace_view(const Robot& robot, const cables::GridTask& task, const GridAnswer& answer,
                           const plot::ColorScale& scale) {
  const auto [low, high] = cables::frame_box(robot.design());
  const Vector3d least = low.cwiseMin(answer.grid.low), most = high.cwiseMax(answer.grid.high);
  const View view(least, most);
  const Vector3d home = robot.design().home;
  const bool home_inside =
      (home.array() > answer.grid.low.array()).all() && (home.array() < answer.grid.high.array()).all();
  const Vector3d cut = home_inside ? home : Vector3d((answer.grid.low + answer.grid.high) / 2);
  const Field field(answer, cut, least_inside(task.kind));

  plot::Panel panel;
  panel.title = "cut open at home";
  panel.equal = true;
  panel.axes = false;
  panel.x.range = panel.y.range = plot::Range{-view.half, view.half};
  plot::Picture picture{*panel.x.range, *panel.y.range, view_pixels, view_pixels, {}};
  for (int row = 0; row < view_pixels; ++row) {
    for (int column = 0; column < view_pixels; ++column) {
      const double x = ((column + 0.5) / view_pixels * 2 - 1) * view.half;
      const double y = (1 - (row + 0.5) / view_pixels * 2) * view.half;
      const Vector3d start = view.start(x, y);
      const double far = first_hit(field, view, start);
      if (std::isinf(far)) {
        picture.pixels.emplace_back();
      } else {
        picture.pixels.emplace_back(color_at(field, view, answer, scale, start + far * view.away));
      }
    }
  }
  panel.pictures.push_back(std::move(picture));
  const VisibleEdges edges(field, view);
  const Pose X_world_frame = pose_from((low + high) / 2, Eigen::Matrix3d::Identity());
  add_box(panel, edges, X_world_frame, (high - low) / 2, edge_color, 1.8);
  const Pose X_world_platform = pose_from(home, task.attitudes.front());
  for (const cables::Cable& cable : robot.design().cables)
    panel.lines.push_back(edges.line(cable.frame, X_world_platform * cable.platform, cable_ink, 0.9));
  add_box(panel, edges, X_world_platform, robot.design().size / 2, platform_ink, 1.4);
  return panel;
}

}  // namespace tandem::cable_robot
