// SPDX-License-Identifier: Apache-2.0
// Routes driven by the whole machine on a virtual PLC with physics, over a socket; judged by the physics' truth.
#include <fmt/format.h>

#include <cmath>
#include <mutex>
#include <numbers>

#include "tests/machines/raptorlift/lift_rig.hpp"

using namespace tandem;
using namespace tandem::raptorlift;
using namespace tandem::raptorlift::rig;
namespace ackermann = tandem::kinematics::ackermann;
using ackermann::Leg;
using ackermann::PlanarPose;
using ackermann::Route;
using ackermann::Waypoint;

namespace {

constexpr double x0 = body::front_axle;
constexpr double corridor = 0.15;  // m, each way

// A truck in its physics, its bridge, and who posts route commands every 50 ms, as a fleet's client does.
struct FleetRig {
  FleetRig() {
    device_thread = std::jthread([this](const std::stop_token& stop) { device->run(stop); });
    link.emplace(device->url(), std::vector<std::string>{"cycle_hz=100", "acceleration=2"});
    link->start();
    poster = std::jthread([this](const std::stop_token& stop) {
      for (; !stop.stop_requested(); pass(50ms)) {
        const std::lock_guard lock(mutex);
        command.at = now();
        if (command.route && posts) link->bridge->commands().route.post(command);
      }
    });
    watcher = std::jthread([this](const std::stop_token& stop) {
      for (; !stop.stop_requested(); pass(5ms)) watch();
    });
  }
  ~FleetRig() {
    watcher = {};
    poster = {};
    link->end();
  }

  PlanarPose truth() const { return PlanarPose{x0, 0, 0} * device->truth().axle; }
  double speed() const { return std::abs(device->truth().twist.vx); }
  RouteProgress progress() const { return link->state().route; }
  void go(const std::shared_ptr<const Route>& route, double released, std::uint64_t id, bool paused = false) {
    const std::lock_guard lock(mutex);
    command = {route, released, paused, id, now(), link->state().enabled};
    watched = route;
  }
  bool stands() {
    return eventually(
        [&] {
          for (int i = 0; i < 20; ++i, pass(5ms))
            if (speed() > 0.005) return false;
          return true;
        },
        40s);
  }
  bool arrives(double at) {
    return eventually([&] { return progress().standing && progress().distance > at - 0.02; }, 90s);
  }
  bool passes(double at) {
    return eventually([&] { return progress().distance > at; }, 60s);
  }
  void watch() {
    std::shared_ptr<const Route> route;
    {
      const std::lock_guard lock(mutex);
      route = watched;
    }
    if (!route || !counts) return;
    const PlanarPose at = truth();
    double least = 1e9;
    for (double s = 0; s <= route->length(); s += 0.02) {
      const PlanarPose there = route->at(s).pose;
      least = std::min(least, std::hypot(there.x - at.x, there.y - at.y));
    }
    if (least > worst) worst = least;
  }

  std::unique_ptr<raptorlift::VirtualDevice> device = make_virtual_device(VirtualDeviceSetup{.clock = &system_clock()});
  std::jthread device_thread;
  std::optional<SupervisedMachine> link;
  std::mutex mutex;
  RouteCommand command;
  std::shared_ptr<const Route> watched;
  std::atomic<bool> posts{true}, counts{true};
  std::atomic<double> worst{0};
  std::jthread poster, watcher;
};

std::shared_ptr<const Route> corner_route(const FleetRig& rig, bool backward) {
  const double way = backward ? -1 : 1;
  std::vector<Waypoint> waypoints{{.position = {x0, 0}, .deviation = 0.2},
                                  {.position = {x0 + 4 * way, 0}, .deviation = 0.75},
                                  {.position = {x0 + 4 * way, 4}, .deviation = 0.1}};
  std::vector<Leg> legs(2);
  for (auto& leg : legs) leg.backward = backward;
  const PlanarPose start = rig.link->state().X_odom_base * PlanarPose{-base_point.x, 0, 0};
  auto route = ackermann::plan_route(start, waypoints, legs, route_limits_from({}));
  REQUIRE_MESSAGE(route.ok(), (route ? "" : route.error().text));
  return std::make_shared<const Route>(std::move(*route));
}

void expect_near(const FleetRig& rig, const PlanarPose& place, double tolerance) {
  const PlanarPose truth = rig.truth();
  const double away = std::hypot(truth.x - place.x, truth.y - place.y);
  MESSAGE("by truth " << away * 1000 << " mm from the end, at most " << rig.worst * 1000 << " mm beside the path");
  CHECK(away < tolerance);
  CHECK(rig.worst < corridor);
}

}  // namespace

