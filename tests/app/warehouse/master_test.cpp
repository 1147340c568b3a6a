// SPDX-License-Identifier: Apache-2.0
// The fleet's master on ideal trucks, for hours of their time.
#include "tandem/app/warehouse/master.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>

#include "tandem/kinematics/ackermann/route.hpp"

using namespace tandem::warehouse;
namespace ackermann = tandem::kinematics::ackermann;

namespace {

// The ground that a truck covers: a rectangle, from 1.1 m behind the middle of its traction axle to 0.6 m before it.
struct Footprint {
  double x, y, c, s;  // its middle, and its direction
  static constexpr double half_length = 0.85, half_width = 0.4, back = 0.25;
};

Footprint footprint(const PlanarPose& pose) {
  const double c = std::cos(pose.yaw), s = std::sin(pose.yaw);
  return {pose.x - Footprint::back * c, pose.y - Footprint::back * s, c, s};
}

// By separating axes.
bool overlap(const Footprint& a, const Footprint& b) {
  const double dx = b.x - a.x, dy = b.y - a.y;
  for (const auto& [x, y] : {std::pair{a.c, a.s}, std::pair{-a.s, a.c}, std::pair{b.c, b.s}, std::pair{-b.s, b.c}}) {
    const auto reach = [&](const Footprint& f) {
      return Footprint::half_length * std::abs(f.c * x + f.s * y) +
             Footprint::half_width * std::abs(-f.s * x + f.c * y);
    };
    if (std::abs(dx * x + dy * y) > reach(a) + reach(b)) return false;
  }
  return true;
}

// Drives along what is released, at the speed of each edge, and keeps an order as VDA 5050 says.
struct IdealTruck {
  const Map* map = nullptr;
  std::string order;
  std::uint32_t update = 0;
  std::vector<OrderEdge> edges;  // not yet driven, of the order
  std::uint32_t last_node = 0;
  double along = 0;  // m on the first of them
  PlanarPose pose;
  double factor = 1;  // of its speed
  bool ready = true;

  void take(const Order& given) {
    if (given.id == order) {
      if (given.update <= update) return;
      while (!edges.empty() && !edges.back().released) edges.pop_back();
      const std::uint32_t end = edges.empty() ? last_node : edges.back().sequence + 1;
      REQUIRE(given.nodes.front().sequence == end);  // stitched to the last released node
    } else {
      REQUIRE(edges.empty());
      REQUIRE(given.nodes.front().sequence == 0);
      last_node = 0;
      along = 0;
    }
    REQUIRE(given.nodes.size() == given.edges.size() + 1);
    order = given.id;
    update = given.update;
    edges.insert(edges.end(), given.edges.begin(), given.edges.end());
    for (std::size_t i = 1; i < edges.size(); ++i) {
      REQUIRE(edges[i].sequence == edges[i - 1].sequence + 2);
      REQUIRE(map->edges[edges[i].edge].from == map->edges[edges[i - 1].edge].to);
      const bool back = !edges[i - 1].released && edges[i].released;
      REQUIRE_FALSE(back);
    }
  }
  void drive(double dt, const std::vector<std::vector<Point>>& places) {
    double left = dt;
    while (left > 1e-9 && !edges.empty() && edges.front().released) {
      const std::size_t edge = edges.front().edge;
      const double speed = map->edges[edge].most_speed * factor, rest = map->edges[edge].length - along;
      if (rest > speed * left) {
        along += speed * left;
        break;
      }
      left -= rest / speed;
      along = 0;
      last_node = edges.front().sequence + 1;
      pose = map->nodes[map->edges[edge].to].pose;
      edges.erase(edges.begin());
    }
    if (edges.empty() || along <= 0) return;
    const std::size_t edge = edges.front().edge;
    pose = on_edge(places[edge], along / map->edges[edge].length);
  }
  static PlanarPose on_edge(const std::vector<Point>& places, double share) {
    const double at = share * static_cast<double>(places.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(at), places.size() - 2);
    const Point &a = places[i], &b = places[i + 1];
    const double t = at - static_cast<double>(i);
    return {a.x + t * (b.x - a.x), a.y + t * (b.y - a.y), std::atan2(b.y - a.y, b.x - a.x)};
  }
  Report report() const { return {ready, order, update, last_node, edges.empty() || !ready}; }
};

struct Yard {
  Yard(std::size_t bays, std::size_t trucks_there, std::uint64_t seed)
      : map(make_warehouse(bays)), master(map, trucks_there, {.seed = seed}), trucks(trucks_there) {
    for (std::size_t i = 0; i < map.edges.size(); ++i) places.push_back(places_of(map, i));
    std::mt19937_64 engine(seed);
    for (std::size_t i = 0; i < trucks_there; ++i) {
      trucks[i].map = &map;
      trucks[i].pose = map.nodes[map.bays[i]].pose;
      trucks[i].factor = std::uniform_real_distribution<double>(0.5, 1)(engine);
    }
  }
  void step(double dt) {
    now += dt;
    for (std::size_t i = 0; i < trucks.size(); ++i) {
      if (trucks[i].ready) trucks[i].drive(dt, places);
      if (loses > 0 && random() % loses == 0) continue;
      master.report(i, trucks[i].report());
    }
    for (const Order& order : master.step(now)) {
      ++orders;
      if (loses > 0 && random() % loses == 0) continue;
      if (trucks[order.truck].ready) trucks[order.truck].take(order);
    }
  }
  void expect_apart() const {
    for (std::size_t a = 0; a < trucks.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const PlanarPose &p = trucks[a].pose, &q = trucks[b].pose;
        if (std::hypot(p.x - q.x, p.y - q.y) > 2.6) continue;
        REQUIRE_FALSE(overlap(footprint(p), footprint(q)));
      }
  }
  // Every place of every truck is on an element that it holds.
  void expect_held() const {
    for (std::size_t i = 0; i < trucks.size(); ++i) {
      const auto held = master.view(i).held;
      const IdealTruck& truck = trucks[i];
      if (truck.edges.empty() || truck.along <= 0) continue;
      REQUIRE(std::ranges::find(held, map.element_of_edge(truck.edges.front().edge)) != held.end());
    }
  }
  double longest_wait() const {
    double longest = 0;
    for (std::size_t i = 0; i < trucks.size(); ++i)
      if (master.is_travelling(i)) longest = std::max(longest, master.waiting(i));
    return longest;
  }

