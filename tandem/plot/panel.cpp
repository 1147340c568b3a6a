// SPDX-License-Identifier: Apache-2.0
#include "tandem/plot/panel.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tandem/plot/contour.hpp"
#include "tandem/plot/ticks.hpp"

namespace tandem::plot {

namespace {

constexpr double title_room = 26, left_room = 56, right_room = 14, bottom_room = 44;
constexpr double number_size = 11, label_size = 12, title_size = 13;

void widen(Range& range, const std::vector<double>& values) {
  for (const double value : values) {
    if (!std::isfinite(value)) continue;
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  }
}

Range range_of(const Panel& panel, bool horizontal) {
  const Axis& axis = horizontal ? panel.x : panel.y;
  if (axis.range) return *axis.range;
  Range range = {std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Line& line : panel.lines) widen(range, horizontal ? line.x : line.y);
  for (const Points& points : panel.points) widen(range, horizontal ? points.x : points.y);
  for (const Cells& cells : panel.cells) {
    const Range& own = horizontal ? cells.x : cells.y;
    widen(range, {own.low, own.high});
  }
  for (const Picture& picture : panel.pictures) {
    const Range& own = horizontal ? picture.x : picture.y;
    widen(range, {own.low, own.high});
  }
  return padded(range);
}

// From the panel's numbers to pixels.
struct Frame {
  Box box;
  Range x, y;

  double px(double value) const { return box.x + (value - x.low) / x.extent() * box.width; }
  double py(double value) const { return box.y + box.height - (value - y.low) / y.extent() * box.height; }
};

// Where the data go: the box less the room for numbers and words; of one scale both ways if the panel wants it.
Frame frame_of(const Panel& panel, const Box& box) {
  Frame frame;
  frame.x = range_of(panel, true);
  frame.y = range_of(panel, false);
  frame.box = {box.x + left_room, box.y + title_room, std::max(box.width - left_room - right_room, 10.0),
               std::max(box.height - title_room - bottom_room, 10.0)};
  if (!panel.equal) return frame;
  const double scale = std::min(frame.box.width / frame.x.extent(), frame.box.height / frame.y.extent());
  const double width = scale * frame.x.extent(), height = scale * frame.y.extent();
  frame.box.x += (frame.box.width - width) / 2;
  frame.box.y += (frame.box.height - height) / 2;
  frame.box.width = width;
  frame.box.height = height;
  return frame;
}

std::uint32_t opaque(const Color& color) {
  const auto byte = [](double part) {
    return static_cast<std::uint32_t>(std::lround(std::clamp(part, 0.0, 1.0) * 255));
  };
  return 0xff000000U | byte(color.red) << 16 | byte(color.green) << 8 | byte(color.blue);
}

void draw_picture(Canvas& canvas, const Picture& picture, const Frame& frame) {
  std::vector<std::uint32_t> pixels;
  pixels.reserve(picture.pixels.size());
  for (const auto& pixel : picture.pixels) pixels.push_back(pixel ? opaque(*pixel) : 0);
  const double left = frame.px(picture.x.low), top = frame.py(picture.y.high);
  canvas.image(left, top, frame.px(picture.x.high) - left, frame.py(picture.y.low) - top, picture.columns, picture.rows,
               pixels);
}

void draw_cells(Canvas& canvas, const Cells& cells, const ColorScale& scale, const Frame& frame) {
  const double left = frame.px(cells.x.low), top = frame.py(cells.y.high);
  const double width = frame.px(cells.x.high) - left, height = frame.py(cells.y.low) - top;
  constexpr double fine = 1.5;  // picture elements per pixel
  const int columns = std::clamp(static_cast<int>(width * fine), 1, 2000);
  const int rows = std::clamp(static_cast<int>(height * fine), 1, 2000);
  std::vector<std::uint32_t> pixels(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows), 0);
  for (int row = 0; row < rows; ++row) {
    const double y = cells.y.high - (row + 0.5) / rows * cells.y.extent();
    for (int column = 0; column < columns; ++column) {
      const double value = value_at(cells, cells.x.low + (column + 0.5) / columns * cells.x.extent(), y);
      if (std::isnan(value) || (cells.floor && value < *cells.floor)) continue;
      pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column)] =
          opaque(color_of(scale, value));
    }
  }
  canvas.image(left, top, width, height, columns, rows, pixels);
  if (!cells.outline) return;
  for (const Segment& s : contour(cells, *cells.outline)) {
    canvas.move_to(frame.px(s[0]), frame.py(s[1]));
    canvas.line_to(frame.px(s[2]), frame.py(s[3]));
  }
  canvas.stroke(ink, 1.4);
}

void draw_line(Canvas& canvas, const Line& line, const Frame& frame) {
  bool down = false;
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    if (!std::isfinite(line.x[i]) || !std::isfinite(line.y[i])) {
      down = false;
      continue;
    }
    if (down) {
      canvas.line_to(frame.px(line.x[i]), frame.py(line.y[i]));
    } else {
      canvas.move_to(frame.px(line.x[i]), frame.py(line.y[i]));
    }
    down = true;
  }
  if (line.closed && down) canvas.close();
  if (line.fill) canvas.fill(*line.fill, line.fill_opacity, true);
  canvas.stroke(line.color, line.width, line.dashed);
}

