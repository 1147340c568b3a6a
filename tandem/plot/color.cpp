// SPDX-License-Identifier: Apache-2.0
#include "tandem/plot/color.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace tandem::plot {

Color line_color(int number) {
  constexpr std::array<Color, 6> colors = {{{0.10, 0.36, 0.62},
                                            {0.86, 0.42, 0.12},
                                            {0.12, 0.55, 0.42},
                                            {0.70, 0.20, 0.38},
                                            {0.45, 0.36, 0.66},
                                            {0.42, 0.45, 0.50}}};
  return colors[static_cast<std::size_t>(number < 0 ? 0 : number) % colors.size()];
}

Color scale_color(double share) {
  constexpr std::array<Color, 6> stops = {{{0.20, 0.13, 0.36},
                                           {0.15, 0.31, 0.53},
                                           {0.10, 0.49, 0.55},
                                           {0.25, 0.66, 0.48},
                                           {0.63, 0.80, 0.33},
                                           {0.99, 0.90, 0.36}}};
  const double at = std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0) * (stops.size() - 1);
  const auto first = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const double t = at - static_cast<double>(first);
  const Color &a = stops[first], &b = stops[first + 1];
  return {a.red + t * (b.red - a.red), a.green + t * (b.green - a.green), a.blue + t * (b.blue - a.blue)};
}

}  // namespace tandem::plot
