// SPDX-License-Identifier: Apache-2.0
// One panel on a canvas.
#pragma once

#include "tandem/plot/canvas.hpp"

namespace tandem::plot {

struct Box {
  double x = 0, y = 0, width = 0, height = 0;  // pixels, y down
};

// Draws it into the box with its axes, their numbers and its title.
void draw_panel(Canvas& canvas, const Panel& panel, const std::optional<ColorScale>& scale, const Box& box);

// The colour of a value: one of the scale's steps.
Color color_of(const ColorScale& scale, double value);

}  // namespace tandem::plot
