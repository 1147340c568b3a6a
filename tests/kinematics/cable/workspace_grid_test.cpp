// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/workspace/grid.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "tandem/kinematics/cable/clearance.hpp"
#include "tests/kinematics/cable/samples.hpp"

namespace tandem::cables {

namespace {

GridTask small_task(std::array<int, 3> counts) {
  GridTask task;
  task.grid = default_grid(Robot::standard());
  task.grid.counts = counts;
  return task;
}

}  // namespace

TEST_CASE("every cell of a grid has the margin of its middle whatever the number of threads") {
  const Robot& robot = Robot::standard();
  GridTask task = small_task({11, 13, 17});  // more than one chunk
  task.conditioning = task.clearance = true;
  task.threads = 1;
  const auto alone = look_at(robot, task);
  REQUIRE(alone.ok());
  task.threads = 5;
  const auto many = look_at(robot, task);
  REQUIRE(many.ok());
  CHECK(alone->margins == many->margins);
  CHECK(alone->conditioning == many->conditioning);
  std::size_t inside = 0;
  for (int z = 0; z < 17; ++z) {
    for (int y = 0; y < 13; ++y) {
      for (int x = 0; x < 11; ++x) {
        const std::size_t i = task.grid.index(x, y, z);
        inside += alone->margins[i] >= 0;
        if (i % 53 != 0) continue;
        const Pose pose =
            pose_from({task.grid.at(0, x), task.grid.at(1, y), task.grid.at(2, z)}, Eigen::Matrix3d::Identity());
        CHECK(alone->margins[i] == doctest::Approx(margin(robot, pose)).epsilon(1e-9));
        CHECK(alone->conditioning[i] == conditioning(robot, structure(robot, pose)));
        CHECK(alone->between_cables[i] == clearance(robot, pose).cables);
        CHECK(alone->to_platform[i] == clearance(robot, pose).platform);
      }
    }
  }
  CHECK(inside == alone->inside);
  CHECK(alone->volume == doctest::Approx(task.grid.volume() * static_cast<double>(inside) / (11 * 13 * 17)));
}

TEST_CASE("the default grid lies within the frame and the platform fits") {
  const Grid grid = default_grid(Robot::standard());
  CHECK(grid.low.isApprox(Eigen::Vector3d(-0.23239, -0.23239, 0.04)));
  CHECK(grid.high.isApprox(Eigen::Vector3d(0.23239, 0.23239, 0.56)));
  // A frame that is flat: about home, below it.
  const Robot hanging = *Robot::from(cable_samples::caroca());
  const Grid below = default_grid(hanging);
  CHECK((below.low.array() < below.high.array()).all());
  CHECK(below.high.z() <= 3.5);
  CHECK(below.low.z() < hanging.design().home.z());
  CHECK(below.low.z() >= 0);
}

TEST_CASE("every pose of the middle of the default robot is feasible and closed") {
  GridTask task = small_task({7, 7, 7});
  task.grid.low = {-0.15, -0.15, 0.15};
  task.grid.high = {0.15, 0.15, 0.45};
  for (const Kind kind : all_kinds) {
    task.kind = kind;
    const auto found = look_at(Robot::standard(), task);
    REQUIRE(found.ok());
    CHECK(found->inside == 343);
    CHECK(found->volume == doctest::Approx(0.027));
  }
}

TEST_CASE("several attitudes keep the least and several loads the worst") {
  GridTask task = small_task({6, 6, 6});
  const auto level = look_at(Robot::standard(), task);
  task.attitudes = {rotation_from_rpy(0.3, 0, 0)};
  const auto tilted = look_at(Robot::standard(), task);
  task.attitudes.push_back(Eigen::Matrix3d::Identity());
  const auto both = look_at(Robot::standard(), task);
  REQUIRE((level.ok() && tilted.ok() && both.ok()));
  for (std::size_t i = 0; i < 216; ++i) CHECK(both->margins[i] == std::min(level->margins[i], tilted->margins[i]));
  task = small_task({6, 6, 6});
  Wrench half = Wrench::Zero();
  half.head<3>().setConstant(25);
  task.loads = load_corners(half);
  const auto loaded = look_at(Robot::standard(), task);
  REQUIRE(loaded.ok());
  CHECK(loaded->inside < level->inside);
}

TEST_CASE("progress rises to the end and robots of other numbers of cables are looked at too") {
  cable_samples::Random random(51);
  GridTask task;
  task.grid.low = {-0.2, -0.2, -0.2};
  task.grid.high = {0.2, 0.2, 0.2};
  task.grid.counts = {15, 15, 15};
  task.threads = 1;
  double last = 0;
  int calls = 0;
  const Robot robot = random.robot(10);
  const auto found = look_at(robot, task, [&](double share) {
    CHECK(share > last);
    last = share;
    ++calls;
  });
  REQUIRE(found.ok());
  CHECK(last == 1);
  CHECK(calls == 2);
  for (std::size_t i = 0; i < found->margins.size(); i += 97) {
    const auto x = static_cast<int>(i % 15), y = static_cast<int>(i / 15 % 15), z = static_cast<int>(i / 225);
    const Eigen::Vector3d at(task.grid.at(0, x), task.grid.at(1, y), task.grid.at(2, z));
    CHECK(found->margins[i] == margin(robot, pose_from(at, Eigen::Matrix3d::Identity())));
  }
}

TEST_CASE("grids that cannot be are refused by name") {
  const auto error = [](auto&& change) {
    GridTask task = small_task({5, 5, 5});
    change(task);
    const auto found = look_at(Robot::standard(), task);
    return found ? std::string("none") : found.error().text;
  };
  CHECK(error([](GridTask& t) { t.grid.counts[1] = 0; }) == "grid: expected 1 point or more along y, got 0");
  CHECK(error([](GridTask& t) {
          t.grid.counts = {1000, 1000, 1000};
        }) == "grid: expected at most 50000000 points, got 1000000000");
  CHECK(error([](GridTask& t) { t.grid.high.z() = t.grid.low.z(); }) ==
        "box: expected low < high along z, got 0.04 and 0.04");
  CHECK(error([](GridTask& t) { t.grid.low.x() = std::nan(""); }) ==
        "box: expected low < high along x, got nan and 0.23239");
  CHECK(error([](GridTask& t) { t.attitudes.clear(); }) == "attitudes: expected one or more, got none");
  CHECK(error([](GridTask& t) { t.attitudes[0] *= 2; }) == "attitudes: expected rotations, got something else");
}

}  // namespace tandem::cables
