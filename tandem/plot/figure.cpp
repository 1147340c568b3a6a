// SPDX-License-Identifier: Apache-2.0
#include "tandem/plot/figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/plot/panel.hpp"
#include "tandem/plot/ticks.hpp"

namespace tandem::plot {

namespace {

constexpr double edge = 12, title_height = 34, note_height = 24, bar_room = 84;

Error bad_figure(const std::string& text) { return {Fault::invalid, "figure: " + text}; }

bool proper(const Range& range) {
  return std::isfinite(range.low) && std::isfinite(range.high) && range.low < range.high;
}

Result<void> check_panel(const Panel& panel) {
  for (const auto& axis : {panel.x, panel.y}) {
    if (axis.range && !proper(*axis.range))
      return bad_figure(fmt::format("panel '{}', axis '{}': expected low < high, got {} and {}", panel.title,
                                    axis.label, axis.range->low, axis.range->high));
  }
  for (const Cells& cells : panel.cells) {
    const bool counted = cells.columns > 0 && cells.rows > 0 && cells.columns <= 1'000'000 && cells.rows <= 1'000'000;
    if (!counted ||
        static_cast<std::size_t>(cells.columns) * static_cast<std::size_t>(cells.rows) != cells.values.size())
      return bad_figure(fmt::format("panel '{}': expected {} x {} values, got {}", panel.title, cells.columns,
                                    cells.rows, cells.values.size()));
    if (!proper(cells.x) || !proper(cells.y))
      return bad_figure(fmt::format("panel '{}': expected cells with an extent, got none", panel.title));
  }
  for (const Picture& picture : panel.pictures) {
    const bool counted = picture.columns > 0 && picture.rows > 0 && picture.columns <= 4000 && picture.rows <= 4000;
    if (!counted || !proper(picture.x) || !proper(picture.y) ||
        static_cast<std::size_t>(picture.columns) * static_cast<std::size_t>(picture.rows) != picture.pixels.size())
      return bad_figure(fmt::format("panel '{}': expected a picture of {} x {} pixels with an extent, got {}",
                                    panel.title, picture.columns, picture.rows, picture.pixels.size()));
  }
  const auto same = [&panel](const std::vector<double>& x, const std::vector<double>& y) -> Result<void> {
    if (x.size() == y.size()) return {};
    return bad_figure(
        fmt::format("panel '{}': expected as many y as x, got {} and {}", panel.title, y.size(), x.size()));
  };
  for (const Line& line : panel.lines) {
    if (auto good = same(line.x, line.y); !good) return good;
  }
  for (const Points& points : panel.points) {
    if (auto good = same(points.x, points.y); !good) return good;
  }
  return {};
}

Result<void> check_figure(const Figure& figure, double zoom) {
  constexpr double least = 50, most = 10'000;
  for (const double size : {figure.width, figure.height}) {
    if (!(size >= least && size <= most && size * zoom <= 2 * most && zoom > 0))
      return bad_figure(
          fmt::format("expected {} to {} pixels each way, got {} x {}", least, most, figure.width, figure.height));
  }
  if (figure.scale && !proper(figure.scale->range))
    return bad_figure(fmt::format("colour scale: expected low < high, got {} and {}", figure.scale->range.low,
                                  figure.scale->range.high));
  for (const Panel& panel : figure.panels) {
    if (auto good = check_panel(panel); !good) return good;
  }
  return {};
}

// Smaller where it would not fit.
void fitting_text(Canvas& canvas, double x, double y, const std::string& text, TextStyle style, double room) {
  const double width = canvas.text_width(text, style);
  if (width > room) style.size *= room / width;
  canvas.text(x, y, text, style);
}

void draw_scale(Canvas& canvas, const ColorScale& scale, const Box& box) {
  const int steps = std::max(scale.steps, 2);
  const double height = box.height / steps;
  for (int i = 0; i < steps; ++i) {
    const double share = (i + 0.5) / steps;
    canvas.rectangle(box.x, box.y + box.height - (i + 1) * height, box.width, height + (i > 0 ? 0.5 : 0));
    canvas.fill(color_of(scale, scale.range.low + share * scale.range.extent()));
  }
  canvas.rectangle(box.x, box.y, box.width, box.height);
  canvas.stroke(grey, 1);
  double widest = 0;
  for (const Tick& tick : ticks(scale.range, std::min(static_cast<int>(box.height / 34), 11))) {
    const double at = box.y + box.height - (tick.value - scale.range.low) / scale.range.extent() * box.height;
    canvas.move_to(box.x + box.width, at);
    canvas.line_to(box.x + box.width + 4, at);
    canvas.stroke(grey, 1);
    canvas.text(box.x + box.width + 7, at + 4, tick.text, {11, ink});
    widest = std::max(widest, canvas.text_width(tick.text, {11, ink}));
  }
  canvas.text(box.x + box.width + 7 + widest + 18, box.y + box.height / 2, scale.label,
              {12, ink, Align::middle, false, true});
}

}  // namespace

Result<std::string> bytes_of(const Figure& figure, Format format, double zoom) {
  if (const auto good = check_figure(figure, format == Format::png ? zoom : 1); !good) return good.error();
  Canvas canvas(format, figure.width, figure.height, zoom);
  canvas.rectangle(0, 0, figure.width, figure.height);
  canvas.fill(paper);
  const double top = figure.title.empty() ? edge : title_height, bottom = figure.note.empty() ? edge : note_height;
  fitting_text(canvas, figure.width / 2, 24, figure.title, {15, ink, Align::middle, true}, figure.width - 2 * edge);
  fitting_text(canvas, figure.width / 2, figure.height - 10, figure.note, {11, grey, Align::middle},
               figure.width - 2 * edge);
  const double width = figure.width - 2 * edge - (figure.scale ? bar_room : 0);
  const double height = figure.height - top - bottom;
  const int count = static_cast<int>(figure.panels.size());
  const int columns = figure.columns > 0 ? std::min(figure.columns, std::max(count, 1)) : std::max(count, 1);
  const int rows = (count + columns - 1) / columns;
  for (int i = 0; i < count; ++i) {
    const Box box = {edge + width * (i % columns) / columns, top + height * (i / columns) / rows, width / columns,
                     height / rows};
    draw_panel(canvas, figure.panels[static_cast<std::size_t>(i)], figure.scale, box);
  }
  if (figure.scale) draw_scale(canvas, *figure.scale, {edge + width + 12, top + 26, 14, height - 26 - 44});
  return canvas.finish();
}

}  // namespace tandem::plot
