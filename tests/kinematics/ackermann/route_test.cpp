// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/ackermann/route.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <string>

#include "tests/kinematics/ackermann/route_check.hpp"

using namespace tandem;
using namespace tandem::kinematics::ackermann;

namespace {

constexpr double pi = std::numbers::pi;
constexpr double radius = 1.542;
constexpr double inf = std::numeric_limits<double>::infinity();

std::string error_of(const Result<Route>& route) { return route ? "" : route.error().text; }
bool says(const Result<Route>& route, std::string_view text) { return error_of(route).find(text) != std::string::npos; }

std::vector<Waypoint> points(std::initializer_list<Point> places, double deviation) {
  std::vector<Waypoint> all;
  for (const Point& place : places) all.push_back({.position = place, .deviation = deviation});
  return all;
}

// A quarter of a circle to the left, from (0, 0) heading east.
Nurbs quarter(double r) { return {2, {0, 0, 0, 1, 1, 1}, {{0, 0, 1}, {r, 0, std::numbers::sqrt2 / 2}, {r, r, 1}}}; }

}  // namespace

TEST_CASE("a straight route is as long as its line and ends at rest") {
  const auto way = points({{0, 0}, {3, 4}}, 0.1);
  const std::vector<Leg> legs(1);
  const auto route = plan_route({0, 0, std::atan2(4, 3)}, way, legs);
  REQUIRE_MESSAGE(route.ok(), error_of(route));
  CHECK(route->length() == doctest::Approx(5));
  CHECK(route->at(2.5).pose.x == doctest::Approx(1.5));
  CHECK(route->at(2.5).pose.y == doctest::Approx(2));
  CHECK(route->at(99).pose.x == doctest::Approx(3));
  CHECK(route->at(-1).pose.x == doctest::Approx(0));
  CHECK(route->at(1).curvature == 0);
  CHECK(route->at(2).speed == 1);
  CHECK(route->at(5).speed == 0);
  for (double s = 0; s < 5; s += 0.01) CHECK(route->at(s).speed <= std::sqrt(2 * 0.5 * (5 - s)) + 1e-3);
  REQUIRE(route->passed().size() == 2);
  CHECK(route->passed()[1] == doctest::Approx(5));
}

TEST_CASE("a right angle is rounded within the deviation of its waypoint") {
  const std::vector<Leg> legs(2);
  for (const double deviation : {0.68, 0.75, 0.9, 1.5}) {
    const auto way = points({{0, 0}, {6, 0}, {6, 6}}, deviation);
    const auto route = plan_route({0, 0, 0}, way, legs);
    REQUIRE_MESSAGE(route.ok(), error_of(route));
    const RouteFindings found = findings_of(*route);
    CHECK(found.curvature <= 1 / radius * 1.0001);
    CHECK(found.kink < 2e-3);
    CHECK(nearest(*route, {6, 0}) <= deviation);
    const PlanarPose there = route->at(route->passed()[1]).pose;
    CHECK(std::hypot(there.x - 6, there.y) <= deviation);
    CHECK(there.yaw == doctest::Approx(pi / 4).epsilon(1e-6));
    const PlanarPose end = route->at(route->length()).pose;
    CHECK(std::hypot(end.x - 6, end.y - 6) < 1e-9);
    CHECK(end.yaw == doctest::Approx(pi / 2));
  }
  // R (sqrt 2 - 1) = 0.639 m, and what is left for following.
  const auto tight = points({{0, 0}, {6, 0}, {6, 6}}, 0.66);
  CHECK(says(plan_route({0, 0, 0}, tight, legs), "waypoint 1: corner of 90 degrees: expected a deviation"));
  const auto brief = points({{0, 0}, {1.4, 0}, {1.4, 6}}, 0.8);
  CHECK(says(plan_route({0, 0, 0}, brief, legs), "waypoint 1: corner of 90 degrees: expected 1.542 m of straight leg"));
}

