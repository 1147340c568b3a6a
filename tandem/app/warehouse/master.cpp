// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/warehouse/master.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>

namespace tandem::warehouse {
namespace {

constexpr std::size_t horizon = 8;  // unreleased edges that an order shows
constexpr double at_end = 0.05;     // m: a place this near to the end of an edge is its end

}  // namespace

Master::Master(const Map& map, std::size_t trucks, const MasterOptions& options)
    : map_(map),
      options_(options),
      reservations_(map),
      trucks_(trucks),
      promised_(map.nodes.size(), false),
      random_(options.seed) {
  if (trucks == 0 || trucks >= map.bays.size())
    throw std::invalid_argument(fmt::format("trucks: expected 1 to {} on a map with {} bays, got {}",
                                            map.bays.size() - 1, map.bays.size(), trucks));
  for (std::size_t i = 0; i < map.edges.size(); ++i) places_.push_back(places_of(map, i));
  for (std::size_t i = 0; i < trucks; ++i) {
    Truck& truck = trucks_[i];
    truck.at = truck.goal = map.bays[i];
    promised_[truck.at] = true;
    if (const std::size_t bay[] = {truck.at}; !reservations_.take(i, bay))
      throw std::invalid_argument("map: expected bays that are apart, got two too near to each other");
  }
}

void Master::report(std::size_t i, const Report& report) {
  Truck& truck = trucks_.at(i);
  truck.ready = report.ready;
  truck.known = report.order == truck.order && report.update >= truck.update;
  truck.lost = false;
  if (!truck.travelling) return;
  if (report.order == truck.order) {
    pass(i, std::min<std::size_t>(report.last_node / 2, truck.released));
    if (truck.passed == truck.way.size()) return arrive(i);
    truck.lost = report.idle && truck.known && truck.passed < truck.released;
  } else {
    truck.lost = report.idle && truck.released > 0 && now_ - truck.sent > 3 * options_.repeat;
  }
  if (!truck.lost || !report.position) return;
  pass(i, passed_at(truck, *report.position));
  if (truck.passed == truck.way.size()) arrive(i);
}

void Master::pass(std::size_t i, std::size_t passed) {
  Truck& truck = trucks_[i];
  for (; truck.passed < passed; ++truck.passed) {
    const MapEdge& edge = map_.edges[truck.way[truck.passed]];
    reservations_.release(i, edge.from);
    reservations_.release(i, map_.element_of_edge(truck.way[truck.passed]));
    promised_[edge.from] = false;
    truck.at = edge.to;
  }
}

// Of a truck that dropped its order on the way and rolled on: how many edges of its way are behind it.
std::size_t Master::passed_at(const Truck& truck, const Point& position) const {
  std::size_t passed = truck.passed;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t k = truck.passed; k < truck.released; ++k) {
    const auto& places = places_[truck.way[k]];
    for (const Point& place : places) {
      const double apart = std::hypot(place.x - position.x, place.y - position.y);
      if (apart >= nearest) continue;
      nearest = apart;
      const bool ended = std::hypot(place.x - places.back().x, place.y - places.back().y) < at_end;
      passed = ended ? k + 1 : k;
    }
  }
  return passed;
}

void Master::arrive(std::size_t i) {
  Truck& truck = trucks_[i];
  truck.travelling = truck.lost = false;
  truck.since = now_;
  ++truck.trips;
}

void Master::begin_trip(std::size_t i, double now) {
  Truck& truck = trucks_[i];
  std::vector<std::size_t> free;
  for (const std::size_t bay : map_.bays)
    if (!promised_[bay] && reservations_.holder(bay) == Reservations::nobody) free.push_back(bay);
  if (free.empty()) return;
  truck.goal = free[std::uniform_int_distribution<std::size_t>(0, free.size() - 1)(random_)];
  truck.way = way_between(map_, truck.at, truck.goal);
  if (truck.way.empty()) return;
  promised_[truck.goal] = true;
  truck.passed = truck.released = 0;
  truck.order = fmt::format("trip-{}", ++orders_);
  truck.update = 0;
  truck.travelling = true;
  truck.since = now;
}

double Master::released_length(const Truck& truck) const {
  double length = 0;
  for (std::size_t k = truck.passed; k < truck.released; ++k) length += map_.edges[truck.way[k]].length;
  return length;
}

// As far as the next node where the truck may wait.
std::vector<std::size_t> Master::next_stretch(const Truck& truck, std::size_t& until) const {
  std::vector<std::size_t> elements;
  for (until = truck.released; until < truck.way.size();) {
    const std::size_t edge = truck.way[until++], to = map_.edges[edge].to;
    elements.push_back(map_.element_of_edge(edge));
    elements.push_back(to);
    if (map_.nodes[to].may_wait) break;
  }
  return elements;
}

