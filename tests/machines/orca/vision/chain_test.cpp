// SPDX-License-Identifier: Apache-2.0
// The vision chain against poses that were calculated apart from it: in NED and FRD from the beginning, with the
// camera's axes written down by hand.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "tandem/base/frames.hpp"
#include "tandem/machines/orca/vision/delta.hpp"
#include "tandem/machines/orca/vision/gate.hpp"
#include "tandem/machines/orca/vision/visual_range.hpp"
#include "tests/machines/orca/control/dive.hpp"

using namespace tandem;
using namespace tandem::orca;

TEST_CASE("The camera looks down with its upper edge to the bow") {
  const Eigen::Matrix3d R = (X_base_link() * X_link_camera()).linear();
  CHECK((R - dive::camera_in_body()).norm() < 1e-12);
}

TEST_CASE("Deltas are those of a body that was flown in NED whatever the scale and wherever the map begins") {
  std::mt19937_64 random(7);
  for (int round = 0; round < 50; ++round) {
    const double scale = std::uniform_real_distribution(0.2, 8.0)(random);
    dive::Body before = dive::somewhere(random), now = dive::nearby(before, random);
    const dive::Slam slam(dive::somewhere(random), scale);
    const BodyDelta delta =
        delta_between(slam.X_world_camera(before), slam.X_world_camera(now), scale, X_base_link() * X_link_camera());
    // The oracle: the way in NED turned into the later body, and the axis and angle between the two attitudes.
    const Eigen::Vector3d way = now.R_ned_frd.transpose() * (now.p_ned - before.p_ned);
    const Eigen::AngleAxisd turn(Eigen::Matrix3d(before.R_ned_frd.transpose() * now.R_ned_frd));
    CHECK((delta.position - way).norm() < 1e-9);
    CHECK((delta.rotation - turn.angle() * turn.axis()).norm() < 1e-9);
  }
}

TEST_CASE("A camera beside the body turns with it and its lever is not scaled") {
  std::mt19937_64 random(11);
  Pose X_base_camera = X_base_link() * X_link_camera();
  X_base_camera.translation() = Eigen::Vector3d(0.3, -0.1, -0.2);
  for (int round = 0; round < 20; ++round) {
    const double scale = 0.4;
    dive::Body before = dive::somewhere(random), now = dive::nearby(before, random);
    const dive::Slam slam(dive::somewhere(random), scale, X_base_camera.translation());
    const BodyDelta delta = delta_between(slam.X_world_camera(before), slam.X_world_camera(now), scale, X_base_camera);
    CHECK((delta.position - now.R_ned_frd.transpose() * (now.p_ned - before.p_ned)).norm() < 1e-9);
  }
}

TEST_CASE("A scale that changes far from the origin does not move the body") {
  const Pose far = pose_from(Eigen::Vector3d(100, -50, 3), Eigen::Matrix3d::Identity());
  const BodyDelta delta = delta_between(far, far, 2.5, X_base_link() * X_link_camera());
  CHECK(delta.position.norm() < 1e-9);
  CHECK(delta.rotation.norm() < 1e-9);
}

TEST_CASE("A map that was laid once shows the body where it is from then on") {
  std::mt19937_64 random(5);
  const double scale = 1.7;
  const dive::Body first = dive::somewhere(random);
  const dive::Slam slam(first, scale);
  MapAnchors anchors;
  dive::Body body = first;
  for (int i = 0; i < 20; ++i) {
    const Pose X_slam_body = X_slam_base(slam.X_world_camera(body), scale, X_base_link() * X_link_camera());
    const Pose X_map_slam = anchors.anchor(3, body.X_map_base(), X_slam_body);
    CHECK((X_map_slam * X_slam_body).isApprox(body.X_map_base(), 1e-9));
    body = dive::nearby(body, random);
  }
  CHECK(anchors.laid() == 1);
  // At the start of a map the SLAM's frame is level when the body is: half a turn about x undoes the camera's look.
  const dive::Body level{Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity()};
  const Pose X = X_slam_base(dive::Slam(level, 1).X_world_camera(level), 1, X_base_link() * X_link_camera());
  CHECK((X.linear() * Eigen::Vector3d::UnitZ() - Eigen::Vector3d::UnitZ()).norm() < 1e-12);
}

