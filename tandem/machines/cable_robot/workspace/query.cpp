// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/workspace/query.hpp"

#include <array>
#include <charconv>
#include <optional>

#include "tandem/machines/cable_robot/geometry/file.hpp"
#include "tandem/machines/cable_robot/workspace/file.hpp"
#include "tandem/machines/query.hpp"

namespace tandem::cable_robot {

namespace {

using cables::GridTask;
using cables::Robot;
using machines::query::Json;
using machines::query::read_list;
using machines::query::seen;
using machines::query::wrong;

constexpr int most_along_an_axis = 100'000;
constexpr std::size_t most_in_a_list = 1000;
constexpr std::size_t most_cells_in_a_file = 5'000'000;

Result<std::string> text_field(const Json& query, const char* name) {
  if (!query.contains(name)) return std::string();
  if (!query[name].is_string() || query[name].get_ref<const std::string&>().empty())
    return wrong(fmt::format("{}: expected a text, got {}", name, seen(query[name])));
  return query[name].get<std::string>();
}

// "40x40x40" or [40, 40, 40].
Result<std::array<int, 3>> counts_from(const Json& value) {
  const auto refused = [&] {
    return wrong(fmt::format("grid: expected \"NxNxN\" or three whole numbers from 1 to {}, got {}", most_along_an_axis,
                             seen(value)));
  };
  std::array<int, 3> counts{};
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    const char *at = text.data(), *const end = at + text.size();
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [after, problem] = std::from_chars(at, end, counts[k]);
      if (problem != std::errc() || counts[k] < 1 || counts[k] > most_along_an_axis) return refused();
      at = after;
      if (k < 2 && (at == end || (*at != 'x' && *at != 'X'))) return refused();
      if (k < 2) ++at;
    }
    if (at != end) return refused();
    return counts;
  }
  if (!value.is_array() || value.size() != 3) return refused();
  for (std::size_t k = 0; k < 3; ++k) {
    if (!value[k].is_number_integer()) return refused();
    const auto count = value[k].get<std::int64_t>();
    if (count < 1 || count > most_along_an_axis) return refused();
    counts[k] = static_cast<int>(count);
  }
  return counts;
}

// A list of lists of N numbers; one list of N numbers alone is a list of one if `alone`.
template <std::size_t N>
Result<std::vector<std::array<double, N>>> rows_from(const Json& value, const std::string& name, bool alone) {
  std::vector<std::array<double, N>> rows;
  if (alone && value.is_array() && !value.empty() && !value[0].is_array()) {
    rows.resize(1);
    if (const auto read = read_list(value, name, rows[0]); !read) return read.error();
    return rows;
  }
  if (!value.is_array() || value.empty() || value.size() > most_in_a_list)
    return wrong(fmt::format("{}: expected a list of 1 to {} lists of {} numbers, got {}", name, most_in_a_list, N,
                             seen(value)));
  for (std::size_t i = 0; i < value.size(); ++i) {
    rows.emplace_back();
    if (const auto read = read_list(value[i], fmt::format("{}[{}]", name, i), rows.back()); !read) return read.error();
  }
  return rows;
}

Result<void> fill_box(const Json& query, GridTask& task) {
  if (!query.contains("box")) return {};
  const auto corners = rows_from<3>(query["box"], "box", false);
  if (!corners) return corners.error();
  if (corners->size() != 2)
    return wrong(fmt::format("box: expected its two corners [[x, y, z], [x, y, z]], got {}", seen(query["box"])));
  task.grid.low = Eigen::Map<const Eigen::Vector3d>((*corners)[0].data());
  task.grid.high = Eigen::Map<const Eigen::Vector3d>((*corners)[1].data());
  return {};
}

Result<void> fill_attitudes(const Json& query, GridTask& task) {
  if (!query.contains("attitude")) return {};
  const auto rows = rows_from<3>(query["attitude"], "attitude", true);
  if (!rows) return rows.error();
  task.attitudes.clear();
  for (const auto& [roll, pitch, yaw] : *rows) task.attitudes.push_back(rotation_from_rpy(roll, pitch, yaw));
  return {};
}

