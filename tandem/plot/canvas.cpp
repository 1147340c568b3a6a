// SPDX-License-Identifier: Apache-2.0
#include "tandem/plot/canvas.hpp"

#include <cairo/cairo-svg.h>
#include <cairo/cairo.h>
#include <fmt/format.h>

#include <cmath>
#include <cstring>

namespace tandem::plot {

namespace {

constexpr double quarter_turn = 1.5707963267948966;

cairo_status_t append(void* to, const unsigned char* bytes, unsigned int count) {
  static_cast<std::string*>(to)->append(reinterpret_cast<const char*>(bytes), count);
  return CAIRO_STATUS_SUCCESS;
}

}  // namespace

struct Canvas::Inside {
  Format format;
  std::string bytes;
  cairo_surface_t* surface = nullptr;
  cairo_t* cairo = nullptr;
};

Canvas::Canvas(Format format, double width, double height, double zoom) : inside_(std::make_unique<Inside>()) {
  inside_->format = format;
  if (format == Format::svg) {
    inside_->surface = cairo_svg_surface_create_for_stream(append, &inside_->bytes, width, height);
    cairo_svg_surface_set_document_unit(inside_->surface, CAIRO_SVG_UNIT_PX);
  } else {
    inside_->surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, static_cast<int>(std::lround(width * zoom)),
                                                  static_cast<int>(std::lround(height * zoom)));
  }
  inside_->cairo = cairo_create(inside_->surface);
  if (format == Format::png) cairo_scale(inside_->cairo, zoom, zoom);
  cairo_set_line_join(inside_->cairo, CAIRO_LINE_JOIN_ROUND);
  cairo_set_line_cap(inside_->cairo, CAIRO_LINE_CAP_ROUND);
}

Canvas::~Canvas() {
  cairo_destroy(inside_->cairo);
  cairo_surface_destroy(inside_->surface);
}

void Canvas::push_clip(double x, double y, double width, double height) {
  cairo_save(inside_->cairo);
  rectangle(x, y, width, height);
  cairo_clip(inside_->cairo);
}

void Canvas::pop() { cairo_restore(inside_->cairo); }
void Canvas::move_to(double x, double y) { cairo_move_to(inside_->cairo, x, y); }
void Canvas::line_to(double x, double y) { cairo_line_to(inside_->cairo, x, y); }
void Canvas::rectangle(double x, double y, double width, double height) {
  cairo_rectangle(inside_->cairo, x, y, width, height);
}
void Canvas::close() { cairo_close_path(inside_->cairo); }

void Canvas::circle(double x, double y, double radius) {
  cairo_new_sub_path(inside_->cairo);
  cairo_arc(inside_->cairo, x, y, radius, 0, 4 * quarter_turn);
}

void Canvas::fill(const Color& color, double opacity, bool keep) {
  cairo_set_source_rgba(inside_->cairo, color.red, color.green, color.blue, opacity);
  if (keep) {
    cairo_fill_preserve(inside_->cairo);
  } else {
    cairo_fill(inside_->cairo);
  }
}

void Canvas::stroke(const Color& color, double width, bool dashed) {
  const double dashes[] = {4 * width, 3 * width};
  cairo_set_dash(inside_->cairo, dashes, dashed ? 2 : 0, 0);
  cairo_set_source_rgb(inside_->cairo, color.red, color.green, color.blue);
  cairo_set_line_width(inside_->cairo, width);
  cairo_stroke(inside_->cairo);
}

double Canvas::text_width(const std::string& text, const TextStyle& style) {
  cairo_select_font_face(inside_->cairo, "DejaVu Sans", CAIRO_FONT_SLANT_NORMAL,
                         style.bold ? CAIRO_FONT_WEIGHT_BOLD : CAIRO_FONT_WEIGHT_NORMAL);
  cairo_set_font_size(inside_->cairo, style.size);
  cairo_text_extents_t extents;
  cairo_text_extents(inside_->cairo, text.c_str(), &extents);
  return extents.x_advance;
}

void Canvas::text(double x, double y, const std::string& text, const TextStyle& style) {
  const double width = text_width(text, style);
  const double before = style.align == Align::start ? 0 : style.align == Align::middle ? width / 2 : width;
  cairo_save(inside_->cairo);
  cairo_translate(inside_->cairo, x, y);
  if (style.upwards) cairo_rotate(inside_->cairo, -quarter_turn);
  cairo_move_to(inside_->cairo, -before, 0);
  cairo_set_source_rgb(inside_->cairo, style.color.red, style.color.green, style.color.blue);
  cairo_show_text(inside_->cairo, text.c_str());
  cairo_restore(inside_->cairo);
  cairo_new_path(inside_->cairo);
}

void Canvas::image(double x, double y, double width, double height, int columns, int rows,
                   const std::vector<std::uint32_t>& pixels) {
  cairo_surface_t* picture = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, columns, rows);
  if (cairo_surface_status(picture) == CAIRO_STATUS_SUCCESS) {
    cairo_surface_flush(picture);
    unsigned char* to = cairo_image_surface_get_data(picture);
    const auto stride = static_cast<std::size_t>(cairo_image_surface_get_stride(picture));
    const auto wide = static_cast<std::size_t>(columns);
    for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row)
      std::memcpy(to + row * stride, pixels.data() + row * wide, wide * sizeof(std::uint32_t));
    cairo_surface_mark_dirty(picture);
    cairo_save(inside_->cairo);
    cairo_translate(inside_->cairo, x, y);
    cairo_scale(inside_->cairo, width / columns, height / rows);
    cairo_set_source_surface(inside_->cairo, picture, 0, 0);
    cairo_pattern_set_filter(cairo_get_source(inside_->cairo), CAIRO_FILTER_BILINEAR);
    cairo_paint(inside_->cairo);
    cairo_restore(inside_->cairo);
  }
  cairo_surface_destroy(picture);
}

Result<std::string> Canvas::finish() {
  cairo_status_t status = cairo_status(inside_->cairo);
  if (status == CAIRO_STATUS_SUCCESS && inside_->format == Format::png)
    status = cairo_surface_write_to_png_stream(inside_->surface, append, &inside_->bytes);
  cairo_surface_finish(inside_->surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(inside_->surface);
  if (status != CAIRO_STATUS_SUCCESS)
    return Error{Fault::invalid, fmt::format("figure: drawing failed: {}", cairo_status_to_string(status))};
  return std::move(inside_->bytes);
}

}  // namespace tandem::plot