// Whoever has waited too long is let in before others. Those that it waits for may go on.
bool Master::held_up(std::size_t i, const std::vector<std::size_t>& wanted) const {
  if (first_ == Reservations::nobody || first_ == i) return false;
  const auto conflicts = [&](std::size_t element) {
    return std::ranges::any_of(first_wanted_,
                               [&](std::size_t other) { return reservations_.conflict(element, other); });
  };
  if (std::ranges::none_of(wanted, conflicts)) return false;
  for (std::size_t element = 0; element < map_.elements(); ++element)
    if (reservations_.holder(element) == i && conflicts(element)) return false;
  return true;
}

bool Master::extend(std::size_t i, double now) {
  Truck& truck = trucks_[i];
  bool more = false;
  while (truck.released < truck.way.size() && released_length(truck) < options_.ahead) {
    std::size_t until = 0;
    const auto wanted = next_stretch(truck, until);
    if (held_up(i, wanted) || !reservations_.take(i, wanted)) break;
    truck.released = until;
    truck.since = now;
    more = true;
  }
  return more;
}

Order Master::order_of(std::size_t i, std::size_t first) const {
  const Truck& truck = trucks_[i];
  Order order{i, truck.order, truck.update, {}, {}};
  const std::size_t last = std::min(truck.way.size(), truck.released + horizon);
  order.nodes.push_back({map_.edges[truck.way[first]].from, static_cast<std::uint32_t>(2 * first), true});
  for (std::size_t k = first; k < last; ++k) {
    const bool released = k < truck.released;
    order.edges.push_back({truck.way[k], static_cast<std::uint32_t>(2 * k + 1), released});
    order.nodes.push_back({map_.edges[truck.way[k]].to, static_cast<std::uint32_t>(2 * k + 2), released});
  }
  return order;
}

void Master::send(std::size_t i, std::size_t first, double now, std::vector<Order>& orders) {
  trucks_[i].last = order_of(i, first);
  trucks_[i].sent = now;
  trucks_[i].known = false;
  orders.push_back(trucks_[i].last);
}

std::vector<Order> Master::step(double now) {
  now_ = now;
  std::vector<Order> orders;
  std::vector<std::size_t> turn;
  for (std::size_t i = 0; i < trucks_.size(); ++i)
    if (trucks_[i].ready) turn.push_back(i);
  // Whoever has waited longest comes first, for a free bay and for a way.
  std::ranges::stable_sort(turn, {}, [&](std::size_t i) { return trucks_[i].since; });
  for (const std::size_t i : turn)
    if (!trucks_[i].travelling && now - trucks_[i].since >= options_.rest) begin_trip(i, now);
  std::erase_if(turn, [&](std::size_t i) { return !trucks_[i].travelling; });
  first_ = Reservations::nobody;
  for (const std::size_t i : turn) {
    const Truck& truck = trucks_[i];
    if (truck.released == truck.way.size() || released_length(truck) >= options_.ahead) continue;
    if (now - truck.since > options_.patience) {
      std::size_t until = 0;
      first_ = i;
      first_wanted_ = next_stretch(truck, until);
    }
    break;
  }
  for (const std::size_t i : turn) {
    Truck& truck = trucks_[i];
    if (truck.lost) {  // a new order for the rest of the way, from the node it passed last
      truck.way.erase(truck.way.begin(), truck.way.begin() + static_cast<std::ptrdiff_t>(truck.passed));
      truck.released -= truck.passed;
      truck.passed = 0;
      truck.order = fmt::format("trip-{}", ++orders_);
      truck.update = 0;
      truck.lost = false;
      if (truck.released > 0) {
        send(i, 0, now, orders);
        continue;
      }
    }
    const std::size_t before = truck.released;
    // One update at a time: the next one is stitched to a release that the truck has shown.
    if (before > 0 && !truck.known) {
      if (now - truck.sent > options_.repeat) {
        truck.sent = now;
        orders.push_back(truck.last);
      }
      continue;
    }
    if (!extend(i, now)) continue;
    if (before > 0) ++truck.update;
    send(i, before, now, orders);
  }
  return orders;
}

TruckView Master::view(std::size_t i) const {
  const Truck& truck = trucks_.at(i);
  TruckView view{truck.at, truck.goal, truck.travelling, truck.order, truck.trips, now_ - truck.since, {}, {}, {}};
  for (std::size_t element = 0; element < map_.elements(); ++element)
    if (reservations_.holder(element) == i) view.held.push_back(element);
  if (!truck.travelling) return view;
  const auto begin = truck.way.begin();
  const std::size_t last = std::min(truck.way.size(), truck.released + horizon);
  view.base.assign(begin + static_cast<std::ptrdiff_t>(truck.passed),
                   begin + static_cast<std::ptrdiff_t>(truck.released));
  view.horizon.assign(begin + static_cast<std::ptrdiff_t>(truck.released), begin + static_cast<std::ptrdiff_t>(last));
  return view;
}

}  // namespace tandem::warehouse