// One corner between two legs: an arc of the smallest radius fits or it does not.
TEST_CASE("random corners are taken exactly when an arc of the smallest radius fits") {
  std::mt19937_64 engine(11);
  std::uniform_real_distribution<double> length(0.3, 8), angle(-3.0, 3.0), room(0.05, 3), heading(-pi, pi);
  RouteLimits limits;
  int taken = 0, refused = 0;
  for (int i = 0; i < 400; ++i) {
    const double a = length(engine), b = length(engine), turned = angle(engine), from = heading(engine);
    const double deviation = room(engine), side = engine() % 2 == 0 ? inf : room(engine);
    const Point vertex{a * std::cos(from), a * std::sin(from)};
    const Point end{vertex.x + b * std::cos(from + turned), vertex.y + b * std::sin(from + turned)};
    const auto way = points({{0, 0}, vertex, end}, deviation);
    std::vector<Leg> legs(2);
    legs[0].corridor_left = legs[0].corridor_right = legs[1].corridor_left = legs[1].corridor_right = side;
    const auto route = plan_route({0, 0, from}, way, legs, limits);
    const double half = std::abs(turned) / 2, depth = radius * (1 / std::cos(half) - 1);
    const bool fits = depth <= deviation - limits.following && radius * std::tan(half) <= std::min(a, b) &&
                      depth * std::cos(half) <= side - limits.following;
    CHECK_MESSAGE(route.ok() == fits, error_of(route));
    (fits ? taken : refused) += 1;
    if (!route) {
      CHECK(says(route, "waypoint 1: corner of"));
      continue;
    }
    const RouteFindings found = findings_of(*route);
    CHECK(found.curvature <= 1 / radius * 1.001);
    CHECK(found.kink < 4e-3);
    CHECK(found.step < 1e-5);
    CHECK(nearest(*route, vertex) <= deviation);
    for (double s = 0; s < route->length(); s += 0.01) {
      const bool first = s < route->passed()[1];
      const double beside = first ? distance_to_line({0, 0}, vertex, route->at(s).pose)
                                  : distance_to_line(vertex, end, route->at(s).pose);
      CHECK(std::abs(beside) <= side);
    }
  }
  CHECK(taken > 80);
  CHECK(refused > 80);
}

TEST_CASE("random routes of many legs keep radius, deviations and corridors, forward and backward") {
  std::mt19937_64 engine(12);
  std::uniform_real_distribution<double> length(3.5, 9), angle(-1.7, 1.7), room(0.7, 2.5), heading(-pi, pi);
  int taken = 0;
  for (int i = 0; i < 120; ++i) {
    const bool backward = i % 2 == 1;
    double yaw = heading(engine);
    const double start = yaw;
    std::vector<Waypoint> way{{.position = {1, 2}, .deviation = 0.3}};
    std::vector<Leg> legs;
    for (int j = 0; j < 8; ++j) {
      if (j > 0) yaw += angle(engine);
      const double l = length(engine);
      const Point last = way.back().position;
      way.push_back({.position = {last.x + l * std::cos(yaw), last.y + l * std::sin(yaw)}, .deviation = room(engine)});
      Leg leg;
      leg.backward = backward;
      leg.corridor_left = room(engine);
      leg.corridor_right = room(engine);
      leg.most_speed = 0.2 + room(engine) / 3;
      legs.push_back(leg);
    }
    const auto route = plan_route({1, 2, start + (backward ? pi : 0)}, way, legs);
    if (!route) continue;
    ++taken;
    const RouteFindings found = findings_of(*route);
    CHECK(found.curvature <= 1 / radius * 1.001);
    CHECK(found.kink < 4e-3);
    CHECK(found.step < 1e-5);
    for (std::size_t k = 0; k < way.size(); ++k) CHECK(nearest(*route, way[k].position, 0.01) <= way[k].deviation);
    double last_speed = route->at(0).speed;
    for (double s = 0; s < route->length(); s += 0.01) {
      std::size_t leg = 0;
      while (leg + 2 < way.size() && route->passed()[leg + 1] <= s) ++leg;
      const RoutePoint point = route->at(s);
      const double beside = distance_to_line(way[leg].position, way[leg + 1].position, point.pose);
      CHECK(beside <= legs[leg].corridor_left);
      CHECK(-beside <= legs[leg].corridor_right);
      CHECK(point.backward == backward);
      CHECK(point.speed <= legs[leg].most_speed + 1e-9);
      CHECK(point.left >= 0.029);
      CHECK(std::abs(point.curvature) <= 1 / radius + 1e-9);
      // Never a harder braking than 0.5 m/s^2.
      CHECK(last_speed * last_speed - point.speed * point.speed <= 2 * 0.5 * 0.01 + 0.011);
      last_speed = point.speed;
    }
  }
  CHECK(taken > 30);
}

