// SPDX-License-Identifier: Apache-2.0
// The drawn robot: cables as long as the kinematics says, sliders within the border, a workspace that is one body.
#include "tandem/machines/cable_robot/scene.hpp"

#include <doctest/doctest.h>

#include <map>
#include <random>

#include "tandem/machines/cable_robot/workspace/surface.hpp"
#include "tests/machines/rigs/scene_check.hpp"

using namespace tandem;
using namespace tandem::cable_robot;

namespace {

const cables::Robot& robot() { return cables::Robot::standard(); }

State standing_at(const Pose& pose) {
  State state;
  state.cables = robot().cables();
  state.samples = 1;
  state.pose_known = true;
  state.pose = numbers_of(pose);
  for (int i = 0; i < state.cables; ++i) state.tensions[static_cast<std::size_t>(i)] = 10 + i;
  return state;
}

// Six times the volume, by the divergence theorem; positive when faces look outwards.
double six_volumes(const machines::Part& part) {
  double sum = 0;
  for (const auto& t : part.triangles) {
    std::array<Eigen::Vector3d, 3> p;
    for (std::size_t i = 0; i < 3; ++i)
      p[i] = Eigen::Map<const Eigen::Vector3f>(part.points[t[i]].data()).cast<double>();
    sum += p[0].dot(p[1].cross(p[2]));
  }
  return sum;
}

// Every edge belongs to as many triangles one way as the other.
bool closed(const machines::Part& part) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
  for (const auto& t : part.triangles) {
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint32_t a = t[i], b = t[(i + 1) % 3];
      edges[{std::min(a, b), std::max(a, b)}] += a < b ? 1 : -1;
    }
  }
  for (const auto& [edge, balance] : edges)
    if (balance != 0) return false;
  return true;
}

}  // namespace

TEST_CASE("the cable robot's scene is whole and has no picture while its pose is unknown") {
  const Border border(robot(), {});
  const machines::Scene scene = make_scene(border, PoseTopic{"/desired_pose"});
  machines::check_scene(scene);
  machines::check_scene(make_scene(border, std::nullopt));
  CHECK(make_scene(border, std::nullopt).controls.empty());
  CHECK_FALSE(picture_of(State{}).seen);
  State state = standing_at(robot().home());
  machines::check_picture(scene, picture_of(state));
  state.pose_known = false;
  CHECK_FALSE(picture_of(state).seen);
}

TEST_CASE("the drawn cables are as long as the kinematics says and carry the tensions") {
  const machines::Scene scene = make_scene(Border(robot(), {}), std::nullopt);
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> share(-1, 1);
  REQUIRE(scene.ties.size() == static_cast<std::size_t>(robot().cables()));
  for (int round = 0; round < 100; ++round) {
    Pose pose = robot().home() * turned(0.3 * share(random), 0.3 * share(random), 0.3 * share(random));
    pose.translation() += 0.1 * Eigen::Vector3d(share(random), share(random), share(random));
    const machines::Picture picture = picture_of(standing_at(pose));
    const cables::PerCable lengths = cables::lengths(robot(), pose);
    for (int i = 0; i < robot().cables(); ++i) {
      const auto at = static_cast<std::size_t>(i);
      CHECK(machines::length_of(scene, picture, scene.ties[at]) == doctest::Approx(lengths[i]).epsilon(1e-9));
      CHECK(picture.scalars[at] == 10 + i);
    }
  }
}

TEST_CASE("the desired pose is the target or the moving set point or the platform itself") {
  const machines::Scene scene = make_scene(Border(robot(), {}), std::nullopt);
  State state = standing_at(robot().home());
  const auto x_of = [&](const char* frame) {
    return machines::frame_of(scene, picture_of(state), frame).translation().x();
  };
  const double home = robot().home().translation().x();
  state.set_point[0] = home + 0.02;
  CHECK(x_of("desired") == doctest::Approx(home));
  state.set_velocity[0] = 0.1;
  CHECK(x_of("desired") == doctest::Approx(home + 0.02));
  state.has_target = true;
  state.target[0] = home - 0.03;
  CHECK(x_of("desired") == doctest::Approx(home - 0.03));
  CHECK(x_of("true place") == doctest::Approx(home));
  state.compared = true;
  state.truth = state.compared_pose = state.pose;
  state.truth[0] = home + 0.001;
  CHECK(x_of("true place") == doctest::Approx(home + 0.001));
  // Between two looks the truth goes on with the estimate.
  state.pose[0] += 0.01;
  CHECK(x_of("true place") == doctest::Approx(home + 0.011));
  CHECK(truth_picture_of(state).frames.front().position[0] == doctest::Approx(home + 0.011));
  state.compared = false;
  CHECK_FALSE(truth_picture_of(state).seen);
}

TEST_CASE("every place that the sliders reach is inside the border") {
  const Border border(robot(), {});
  const machines::Scene scene = make_scene(border, PoseTopic{"/desired_pose"});
  REQUIRE(scene.controls.size() == 3);
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> share(0, 1);
  for (int round = 0; round < 200; ++round) {
    Pose pose = robot().home();
    for (int axis = 0; axis < 3; ++axis) {
      const machines::Control& slider = scene.controls[static_cast<std::size_t>(axis)];
      pose.translation()[axis] = slider.low + share(random) * (slider.high - slider.low);
    }
    CHECK(border.look(pose).inside);
  }
  for (const auto& slider : scene.controls) CHECK(slider.high - slider.low > 0.05);
}

TEST_CASE("the surface of a ball on a grid is closed and as large as the ball") {
  cables::Grid grid;
  grid.low.setConstant(-1);
  grid.high.setConstant(1);
  grid.counts = {24, 24, 24};
  std::vector<double> values(grid.points());
  for (int z = 0; z < 24; ++z)
    for (int y = 0; y < 24; ++y)
      for (int x = 0; x < 24; ++x)
        values[grid.index(x, y, z)] = 0.8 - Eigen::Vector3d(grid.at(0, x), grid.at(1, y), grid.at(2, z)).norm();
  const machines::Part ball = zero_surface(grid, values);
  CHECK(closed(ball));
  CHECK(six_volumes(ball) / 6 == doctest::Approx(4.0 / 3 * 3.14159265 * 0.512).epsilon(0.03));
  double farthest = 0;
  for (const auto& p : ball.points) farthest = std::max(farthest, std::abs(std::hypot(p[0], p[1], p[2]) - 0.8));
  CHECK(farthest < 0.02);
  // All inside: the box itself, closed by what is around it. All outside: nothing.
  const machines::Part box = zero_surface(grid, std::vector<double>(grid.points(), 1.0));
  CHECK(closed(box));
  CHECK(six_volumes(box) > 0);
  CHECK(zero_surface(grid, std::vector<double>(grid.points(), -1.0)).triangles.empty());
}

TEST_CASE("the workspace is drawn as one closed body about the volume that the grid finds") {
  const machines::Part part = workspace_surface(robot(), 10);
  machines::check_part(make_scene(Border(robot(), {}), std::nullopt), part);
  CHECK(closed(part));
  cables::GridTask task;
  task.grid = cables::default_grid(robot());
  task.grid.counts = {10, 10, 10};
  const auto answer = cables::look_at(robot(), task);
  REQUIRE(answer);
  CHECK(six_volumes(part) / 6 == doctest::Approx(answer->volume).epsilon(0.15));
  CHECK(part.layer == "workspace");
}
