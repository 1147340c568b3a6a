// SPDX-License-Identifier: Apache-2.0
#include "tandem/plot/contour.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

namespace tandem::plot {

namespace {

// Distance from the origin minus one, on a square of +-2.
Cells circle_cells(int count) {
  Cells cells;
  cells.x = cells.y = {-2, 2};
  cells.columns = cells.rows = count;
  for (int j = 0; j < count; ++j)
    for (int i = 0; i < count; ++i)
      cells.values.push_back(std::hypot(-2 + (i + 0.5) * 4 / count, -2 + (j + 0.5) * 4 / count) - 1);
  return cells;
}

}  // namespace

TEST_CASE("values between middles are bilinear and constant towards the rim") {
  Cells cells;
  cells.x = {0, 2};
  cells.y = {0, 2};
  cells.columns = cells.rows = 2;
  cells.values = {1, 2, 3, 4};
  CHECK(value_at(cells, 0.5, 0.5) == 1);
  CHECK(value_at(cells, 1, 1) == 2.5);
  CHECK(value_at(cells, 0, 0) == 1);
  CHECK(value_at(cells, 2, 2) == 4);
  CHECK(std::isnan(value_at(cells, 2.1, 1)));
  cells.values[3] = std::numeric_limits<double>::quiet_NaN();
  CHECK(value_at(cells, 0.5, 0.5) == 1);
  CHECK(std::isnan(value_at(cells, 1.2, 1.2)));
}

TEST_CASE("the contour of a circle has its radius and its length") {
  const auto segments = contour(circle_cells(80), 0);
  double length = 0;
  for (const Segment& s : segments) {
    CHECK(std::hypot(s[0], s[1]) == doctest::Approx(1).epsilon(2e-3));
    length += std::hypot(s[2] - s[0], s[3] - s[1]);
  }
  CHECK(length == doctest::Approx(2 * 3.14159265).epsilon(5e-3));
  CHECK(contour(circle_cells(20), 9).empty());
}

TEST_CASE("cells of one column have a contour too") {
  Cells cells;
  cells.x = {0, 1};
  cells.y = {0, 2};
  cells.columns = 1;
  cells.rows = 2;
  cells.values = {-1, 1};
  double length = 0;
  for (const Segment& s : contour(cells, 0)) {
    CHECK(s[1] == 1);
    CHECK(s[3] == 1);
    length += std::abs(s[2] - s[0]);
  }
  CHECK(length == 1);
}

}  // namespace tandem::plot