TEST_CASE("a curve on a route is the curve, at its own arc length") {
  for (const bool backward : {false, true}) {
    const std::vector<Waypoint> way{
        {.position = {-3, 0}}, {.position = {0, 0}}, {.position = {2, 2}}, {.position = {2, 6}}};
    std::vector<Leg> legs(3);
    legs[1].trajectory = quarter(2);
    for (auto& leg : legs) leg.backward = backward;
    const auto route = plan_route({-3, 0, backward ? pi : 0}, way, legs);
    REQUIRE_MESSAGE(route.ok(), error_of(route));
    CHECK(route->length() == doctest::Approx(3 + pi + 4).epsilon(1e-7));
    for (double angle = 0; angle < pi / 2; angle += 0.01) {
      const RoutePoint point = route->at(3 + 2 * angle);
      CHECK(std::hypot(point.pose.x - 2 * std::sin(angle), point.pose.y - 2 + 2 * std::cos(angle)) < 1e-6);
      CHECK(turn_between(point.pose.yaw, angle + (backward ? pi : 0)) < 1e-6);
      if (angle > 0.01) CHECK(point.curvature == doctest::Approx(backward ? -0.5 : 0.5).epsilon(1e-6));
    }
    // The steering has 0.3 m for the step of curvature: no faster there than it can follow.
    CHECK(route->at(3).speed <= 0.6 * 0.3 / 0.5 + 1e-6);
    CHECK(std::abs(route->at(3).steering) == doctest::Approx(0.25).epsilon(0.05));
  }
}

TEST_CASE("a trajectory that is too tight, ends elsewhere or leaves at an angle is refused") {
  std::vector<Waypoint> way{{.position = {0, 0}}, {.position = {1.5, 1.5}}};
  std::vector<Leg> legs(1);
  legs[0].trajectory = quarter(1.5);
  CHECK(
      says(plan_route({0, 0, 0}, way, legs), "leg 0: trajectory: expected a radius of at least 1.542 m, got 1.500 m"));
  legs[0].trajectory = quarter(2);
  CHECK(says(plan_route({0, 0, 0}, way, legs), "leg 0: trajectory: expected to end within 0.100 m of waypoint 1"));
  way[1].position = {2, 2};
  CHECK(plan_route({0, 0, 0}, way, legs).ok());
  CHECK(
      says(plan_route({0, 0, 0.5}, way, legs), "leg 0: expected the truck to start within 0.100 rad of heading 0.000"));
  way.push_back({.position = {5, 4}});
  legs.emplace_back();
  CHECK(says(plan_route({0, 0, 0}, way, legs), "waypoint 1: a trajectory begins or ends here"));
  legs[0].trajectory->points[1].weight = -1;
  CHECK(says(plan_route({0, 0, 0}, way, legs), "leg 0: trajectory: weight 1: expected above 0, got -1"));
  // All control points in one place, and a kink of degree 1.
  legs = std::vector<Leg>(1);
  way = {{.position = {0, 0}}, {.position = {0, 0}}};
  legs[0].trajectory = Nurbs{2, {0, 0, 0, 1, 1, 1}, {{}, {}, {}}};
  CHECK_FALSE(plan_route({0, 0, 0}, way, legs).ok());
  way = {{.position = {0, 0}}, {.position = {4, 4}}};
  legs[0].trajectory = Nurbs{1, {0, 0, 0.5, 1, 1}, {{0, 0}, {4, 0}, {4, 4}}};
  CHECK(says(plan_route({0, 0, 0}, way, legs), "leg 0: trajectory: expected a smooth curve, got a kink"));
}