  Map map;
  Master master;
  std::vector<IdealTruck> trucks;
  std::vector<std::vector<Point>> places;
  double now = 0;
  std::size_t orders = 0;
  unsigned loses = 0;  // one message in so many
  std::mt19937_64 random{99};
};

}  // namespace

TEST_CASE("every lane of the map climbs, and only ways out of bays begin lower") {
  for (const std::size_t bays : {2, 7, 56}) {
    const Map map = make_warehouse(bays);
    CHECK(map.bays.size() == bays);
    std::set<std::string> ids;
    for (const MapNode& node : map.nodes) CHECK(ids.insert(node.id).second);
    for (const MapEdge& edge : map.edges) {
      CHECK(ids.insert(edge.id).second);
      if (!map.nodes[edge.from].bay) CHECK(map.nodes[edge.from].height < map.nodes[edge.to].height);
    }
    // Where a truck may wait on its way, nothing near belongs to a lower place but the ends of the edges to it.
    const Reservations reservations(map);
    for (std::size_t node = 0; node < map.nodes.size(); ++node) {
      if (!map.nodes[node].may_wait || map.nodes[node].bay) continue;
      for (std::size_t other = 0; other < map.nodes.size(); ++other)
        if (other != node && map.nodes[other].may_wait) CHECK_FALSE(reservations.conflict(node, other));
    }
  }
}

// What the argument against deadlocks needs of a map: see master.hpp.
TEST_CASE("a truck on its way waits only for trucks of greater height") {
  const Map map = make_warehouse(9);
  const Reservations reservations(map);
  for (std::size_t from = 0; from < map.nodes.size(); ++from) {
    if (!map.nodes[from].may_wait) continue;
    for (std::size_t edge : map.leaving[from]) {
      std::vector<std::size_t> stretch{map.element_of_edge(edge), map.edges[edge].to};
      while (!map.nodes[map.edges[edge].to].may_wait) {
        REQUIRE(map.leaving[map.edges[edge].to].size() == 1);
        edge = map.leaving[map.edges[edge].to].front();
        stretch.push_back(map.element_of_edge(edge));
        stretch.push_back(map.edges[edge].to);
      }
      for (std::size_t other = 0; other < map.nodes.size(); ++other) {
        if (other == from || !map.nodes[other].may_wait) continue;
        const bool near = std::ranges::any_of(stretch, [&](std::size_t e) { return reservations.conflict(e, other); });
        if (!near) continue;
        if (map.nodes[other].bay) CHECK(other == map.edges[edge].to);  // its own goal
        if (!map.nodes[from].bay) CHECK(map.nodes[other].height > map.nodes[from].height);
      }
    }
  }
}

