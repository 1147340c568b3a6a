// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/control/path_follower.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <numbers>
#include <thread>
#include <vector>

#include "tests/allocations.hpp"
#include "tests/machines/raptorlift/control/path_driver.hpp"

using namespace tandem;
using namespace tandem::raptorlift;
using ackermann::Leg;
using ackermann::PlanarPose;
using ackermann::Point;
using ackermann::Waypoint;

namespace {

constexpr double pi = std::numbers::pi;
constexpr double x0 = body::front_axle;
constexpr double end_tolerance = 0.012;   // m, short of the end, by odometry
constexpr double path_tolerance = 0.035;  // m, of the true truck beside the path, odometry's slip included

std::vector<Waypoint> points(std::initializer_list<Point> places, double deviation) {
  std::vector<Waypoint> all;
  for (const Point& place : places) all.push_back({.position = {x0 + place.x, place.y}, .deviation = deviation});
  return all;
}

std::vector<Leg> legs(std::size_t count, bool backward) {
  std::vector<Leg> all(count);
  for (auto& leg : all) leg.backward = backward;
  return all;
}

void expect_end(const PathDriver& truck, const ackermann::Route& route) {
  const auto& progress = truck.follower.progress();
  CHECK_MESSAGE(progress.standing, std::string(progress.why.view()));
  CHECK(progress.distance <= route.length());
  CHECK(progress.distance >= route.length() - end_tolerance);
  const PlanarPose end = route.at(route.length()).pose, truth = truck.truth(), odom = truck.steering.X_odom_axle();
  const double slip = std::hypot(truth.x - odom.x, truth.y - odom.y);
  MESSAGE("end: " << std::hypot(truth.x - end.x, truth.y - end.y) * 1000 << " mm by truth, of it odometry "
                  << slip * 1000 << " mm; beside at most " << truck.most_beside * 1000 << " mm by truth, "
                  << truck.most_deviation * 1000 << " mm by odometry; fastest " << truck.fastest << " m/s");
  CHECK(std::hypot(odom.x - end.x, odom.y - end.y) < 0.02);
  CHECK(std::hypot(truth.x - end.x, truth.y - end.y) < 0.02 + 0.003 * route.length());
  CHECK(truck.most_beside < path_tolerance);
}

}  // namespace

TEST_CASE("a truck follows corners at up to 1 m/s and stops at the end, forward and backward") {
  for (const bool backward : {false, true}) {
    CAPTURE(backward);
    const double way = backward ? -1 : 1;
    // A right angle, then half a one to the other side, then straight.
    const auto waypoints = points({{0, 0}, {6 * way, 0}, {6 * way, 6}, {10 * way, 10}, {14 * way, 10}}, 0.75);
    const auto route = route_of({x0, 0, 0}, waypoints, legs(4, backward));
    PathDriver truck;
    truck.watched = route.get();
    truck.post(route, route->length());
    REQUIRE(truck.until_standing());
    expect_end(truck, *route);
    CHECK(truck.fastest > 0.9);
    CHECK(truck.fastest < 1.05);
    truck.run(2);
    CHECK(truck.farthest <= route->length());
    CHECK(truck.follower.progress().standing);
  }
}

TEST_CASE("a truck with 120 kg on its fork follows the same corners") {
  const auto waypoints = points({{0, 0}, {6, 0}, {6, 6}, {10, 10}, {14, 10}}, 0.75);
  const auto route = route_of({x0, 0, 0}, waypoints, legs(4, false));
  ModelOptions options;
  options.load = 120;
  PathDriver truck(options);
  truck.watched = route.get();
  truck.post(route, route->length());
  REQUIRE(truck.until_standing());
  expect_end(truck, *route);
}

