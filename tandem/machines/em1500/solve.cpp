// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/solve.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "tandem/machines/em1500/pose_map.hpp"
#include "tandem/machines/query.hpp"

namespace tandem::em1500 {
namespace {

using namespace machines::query;
using Six = std::array<double, 6>;

// The one field that a query knows; nothing when it is absent.
Result<std::optional<Six>> field_from(std::string_view text, std::string_view field) {
  const auto query = object_from(text, {&field, 1});
  if (!query) return query.error();
  if (!query->contains(field)) return std::optional<Six>{};
  Six six{};
  if (auto read = read_list((*query)[std::string(field)], std::string(field), six); !read)
    return std::move(read).error();
  return std::optional<Six>(six);
}

Result<Six> required(std::string_view text, std::string_view field) {
  auto found = field_from(text, field);
  if (!found) return std::move(found).error();
  if (!found->has_value()) return wrong(fmt::format("{}: expected an array of 6 numbers, got no such field", field));
  return **found;
}

Result<std::string> legs(std::string_view text, const machines::Progress&) {
  const auto pose = required(text, "pose");
  if (!pose) return pose.error();
  const PoseMap map(Profile::original);
  const stewart::Lengths lengths = stewart::leg_lengths(platform(), map.platform_from_plc(plc_pose(*pose)), map.order);
  stewart::Lengths displacements{};
  for (std::size_t i = 0; i < 6; ++i) displacements[i] = lengths[i] - platform().home_lengths[i];
  const std::string why = stewart::why_unreachable(strokes(), lengths);
  Json answer = {{"lengths", lengths}, {"displacements", displacements}, {"reachable", why.empty()}, {"why", nullptr}};
  if (!why.empty()) answer["why"] = why;
  return to_text(answer);
}

Result<std::string> pose(std::string_view text, const machines::Progress&) {
  const auto lengths = required(text, "lengths");
  if (!lengths) return lengths.error();
  const auto solution = stewart::pose_from_lengths(platform(), *lengths);
  if (!solution) return solution.error();
  const PoseMap map(Profile::original);
  const PlcPose found = map.plc_from_platform(stewart::coordinates_from_pose(solution->X_base_top, map.order));
  const Json answer = {{"pose", axes(found)},
                       {"residual", solution->residual},
                       {"iterations", solution->iterations},
                       {"mode", solution->mode == stewart::Mode::home ? "home" : "another mode possible"}};
  return to_text(answer);
}

Result<std::string> reach(std::string_view text, const machines::Progress&) {
  const auto start = field_from(text, "pose");
  if (!start) return start.error();
  const PoseMap map(Profile::original);
  const PlcPose from = start->has_value() ? plc_pose(**start) : PlcPose{};
  const auto ranges = stewart::reach(platform(), strokes(), map.platform_from_plc(from), map.order);
  if (!ranges) return ranges.error();
  // An axis that the profile turns round has its ends exchanged.
  Six low{}, high{};
  for (std::size_t i = 0; i < 6; ++i) {
    const double a = ((*ranges)[i].lowest - map.offset[i]) / map.sign[i];
    const double b = ((*ranges)[i].highest - map.offset[i]) / map.sign[i];
    low[i] = std::min(a, b);
    high[i] = std::max(a, b);
  }
  Json answer = Json::object();
  for (std::size_t i = 0; i < 6; ++i) answer[std::string(axis_names[i])] = {low[i], high[i]};
  return to_text(answer);
}

constexpr machines::Query all_queries[] = {
    {"legs",
     "pose: [surge, sway, heave, roll, pitch, yaw] as the PLC reports it (m, rad) -> lengths (m), displacements from "
     "neutral (m), reachable, why not (null when reachable)",
     R"({"pose": [0.1, 0, 0, 0, 0, 0]})", legs},
    {"pose",
     "lengths: six, leg 1 first (m) -> pose as the PLC reports it (m, rad), residual (m), iterations, mode (home, or "
     "another mode possible where the lengths fit a second pose)",
     R"({"lengths": [1.5, 1.5, 1.5, 1.5, 1.5, 1.5]})", pose},
    {"reach", "pose: where to start, neutral unless given -> lowest and highest value of each axis alone (m, rad)",
     R"({"pose": [0, 0, 0.1, 0, 0, 0]})", reach},
};

}  // namespace

std::span<const machines::Query> queries() { return all_queries; }

}  // namespace tandem::em1500
