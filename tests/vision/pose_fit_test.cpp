// SPDX-License-Identifier: Apache-2.0
#include "tandem/vision/pose_fit.hpp"

#include <doctest/doctest.h>

#include <random>

#include "tandem/vision/bundle.hpp"
#include "tandem/vision/two_view.hpp"
#include "tests/vision/flight.hpp"

namespace {

using namespace tandem;
using namespace tandem::vision;

// Spots of a floor at -4 m around the origin, up to `relief` m off its plane.
std::vector<Eigen::Vector3d> spots(int count, double relief, unsigned seed) {
  std::mt19937_64 dice(seed);
  std::uniform_real_distribution<double> within(-1, 1);
  std::vector<Eigen::Vector3d> result;
  for (int i = 0; i < count; ++i) {
    result.emplace_back(0.9 * within(dice), 0.9 * within(dice), -4 + relief * within(dice));
  }
  return result;
}

std::vector<Sight> sights_from(const Camera& camera, const Pose& X_world_camera,
                               const std::vector<Eigen::Vector3d>& points, double noise, unsigned seed) {
  std::mt19937_64 dice(seed);
  std::normal_distribution<double> off(0, 1);
  std::vector<Sight> sights;
  for (const Eigen::Vector3d& p : points) {
    const Eigen::Vector2d wrong(off(dice), off(dice));
    sights.push_back({p, camera.pixel_of(X_world_camera.inverse() * p) + noise * wrong});
  }
  return sights;
}

double apart(const Pose& a, const Pose& b) { return (a.inverse() * b).translation().norm(); }
double turned(const Pose& a, const Pose& b) {
  return angle_between(Eigen::Quaterniond(a.linear()), Eigen::Quaterniond(b.linear()));
}

}  // namespace

TEST_CASE("the slopes of a pixel are those of small differences") {
  const Camera camera;
  const Pose X = flight::looking_down(0.2, -0.1, -2.5, 0.4, 0.1, 0.2).inverse();
  const Eigen::Vector3d p(0.3, 0.2, -4.1);
  const Projection seen = project(camera, X, p);
  REQUIRE(seen.in_front);
  constexpr double h = 1e-6;
  for (int i = 0; i < 6; ++i) {
    const Vector6 step = h * Vector6::Unit(i);
    const Eigen::Vector2d slope =
        (camera.pixel_of(moved(X, step) * p) - camera.pixel_of(moved(X, -step) * p)) / (2 * h);
    CHECK((slope - seen.by_pose.col(i)).norm() < 1e-4);
  }
  for (int i = 0; i < 3; ++i) {
    const Eigen::Vector3d step = h * Eigen::Vector3d::Unit(i);
    const Eigen::Vector2d slope = (camera.pixel_of(X * (p + step)) - camera.pixel_of(X * (p - step))) / (2 * h);
    CHECK((slope - seen.by_point.col(i)).norm() < 1e-4);
  }
  CHECK_FALSE(project(camera, X, {0, 0, 5}).in_front);
}

TEST_CASE("a pose is found from flat points with a third of them wrong") {
  const Camera camera;
  const Pose truth = flight::looking_down(0.1, 0.2, -2.6, 0.7, 0.1, -0.1);
  auto sights = sights_from(camera, truth, spots(120, 0, 1), 0.3, 2);
  std::mt19937_64 dice(3);
  std::uniform_real_distribution<double> within(0, 600);
  for (std::size_t i = 0; i < 40; ++i) sights[i].pixel = {within(dice), within(dice)};
  const auto fit = find_pose(camera, sights, 2);
  REQUIRE(fit);
  CHECK(apart(fit->X_camera_world.inverse(), truth) < 0.005);
  CHECK(turned(fit->X_camera_world.inverse(), truth) < 0.003);
  CHECK(fit->count >= 78);
  CHECK(fit->count <= 82);
  const PoseFit again = refine_pose(camera, sights, flight::looking_down(0.2, 0.1, -2.5, 0.6).inverse(), 2);
  CHECK(apart(again.X_camera_world, fit->X_camera_world) < 1e-3);
}

