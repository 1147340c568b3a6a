// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/warehouse/hall.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "tandem/machines/scene_parts.hpp"

namespace tandem::warehouse {
namespace {

constexpr double lane_height = 0.03;  // m, of the middle of what is drawn of a lane
constexpr double lane_radius = 0.1;   // m
constexpr double margin = 2;          // m, of floor around the nodes
constexpr double base_share = 0.85, horizon_share = 0.05;

void add_node(machines::Scene& scene, const MapNode& node) {
  const auto& [x, y, yaw] = node.pose;
  if (node.bay) {
    scene.parts.push_back(
        machines::box({node.id, "world", "#3b4a63"}, {2.4, 1.2, 0.01},
                      machines::shifted(x, y, 0.015) * turned(0, 0, yaw) * machines::shifted(-0.25, 0, 0)));
  } else if (node.may_wait) {
    scene.parts.push_back(
        machines::cylinder({node.id, "world", "#8a94a6"}, 0.14, 0.05, machines::shifted(x, y, lane_height)));
  }
}

// A straight piece for a straight lane, six for a bend.
void add_edge(machines::Scene& scene, const Map& map, std::size_t index) {
  const auto places = places_of(map, index);
  const std::size_t pieces = map.edges[index].trajectory ? 6 : 1;
  for (std::size_t i = 0; i < pieces; ++i) {
    const auto at = [&](std::size_t piece) -> std::array<double, 3> {
      const Point& place = places[piece * (places.size() - 1) / pieces];
      return {place.x, place.y, lane_height};
    };
    machines::Tie tie;
    tie.name = map.edges[index].id;
    tie.from_point = at(i);
    tie.to_point = at(i + 1);
    tie.radius = lane_radius;
    tie.color = "#8c9199";
    tie.scalar = static_cast<int>(index);
    scene.ties.push_back(tie);
  }
}

}  // namespace

machines::Scene hall_scene(const Map& map) {
  machines::Scene scene;
  scene.frames = {"hall"};
  scene.main_frame = "hall";
  double half_x = 0, half_y = 0;
  for (const MapNode& node : map.nodes) {
    half_x = std::max(half_x, std::abs(node.pose.x));
    half_y = std::max(half_y, std::abs(node.pose.y));
    add_node(scene, node);
  }
  scene.parts.push_back(machines::box({"floor", "world", "#232b38"},
                                      {2 * (half_x + margin), 2 * (half_y + margin), 0.01},
                                      machines::shifted(0, 0, 0.005)));
  scene.extent = 2 * (std::max(half_x, half_y) + margin);
  for (std::size_t edge = 0; edge < map.edges.size(); ++edge) {
    scene.scalars.push_back({"lane", "horizon to base", 0, 1});
    add_edge(scene, map, edge);
  }
  return scene;
}

machines::Picture hall_picture(std::span<const EdgeUse> edges) {
  machines::Picture picture;
  picture.seen = true;
  picture.frames.emplace_back();
  for (const EdgeUse use : edges)
    picture.scalars.push_back(use == EdgeUse::base      ? base_share
                              : use == EdgeUse::horizon ? horizon_share
                                                        : std::numeric_limits<double>::quiet_NaN());
  return picture;
}

}  // namespace tandem::warehouse
