// SPDX-License-Identifier: Apache-2.0
// Figures as SVG or PNG: panels with axes, filled cells, pictures, lines and points, one colour bar for all. A figure
// is plain data; write() makes the file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/plot/color.hpp"

namespace tandem::plot {

struct Range {
  double low = 0, high = 1;
  double extent() const { return high - low; }
};

struct Axis {
  std::string label;
  std::optional<Range> range;  // none: as the data need it
};

// Values in cells of equal size, x runs first; NaN is left out. Between the middles of cells values are interpolated.
struct Cells {
  Range x, y;  // of all cells together
  int columns = 0, rows = 0;
  std::vector<double> values;
  std::optional<double> floor;    // what is below is left out
  std::optional<double> outline;  // a line where the values pass this
};

struct Line {
  std::vector<double> x, y;  // of one size; NaN breaks the line
  Color color = ink;
  double width = 1.5;  // pixels
  bool dashed = false;
  bool closed = false;
  std::optional<Color> fill = std::nullopt;
  double fill_opacity = 1;
  std::string label{};  // in the legend; empty: not there
};

struct Points {
  std::vector<double> x, y;
  Color color = ink;
  double radius = 2.5;  // pixels
  std::string label{};
};

// Colours as they are, top row first.
struct Picture {
  Range x, y;  // where it goes
  int columns = 0, rows = 0;
  std::vector<std::optional<Color>> pixels;  // nothing: see through
};

struct Panel {
  std::string title;
  Axis x, y;
  bool equal = false;  // both axes of one scale
  bool grid = true;    // faint lines at the ticks
  bool axes = true;    // false: neither numbers nor frame
  std::vector<Picture> pictures;
  std::vector<Cells> cells;
  std::vector<Line> lines;
  std::vector<Points> points;
};

// The colours of all cells, and the bar that explains them.
struct ColorScale {
  std::string label;
  Range range;
  int steps = 16;  // colours in all: equal colours are equal values
};

struct Figure {
  std::string title, note;           // above and below all panels
  double width = 960, height = 420;  // pixels, of an SVG user units
  int columns = 0;                   // of panels; 0: all beside each other
  std::vector<Panel> panels;
  std::optional<ColorScale> scale;
};

enum class Format { svg, png };

// By the end of the name; Fault::unsupported for others.
Result<Format> format_of(const std::string& path);

// The bytes of a file. Fault::invalid for invalid figures drawn: sizes, columns of different lengths, ranges
// without extent. A PNG has `zoom` times as many pixels each way.
Result<std::string> bytes_of(const Figure& figure, Format format, double zoom = 2);

// Written beside it first and then renamed: there is never half a file. Errors name it.
Result<void> write(const Figure& figure, const std::string& path);
// The same for any bytes.
Result<void> write_file(const std::string& path, const std::string& bytes);

}  // namespace tandem::plot
