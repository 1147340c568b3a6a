// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/control/controller.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

#include "tandem/machines/cable_robot/control/task.hpp"
#include "tests/allocations.hpp"
#include "tests/machines/cable_robot/cable_bench.hpp"

namespace tandem::cable_robot {
namespace {

using test::Bench;
using test::bench_cycle;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("the path in six degrees of freedom is tracked to a fraction of a millimetre without slack") {
  Bench bench;
  auto task = Task::about_home(bench.robot, bench.options.path, 8);  // faster than the demonstration
  REQUIRE(task.ok());
  bench.settle();
  bench.forget_extremes();
  for (int i = 0; i < 1200; ++i) {
    REQUIRE(bench.controller.follow(task->step(bench_cycle)).ok());
    bench.cycle();
  }
  CHECK(bench.state().activity == Activity::moving);
  CHECK(task->rounds() > 0.15);
  CHECK(bench.worst_error < 0.5e-3);
  CHECK(bench.worst_angle < 2e-3);
  CHECK(bench.least_tension > 2);
  CHECK(bench.most_tension < 100);
  MESSAGE("tracked to " << 1e3 * bench.worst_error << " mm and " << 1e3 * bench.worst_angle << " mrad with "
                        << bench.least_tension << " to " << bench.most_tension << " N");
}

TEST_CASE("winches that follow tensions track the path too") {
  ControlOptions options;
  options.mode = WinchMode::tension;
  Bench bench(options);
  auto task = Task::about_home(bench.robot, bench.options.path, 12);
  REQUIRE(task.ok());
  bench.settle();
  bench.forget_extremes();
  for (int i = 0; i < 1200; ++i) {
    REQUIRE(bench.controller.follow(task->step(bench_cycle)).ok());
    CHECK(bench.cycle().command.mode == WinchMode::tension);
  }
  CHECK(bench.worst_error < 5e-3);
  CHECK(bench.least_tension > 2);
  MESSAGE("tracked to " << 1e3 * bench.worst_error << " mm with " << bench.least_tension << " N at least");
}

TEST_CASE("the start is without jump and tensions change at their rate") {
  Bench bench(ControlOptions{}, 15);  // rather loose
  const WinchFeedback found = bench.plant.feedback();
  REQUIRE(bench.controller.start(found).ok());
  CHECK(bench.state().activity == Activity::tensioning);
  CHECK((bench.controller.last().command.lengths - found.lengths).cwiseAbs().maxCoeff() < 1e-12);
  CHECK((bench.state().tensions - found.tensions).cwiseAbs().maxCoeff() < 1e-9);
  cables::PerCable before = bench.state().tensions;
  double fastest = 0;
  bench.forget_extremes();
  for (int i = 0; i < 600 && bench.state().activity == Activity::tensioning; ++i) {
    const Step& step = bench.cycle();
    fastest = std::max(fastest, (step.state.tensions - before).cwiseAbs().maxCoeff() / bench_cycle);
    before = step.state.tensions;
  }
  CHECK(bench.state().activity == Activity::resting);
  CHECK(fastest < 1.1 * bench.options.tension_rate);
  CHECK(bench.worst_error < 0.1e-3);
  CHECK((bench.plant.feedback().tensions - bench.state().tensions).cwiseAbs().maxCoeff() < 2);
}

TEST_CASE("encoders that do not fit together make no jump and their tensions come right") {
  Bench bench;
  bench.encoder_error[2] = 0.001;
  bench.encoder_error[5] = -0.0007;
  bench.settle();
  CHECK(bench.state().residual > 1e-5);
  for (int i = 0; i < 1000; ++i) bench.cycle();
  CHECK((bench.plant.feedback().tensions - bench.state().tensions).cwiseAbs().maxCoeff() < 2);
  // Where the lengths fit otherwise, the trim has something to do.
  REQUIRE(bench.controller.target(test::level_pose(0.08, 0.05, 0.35)).ok());
  for (int i = 0; i < 1500; ++i) bench.cycle();
  CHECK(bench.state().arrived);
  CHECK((bench.plant.feedback().tensions - bench.state().tensions).cwiseAbs().maxCoeff() < 5);
  CHECK_FALSE(bench.state().trim_at_limit);
}

TEST_CASE("a load that nobody told of is learned") {
  cables::Design soft = cables::default_design();
  soft.stiffness = 2000;
  ControlOptions options;
  Bench bench(options, 40, soft);
  bench.plant.damping = 5;
  bench.settle();
  bench.plant.added_mass = 0.3;
  for (int i = 0; i < 100; ++i) bench.cycle();
  const double sag = (bench.plant.pose().translation() - bench.state().set_point.pose.translation()).norm();
  for (int i = 0; i < 1200; ++i) bench.cycle();
  const double left = (bench.plant.pose().translation() - bench.state().set_point.pose.translation()).norm();
  CHECK(left < 0.1 * 0.3 * 9.81 / 2000);
  CHECK(left < 0.5 * sag);
}

TEST_CASE("what the outer loop cannot do does not pile up") {
  cables::Design soft = cables::default_design();
  soft.stiffness = 2000;
  Bench bench(ControlOptions{}, 40, soft);
  bench.plant.damping = 5;
  bench.settle();
  bench.plant.push = {12, 0, 0};  // more than the loop may make good
  for (int i = 0; i < 1000; ++i) bench.cycle();
  CHECK(bench.state().activity == Activity::resting);
  CHECK(std::abs(bench.state().position_error.x()) > 1e-4);
  bench.plant.push.setZero();
  for (int i = 0; i < 500; ++i) bench.cycle();
  // Had it piled up for two seconds it would take as long to get rid of.
  CHECK(std::abs(bench.state().position_error.x()) < 2e-4);
}

TEST_CASE("the trim keeps within its bound") {
  ControlOptions options;
  options.most_trim = 1e-5;
  Bench bench(options);
  bench.settle();
  for (int i = 0; i < 8; ++i) bench.tension_error[i] = i % 2 == 0 ? 8 : -8;  // load cells that lie
  cables::PerCable before = bench.controller.last().command.lengths;
  for (int i = 0; i < 1000; ++i) bench.cycle();
  CHECK(bench.state().trim_at_limit);
  // Tensions are wanted as before, so what the lengths changed by is the trim, and the outer loop's little.
  CHECK((bench.controller.last().command.lengths - before).cwiseAbs().maxCoeff() < 1e-4);
}

TEST_CASE("a target outside is refused with the reason and nothing moves") {
  Bench bench;
  CHECK_FALSE(bench.controller.target(test::level_pose(0, 0, 0.3)).ok());  // not started
  bench.settle();
  const auto where = bench.controller.target(test::level_pose(0, 0.5, 0.3));
  REQUIRE_FALSE(where.ok());
  CHECK(where.error().text.find("outside the frame in y") != std::string::npos);
  bench.cycle();
  CHECK(bench.state().activity == Activity::resting);
}

TEST_CASE("while it may not move the winches hold and the pose is known") {
  Bench bench;
  const Step& step = bench.controller.step(bench.plant.feedback(), bench_cycle, false);
  CHECK(step.command.mode == WinchMode::hold);
  CHECK(step.state.activity == Activity::idle);
  REQUIRE(step.state.pose_known);
  CHECK((step.state.X_world_platform.translation() - bench.plant.pose().translation()).norm() < 1e-6);
  bench.settle();
  CHECK(bench.controller.step(bench.plant.feedback(), bench_cycle, false).command.mode == WinchMode::hold);
  // Moving again takes a start.
  CHECK(bench.controller.step(bench.plant.feedback(), bench_cycle, true).command.mode == WinchMode::hold);
  REQUIRE(bench.controller.start(bench.plant.feedback()).ok());
  CHECK(bench.controller.step(bench.plant.feedback(), bench_cycle, true).command.mode == WinchMode::length);
}

TEST_CASE("a cycle allocates nothing") {
  Bench bench;
  REQUIRE(bench.settle());
  auto task = Task::about_home(bench.robot, bench.options.path);
  REQUIRE(task.ok());
  WinchFeedback feedback = bench.feedback();
  const std::size_t before = allocations;
  for (int i = 0; i < 20; ++i) {
    const bool followed = bench.controller.follow(task->step(bench_cycle)).ok();
    (void)bench.controller.step(feedback, bench_cycle, followed);
  }
  feedback.tensions[2] = 0;
  for (int i = 0; i < 20; ++i) (void)bench.controller.step(feedback, bench_cycle, true);
  CHECK(bench.state().slack == 1 << 2);
  for (int i = 0; i < 200; ++i) (void)bench.controller.step(feedback, bench_cycle, true);
  CHECK(bench.state().activity == Activity::lowering);  // cut: a way down was looked for
  feedback.lengths[0] = none;
  (void)bench.controller.step(feedback, bench_cycle, true);
  CHECK(allocations == before);
  CHECK(bench.state().activity == Activity::stopped);
}

TEST_CASE("a pose far from home is found at the start") {
  const cables::Robot& robot = cables::Robot::standard();
  const Pose away = pose_from({0.12, -0.1, 0.4}, rotation_from_rpy(0.05, -0.05, 0.1));
  const auto held = cables::distribute(robot, cables::structure(robot, away), cables::weight(robot, away));
  REQUIRE(held.feasible);
  const test::CablePlant plant(robot, away, held.tensions);
  Controller controller(robot, {});
  REQUIRE(controller.start(plant.feedback()).ok());
  CHECK((controller.last().state.X_world_platform.translation() - away.translation()).norm() < 1e-6);
  WinchFeedback mad = plant.feedback();
  mad.lengths.setConstant(1.9);
  Controller lost(robot, {});
  const auto started = lost.start(mad);
  REQUIRE_FALSE(started.ok());
  CHECK(started.error().text.find("cannot be solved") != std::string::npos);
}

TEST_CASE("numbers that are none stop the motion and are told") {
  for (const int which : {0, 1, 2}) {
    Bench bench;
    bench.settle();
    WinchFeedback broken = bench.plant.feedback();
    if (which == 0) broken.lengths[3] = none;
    if (which == 1) broken.tensions[0] = std::numeric_limits<double>::infinity();
    if (which == 2) broken.lengths.resize(5);
    const Step& step = bench.controller.step(broken, bench_cycle, true);
    CHECK(step.command.mode == WinchMode::hold);
    CHECK(step.command.lengths.allFinite());
    CHECK(step.command.lengths.size() == 8);
    CHECK(step.state.activity == Activity::stopped);
    CHECK(step.state.finding == Finding::feedback);
    CHECK_FALSE(step.state.why.empty());
    CHECK_FALSE(bench.controller.start(broken).ok());
    // Latched: good feedback does not bring it back.
    CHECK(bench.controller.step(bench.plant.feedback(), bench_cycle, true).command.mode == WinchMode::hold);
    CHECK_FALSE(bench.controller.target(bench.robot.home()).ok());
    CHECK(bench.controller.start(bench.plant.feedback()).ok());
  }
}

TEST_CASE("no time and much time make no jump") {
  Bench bench;
  bench.settle();
  REQUIRE(bench.controller.target(test::level_pose(0.1, 0, 0.3)).ok());
  for (int i = 0; i < 100; ++i) bench.cycle();
  for (const double dt : {0.0, -1.0, none, 1e9, std::numeric_limits<double>::infinity()}) {
    const cables::PerCable before = bench.controller.last().command.lengths;
    const Step& step = bench.controller.step(bench.plant.feedback(), dt, true);
    CHECK(step.command.mode == WinchMode::length);
    CHECK((step.command.lengths - before).cwiseAbs().maxCoeff() < 0.3 * 0.02 + 1e-3);
    CHECK(step.command.lengths.allFinite());
  }
}

}  // namespace tandem::cable_robot
