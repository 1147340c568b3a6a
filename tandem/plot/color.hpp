// SPDX-License-Identifier: Apache-2.0
// Colours of figures.
#pragma once

namespace tandem::plot {

struct Color {
  double red = 0, green = 0, blue = 0;  // 0 to 1
  bool operator==(const Color&) const = default;
};

inline constexpr Color paper{1, 1, 1}, ink{0.13, 0.15, 0.19}, faint{0.88, 0.89, 0.91}, grey{0.5, 0.53, 0.58};
// For lines of one panel, apart for colour-blind eyes too.
Color line_color(int number);
// From dark (0) to light (1), of growing lightness, so that it holds in grey too.
Color scale_color(double share);

}  // namespace tandem::plot
