// SPDX-License-Identifier: Apache-2.0
#include "tandem/plot/contour.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tandem::plot {

namespace {

double cell_value(const Cells& cells, int column, int row) {
  return cells.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(cells.columns) +
                      static_cast<std::size_t>(column)];
}

// A share of b that is zero leaves b out, NaN or not.
double mixed(double a, double b, double share) { return share == 0 ? a : a + share * (b - a); }

// Middles, and the rim beyond the outermost ones, so that a border is drawn up to the edge.
double line_position(const Range& range, int count, int i) {
  if (i < 0) return range.low;
  if (i >= count) return range.high;
  return range.low + (i + 0.5) * range.extent() / count;
}

}  // namespace

double value_at(const Cells& cells, double x, double y) {
  const double u = (x - cells.x.low) / cells.x.extent() * cells.columns - 0.5;
  const double v = (y - cells.y.low) / cells.y.extent() * cells.rows - 0.5;
  if (!(u >= -0.5 && u <= cells.columns - 0.5 && v >= -0.5 && v <= cells.rows - 0.5))
    return std::numeric_limits<double>::quiet_NaN();
  const double cu = std::clamp(u, 0.0, cells.columns - 1.0), cv = std::clamp(v, 0.0, cells.rows - 1.0);
  const int i = std::min(static_cast<int>(cu), std::max(cells.columns - 2, 0));
  const int j = std::min(static_cast<int>(cv), std::max(cells.rows - 2, 0));
  const int right = std::min(i + 1, cells.columns - 1), up = std::min(j + 1, cells.rows - 1);
  return mixed(mixed(cell_value(cells, i, j), cell_value(cells, right, j), cu - i),
               mixed(cell_value(cells, i, up), cell_value(cells, right, up), cu - i), cv - j);
}

std::vector<Segment> contour(const Cells& cells, double level) {
  std::vector<Segment> segments;
  struct Crossing {
    double x, y;
  };
  for (int j = -1; j < cells.rows; ++j) {
    for (int i = -1; i < cells.columns; ++i) {
      // The corners of a square, counter-clockwise.
      constexpr int corner[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
      double x[4], y[4], value[4];
      for (int k = 0; k < 4; ++k) {
        const int column = i + corner[k][0], row = j + corner[k][1];
        x[k] = line_position(cells.x, cells.columns, column);
        y[k] = line_position(cells.y, cells.rows, row);
        value[k] =
            cell_value(cells, std::clamp(column, 0, cells.columns - 1), std::clamp(row, 0, cells.rows - 1)) - level;
      }
      Crossing crossings[4];
      int count = 0;
      for (int k = 0; k < 4; ++k) {
        const int next = (k + 1) % 4;
        if (std::isnan(value[k]) || std::isnan(value[next]) || (value[k] < 0) == (value[next] < 0)) continue;
        const double t = value[k] / (value[k] - value[next]);
        crossings[count++] = {x[k] + t * (x[next] - x[k]), y[k] + t * (y[next] - y[k])};
      }
      for (int k = 0; k + 1 < count; k += 2)
        segments.push_back({crossings[k].x, crossings[k].y, crossings[k + 1].x, crossings[k + 1].y});
    }
  }
  return segments;
}

}  // namespace tandem::plot
