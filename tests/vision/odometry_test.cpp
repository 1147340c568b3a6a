// SPDX-License-Identifier: Apache-2.0
#include "tandem/vision/odometry.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <random>
#include <stdexcept>

#include "tandem/vision/sea_floor.hpp"
#include "tests/vision/flight.hpp"

namespace {

using namespace tandem;
using namespace tandem::vision;

OdometrySettings small_camera(double lost_after = 5) {
  OdometrySettings settings;
  settings.camera = scaled(Camera{}, 0.4);
  settings.mapping.lost_after = lost_after;
  return settings;
}

// A camera under water with an odometry behind it, ten images a second.
class Diver {
 public:
  explicit Diver(const OdometrySettings& settings = small_camera()) : camera_(settings.camera), odometry_(settings) {}

  const Tracking& look(const Pose& truth) {
    floor_.render(camera_, truth, image_);
    return show(truth);
  }
  const Tracking& black() {
    image_.width = camera_.width;
    image_.height = camera_.height;
    image_.pixels.assign(static_cast<std::size_t>(camera_.width) * camera_.height, 0);
    return show(Pose::Identity());
  }
  const Tracking& show(const Pose& truth) {
    REQUIRE(odometry_.add(image_.view(), 0.1 * images_++).ok());
    const Tracking& tracking = odometry_.tracking();
    REQUIRE(tracking.X_world_camera.matrix().allFinite());
    for (const Eigen::Vector3d& point : tracking.points) REQUIRE(point.allFinite());
    course.add(truth, tracking);
    return tracking;
  }
  GrayImage& image() { return image_; }
  Odometry& odometry() { return odometry_; }

  flight::Course course;

 private:
  Camera camera_;
  Odometry odometry_;
  SeaFloor floor_{SeaFloorSettings{}};
  GrayImage image_;
  int images_ = 0;
};

// Median depth of the points within 20 degrees of the view's middle, as an underwater vehicle's bridge takes it.
double range_of(const Tracking& tracking) {
  std::vector<double> depths;
  for (const Eigen::Vector3d& point : tracking.points) {
    const Eigen::Vector3d p = tracking.X_world_camera.inverse() * point;
    if (p.head<2>().norm() <= p.z() * std::tan(20 * std::numbers::pi / 180)) depths.push_back(p.z());
  }
  if (depths.size() < 15) return 0;
  std::nth_element(depths.begin(), depths.begin() + static_cast<std::ptrdiff_t>(depths.size() / 2), depths.end());
  return depths[depths.size() / 2];
}

}  // namespace

TEST_CASE("a straight line is followed and its height is seen") {
  Diver diver;
  CHECK(diver.odometry().tracking().state == TrackingState::no_images);
  for (int i = 0; i < 60; ++i) {
    const Tracking& tracking = diver.look(flight::looking_down(0.05 * i, 0, -2.5));
    if (i == 0) CHECK(tracking.state == TrackingState::not_initialised);
    if (i > 8) REQUIRE(tracking.state == TrackingState::ok);
    if (i > 30) CHECK(range_of(tracking) * diver.course.scale() == doctest::Approx(1.5).epsilon(0.015));
  }
  CHECK(diver.course.error() < 0.01 * diver.course.path());
  CHECK(diver.odometry().tracking().map_id == 0);
  CHECK(diver.odometry().map().keyframes.size() > 3);
}

TEST_CASE("round a box with turns the way is kept to a hundredth") {
  Diver diver;
  int lost = 0;
  for (double way = 0; way < flight::box_way; way += 0.09) {
    lost += diver.look(flight::on_box(way)).state == TrackingState::recently_lost ? 1 : 0;
  }
  CHECK(lost == 0);
  CHECK(diver.course.path() > 15);
  CHECK(diver.course.error() < 0.01 * diver.course.path());
  CHECK(diver.course.turn_error() < 0.02);
  CHECK(diver.course.last_scale() == doctest::Approx(diver.course.scale()).epsilon(0.02));
}

TEST_CASE("after five black seconds the place is known again") {
  Diver diver(small_camera(10));
  for (int i = 0; i < 35; ++i) diver.look(flight::looking_down(0.05 * i, 0, -2.5));
  REQUIRE(diver.odometry().tracking().state == TrackingState::ok);
  for (int i = 0; i < 50; ++i) {
    const Tracking& tracking = diver.black();
    CHECK(tracking.state == TrackingState::recently_lost);
    CHECK(tracking.points.empty());
  }
  for (int i = 0; i < 10; ++i) {  // meanwhile it has drifted and turned
    const Tracking& tracking = diver.look(flight::looking_down(1.3 + 0.03 * i, 0.2, -2.4, 0.4));
    if (i > 1) CHECK(tracking.state == TrackingState::ok);
  }
  CHECK(diver.odometry().tracking().map_id == 0);
  CHECK(diver.course.error() < 0.02);
  CHECK(diver.course.turn_error() < 0.02);
}

TEST_CASE("a map that stays lost is given up for another") {
  Diver diver(small_camera(2));
  std::vector<TrackingState> states;
  std::vector<std::uint32_t> maps;
  int changes = 0;
  const auto note = [&](const Tracking& tracking) {
    if (states.empty() || states.back() != tracking.state) states.push_back(tracking.state);
    if (maps.empty() || maps.back() != tracking.map_id) maps.push_back(tracking.map_id);
    changes += tracking.map_changed ? 1 : 0;
  };
  for (int i = 0; i < 15; ++i) note(diver.look(flight::looking_down(0.05 * i, 0, -2.5)));
  for (int i = 0; i < 30; ++i) note(diver.black());
  for (int i = 0; i < 15; ++i) note(diver.look(flight::looking_down(5 + 0.05 * i, 3, -2.5)));
  using enum TrackingState;
  CHECK(states == std::vector<TrackingState>{not_initialised, ok, recently_lost, lost, not_initialised, ok});
  CHECK(maps == std::vector<std::uint32_t>{0, 1});
  CHECK(changes == 2);
  diver.odometry().reset();
  CHECK(diver.odometry().tracking().map_id == 2);
  CHECK(diver.odometry().tracking().state == not_initialised);
}