TEST_CASE("The visual range is the median depth of the points in the cone") {
  const Pose X_world_camera = pose_from(Eigen::Vector3d(1, 2, 3), rotation_from_rpy(0.3, -0.2, 1));
  std::vector<Eigen::Vector3f> points;
  const auto put = [&](double x, double y, double z) {
    points.emplace_back((X_world_camera * Eigen::Vector3d(x, y, z)).cast<float>());
  };
  const double edge = std::tan(20 * std::numbers::pi / 180);
  for (int i = 0; i < 15; ++i)
    put(0.9 * edge * (2 + 0.1 * i) * std::cos(i), 0.9 * edge * (2 + 0.1 * i) * std::sin(i), 2 + 0.1 * i);
  VisualRangefinder finder;
  VisualRange visual = finder.measure(X_world_camera, points);
  CHECK(visual.points == 15);
  CHECK(visual.range == doctest::Approx(2.7).epsilon(1e-6));
  for (int i = 0; i < 30; ++i) put(1.05 * edge, 0, 1);                       // outside of the cone
  for (int i = 0; i < 30; ++i) put(0, 0, -2);                                // behind
  points.insert(points.end(), 9, Eigen::Vector3f::Constant(std::nanf("")));  // no points
  points.insert(points.end(), 9, Eigen::Vector3f::Constant(HUGE_VALF));      // nor these
  CHECK(finder.measure(X_world_camera, points).points == 15);
  CHECK(finder.measure(X_world_camera, points).range == doctest::Approx(2.7).epsilon(1e-6));
  visual = finder.measure(X_world_camera, std::span(points).first(14));
  CHECK(visual.range == 0);
  CHECK(visual.points == 14);
}

TEST_CASE("The range on the axis is that of the floor where the median of a tilted camera is not") {
  std::mt19937_64 random(17);
  std::normal_distribution<double> noise(0, 0.01);
  const double height = 2.5, far = 5;
  for (const double tilt : {0.0, 0.1, 0.3, 0.5, 0.7}) {
    const Pose X_world_camera =
        pose_from(Eigen::Vector3d(0.3, -0.2, height), dive::turned(0.5 * tilt, tilt, 0.7) * dive::camera_in_body());
    std::vector<Eigen::Vector3f> points;
    for (int i = 0; i < 4000; ++i) {
      const Eigen::Vector3d spot(dive::within(6, random), dive::within(6, random), noise(random));
      if ((spot - X_world_camera.translation()).norm() < far) points.push_back(spot.cast<float>());
    }
    const auto floor = points.size() / 20;  // one in twenty is no spot of the floor
    for (std::size_t i = 0; i < floor; ++i) points[i].z() = 0.8F;
    const double truth = height / -X_world_camera.linear()(2, 2);  // along the axis
    VisualRangefinder finder;
    const VisualRange visual = finder.measure(X_world_camera, points);
    CHECK(visual.points > 50);
    CHECK(visual.axis == doctest::Approx(truth).epsilon(0.01));
    if (tilt == 0.0) CHECK(visual.range == doctest::Approx(truth).epsilon(0.01));
    if (tilt == 0.7) CHECK(std::abs(visual.range / truth - 1) > 0.02);
  }
}

TEST_CASE("A sonar that sits elsewhere and hears the nearest ray says how far the camera sees when the body tilts") {
  const Pose X_base_camera = X_base_link() * X_link_camera();
  const double half = 0.14835, height = 3;
  for (const double pitch : {-0.5, -0.3, -0.1, 0.0, 0.05, 0.2, 0.4}) {
    for (const double roll : {0.0, 0.2}) {
      const Eigen::Matrix3d R = dive::turned(roll, pitch, 1.0);
      // The oracle: the cone cut with the floor, ray by ray.
      const double sonar_height = height + (R * Eigen::Vector3d(-0.15, 0, -0.095)).z();
      double nearest = 1e9;
      for (int i = 0; i <= 40; ++i) {
        for (int k = 0; k < 72; ++k) {
          const double off = half * i / 40, about = 2 * std::numbers::pi * k / 72;
          const Eigen::Vector3d ray(std::sin(off) * std::cos(about), std::sin(off) * std::sin(about), -std::cos(off));
          const double down = -(R * ray).z();
          if (down > 0) nearest = std::min(nearest, sonar_height / down);
        }
      }
      const double seen = height / -(R * Eigen::Vector3d(0, 0, -1)).z();
      const Eigen::Vector3d up = R.row(2);
      const double over_floor = height_from_sonar(nearest, up, X_base_ping(), half);
      CHECK(over_floor == doctest::Approx(height).epsilon(2e-3));
      CHECK(camera_range(height, up, X_base_camera) == doctest::Approx(seen).epsilon(1e-9));
    }
  }
  const Eigen::Vector3d tipped = dive::turned(0, 1.5, 0).row(2);
  CHECK(height_from_sonar(3, tipped, X_base_ping(), half) == 0);
  CHECK(camera_range(3, tipped, X_base_camera) == 0);
}

TEST_CASE("Confidence falls with spread and age and few points and is never certain") {
  const Trust good{.scale_spread = 0.01, .points = 200, .ratio_age = 0s};
  const double best = confidence_from(good);
  CHECK(best > 85);
  CHECK(best < 100);
  for (Trust worse : {Trust{0.2, 200, 0s}, Trust{0.01, 15, 0s}, Trust{0.01, 200, 1s}}) {
    CHECK(confidence_from(worse) < 0.6 * best);
    CHECK(confidence_from(worse) > 0);
  }
  CHECK(confidence_from({.points = 0}) == 0);
}