TEST_CASE("a route is driven over the wire, extended on the way, and ends where it was released") {
  for (const bool backward : {false, true}) {
    CAPTURE(backward);
    FleetRig rig;
    REQUIRE(rig.link->flows());
    const auto route = corner_route(rig, backward);
    REQUIRE(rig.link->arm());
    pass(300ms);
    CHECK(rig.speed() < 0.01);
    // As far as the corner's end, and then, on the way, the rest.
    const double part = route->passed()[1] + 1.5;
    rig.go(route, part, 1);
    REQUIRE_MESSAGE(rig.passes(2), rig.link->all());
    CHECK(rig.link->state().input.view() == "fleet");
    const std::vector<Waypoint> more{{.position = {route->waypoints()[2].position.x, 5.5}, .deviation = 0.1}};
    std::vector<Leg> leg(1);
    leg[0].backward = backward;
    auto longer = ackermann::extend(*route, 2, more, leg, rig.progress().distance + 0.5);
    REQUIRE_MESSAGE(longer.ok(), (longer ? "" : longer.error().text));
    const auto extended = std::make_shared<const Route>(std::move(*longer));
    rig.go(extended, part, 1);
    REQUIRE_MESSAGE(rig.arrives(part), rig.link->all());
    expect_near(rig, route->at(part).pose, 0.05);
    CHECK(rig.progress().distance <= part);
    rig.go(extended, extended->length(), 1);
    REQUIRE_MESSAGE(rig.arrives(extended->length()), rig.link->all());
    expect_near(rig, extended->at(extended->length()).pose, 0.05);
    CHECK(rig.progress().distance <= extended->length());
    CHECK(rig.link->recorder.violations == 0);
  }
}

TEST_CASE("a paused route holds the truck and goes on, and one whose commands stop stands") {
  FleetRig rig;
  REQUIRE(rig.link->flows());
  const auto route = corner_route(rig, false);
  REQUIRE(rig.link->arm());
  rig.go(route, route->length(), 1);
  REQUIRE(rig.passes(1.5));
  rig.go(route, route->length(), 1, true);
  REQUIRE(eventually([&] { return rig.progress().standing; }));
  const double at = rig.progress().distance;
  pass(500ms);
  CHECK(rig.speed() < 0.01);
  CHECK(std::abs(rig.progress().distance - at) < 0.02);
  rig.go(route, route->length(), 1);
  REQUIRE(rig.passes(at + 0.5));
  rig.posts = false;  // the fleet's client hangs
  REQUIRE(rig.stands());
  CHECK(rig.link->armed());
  CHECK_FALSE(rig.progress().ended);
  rig.posts = true;
  REQUIRE_MESSAGE(rig.arrives(route->length()), rig.link->all());
  expect_near(rig, route->at(route->length()).pose, 0.05);
}

