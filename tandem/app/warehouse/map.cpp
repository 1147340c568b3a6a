// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/warehouse/map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <queue>
#include <utility>

namespace tandem::warehouse {
namespace {

constexpr double radius = 2;        // m, of every bend
constexpr double pitch = 3;         // m, between bays, and between nodes of a lane
constexpr double depth = 14;        // m, between the two lanes
constexpr double first_bay = 7;     // m, east of the lane in the west
constexpr double bend_speed = 0.7;  // m/s
constexpr double pi = std::numbers::pi;

double distance(const Point& a, const Point& b) { return std::hypot(b.x - a.x, b.y - a.y); }

struct Builder {
  Map map;
  std::uint32_t height = 0;

  std::size_t node(std::string id, const PlanarPose& pose, bool may_wait = true) {
    map.nodes.push_back({std::move(id), pose, false, may_wait, ++height});
    map.leaving.emplace_back();
    return map.nodes.size() - 1;
  }
  void join(std::size_t from, std::size_t to) {
    const PlanarPose &a = map.nodes[from].pose, &b = map.nodes[to].pose;
    MapEdge edge{fmt::format("{}-{}", map.nodes[from].id, map.nodes[to].id),
                 from,
                 to,
                 std::nullopt,
                 1,
                 distance({a.x, a.y}, {b.x, b.y})};
    if (std::abs(std::remainder(b.yaw - a.yaw, 2 * pi)) > 0.1) {
      // A quarter circle: the corner of its tangents has the weight that makes it one.
      const Point corner{a.x + radius * std::cos(a.yaw), a.y + radius * std::sin(a.yaw)};
      edge.trajectory =
          Nurbs{2, {0, 0, 0, 1, 1, 1}, {{a.x, a.y, 1}, {corner.x, corner.y, std::numbers::sqrt2 / 2}, {b.x, b.y, 1}}};
      edge.most_speed = bend_speed;
      edge.length = radius * pi / 2;
    }
    map.leaving[from].push_back(map.edges.size());
    map.edges.push_back(std::move(edge));
  }
};

// The origin becomes the middle.
void centre(Map& map) {
  double west = 0, east = 0, south = 0, north = 0;
  for (const MapNode& node : map.nodes) {
    west = std::min(west, node.pose.x);
    east = std::max(east, node.pose.x);
    south = std::min(south, node.pose.y);
    north = std::max(north, node.pose.y);
  }
  const double x = (west + east) / 2, y = (south + north) / 2;
  for (MapNode& node : map.nodes) {
    node.pose.x -= x;
    node.pose.y -= y;
  }
  for (MapEdge& edge : map.edges) {
    if (!edge.trajectory) continue;
    for (auto& point : edge.trajectory->points) {
      point.x -= x;
      point.y -= y;
    }
  }
}

}  // namespace

Map make_warehouse(std::size_t bays) {
  bays = std::max<std::size_t>(bays, 2);
  Builder builder;
  const auto east_of = [](std::size_t bay) { return first_bay + pitch * static_cast<double>(bay); };
  // In the order of heights: the northern lane from the east, down in the west, the southern lane from the west.
  std::vector<std::size_t> out(bays), north(bays), south(bays), in(bays), bay(bays);
  for (std::size_t i = bays; i-- > 0;) {
    out[i] = builder.node(fmt::format("out{}", i), {east_of(i), depth - radius, pi / 2}, false);
    north[i] = builder.node(fmt::format("north{}", i), {east_of(i) - radius, depth, pi});
  }
  std::vector<std::size_t> west;
  west.push_back(builder.node("west0", {radius, depth, pi}));
  west.push_back(builder.node("west1", {0, depth - radius, -pi / 2}));
  const auto waiting_place = [&](int i) { return depth - radius - (i + 1) * pitch; };
  for (int i = 0; waiting_place(i) > radius + 1; ++i)
    west.push_back(builder.node(fmt::format("west{}", west.size()), {0, waiting_place(i), -pi / 2}));
  west.push_back(builder.node(fmt::format("west{}", west.size()), {0, radius, -pi / 2}));
  west.push_back(builder.node(fmt::format("west{}", west.size()), {radius, 0, 0}));
  for (std::size_t i = 0; i < bays; ++i)
    south[i] = builder.node(fmt::format("south{}", i), {east_of(i) - radius, 0, 0});
  for (std::size_t i = 0; i < bays; ++i) {
    in[i] = builder.node(fmt::format("in{}", i), {east_of(i), radius, pi / 2}, false);
    bay[i] = builder.node(fmt::format("bay{}", i), {east_of(i), depth / 2, pi / 2});
    builder.map.nodes[bay[i]].bay = true;
  }
  for (std::size_t i = 0; i < bays; ++i) {
    builder.join(bay[i], out[i]);
    builder.join(out[i], north[i]);
    builder.join(north[i], i == 0 ? west.front() : north[i - 1]);
    builder.join(i == 0 ? west.back() : south[i - 1], south[i]);
    builder.join(south[i], in[i]);
    builder.join(in[i], bay[i]);
  }
  for (std::size_t i = 1; i < west.size(); ++i) builder.join(west[i - 1], west[i]);
  builder.map.bays = bay;
  centre(builder.map);
  return std::move(builder.map);
}

std::vector<Point> places_of(const Map& map, std::size_t index) {
  const MapEdge& edge = map.edges[index];
  const PlanarPose &a = map.nodes[edge.from].pose, &b = map.nodes[edge.to].pose;
  const int pieces = std::max(1, static_cast<int>(std::ceil(edge.length / 0.1)));
  std::vector<Point> places;
  for (int i = 0; i <= pieces; ++i) {
    const double share = static_cast<double>(i) / pieces;
    places.push_back(edge.trajectory ? kinematics::ackermann::evaluate(*edge.trajectory, share).position
                                     : Point{a.x + share * (b.x - a.x), a.y + share * (b.y - a.y)});
  }
  return places;
}

std::vector<std::size_t> way_between(const Map& map, std::size_t from, std::size_t to) {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  std::vector<double> cost(map.nodes.size(), std::numeric_limits<double>::infinity());
  std::vector<std::size_t> by(map.nodes.size(), none);
  using Open = std::pair<double, std::size_t>;
  std::priority_queue<Open, std::vector<Open>, std::greater<>> open;
  cost[from] = 0;
  open.emplace(0, from);
  while (!open.empty()) {
    const auto [so_far, node] = open.top();
    open.pop();
    if (so_far > cost[node]) continue;
    if (map.nodes[node].bay && node != from && node != to) continue;  // somebody's place, no way through
    for (const std::size_t edge : map.leaving[node]) {
      const double next = so_far + map.edges[edge].length;
      if (next >= cost[map.edges[edge].to]) continue;
      cost[map.edges[edge].to] = next;
      by[map.edges[edge].to] = edge;
      open.emplace(next, map.edges[edge].to);
    }
  }
  std::vector<std::size_t> way;
  for (std::size_t node = to; node != from && by[node] != none; node = map.edges[by[node]].from)
    way.push_back(by[node]);
  std::reverse(way.begin(), way.end());
  if (!way.empty() && map.edges[way.front()].from != from) way.clear();
  return way;
}

}  // namespace tandem::warehouse