TEST_CASE("the forklift can drive every trip of the map") {
  const Map map = make_warehouse(5);
  for (const std::size_t from : map.bays) {
    for (const std::size_t to : map.bays) {
      if (from == to) continue;
      const auto way = way_between(map, from, to);
      REQUIRE_FALSE(way.empty());
      std::vector<ackermann::Waypoint> waypoints;
      std::vector<ackermann::Leg> legs;
      const auto add = [&](std::size_t node) {
        const PlanarPose& pose = map.nodes[node].pose;
        waypoints.push_back({.position = {pose.x, pose.y}, .heading = pose.yaw, .deviation = 0.1});
      };
      add(from);
      for (const std::size_t edge : way) {
        ackermann::Leg leg;
        leg.trajectory = map.edges[edge].trajectory;
        leg.corridor_left = leg.corridor_right = 0.2;
        legs.push_back(leg);
        add(map.edges[edge].to);
      }
      const auto route = ackermann::plan_route(map.nodes[from].pose, waypoints, legs);
      REQUIRE_MESSAGE(route.ok(), (route ? "" : route.error().text));
      double length = 0;
      for (const std::size_t edge : way) length += map.edges[edge].length;
      CHECK(route->length() == doctest::Approx(length).epsilon(0.001));
    }
  }
}

TEST_CASE("twenty and fifty trucks travel for hours without touching and without a deadlock") {
  struct Case {
    std::size_t bays, trucks;
    double hours;
    std::uint64_t seed;
  };
  for (const auto& [bays, count, hours, seed] : {Case{24, 20, 3, 1}, Case{21, 20, 2, 2}, Case{56, 50, 2, 3}}) {
    CAPTURE(bays);
    Yard yard(bays, count, seed);
    double longest = 0;
    int steps = 0;
    while (yard.now < hours * 3600) {
      yard.step(0.5);
      yard.expect_apart();
      if (++steps % 20 == 0) yard.expect_held();
      longest = std::max(longest, yard.longest_wait());
      REQUIRE(longest < 900);
    }
    std::size_t trips = 0, fewest = 1000000;
    for (std::size_t i = 0; i < count; ++i) {
      trips += yard.master.view(i).trips;
      fewest = std::min(fewest, yard.master.view(i).trips);
    }
    MESSAGE(count << " trucks, " << bays << " bays: " << trips << " trips in " << hours << " h, at least " << fewest
                  << " each, longest wait " << longest << " s, " << yard.orders << " orders");
    CHECK(fewest >= 3 * hours);
  }
}

TEST_CASE("lost messages delay trips and break nothing") {
  Yard yard(12, 10, 5);
  yard.loses = 5;
  while (yard.now < 3600) {
    yard.step(0.5);
    yard.expect_apart();
    yard.expect_held();
  }
  for (std::size_t i = 0; i < 10; ++i) CHECK(yard.master.view(i).trips >= 5);
}

TEST_CASE("a truck that drops its order keeps its place and gets the rest of its way again") {
  Yard yard(12, 10, 6);
  while (yard.now < 300) yard.step(0.5);
  // One of those on their way is taken over by hand between two nodes.
  std::size_t taken = 0;
  while (yard.trucks[taken].edges.empty() || yard.trucks[taken].along < 0.5) {
    yard.step(0.5);
    taken = (taken + 1) % yard.trucks.size();
  }
  IdealTruck& truck = yard.trucks[taken];
  const std::size_t trips = yard.master.view(taken).trips;
  truck.ready = false;
  for (int i = 0; i < 600; ++i) {
    yard.step(0.5);
    yard.expect_apart();
  }
  CHECK_FALSE(yard.master.view(taken).held.empty());
  const double along = truck.along;
  truck.edges.clear();
  truck.ready = true;
  // It goes on along its edge: the new order begins at the node behind it.
  const std::string before = truck.order;
  for (int i = 0; i < 20 && truck.order == before; ++i) yard.step(0.5);
  REQUIRE(truck.order != before);
  truck.along = along;
  while (yard.now < 2400) {
    yard.step(0.5);
    yard.expect_apart();
  }
  for (std::size_t i = 0; i < yard.trucks.size(); ++i) CHECK(yard.master.view(i).trips > 5);
  CHECK(yard.master.view(taken).trips > trips);
}

TEST_CASE("a map without a free bay is refused") {
  const Map map = make_warehouse(4);
  CHECK_THROWS_AS(Master(map, 4), std::invalid_argument);
  CHECK_THROWS_AS(Master(map, 0), std::invalid_argument);
  CHECK_NOTHROW(Master(map, 3));
}
