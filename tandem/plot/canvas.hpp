// SPDX-License-Identifier: Apache-2.0
// A drawing surface in pixels, y down: the only place that sees cairo.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tandem/plot/figure.hpp"

namespace tandem::plot {

enum class Align { start, middle, end };

struct TextStyle {
  double size = 12;  // pixels
  Color color = ink;
  Align align = Align::start;
  bool bold = false;
  bool upwards = false;  // turned to read from below
};

class Canvas {
 public:
  Canvas(Format format, double width, double height, double zoom);
  Canvas(const Canvas&) = delete;
  ~Canvas();

  // Everything until pop() stays within the rectangle.
  void push_clip(double x, double y, double width, double height);
  void pop();

  void move_to(double x, double y);
  void line_to(double x, double y);
  void circle(double x, double y, double radius);
  void rectangle(double x, double y, double width, double height);
  void close();
  // Both keep the path if `keep`.
  void fill(const Color& color, double opacity = 1, bool keep = false);
  void stroke(const Color& color, double width, bool dashed = false);
  // The baseline begins, has its middle or ends there.
  void text(double x, double y, const std::string& text, const TextStyle& style);
  double text_width(const std::string& text, const TextStyle& style);
  // columns x rows pixels, top row first, each 0xAARRGGBB with colours already multiplied by their opacity.
  void image(double x, double y, double width, double height, int columns, int rows,
             const std::vector<std::uint32_t>& pixels);

  // The bytes of the file; nothing can be drawn after it.
  Result<std::string> finish();

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace tandem::plot
