// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/companion/path_picture.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace tandem::orca {
namespace {

struct PathStyle {
  plot::Color color;
  double width;
  bool dashed;
};
const PathStyle truth_style{plot::grey, 4, false};
const PathStyle estimate_style{plot::line_color(0), 1.6, false};
const PathStyle slam_style{plot::line_color(1), 1.4, true};

plot::Line line_in(const PathStyle& style, const std::string& label) {
  plot::Line line;
  line.color = style.color;
  line.width = style.width;
  line.dashed = style.dashed;
  line.label = label;
  return line;
}

struct PathPanels {
  plot::Panel above, beside;

  void add(std::span<const PathPoint> points, const PathStyle& style, const std::string& label, double start) {
    if (points.size() < 2) return;
    plot::Line plan = line_in(style, ""), depth = line_in(style, label);  // there is room for words
    for (const PathPoint& point : points) {
      plan.x.push_back(point.position.x());
      plan.y.push_back(point.position.y());
      depth.x.push_back(point.time - start);
      depth.y.push_back(point.position.z());
    }
    above.lines.push_back(std::move(plan));
    beside.lines.push_back(std::move(depth));
  }
};

std::string path_note(const PathLog& log, const std::vector<Alignment>& maps) {
  std::string note = fmt::format("truth {:.1f} m long", log.truth.length());
  if (const auto drift = log.drift()) note += fmt::format("; estimate off by {:.2f} m at the end", *drift);
  for (const Alignment& map : maps) {
    note += fmt::format("; SLAM map {}: {:.3g} m per unit, rms {:.3f} m", map.map, map.scale, map.rms);
    if (note.size() > 130) break;  // a line, not a list
  }
  return note;
}

bool is_csv(const std::string& file) { return file.ends_with(".csv"); }

}  // namespace

plot::Figure path_picture(const PathLog& log) {
  const bool truthful = !log.truth.points().empty();
  const auto maps = log.aligned();
  double start = 0;
  for (const Path* path : {&log.slam, &log.estimate, &log.truth}) {
    if (!path->points().empty()) start = path->points().front().time;
  }
  PathPanels panels;
  panels.add(log.truth.points(), truth_style, "true", start);
  panels.add(log.estimate.points(), estimate_style, "estimated by the autopilot", start);
  for (std::size_t i = 0; i < maps.size(); ++i)
    panels.add(maps[i].path, slam_style, i == 0 ? "SLAM, aligned to it" : "", start);
  panels.above.title = "from above";
  panels.above.equal = true;
  panels.above.x.label = "east, m";
  panels.above.y.label = "north, m";
  panels.beside.title = "depth";
  panels.beside.x.label = "time, s";
  panels.beside.y.label = "z, m";
  plot::Figure figure;
  figure.title = truthful ? "Orca: true, estimated and SLAM paths" : "Orca: estimated and SLAM paths";
  figure.note = truthful ? path_note(log, maps) : fmt::format("estimate {:.1f} m long", log.estimate.length());
  figure.panels = {std::move(panels.above), std::move(panels.beside)};
  return figure;
}

Result<void> check_path_file(const std::string& file) {
  if (!is_csv(file) && !plot::format_of(file))
    return Error{Fault::unsupported, fmt::format("paths: expected a name with .png, .svg or .csv, got '{}'", file)};
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  std::error_code unknown;
  if (!folder.empty() && !std::filesystem::is_directory(folder, unknown))
    return Error{Fault::not_found, fmt::format("paths: expected a file in an existing folder, got '{}'", file)};
  return {};
}

Result<void> write_paths(const PathLog& log, const std::string& file) {
  if (is_csv(file)) return plot::write_file(file, log.csv());
  if (log.truth.points().size() < 2 && log.estimate.points().size() < 2)
    return Error{Fault::not_found, fmt::format("{}: no path received yet", file)};
  return plot::write(path_picture(log), file);
}

}  // namespace tandem::orca
