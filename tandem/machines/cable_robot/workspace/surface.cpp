// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/workspace/surface.hpp"

#include <array>
#include <cmath>

namespace tandem::cable_robot {
namespace {

using Corner = std::array<int, 3>;

// The grid with one layer of cells around it that are outside, so that the surface is closed.
class PaddedGrid {
 public:
  PaddedGrid(const cables::Grid& grid, const std::vector<double>& values) : grid_(grid), values_(values) {}

  int count(int axis) const { return grid_.counts[static_cast<std::size_t>(axis)] + 2; }

  double value(const Corner& at) const {
    for (int axis = 0; axis < 3; ++axis) {
      const int i = at[static_cast<std::size_t>(axis)];
      if (i < 1 || i > count(axis) - 2) return -1;
    }
    const double value = values_[grid_.index(at[0] - 1, at[1] - 1, at[2] - 1)];
    return std::isnan(value) ? -1 : value;
  }
  bool inside(const Corner& at) const { return value(at) > 0; }

  Eigen::Vector3d place(const Corner& at) const {
    return {grid_.at(0, at[0] - 1), grid_.at(1, at[1] - 1), grid_.at(2, at[2] - 1)};
  }

 private:
  const cables::Grid& grid_;
  const std::vector<double>& values_;
};

Corner next_to(Corner at, int axis, int steps = 1) {
  at[static_cast<std::size_t>(axis)] += steps;
  return at;
}

// Where the border crosses the edge between two corners.
Eigen::Vector3d crossing(const PaddedGrid& grid, const Corner& a, const Corner& b) {
  const double from = grid.value(a), to = grid.value(b);
  const double share = from / (from - to);
  const double safe = std::isfinite(share) ? std::min(std::max(share, 0.0), 1.0) : 0.5;
  return grid.place(a) + safe * (grid.place(b) - grid.place(a));
}

// The vertex of the cube whose lowest corner is `at`: the mean of the crossings on its edges. False: none crosses.
bool vertex_of(const PaddedGrid& grid, const Corner& at, Eigen::Vector3d& vertex) {
  Eigen::Vector3d sum = Eigen::Vector3d::Zero();
  int crossings = 0;
  for (int axis = 0; axis < 3; ++axis) {
    for (int edge = 0; edge < 4; ++edge) {
      const Corner a = next_to(next_to(at, (axis + 1) % 3, edge & 1), (axis + 2) % 3, edge >> 1);
      const Corner b = next_to(a, axis);
      if (grid.inside(a) == grid.inside(b)) continue;
      sum += crossing(grid, a, b);
      ++crossings;
    }
  }
  if (crossings > 0) vertex = sum / crossings;
  return crossings > 0;
}

}  // namespace

machines::Part zero_surface(const cables::Grid& of, const std::vector<double>& values) {
  machines::Part part;
  part.shape = machines::Shape::mesh;
  const PaddedGrid grid(of, values);
  const int nx = grid.count(0), ny = grid.count(1), nz = grid.count(2);
  constexpr std::uint32_t none = ~std::uint32_t{0};
  std::vector<std::uint32_t> vertices(static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny * nz), none);
  const auto cube = [&](const Corner& at) -> std::uint32_t& {
    return vertices[(static_cast<std::size_t>(at[2]) * static_cast<std::size_t>(ny) + static_cast<std::size_t>(at[1])) *
                        static_cast<std::size_t>(nx) +
                    static_cast<std::size_t>(at[0])];
  };
  const auto for_all = [&](const auto& visit) {
    for (int z = 0; z < nz - 1; ++z)
      for (int y = 0; y < ny - 1; ++y)
        for (int x = 0; x < nx - 1; ++x) visit(Corner{x, y, z});
  };
  for_all([&](const Corner& at) {
    Eigen::Vector3d vertex;
    if (!vertex_of(grid, at, vertex)) return;
    cube(at) = static_cast<std::uint32_t>(part.points.size());
    const Eigen::Vector3f p = vertex.cast<float>();
    part.points.push_back({p.x(), p.y(), p.z()});
  });
  // Four cubes share an edge; where the border crosses it, their vertices make a face.
  for_all([&](const Corner& at) {
    for (int axis = 0; axis < 3; ++axis) {
      const bool inside = grid.inside(at);
      if (inside == grid.inside(next_to(at, axis))) continue;
      const int u = (axis + 1) % 3, v = (axis + 2) % 3;  // at least 1 there, as the outermost corners are outside
      std::array<std::uint32_t, 4> face = {cube(next_to(next_to(at, u, -1), v, -1)), cube(next_to(at, v, -1)), cube(at),
                                           cube(next_to(at, u, -1))};
      if (!inside) std::swap(face[1], face[3]);
      part.triangles.push_back({face[0], face[1], face[2]});
      part.triangles.push_back({face[0], face[2], face[3]});
    }
  });
  return part;
}

machines::Part workspace_surface(const cables::Robot& robot, int cells) {
  cables::GridTask task;
  task.grid = cables::default_grid(robot);
  task.grid.counts = {cells, cells, cells};
  task.threads = 1;  // there are machines to run beside it
  const auto answer = cables::look_at(robot, task);
  machines::Part part;
  if (answer && answer->inside > 0) part = zero_surface(answer->grid, answer->margins);
  part.shape = machines::Shape::mesh;
  part.name = part.layer = "workspace";
  part.color = "#3aa0ff";
  part.opacity = 0.12;
  return part;
}

}  // namespace tandem::cable_robot