TEST_CASE("a truck follows a curve of nearly its smallest radius between straight legs") {
  for (const bool backward : {false, true}) {
    CAPTURE(backward);
    const double way = backward ? -1 : 1, r = 1.6, w = std::numbers::sqrt2 / 2;
    const auto waypoints = points({{0, 0}, {3 * way, 0}, {(3 + r) * way, r}, {(3 + r) * way, r + 3}}, 0.05);
    std::vector<Leg> all = legs(3, backward);
    all[1].trajectory = ackermann::Nurbs{
        2, {0, 0, 0, 1, 1, 1}, {{x0 + 3 * way, 0, 1}, {x0 + (3 + r) * way, 0, w}, {x0 + (3 + r) * way, r, 1}}};
    for (auto& leg : all) leg.corridor_left = leg.corridor_right = 0.1;
    const auto route = route_of({x0, 0, 0}, waypoints, all);
    PathDriver truck;
    truck.watched = route.get();
    truck.post(route, route->length());
    REQUIRE(truck.until_standing());
    expect_end(truck, *route);
  }
}

TEST_CASE("a truck turns round with a cusp and never leaves its legs") {
  // Forward round a quarter, back round another: a three-point turn.
  const double r = 1.7, w = std::numbers::sqrt2 / 2;
  std::vector<Leg> all(4);
  all[1].trajectory = ackermann::Nurbs{2, {0, 0, 0, 1, 1, 1}, {{x0 + 2, 0, 1}, {x0 + 2 + r, 0, w}, {x0 + 2 + r, r, 1}}};
  all[2].backward = true;
  all[2].trajectory =
      ackermann::Nurbs{2, {0, 0, 0, 1, 1, 1}, {{x0 + 2 + r, r, 1}, {x0 + 2 + r, 0, w}, {x0 + 2 + 2 * r, 0, 1}}};
  const auto there = points({{0, 0}, {2, 0}, {2 + r, r}, {2 + 2 * r, 0}, {2 + 2 * r - 3, 0}}, 0.05);
  const auto route = route_of({x0, 0, 0}, there, all);
  CHECK(route->ends().size() == 3);
  PathDriver truck;
  truck.watched = route.get();
  truck.post(route, route->length());
  bool at_cusp = false;
  for (double t = 0; t < 120 && !(truck.follower.progress().distance > route->length() - 0.02); t += PathDriver::dt) {
    truck.step();
    at_cusp = at_cusp || std::abs(truck.follower.progress().distance - route->ends()[0]) < 0.01;
  }
  CHECK(at_cusp);
  truck.run(2);
  expect_end(truck, *route);
  CHECK(std::abs(std::remainder(truck.truth().yaw - pi, 2 * pi)) < 0.05);
}

TEST_CASE("nothing beyond what is released is driven, and more of it on the way costs no speed") {
  const auto waypoints = points({{0, 0}, {5, 0}, {10, 0}}, 0.1);
  const auto route = route_of({x0, 0, 0}, waypoints, legs(2, false));
  PathDriver truck;
  truck.post(route, 5);
  REQUIRE(truck.until_standing());
  CHECK(truck.farthest <= 5);
  CHECK(truck.farthest > 5 - end_tolerance);
  CHECK(truck.truth().x < x0 + 5.01);
  truck.run(3);
  CHECK(truck.farthest <= 5);
  truck.post(route, 10);
  REQUIRE(truck.until_standing());
  expect_end(truck, *route);

  PathDriver second;
  second.post(route, 5);
  while (second.follower.progress().distance < 3.5) second.step();
  // Extended by a leg more, early enough.
  const std::vector<Waypoint> more{{.position = {x0 + 15, 0}, .deviation = 0.1}};
  auto longer = ackermann::extend(*route, 2, more, legs(1, false), second.follower.progress().distance + 0.5);
  REQUIRE(longer.ok());
  const auto extended = std::make_shared<const ackermann::Route>(std::move(*longer));
  second.post(extended, extended->length());
  while (second.follower.progress().distance < 13) {
    second.step();
    REQUIRE(second.body.state().twist.vx > 0.85);
  }
  REQUIRE(second.until_standing());
  expect_end(second, *extended);
}

