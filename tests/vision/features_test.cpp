// SPDX-License-Identifier: Apache-2.0
#include "tandem/vision/features.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "tests/vision/flight.hpp"

namespace {

using namespace tandem;
using namespace tandem::vision;

FeatureSettings small_features() {
  FeatureSettings settings;
  settings.camera = scaled(Camera{}, 0.5);
  settings.noise = 0.15;
  return settings;
}

}  // namespace

TEST_CASE("features alone lead round a box") {
  FeatureOdometry odometry(small_features());
  CHECK(odometry.tracking().state == TrackingState::no_images);
  flight::Course course;
  int images = 0;
  for (double way = 0; way < flight::box_way; way += 0.1, ++images) {
    course.add(flight::on_box(way), odometry.add(flight::on_box(way), 0.1 * images));
  }
  CHECK(course.size() > static_cast<std::size_t>(images) - 6);
  CHECK(course.path() > 15);
  CHECK(course.error() < 0.01 * course.path());
  CHECK(course.last_scale() == doctest::Approx(course.scale()).epsilon(0.03));
  CHECK(odometry.tracking().map_id == 0);
}

TEST_CASE("a blackout of five seconds is told and the way is found again") {
  FeatureSettings settings = small_features();
  settings.mapping.lost_after = 10;
  settings.blackouts = {{4, 9}};
  FeatureOdometry odometry(settings);
  flight::Course course;
  for (int i = 0; i < 130; ++i) {
    const double t = 0.1 * i;
    const double x = t < 4 ? 0.2 * t : 0.8 + 0.05 * std::sin(t - 4);  // drifts about where it was while it sees nothing
    const Pose truth = flight::looking_down(x, 0, -2.5);
    const Tracking& tracking = odometry.add(truth, t + 1e-6);
    course.add(truth, tracking);
    if (i >= 40 && i < 90) {
      CHECK(tracking.state == TrackingState::recently_lost);
      CHECK(tracking.points.empty());
    }
    if (i >= 90) CHECK(tracking.state == TrackingState::ok);
    CHECK(tracking.map_id == 0);
  }
  CHECK(course.error() < 0.02);
}

TEST_CASE("lost for long means another map with the next id") {
  FeatureSettings settings = small_features();
  settings.mapping.lost_after = 2;
  settings.blackouts = {{3, 6}};
  FeatureOdometry odometry(settings);
  std::vector<TrackingState> states;
  std::vector<std::uint32_t> maps;
  int changes = 0;
  for (int i = 0; i < 100; ++i) {
    const Tracking& tracking = odometry.add(flight::looking_down(0.03 * i, 0, -2.5), 0.1 * i + 1e-6);
    if (states.empty() || states.back() != tracking.state) states.push_back(tracking.state);
    if (maps.empty() || maps.back() != tracking.map_id) maps.push_back(tracking.map_id);
    changes += tracking.map_changed ? 1 : 0;
  }
  using enum TrackingState;
  CHECK(states == std::vector<TrackingState>{not_initialised, ok, recently_lost, lost, not_initialised, ok});
  CHECK(maps == std::vector<std::uint32_t>{0, 1});
  CHECK(changes == 2);  // each map at its beginning
  odometry.reset();
  CHECK(odometry.tracking().map_id == 2);
  CHECK(odometry.tracking().state == not_initialised);
}

TEST_CASE("the same features give the same bits") {
  FeatureOdometry a(small_features()), b(small_features());
  for (int i = 0; i < 40; ++i) {
    const Pose truth = flight::on_box(0.05 * i);
    a.add(truth, 0.1 * i);
    b.add(truth, 0.1 * i);
    CHECK((a.tracking().X_world_camera.matrix() == b.tracking().X_world_camera.matrix()));
    CHECK((a.tracking().points == b.tracking().points));
  }
}

TEST_CASE("poses and stamps that are none do no harm to features") {
  FeatureOdometry odometry(small_features());
  const double none = std::numeric_limits<double>::quiet_NaN();
  for (int i = 0; i < 60; ++i) {
    Pose truth = flight::looking_down(0.04 * i, 0, -2.5);
    if (i % 10 == 3) truth.translation().x() = none;
    if (i % 10 == 5) truth.translation().z() = 1e9;
    const Tracking& tracking = odometry.add(truth, i % 10 == 7 ? none : 0.1 * i);
    CHECK(tracking.X_world_camera.matrix().allFinite());
    for (const Eigen::Vector3d& point : tracking.points) CHECK(point.allFinite());
  }
  CHECK(odometry.tracking().state == TrackingState::ok);
  FeatureSettings settings;
  settings.spacing = 0;
  CHECK_THROWS_WITH(FeatureOdometry{settings}, "features: spacing: expected 0.02 to 10, got 0");
}
