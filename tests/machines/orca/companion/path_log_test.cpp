// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/companion/path_log.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace {

using namespace tandem;
using namespace tandem::orca;

Pose at_place(double x, double y, double z) { return Pose(Eigen::Translation3d(x, y, z)); }

Pose on_spiral(double time) { return at_place(2 * std::cos(time), 2 * std::sin(time), -0.1 * time); }

}  // namespace

TEST_CASE("a path keeps its ends when it is thinned") {
  Path path(100);
  for (int i = 0; i <= 1600; ++i) path.add({.time = 0.1 * i, .position = {0.05 * i, 0, 0}});
  CHECK(path.points().size() <= 100);
  CHECK(path.points().size() > 40);
  CHECK(path.points().front().time == 0);
  CHECK(path.points().back().time > 155);
  CHECK(path.length() == doctest::Approx(0.5 * path.points().back().time));
  REQUIRE(path.at(33.33));
  CHECK(path.at(33.33)->x() == doctest::Approx(0.5 * 33.33));
  CHECK_FALSE(path.at(-1));
  CHECK_FALSE(path.at(1e4));
}

TEST_CASE("what is no point or no later one is left out") {
  Path path;
  path.add({.time = 1});
  path.add({.time = 1, .position = {1, 0, 0}});
  path.add({.time = 0.5});
  path.add({.time = std::numeric_limits<double>::quiet_NaN()});
  path.add({.time = 2, .position = {std::numeric_limits<double>::infinity(), 0, 0}});
  CHECK(path.points().size() == 1);
}

TEST_CASE("each map of the SLAM is laid upon the truth with its own scale") {
  PathLog log;
  const Pose X_world_map[2] = {pose_from({5, 6, 7}, rotation_from_rpy(0.3, 3, 1)),
                               pose_from({-1, 0, 2}, rotation_from_rpy(-1, 0.2, 2))};
  const double metres_per_unit[2] = {4, 0.5};
  for (int i = 0; i < 200; ++i) {
    const double time = 0.05 * i;
    log.add(time, on_spiral(time), at_place(1, 1, 1) * on_spiral(time) * at_place(0.01 * time, 0, 0));
    const std::size_t map = i < 100 ? 0 : 1;
    Pose X_world_camera = X_world_map[map] * on_spiral(time);
    X_world_camera.translation() /= metres_per_unit[map];
    log.add_slam(time, static_cast<std::uint32_t>(map), X_world_camera);
  }
  const auto aligned = log.aligned();
  REQUIRE(aligned.size() == 2);
  for (std::size_t map = 0; map < 2; ++map) {
    CHECK(aligned[map].map == map);
    CHECK(aligned[map].scale == doctest::Approx(metres_per_unit[map]).epsilon(1e-9));
    CHECK(aligned[map].rms < 1e-9);
    CHECK(aligned[map].worst < 1e-9);
    CHECK(aligned[map].path.size() == 100);
  }
  REQUIRE(log.drift());
  CHECK(*log.drift() == doctest::Approx(0.01 * 9.95));
  const std::string csv = log.csv();
  CHECK(csv.starts_with("path,time_s,x_m,y_m,z_m,map\ntruth,0.000,2.0000,0.0000,"));
  CHECK(std::ranges::count(csv, '\n') == 601);
}

TEST_CASE("a SLAM that stood still or is not in the truth is not laid anywhere") {
  PathLog log;
  CHECK(log.aligned().empty());
  CHECK_FALSE(log.drift());
  for (int i = 0; i < 10; ++i) {
    log.truth.add({.time = 0.1 * i, .position = {0.1 * i, 0, 0}});
    log.add_slam(0.1 * i, 0, Pose::Identity());
  }
  for (int i = 0; i < 10; ++i) log.add_slam(100 + 0.1 * i, 1, on_spiral(i));
  CHECK(log.aligned().empty());
}
