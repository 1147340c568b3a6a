// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/warehouse/reservations.hpp"

#include <algorithm>
#include <cmath>

namespace tandem::warehouse {

Reservations::Reservations(const Map& map) : near_(map.elements()), holders_(map.elements(), nobody) {
  std::vector<std::vector<Point>> places;
  places.reserve(map.elements());
  for (const MapNode& node : map.nodes) places.push_back({{node.pose.x, node.pose.y}});
  for (std::size_t i = 0; i < map.edges.size(); ++i) places.push_back(places_of(map, i));
  // From its first place, how far an element reaches.
  std::vector<double> reach(map.nodes.size(), 0.0);
  reach.reserve(map.elements());
  for (const MapEdge& edge : map.edges) reach.push_back(edge.length);
  const auto too_near = [&](std::size_t a, std::size_t b) {
    const Point &from = places[a].front(), &to = places[b].front();
    if (std::hypot(from.x - to.x, from.y - to.y) > reach[a] + reach[b] + clearance) return false;
    for (const Point& p : places[a])
      for (const Point& q : places[b])
        if (std::hypot(p.x - q.x, p.y - q.y) < clearance) return true;
    return false;
  };
  for (std::size_t a = 0; a < places.size(); ++a) {
    near_[a].push_back(a);
    for (std::size_t b = 0; b < a; ++b) {
      if (!too_near(a, b)) continue;
      near_[a].push_back(b);
      near_[b].push_back(a);
    }
  }
  for (auto& all : near_) std::ranges::sort(all);
}

bool Reservations::conflict(std::size_t a, std::size_t b) const { return std::ranges::binary_search(near_[a], b); }

bool Reservations::is_free(std::size_t truck, std::span<const std::size_t> elements) const {
  return std::ranges::all_of(elements, [&](std::size_t element) {
    return std::ranges::all_of(
        near_[element], [&](std::size_t other) { return holders_[other] == nobody || holders_[other] == truck; });
  });
}

bool Reservations::take(std::size_t truck, std::span<const std::size_t> elements) {
  if (!is_free(truck, elements)) return false;
  for (const std::size_t element : elements) holders_[element] = truck;
  return true;
}

void Reservations::release(std::size_t truck, std::size_t element) {
  if (holders_[element] == truck) holders_[element] = nobody;
}

}  // namespace tandem::warehouse