TEST_CASE("a truck whose base ends at a cusp stands there until more is released") {
  auto all = legs(2, false);
  all[1].backward = true;
  const auto route = route_of({x0, 0, 0}, points({{0, 0}, {3, 0}, {0, 0}}, 0.2), all);
  const double cusp = route->ends()[0];
  REQUIRE(route->passed()[1] == cusp);
  PathDriver truck;
  truck.post(route, cusp);
  REQUIRE(truck.until_standing());
  truck.run(1);
  const double at = truck.truth().x;
  truck.run(5);
  CHECK(truck.follower.progress().standing);
  CHECK(truck.farthest <= cusp);
  CHECK(std::abs(truck.truth().x - at) < 0.005);
  truck.post(route, route->length());
  truck.run(1);
  REQUIRE(truck.until_standing());
  CHECK(truck.follower.progress().distance >= route->length() - end_tolerance);
  CHECK(std::abs(truck.truth().x - x0) < 0.04);
}

TEST_CASE("a paused truck brakes on its path, stays there and goes on") {
  const auto route = route_of({x0, 0, 0}, points({{0, 0}, {6, 0}, {6, 6}}, 0.75), legs(2, false));
  PathDriver truck;
  truck.watched = route.get();
  truck.post(route, route->length());
  while (truck.follower.progress().distance < 6) truck.step();  // in the corner
  truck.post(route, route->length(), true);
  const double from = truck.follower.progress().distance;
  REQUIRE(truck.until_standing(5));
  const double at = truck.follower.progress().distance;
  CHECK(at - from < 1.0);
  truck.run(3);
  CHECK(std::abs(truck.follower.progress().distance - at) < 0.01);
  CHECK(truck.follower.progress().standing);
  truck.post(route, route->length());
  REQUIRE(truck.until_standing());
  expect_end(truck, *route);
}

TEST_CASE("a truck that starts a hand's breadth beside its path comes back to it") {
  for (const double side : {-0.09, 0.09}) {
    const auto waypoints = points({{0, 0}, {8, 0}}, 0.2);
    const auto route = route_of({x0, side, 0}, waypoints, legs(1, false));
    PathDriver truck;
    truck.steering.place({0, side, 0});
    truck.post(route, route->length());
    REQUIRE(truck.until_standing());
    CHECK(std::abs(truck.follower.progress().deviation) < 0.01);
    CHECK(std::abs(truck.steering.X_odom_axle().yaw) < 0.02);
    CHECK(truck.most_deviation < 0.1);
  }
}

TEST_CASE("a truck that has left its corridor stands with an error and needs a new route") {
  auto all = legs(1, false);
  all[0].corridor_left = all[0].corridor_right = 0.1;
  const auto route = route_of({x0, 0, 0}, points({{0, 0}, {8, 0}}, 0.2), all);
  PathDriver truck;
  truck.post(route, route->length());
  while (truck.follower.progress().distance < 3) truck.step();
  auto pose = truck.steering.X_odom_base();
  pose.y += 0.15;  // as if it had been pushed
  truck.steering.place(pose);
  truck.run(3);
  const auto& progress = truck.follower.progress();
  CHECK(progress.failed);
  CHECK(progress.ended);
  CHECK(std::string(progress.why.view()).find("deviation: expected within 0.10 m left and 0.10 m right") == 0);
  CHECK(std::abs(truck.body.state().twist.vx) < 0.01);
  truck.post(route, route->length());  // the same order once more
  truck.run(2);
  CHECK(std::abs(truck.body.state().twist.vx) < 0.01);
}

TEST_CASE("an ended route never drives again, a newer one does") {
  const auto route = route_of({0, 0, 0}, {{.position = {0, 0}}, {.position = {9, 0}}}, legs(1, false));
  const Instant start = Instant{} + 1h;
  PathFollower follower;
  CHECK_FALSE(follower.step({}, start, 0.01).has_value());
  follower.take({route, 9, false, 7, start});
  CHECK(follower.step({}, start, 0.01).has_value());
  CHECK(follower.holds_route());
  follower.overrule("key");
  CHECK(follower.progress().overruled);
  CHECK(follower.progress().why.view() == "key");
  for (const std::uint64_t id : {7, 6, 1}) {
    follower.take({route, 9, false, id, start});
    CHECK_FALSE(follower.holds_route());
    CHECK_FALSE(follower.step({}, start, 0.01).has_value());
  }
  follower.take({route, 9, false, 8, start});
  CHECK(follower.step({}, start, 0.01).has_value());
  CHECK_FALSE(follower.progress().overruled);
  CHECK_FALSE(follower.step({}, start + 501ms, 0.01).has_value());  // its commands have stopped
  CHECK(follower.holds_route());
  follower.take({route, 9, false, 8, start + 600ms});
  CHECK(follower.step({}, start + 600ms, 0.01).has_value());
  follower.take({nullptr, 0, false, 9, start + 600ms});  // withdrawn
  CHECK_FALSE(follower.step({}, start + 600ms, 0.01).has_value());
  follower.take({route, 9, false, 8, start + 600ms});
  CHECK_FALSE(follower.step({}, start + 600ms, 0.01).has_value());
}