TEST_CASE("a truck that reverses stands between the legs and keeps its heading") {
  const auto way = points({{0, 0}, {3, 0}, {0, 0}}, 0.1);
  std::vector<Leg> legs(2);
  legs[1].backward = true;
  const auto route = plan_route({0, 0, 0}, way, legs);
  REQUIRE_MESSAGE(route.ok(), error_of(route));
  CHECK(route->length() == doctest::Approx(6));
  REQUIRE(route->ends().size() == 2);
  CHECK(route->ends()[0] == doctest::Approx(3));
  CHECK(route->end_of_piece(1) == doctest::Approx(3));
  CHECK(route->end_of_piece(route->ends()[0]) == doctest::Approx(6));
  CHECK(route->before(route->ends()[0]).speed == 0);
  CHECK_FALSE(route->before(route->ends()[0]).backward);
  CHECK(route->at(route->ends()[0]).backward);
  CHECK(route->at(4).pose.x == doctest::Approx(2));
  CHECK(route->at(4).pose.yaw == doctest::Approx(0));
  legs[1].backward = false;  // half a turn on the spot
  CHECK(says(plan_route({0, 0, 0}, way, legs), "waypoint 1: corner of"));
  const auto bent = points({{0, 0}, {3, 0}, {0, 1}}, 0.1);
  legs[1].backward = true;
  CHECK(says(plan_route({0, 0, 0}, bent, legs), "waypoint 1: the truck reverses here"));
}

TEST_CASE("headings of waypoints are met or refused") {
  auto way = points({{0, 0}, {6, 0}, {6, 6}}, 1);
  const std::vector<Leg> legs(2);
  way[0].heading = 0;
  way[1].heading = pi / 4;
  way[2].heading = pi / 2;
  CHECK(plan_route({0, 0, 0}, way, legs).ok());
  way[1].heading = 0;
  CHECK(says(plan_route({0, 0, 0}, way, legs), "waypoint 1: heading: expected 0.000 rad within 0.050 rad, got 0.785"));
  way[1].heading_deviation = 0.8;
  CHECK(plan_route({0, 0, 0}, way, legs).ok());
  way[2].heading = -pi / 2;
  CHECK(says(plan_route({0, 0, 0}, way, legs), "waypoint 2: heading: expected -1.571"));
}

TEST_CASE("a truck that starts off the path is refused") {
  auto way = points({{0, 0}, {6, 0}}, 0);
  const std::vector<Leg> legs(1);
  CHECK(plan_route({0.05, 0.05, 0.05}, way, legs).ok());
  CHECK(says(plan_route({0, 0.2, 0}, way, legs), "waypoint 0: expected the truck within 0.100 m of it, got 0.200 m"));
  way[0].deviation = 2;
  CHECK(says(plan_route({0, 0.2, 0}, way, legs), "waypoint 0: expected the truck within 0.100 m of the path"));
  CHECK(says(plan_route({0, 0, pi}, way, legs), "leg 0: expected the truck to start within 0.100 rad"));
  // Further along the leg, as after a cancelled order.
  const auto later = plan_route({1.5, 0.05, 0}, way, legs);
  REQUIRE(later.ok());
  CHECK(later->length() == doctest::Approx(4.5));
  const auto earlier = plan_route({-1.5, 0, 0}, way, legs);
  REQUIRE(earlier.ok());
  CHECK(earlier->length() == doctest::Approx(7.5));
}

