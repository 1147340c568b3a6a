// SPDX-License-Identifier: Apache-2.0
// The whole way of a pose: body, autopilot, MAVLink, bridge, a SLAM in units of its own, scaled deltas, and back to the
// autopilot's estimate and its thrusters. In real time, on loopback.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <memory>
#include <thread>

#include "tandem/machines/orca/control/machine.hpp"
#include "tandem/machines/orca/virtual/device.hpp"
#include "tandem/machines/orca/virtual/faults.hpp"
#include "tests/machines/orca/fake_vehicle.hpp"

using namespace tandem;
using namespace tandem::orca;

namespace {

constexpr double voyage_unit = 1.7;  // m, of the SLAM's map

// The bridge and its virtual vehicle; ten times a second a SLAM that is always right, up to its unit.
struct Voyage {
  explicit Voyage(const std::string& message = "delta")
      : vehicle(make_virtual_device(setup())), bridge(bridge_setup(vehicle->url(), message)) {
    X_map_world = camera(vehicle->truth());
    vehicle_thread = std::jthread([this](const std::stop_token& stop) { vehicle->run(stop); });
    slam_thread = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        if (tracks) look();
        std::this_thread::sleep_for(100ms);
      }
    });
  }

  static VirtualDeviceSetup setup() {
    VirtualDeviceSetup setup;
    setup.aiding_delay = 0.5;
    setup.clock = &system_clock();
    return setup;
  }
  static machines::Setup bridge_setup(const std::string& url, const std::string& message) {
    return rig::setup_for(url, system_clock(), {"parameters=[SYSID_MYGCS=200]", "vision_message=" + message});
  }
  static Pose camera(const Truth& truth) { return truth.X_map_base * X_base_link() * X_link_camera(); }
  void look() {
    const Truth truth = vehicle->truth();
    const Pose X_map_camera = camera(truth);
    Pose X_world_camera = X_map_world.inverse() * X_map_camera;
    X_world_camera.translation() /= voyage_unit;
    Sighting sighting;
    sighting.received = sighting.taken = now();
    sighting.stamp = duration_of(truth.time);  // a slow computer dives slowly
    sighting.tracking = Tracking::ok;
    sighting.X_world_camera = plain_from(X_world_camera);
    const double height = X_map_camera.translation().z() - Hull{}.seafloor;
    sighting.visual = {height / -X_map_camera.linear()(2, 2) / voyage_unit, 0.01, 100};
    bridge.commands().sightings.post(sighting);
  }
  Eigen::Vector2d place() const { return vehicle->truth().X_map_base.translation().head<2>(); }
  // m, of the autopilot's belief against the truth.
  Eigen::Vector2d offset() const { return vehicle->estimate().translation().head<2>() - place(); }
  template <typename Condition>
  bool until(Condition condition, Duration limit = 40s) {
    const Instant end = now() + limit;
    while (now() < end) {
      const auto cycle = bridge.cycle(machines::Permit(armed, system_clock(), Instant::max()));
      if (!cycle) {
        MESSAGE(cycle.error().text);
        return false;
      }
      if (cycle->disarm) {
        MESSAGE(std::string(cycle->why.view()));
        armed = false;
      }
      if (condition(bridge.state())) return true;
    }
    MESSAGE(std::string(bridge.state().waiting.view()));
    return false;
  }

  std::unique_ptr<VirtualDevice> vehicle;
  Machine bridge;
  Pose X_map_world;
  std::atomic<bool> tracks{true}, armed{false};
  std::jthread vehicle_thread, slam_thread;
};

}  // namespace

TEST_CASE("Vision carries the virtual vehicle's estimate and sticks move it") {
  Voyage voyage;
  REQUIRE(voyage.bridge.connect(now() + 20s).ok());
  REQUIRE(voyage.until([](const State& state) { return state.waiting.empty() && state.source_set == 1; }));
  CHECK(voyage.bridge.state().scale == doctest::Approx(voyage_unit).epsilon(0.03));
  voyage.bridge.commands().mode.post({Mode::alt_hold, 1});
  voyage.armed = true;
  REQUIRE(
      voyage.until([](const State& state) { return state.activity == Activity::armed && state.vehicle.mode == 2; }));
  // There and back, so that what the compass is off does not count, as in a box.
  const Eigen::Vector2d began = voyage.offset();
  double way = 0, worst_scale = 0;
  Eigen::Vector2d last = voyage.place();
  const auto steer = [&](double forward) {
    return [&, forward, from = last](const State& state) {
      voyage.bridge.commands().twist.post({{forward, 0, -0.1}, 0, now()});
      way += (voyage.place() - last).norm();
      last = voyage.place();
      worst_scale = std::max(worst_scale, std::abs(state.scale / voyage_unit - 1));
      return (last - from).norm() > 1.5;
    };
  };
  REQUIRE(voyage.until(steer(0.3)));
  REQUIRE(voyage.until(steer(-0.3)));
  const Instant end = now() + 2s;
  voyage.until([&](const State&) { return now() > end; });  // nobody steers: neutral, and it comes to rest
  const double error = (voyage.offset() - began).norm();
  const State state = voyage.bridge.state();
  MESSAGE("went ", way, " m, error ", error, " m at rest; scale ", 100 * worst_scale, " % off at most, confidence ",
          state.confidence, " latency ", milliseconds(state.latency), " ms");
  CHECK(way > 3);
  CHECK(error < 0.05 * way);
  CHECK(worst_scale < 0.03);
  voyage.tracks = false;
  CHECK(voyage.until([](const State& now_state) { return now_state.source_set == 2; }));
  CHECK(voyage.bridge.state().waiting.view().find("SLAM") != std::string_view::npos);
  voyage.armed = false;
  CHECK(voyage.until([](const State& now_state) { return !now_state.vehicle.armed; }));
}

TEST_CASE("Poses of vision carry the estimate in either message and in the axes of the autopilot") {
  for (const std::string message : {"estimate", "odometry"}) {
    CAPTURE(message);
    Voyage voyage(message);
    REQUIRE(voyage.bridge.connect(now() + 20s).ok());
    REQUIRE(voyage.until([](const State& state) { return state.waiting.empty() && state.source_set == 1; }));
    voyage.bridge.commands().mode.post({Mode::alt_hold, 1});
    voyage.armed = true;
    REQUIRE(voyage.until([](const State& state) { return state.activity == Activity::armed; }));
    const Eigen::Vector2d began = voyage.offset(), from = voyage.place();
    const auto ahead_and_aside = [&](const State&) {
      voyage.bridge.commands().twist.post({{0.3, 0.3, -0.1}, 0, now()});
      return (voyage.place() - from).norm() > 1.5;
    };
    REQUIRE(voyage.until(ahead_and_aside));
    const double error = (voyage.offset() - began).norm();
    MESSAGE(message, ": error ", error, " m");
    CHECK(error < 0.3);  // a pose in wrong axes is off by the whole way
    voyage.armed = false;
    CHECK(voyage.until([](const State& state) { return !state.vehicle.armed; }));
  }
}