TEST_CASE("the follower allocates nothing and never asks for more than the truck can do") {
  const auto route = route_of(
      {0, 0, 0}, {{.position = {0, 0}}, {.position = {6, 0}, .deviation = 0.8}, {.position = {6, 6}}}, legs(2, false));
  PathFollower follower;
  RouteMailbox mailbox;
  Instant now = Instant{} + 1h;
  PathFollower::Seen seen;
  mailbox.post({route, route->length(), false, 1, now});
  const std::size_t before = allocations;
  for (int i = 0; i < 2000; ++i) {
    now += 10ms;
    if (auto command = mailbox.take()) follower.take(*command);
    const double s = route->length() * i / 2000;
    seen.X_odom_axle = route->at(s).pose;
    seen.speed = 0.5;
    seen.standstill = false;
    if (i % 50 == 0) follower.take({route, route->length(), false, 1, now});
    const auto twist = follower.step(seen, now, 0.01);
    REQUIRE(twist.has_value());
    CHECK(std::abs(twist->w) <= 0.6486 * std::abs(twist->v) + 1e-12);
  }
  CHECK(allocations == before);
}

TEST_CASE("a mailbox gives whole commands to a taker while several post") {
  const auto route = route_of({0, 0, 0}, {{.position = {0, 0}}, {.position = {9, 0}}}, legs(1, false));
  RouteMailbox mailbox;
  std::atomic<bool> done{false};
  std::atomic<int> taken{0};
  std::vector<std::jthread> posters;
  for (std::uint64_t k = 0; k < 3; ++k)
    posters.emplace_back([&, k] {
      for (std::uint64_t i = 1; taken < 500 && i < 5'000'000; ++i) {
        const std::uint64_t id = 3 * i + k;
        mailbox.post({i % 7 == 0 ? nullptr : route, static_cast<double>(id), i % 2 == 0, id, Instant{}});
      }
    });
  std::jthread waiter([&] {
    for (auto& poster : posters) poster.join();
    done = true;
  });
  for (bool last = false; !last;) {
    last = done;
    while (const auto command = mailbox.take()) {
      ++taken;
      CHECK(command->released == static_cast<double>(command->id));
      CHECK((command->route == nullptr) == (command->id / 3 % 7 == 0));
    }
  }
  CHECK(taken >= 500);
  CHECK_FALSE(mailbox.take().has_value());
}

TEST_CASE("routes in the mailbox are freed by who posts, never by who takes") {
  const auto make = [] { return route_of({0, 0, 0}, {{.position = {0, 0}}, {.position = {9, 0}}}, legs(1, false)); };
  RouteMailbox mailbox;
  std::weak_ptr<const ackermann::Route> first;
  CHECK_FALSE(mailbox.take().has_value());
  {
    const auto route = make();
    first = route;
    mailbox.post({route, 1, false, 1, Instant{}});
  }
  auto held = mailbox.take();
  REQUIRE(held.has_value());
  CHECK(held->id == 1);
  CHECK_FALSE(mailbox.take().has_value());
  mailbox.post({make(), 1, false, 2, Instant{}});
  CHECK_FALSE(first.expired());
  held = mailbox.take();  // lets go of the first one
  CHECK_FALSE(first.expired());
  mailbox.post({nullptr, 0, false, 3, Instant{}});
  CHECK(first.expired());
}