TEST_CASE("on the way down to the floor the map grows with the view") {
  Diver diver;
  for (int i = 0; i < 60; ++i) {  // from the surface, 3.8 m above, to 1.1 m, swaying a little
    diver.look(flight::looking_down(0.1 * std::sin(0.2 * i), 0.05 * std::sin(0.3 * i), -0.2 - 0.045 * i, 0.01 * i));
  }
  CHECK(diver.odometry().tracking().state == TrackingState::ok);
  CHECK(diver.odometry().tracking().map_id == 0);
  CHECK(diver.course.error() < 0.02 * diver.course.path());
  CHECK(diver.course.last_scale() == doctest::Approx(diver.course.scale()).epsilon(0.03));
}

TEST_CASE("hovering over one place keeps the map small and the place exact") {
  Diver diver;
  for (int i = 0; i < 100; ++i) {
    diver.look(flight::looking_down(0.8 * std::sin(0.15 * i), 0.2 * std::sin(0.1 * i), -2.5, 0.2 * std::sin(0.07 * i)));
  }
  CHECK(diver.odometry().tracking().state == TrackingState::ok);
  CHECK(diver.odometry().map().keyframes.size() < 16);
  CHECK(diver.course.error() < 0.01);
}

TEST_CASE("without motion or light or sense there is no map") {
  Diver still;
  for (int i = 0; i < 15; ++i) {
    CHECK(still.look(flight::looking_down(0, 0, -2.5)).state == TrackingState::not_initialised);
  }
  for (int i = 0; i < 10; ++i) {  // turning on the spot is no motion that tells depth
    CHECK(still.look(flight::looking_down(0, 0, -2.5, 0.03 * i)).state == TrackingState::not_initialised);
  }
  Diver dark;
  for (int i = 0; i < 5; ++i) CHECK(dark.black().state == TrackingState::not_initialised);
  std::mt19937_64 dice(5);
  for (int i = 0; i < 5; ++i) {
    for (std::uint8_t& pixel : dark.image().pixels) pixel = static_cast<std::uint8_t>(dice());
    CHECK(dark.show(Pose::Identity()).state == TrackingState::not_initialised);
  }
}

TEST_CASE("repeated and blurred and senseless images lose nothing for good") {
  Diver diver;
  std::mt19937_64 dice(7);
  for (int i = 0; i < 60; ++i) {
    const Pose truth = flight::looking_down(0.04 * i, 0, -2.5);
    diver.look(truth);
    if (i % 10 == 4) diver.show(truth);  // the same image again
    if (i == 30 || i == 31) {            // smeared across the motion
      auto& pixels = diver.image().pixels;
      const auto smear = [](auto first, auto last) {
        int sum = 4 * *first;
        for (; first != last; ++first) {
          sum += *first - sum / 4;
          *first = static_cast<std::uint8_t>(sum / 4);
        }
      };
      smear(pixels.begin(), pixels.end());
      smear(pixels.rbegin(), pixels.rend());
      diver.show(truth);
    }
    if (i == 40) {
      for (std::uint8_t& pixel : diver.image().pixels) pixel = static_cast<std::uint8_t>(dice());
      CHECK(diver.show(truth).state == TrackingState::recently_lost);
    }
  }
  CHECK(diver.odometry().tracking().state == TrackingState::ok);
  CHECK(diver.odometry().tracking().map_id == 0);
  CHECK(diver.course.error() < 0.01 * diver.course.path());
}

TEST_CASE("an image that is none of this camera is refused with the reason") {
  Diver diver;
  for (int i = 0; i < 15; ++i) diver.look(flight::looking_down(0.05 * i, 0, -2.5));
  REQUIRE(diver.odometry().tracking().state == TrackingState::ok);
  const Eigen::Matrix4d before = diver.odometry().tracking().X_world_camera.matrix();
  GrayView view = diver.image().view();
  view.width = 640;
  const auto refused = diver.odometry().add(view, 2);
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().text == "image: expected 320 x 240 pixels as the camera has, got 640 x 240");
  view = diver.image().view();
  view.stride = 10;
  CHECK_FALSE(diver.odometry().add(view, 2).ok());
  view.pixels = nullptr;
  CHECK_FALSE(diver.odometry().add(view, 2).ok());
  CHECK((diver.odometry().tracking().X_world_camera.matrix() == before));
  const double none = std::numeric_limits<double>::quiet_NaN();
  CHECK(diver.odometry().add(diver.image().view(), none).ok());
  CHECK(diver.odometry().add(diver.image().view(), -1e9).ok());
  CHECK(diver.look(flight::looking_down(0.75, 0, -2.5)).state == TrackingState::ok);
  OdometrySettings settings;
  settings.camera.width = 3;
  CHECK_THROWS_AS(Odometry{settings}, std::invalid_argument);
}

TEST_CASE("the same images give the same bits") {
  Diver a, b;
  for (int i = 0; i < 25; ++i) {
    const Pose truth = flight::on_box(0.06 * i);
    a.look(truth);
    b.look(truth);
    CHECK((a.odometry().tracking().X_world_camera.matrix() == b.odometry().tracking().X_world_camera.matrix()));
    CHECK((a.odometry().tracking().points == b.odometry().tracking().points));
  }
}