Result<void> fill_loads(const Json& query, GridTask& task) {
  if (query.contains("wrenches")) {
    const auto rows = rows_from<6>(query["wrenches"], "wrenches", true);
    if (!rows) return rows.error();
    for (const auto& row : *rows) task.loads.emplace_back(Eigen::Map<const cables::Wrench>(row.data()));
  }
  if (query.contains("wrench_box")) {
    cables::Wrench half;
    if (const auto read = read_list(query["wrench_box"], "wrench_box", std::span(half.data(), 6)); !read)
      return read.error();
    for (const cables::Wrench& corner : cables::load_corners(half)) task.loads.push_back(corner);
  }
  return {};
}

Result<void> fill_kind(const Json& query, GridTask& task) {
  const auto text = text_field(query, "kind");
  if (!text) return text.error();
  if (text->empty()) return {};
  std::vector<std::string_view> known;
  for (const cables::Kind kind : cables::all_kinds) {
    known.emplace_back(name(kind));
    if (*text != known.back()) continue;
    task.kind = kind;
    return {};
  }
  return wrong(fmt::format("kind: unknown kind {}{}", seen(*text), suggestion(*text, known)));
}

Result<GridTask> task_from(const Json& query, const Robot& robot) {
  GridTask task;
  task.grid = cables::default_grid(robot);
  task.grid.counts = {40, 40, 40};
  if (query.contains("grid")) {
    const auto counts = counts_from(query["grid"]);
    if (!counts) return counts.error();
    task.grid.counts = *counts;
  }
  for (const auto fill : {fill_box, fill_attitudes, fill_loads, fill_kind}) {
    if (const auto filled = fill(query, task); !filled) return filled.error();
  }
  return task;
}

std::string answer_text(const cables::GridAnswer& found, const std::string& out) {
  const auto best = std::max_element(found.margins.begin(), found.margins.end());
  const auto at = static_cast<std::size_t>(best - found.margins.begin());
  const auto wide = static_cast<std::size_t>(found.grid.counts[0]),
             deep = static_cast<std::size_t>(found.grid.counts[1]);
  Json answer = {{"points", found.grid.points()},
                 {"feasible", found.inside},
                 {"fraction", static_cast<double>(found.inside) / static_cast<double>(found.grid.points())},
                 {"volume", found.volume},
                 {"largest_margin", *best},
                 {"at",
                  {found.grid.at(0, static_cast<int>(at % wide)), found.grid.at(1, static_cast<int>(at / wide % deep)),
                   found.grid.at(2, static_cast<int>(at / wide / deep))}},
                 {"seconds", found.seconds}};
  if (!out.empty()) answer["out"] = out;
  return to_text(answer);
}

}  // namespace

Result<std::string> workspace(std::string_view text, const machines::Progress& progress) {
  constexpr std::array<std::string_view, 8> fields = {"grid", "out",      "geometry", "kind",
                                                      "box",  "attitude", "wrenches", "wrench_box"};
  const auto query = machines::query::object_from(text, fields);
  if (!query) return query.error();
  const auto out = text_field(*query, "out");
  if (!out) return out.error();
  const auto geometry = text_field(*query, "geometry");
  if (!geometry) return geometry.error();
  const auto robot = geometry->empty() ? Result<Robot>(Robot::standard()) : robot_from_file(*geometry);
  if (!robot) return robot.error();
  auto task = task_from(*query, *robot);
  if (!task) return task.error();
  if (!out->empty()) {
    const auto format = workspace_format(*out);
    if (!format) return format.error();
    const bool table = *format != WorkspaceFormat::picture;
    task->conditioning = task->clearance = table;
    if (table && task->grid.points() > most_cells_in_a_file)
      return wrong(fmt::format("grid: expected at most {} cells for a file of them, got {}", most_cells_in_a_file,
                               task->grid.points()));
  }
  const auto found = look_at(*robot, *task, progress);
  if (!found) return found.error();
  if (!out->empty()) {
    if (const auto written = write_workspace(*out, *robot, *task, *found); !written)
      return within("out", written.error());
  }
  return answer_text(*found, *out);
}

}  // namespace tandem::cable_robot