void draw_points(Canvas& canvas, const Points& points, const Frame& frame) {
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    if (std::isfinite(points.x[i]) && std::isfinite(points.y[i]))
      canvas.circle(frame.px(points.x[i]), frame.py(points.y[i]), points.radius);
  }
  canvas.fill(points.color);
}

void draw_axes(Canvas& canvas, const Panel& panel, const Frame& frame) {
  const Box& box = frame.box;
  const double right = box.x + box.width, bottom = box.y + box.height;
  canvas.text((box.x + right) / 2, box.y - 9, panel.title, {title_size, ink, Align::middle, true});
  if (!panel.axes) return;
  for (const Tick& tick : ticks(frame.x, static_cast<int>(box.width / 48))) {
    const double at = frame.px(tick.value);
    canvas.move_to(at, bottom);
    canvas.line_to(at, bottom + 4);
    canvas.stroke(grey, 1);
    canvas.text(at, bottom + 17, tick.text, {number_size, ink, Align::middle});
  }
  for (const Tick& tick : ticks(frame.y, static_cast<int>(box.height / 34))) {
    const double at = frame.py(tick.value);
    canvas.move_to(box.x - 4, at);
    canvas.line_to(box.x, at);
    canvas.stroke(grey, 1);
    canvas.text(box.x - 7, at + 4, tick.text, {number_size, ink, Align::end});
  }
  canvas.rectangle(box.x, box.y, box.width, box.height);
  canvas.stroke(grey, 1);
  canvas.text((box.x + right) / 2, bottom + 35, panel.x.label, {label_size, ink, Align::middle});
  canvas.text(box.x - 42, (box.y + bottom) / 2, panel.y.label, {label_size, ink, Align::middle, false, true});
}

void draw_grid(Canvas& canvas, const Frame& frame) {
  const Box& box = frame.box;
  for (const Tick& tick : ticks(frame.x, static_cast<int>(box.width / 48))) {
    canvas.move_to(frame.px(tick.value), box.y);
    canvas.line_to(frame.px(tick.value), box.y + box.height);
  }
  for (const Tick& tick : ticks(frame.y, static_cast<int>(box.height / 34))) {
    canvas.move_to(box.x, frame.py(tick.value));
    canvas.line_to(box.x + box.width, frame.py(tick.value));
  }
  canvas.stroke(faint, 1);
}

void draw_legend(Canvas& canvas, const Panel& panel, const Frame& frame) {
  const TextStyle style{number_size, ink};
  double widest = 0;
  int count = 0;
  const auto measure = [&](const std::string& label) {
    if (label.empty()) return;
    widest = std::max(widest, canvas.text_width(label, style));
    ++count;
  };
  for (const Line& line : panel.lines) measure(line.label);
  for (const Points& points : panel.points) measure(points.label);
  if (count == 0) return;
  constexpr double row = 16, mark = 22, inset = 8;
  const double width = widest + mark + 3 * inset, height = count * row + inset;
  const double x = frame.box.x + frame.box.width - width - inset;
  double y = frame.box.y + inset;
  canvas.rectangle(x, y, width, height);
  canvas.fill(paper, 0.85, true);
  canvas.stroke(faint, 1);
  y += inset / 2;
  const auto entry = [&](const std::string& label) {
    canvas.text(x + mark + 2 * inset, y + row / 2 + 4, label, style);
    y += row;
  };
  for (const Line& line : panel.lines) {
    if (line.label.empty()) continue;
    canvas.move_to(x + inset, y + row / 2);
    canvas.line_to(x + inset + mark, y + row / 2);
    canvas.stroke(line.color, line.width, line.dashed);
    entry(line.label);
  }
  for (const Points& points : panel.points) {
    if (points.label.empty()) continue;
    canvas.circle(x + inset + mark / 2, y + row / 2, points.radius);
    canvas.fill(points.color);
    entry(points.label);
  }
}

}  // namespace

Color color_of(const ColorScale& scale, double value) {
  const int steps = std::max(scale.steps, 2);
  const double share = std::clamp((value - scale.range.low) / scale.range.extent(), 0.0, 1.0);
  const int step = std::min(static_cast<int>(share * steps), steps - 1);
  return scale_color(static_cast<double>(step) / (steps - 1));
}

void draw_panel(Canvas& canvas, const Panel& panel, const std::optional<ColorScale>& scale, const Box& box) {
  const Frame frame = frame_of(panel, box);
  canvas.push_clip(frame.box.x, frame.box.y, frame.box.width, frame.box.height);
  if (panel.grid && panel.axes) draw_grid(canvas, frame);
  for (const Picture& picture : panel.pictures) draw_picture(canvas, picture, frame);
  for (const Cells& cells : panel.cells) draw_cells(canvas, cells, scale.value_or(ColorScale{}), frame);
  for (const Line& line : panel.lines) draw_line(canvas, line, frame);
  for (const Points& points : panel.points) draw_points(canvas, points, frame);
  canvas.pop();
  draw_axes(canvas, panel, frame);
  draw_legend(canvas, panel, frame);
}

}  // namespace tandem::plot
