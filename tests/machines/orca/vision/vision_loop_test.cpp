// SPDX-License-Identifier: Apache-2.0
// The whole way of a pose in simulated time: how far the autopilot's belief is off after a box.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/machines/orca/control/box_flight.hpp"

using namespace tandem;
using namespace tandem::orca;

namespace {

LoopOptions loop_options(std::uint64_t seed) {
  LoopOptions options;
  options.seed = seed;
  options.timestep = 0.01;
  options.aiding_delay = 1;
  return options;
}

vision::FeatureSettings sparse_spots(std::uint64_t seed) {
  vision::FeatureSettings features;
  features.seed = seed;
  features.spacing = 0.3;
  return features;
}

// Right up to its unit, 1.7 m, and as fast as nothing else; points are where the optical axis and its neighbours meet
// the floor.
LoopSlam exact_slam() {
  return [first = std::optional<Pose>()](const Pose& X_map_camera, double) mutable {
    constexpr double unit = 1.7, floor = -4;
    if (!first) first = X_map_camera;
    LoopView view;
    view.state = Tracking::ok;
    for (int i = -4; i <= 4; ++i) {
      for (int j = -4; j <= 4; ++j) {
        const Eigen::Vector3d ray = X_map_camera.linear() * Eigen::Vector3d(0.06 * i, 0.06 * j, 1);
        const Eigen::Vector3d spot =
            X_map_camera.translation() + (floor - X_map_camera.translation().z()) / ray.z() * ray;
        view.points.emplace_back((first->inverse() * spot / unit).cast<float>());
      }
    }
    view.X_world_camera = first->inverse() * X_map_camera;
    view.X_world_camera.translation() /= unit;
    return view;
  };
}

}  // namespace

TEST_CASE("After a box by vision the position is within five percent of the way and the scale within three") {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    CAPTURE(seed);
    BoxFlight flight(loop_options(seed), feature_slam(sparse_spots(seed)), {.side = 2.5});
    REQUIRE(flight.dive());
    const BoxResult result = flight.fly();
    CHECK(result.flown);
    CHECK(result.distance > 9);
    CHECK(result.error < 0.05 * result.distance);
    CHECK(result.scale_worst < 0.03);
    CHECK(result.good > 0.95 * result.frames);
  }
}

TEST_CASE("Tracking lost for five seconds is told at once and the box goes on when it is back") {
  vision::FeatureSettings features = sparse_spots(1);
  features.blackouts = {{25, 30}};
  BoxFlight flight(loop_options(1), feature_slam(features), {.side = 2.5});
  REQUIRE(flight.dive());
  REQUIRE(flight.loop.time() < 25);
  const BoxResult result = flight.fly();
  CHECK(result.flown);
  CHECK(result.frames - result.good >= 50);
  CHECK(result.told > 0);
  CHECK(result.told < 0.3);
  CHECK(result.recovered > 0);
  CHECK(result.recovered < 2);
  CHECK(result.error < 0.1 * result.distance);  // five seconds of them by dead reckoning
}

TEST_CASE("The scale holds while the body dives and tilts and the SLAM is slow") {
  LoopOptions options = loop_options(4);
  options.slam_delay = 0.15;
  BoxFlight flight(options, exact_slam());
  REQUIRE(flight.dive());
  VisionLoop& loop = flight.loop;
  double worst = 0, tilt = 0;
  loop.on_frame = [&](const VisionLoop::Frame& frame) {
    tilt = std::max(tilt, std::acos(loop.body.truth().X_map_base.linear()(2, 2)));
    worst = std::max(worst, std::abs(frame.step.scale.value / 1.7 - 1));
  };
  loop.mode(Mode::alt_hold);
  loop.sticks(0.5, -0.3);
  loop.run(3);
  loop.sticks(0, 0.5);
  loop.run(2);
  CHECK(tilt > 0.5);
  CHECK(worst < 0.02);
}

TEST_CASE("A sonar that reads a decimetre too far is right for those who know") {
  for (const double known : {0.0, 0.1}) {
    LoopOptions options = loop_options(5);
    options.sensors.sonar_calibrated = false;
    options.gate.sonar_offset = known;
    BoxFlight flight(options, exact_slam());
    REQUIRE(flight.dive());
    const double off = std::abs(flight.loop.gate.scales().scale(0).value / 1.7 - 1);
    if (known > 0)
      CHECK(off < 0.01);
    else
      CHECK(off > 0.03);
  }
}