TEST_CASE("no pose comes of too few points or of none") {
  const Camera camera;
  CHECK_FALSE(find_pose(camera, {}, 2));
  const auto few = sights_from(camera, flight::looking_down(0, 0, -2.5), spots(4, 0, 1), 0, 1);
  CHECK_FALSE(find_pose(camera, few, 2));
  const PoseFit none = refine_pose(camera, {}, Pose::Identity(), 2);
  CHECK(none.count == 0);
  CHECK(none.X_camera_world.matrix().allFinite());
}

TEST_CASE("a bundle of views and points comes back to where it was") {
  const Camera camera;
  const auto points = spots(80, 0.05, 5);
  std::mt19937_64 dice(6);
  std::normal_distribution<double> off(0, 1);
  Bundle bundle;
  std::vector<Pose> truth;
  for (int i = 0; i < 4; ++i) {
    truth.push_back(flight::looking_down(0.2 * i - 0.3, 0.1 * i, -2.4 - 0.1 * i, 0.1 * i).inverse());
    Vector6 wrong;
    for (int k = 0; k < 6; ++k) wrong(k) = i < 2 ? 0 : 0.01 * off(dice);
    bundle.views.push_back({moved(truth.back(), wrong), i < 2});
  }
  for (int i = 0; i < static_cast<int>(points.size()); ++i) {
    bundle.points.push_back(points[i] + 0.02 * Eigen::Vector3d(off(dice), off(dice), off(dice)));
    for (int view = 0; view < 4; ++view) bundle.sights.push_back({view, i, camera.pixel_of(truth[view] * points[i])});
  }
  adjust(camera, bundle, 20, 1);
  for (int i = 0; i < 4; ++i) CHECK(apart(bundle.views[i].X_camera_world, truth[i]) < 1e-4);
  for (std::size_t i = 0; i < points.size(); ++i) CHECK((bundle.points[i] - points[i]).norm() < 1e-3);
}

TEST_CASE("two views of a flat floor or of boulders tell the motion between them") {
  const Camera camera;
  const Pose here = flight::looking_down(0, 0, -2.5, 0, 0.1, -0.1);
  for (const double relief : {0.0, 0.05, 0.5}) {
    const Pose there = flight::looking_down(0.2, 0.1, -2.55, 0.15, -0.05, 0.05);
    const auto points = spots(150, relief, 8);
    std::vector<Eigen::Vector2d> a, b;
    for (const Sight& sight : sights_from(camera, here, points, 0.2, 9)) a.push_back(sight.pixel);
    for (const Sight& sight : sights_from(camera, there, points, 0.2, 10)) b.push_back(sight.pixel);
    const auto seen = two_view(camera, a, b, 2);
    REQUIRE(seen);
    const Pose truth = there.inverse() * here;
    CHECK(turned(seen->X_second_first, truth) < 0.03);
    CHECK(seen->X_second_first.translation().normalized().dot(truth.translation().normalized()) > 0.98);
    CHECK(seen->count > 120);
    CHECK(seen->parallax > 0.1);
    const double unit = truth.translation().norm() / seen->X_second_first.translation().norm();
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (seen->points[i]) CHECK((unit * *seen->points[i] - here.inverse() * points[i]).norm() < 0.15);
    }
  }
}

TEST_CASE("a camera that only turns has no parallax") {
  const Camera camera;
  const auto points = spots(150, 0, 8);
  std::vector<Eigen::Vector2d> a, b;
  for (const Sight& sight : sights_from(camera, flight::looking_down(0, 0, -2.5), points, 0.2, 9)) {
    a.push_back(sight.pixel);
  }
  for (const Sight& sight : sights_from(camera, flight::looking_down(0, 0, -2.5, 0.4, 0.1), points, 0.2, 10)) {
    b.push_back(sight.pixel);
  }
  const auto seen = two_view(camera, a, b, 2);
  if (seen) CHECK(seen->parallax < 0.02);
  CHECK_FALSE(two_view(camera, {}, {}, 2));
  CHECK_FALSE(triangulate(camera, Pose::Identity(), {1, 2}, {1, 2}, 2, 0));
}
