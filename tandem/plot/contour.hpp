// SPDX-License-Identifier: Apache-2.0
// Values between the middles of cells.
#pragma once

#include <array>
#include <vector>

#include "tandem/plot/figure.hpp"

namespace tandem::plot {

// Bilinear between the middles, constant towards the rim; NaN where a neighbour that counts is NaN, and outside.
double value_at(const Cells& cells, double x, double y);

using Segment = std::array<double, 4>;  // x, y of both ends
// Where the interpolated values pass the level: short segments, each within one square of four middles.
std::vector<Segment> contour(const Cells& cells, double level);

}  // namespace tandem::plot