TEST_CASE("after a stop or a disarm the old route is over and a truck armed again stays where it is") {
  FleetRig rig;
  REQUIRE(rig.link->flows());
  const auto route = corner_route(rig, false);
  // An order for a truck that is not armed is not kept.
  rig.go(route, route->length(), 1);
  REQUIRE(eventually([&] { return rig.progress().id == 1 && rig.progress().ended; }));
  REQUIRE(rig.link->arm());
  pass(500ms);
  CHECK(rig.speed() < 0.01);
  std::uint64_t id = 2;
  for (const bool stop : {false, true}) {
    rig.go(route, route->length(), id);
    REQUIRE_MESSAGE(rig.passes(stop ? 1.6 : 1.0), rig.link->all());
    if (stop)
      rig.link->latch().stop("a test", "test");
    else
      rig.link->latch().disarm("a test", "test");
    REQUIRE(rig.stands());
    CHECK(rig.progress().ended);
    REQUIRE(eventually([&] { return rig.link->state().activity == Activity::idle; }));
    REQUIRE(rig.link->arm());
    const PlanarPose before = rig.truth();
    pass(700ms);  // the old route is posted all the while
    const PlanarPose after = rig.truth();
    CHECK(std::hypot(after.x - before.x, after.y - before.y) < 0.01);
    ++id;
  }
  CHECK(rig.link->recorder.violations == 0);
}

TEST_CASE("a keyboard takes the truck from the fleet and keeps it") {
  FleetRig rig;
  REQUIRE(rig.link->flows());
  const auto route = corner_route(rig, false);
  REQUIRE(rig.link->arm());
  rig.go(route, route->length(), 1);
  REQUIRE(rig.passes(1));
  rig.counts = false;
  for (int i = 0; i < 20; ++i, pass(20ms)) rig.link->bridge->commands().post(VelocityInput::key, {{-0.3, 0}, now()});
  CHECK(rig.progress().overruled);
  CHECK(rig.progress().why.view() == "key");
  CHECK(rig.link->state().input.view() == "key");
  REQUIRE(rig.stands());
  const PlanarPose before = rig.truth();
  pass(700ms);
  CHECK(std::hypot(rig.truth().x - before.x, rig.truth().y - before.y) < 0.01);
  CHECK(rig.link->armed());
  // What has less priority than the fleet does not overrule it.
  const auto again = [&] {
    const PlanarPose start = rig.link->state().X_odom_base * PlanarPose{-base_point.x, 0, 0};
    std::vector<Waypoint> waypoints{{.position = {start.x, start.y}}, {.position = {start.x + 2, start.y}}};
    auto next = ackermann::plan_route({start.x, start.y, 0}, waypoints, std::vector<Leg>(1), route_limits_from({}));
    REQUIRE(next.ok());
    return std::make_shared<const Route>(std::move(*next));
  }();
  rig.link->want(-0.3, 0);  // reference
  rig.go(again, again->length(), 2);
  REQUIRE_MESSAGE(rig.arrives(again->length()), rig.link->all());
  CHECK_FALSE(rig.progress().overruled);
}

TEST_CASE("a keyboard that drives while the fleet is late keeps the truck when the fleet is back") {
  FleetRig rig;
  REQUIRE(rig.link->flows());
  const auto route = corner_route(rig, false);
  REQUIRE(rig.link->arm());
  rig.go(route, route->length(), 1);
  REQUIRE(rig.passes(1));
  rig.posts = false;  // the fleet's client hangs
  REQUIRE(rig.stands());
  pass(600ms);
  CHECK_FALSE(rig.progress().ended);
  rig.counts = false;
  for (int i = 0; i < 20; ++i, pass(20ms)) rig.link->bridge->commands().post(VelocityInput::key, {{-0.3, 0}, now()});
  CHECK(rig.progress().overruled);
  REQUIRE(rig.stands());
  pass(600ms);
  rig.posts = true;
  const PlanarPose before = rig.truth();
  pass(1s);
  CHECK(std::hypot(rig.truth().x - before.x, rig.truth().y - before.y) < 0.01);
  CHECK(rig.progress().why.view() == "key");
  CHECK(rig.link->armed());
}