TEST_CASE("what cannot be a route is refused with what was expected") {
  const auto way = points({{0, 0}, {6, 0}}, 0.1);
  std::vector<Leg> legs(2);
  CHECK(says(plan_route({}, way, legs), "legs: expected 1, one fewer than waypoints, got 2"));
  CHECK(says(plan_route({}, {}, {}), "waypoints: expected 1 to 5000, got 0"));
  legs.resize(1);
  legs[0].most_speed = 0;
  CHECK(says(plan_route({}, way, legs), "leg 0: maximum speed: expected above 0 m/s"));
  legs[0] = {};
  legs[0].corridor_left = 0.01;
  CHECK(says(plan_route({}, way, legs), "leg 0: corridor: expected at least 0.03 m on each side"));
  legs[0] = {};
  CHECK(says(plan_route({}, points({{0, 0}, {0, 0}}, 1), legs), "leg 0: expected at least 0.001 m"));
  CHECK(says(plan_route({}, points({{0, 0}, {inf, 0}}, 1), legs), "waypoint 1: position"));
  CHECK(says(plan_route({}, points({{0, 0}, {90000, 0}}, 1), legs), "leg 0: expected a route of at most 10000 m"));
  RouteLimits limits;
  limits.smallest_radius = 0;
  CHECK(says(plan_route({}, way, legs, limits), "smallest_radius: expected a number above 0"));
  const auto single = plan_route({0.02, 0, 1}, points({{0, 0}}, 0.1), {});
  REQUIRE(single.ok());
  CHECK(single->length() == 0);
  CHECK(single->at(0).pose.yaw == doctest::Approx(1));
}

TEST_CASE("an extension keeps what was driven and continues it") {
  const auto way = points({{0, 0}, {8, 0}, {8, 8}}, 1);
  const std::vector<Leg> legs(2), one(1);
  const auto route = plan_route({0, 0, 0}, way, legs);
  REQUIRE(route.ok());
  // The horizon stays and grows.
  const std::vector<Waypoint> more{{.position = {8, 14}, .deviation = 1}};
  const auto longer = extend(*route, 2, more, one, route->length());
  REQUIRE_MESSAGE(longer.ok(), error_of(longer));
  CHECK(longer->length() == doctest::Approx(route->length() + 6));
  for (double s = 0; s <= route->length(); s += 0.01)
    CHECK(std::hypot(longer->at(s).pose.x - route->at(s).pose.x, longer->at(s).pose.y - route->at(s).pose.y) < 1e-9);
  // Another horizon, before the corner and in it.
  const std::vector<Waypoint> other{{.position = {8, -8}, .deviation = 1}};
  const auto turned = extend(*route, 1, other, one, 3);
  REQUIRE_MESSAGE(turned.ok(), error_of(turned));
  CHECK(turned->at(turned->length()).pose.y == doctest::Approx(-8));
  const auto late = extend(*route, 1, other, one, route->passed()[1]);
  CHECK(says(late, "waypoint 1: the truck is already"));
  CHECK(says(extend(*route, 9, other, one, 0), "waypoint 9: expected one of 3 waypoints"));
  CHECK(says(extend(*route, 1, other, legs, 0), "legs: expected 1"));
  // It may end where it stands.
  const auto shorter = extend(*route, 1, {}, {}, 3);
  REQUIRE(shorter.ok());
  CHECK(shorter->length() == doctest::Approx(8));
}

TEST_CASE("random extensions never change the legs before the last released waypoint") {
  std::mt19937_64 engine(13);
  std::uniform_real_distribution<double> length(4, 9), angle(-1.4, 1.4);
  int extended = 0;
  for (int i = 0; i < 60; ++i) {
    std::vector<Waypoint> way{{.position = {}, .deviation = 2.5}};
    double yaw = 0;
    for (int j = 0; j < 7; ++j) {
      if (j > 0) yaw += angle(engine);
      const double l = length(engine);
      const Point last = way.back().position;
      way.push_back({.position = {last.x + l * std::cos(yaw), last.y + l * std::sin(yaw)}, .deviation = 2.5});
    }
    const std::vector<Leg> legs(7);
    const std::span<const Waypoint> all(way);
    const auto part = plan_route({}, all.first(5), std::span(legs).first(4));
    const auto whole = plan_route({}, way, legs);
    if (!part || !whole) continue;
    const auto longer = extend(*part, 4, all.subspan(5), std::span(legs).first(3), part->passed()[3]);
    REQUIRE_MESSAGE(longer.ok(), error_of(longer));
    ++extended;
    CHECK(longer->length() == doctest::Approx(whole->length()).epsilon(1e-12));
    for (double s = 0; s < part->passed()[3]; s += 0.05)
      CHECK(std::hypot(longer->at(s).pose.x - part->at(s).pose.x, longer->at(s).pose.y - part->at(s).pose.y) < 1e-9);
  }
  CHECK(extended > 15);
}
