// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <utility>

#include "tandem/machines/cable_robot/control/slack_watch.hpp"
#include "tests/machines/cable_robot/cable_bench.hpp"

namespace tandem::cable_robot {
namespace {

using test::Bench;
using test::bench_cycle;

bool told(const Bench& bench, const std::string& words) {
  return std::string(bench.state().why.view()).find(words) != std::string::npos;
}

// Feedback and expectation that agree: 50 N in every cable.
struct Still {
  Still() {
    const cables::Robot& robot = cables::Robot::standard();
    const cables::PerCable spans = cables::lengths(robot, robot.home());
    expected.lengths = spans;
    expected.tensions = feedback.tensions = cables::PerCable::Constant(8, 50);
    feedback.speeds = cables::PerCable::Zero(8);
    feedback.lengths = spans / (1 + 50 / robot.design().stiffness);
    expected.commanded = feedback.lengths;
    expected.lengths_told = true;
  }
  WinchFeedback feedback;
  CableExpectation expected;
};

}  // namespace

TEST_CASE("a cable counts as slack after a while and as taut at once") {
  SlackWatch watch(cables::Robot::standard(), {});
  Still still;
  CHECK(watch.step(still.feedback, still.expected, bench_cycle).finding == Finding::fine);
  still.feedback.tensions[4] = 1.5;
  int cycles = 0;
  while (cycles < 100 && watch.slack() == 0) {
    (void)watch.step(still.feedback, still.expected, bench_cycle);
    ++cycles;
  }
  CHECK(cycles == 10);  // 20 ms
  CHECK(watch.slack() == 1 << 4);
  const auto verdict = watch.step(still.feedback, still.expected, bench_cycle);
  CHECK(verdict.finding == Finding::slack);
  CHECK(verdict.cable == 4);
  CHECK(std::string(verdict.why.view()).find("cable4 is slack") != std::string::npos);
  CHECK(watch.wound_in()[4] > 0);
  CHECK(watch.wound_in()[3] == 0);
  still.feedback.tensions[4] = 55;
  (void)watch.step(still.feedback, still.expected, bench_cycle);
  CHECK(watch.slack() == 0);
  CHECK(watch.recoveries() == 1);
  // Above the wanted tension what was wound in is given back, bit by bit.
  const double wound_in = watch.wound_in()[4];
  for (int i = 0; i < 200; ++i) (void)watch.step(still.feedback, still.expected, bench_cycle);
  CHECK(watch.wound_in()[4] < wound_in);
  CHECK(watch.wound_in()[4] >= 0);
}

TEST_CASE("a cable that stays without tension is called cut when enough is wound in") {
  SlackWatch watch(cables::Robot::standard(), {});
  Still still;
  still.feedback.tensions[1] = 0;
  still.expected.lengths[1] = still.feedback.lengths[1];  // nothing says that it should be taut
  int cycles = 0;
  Finding found = Finding::fine;
  while (cycles < 1000 && found != Finding::cut) {
    found = watch.step(still.feedback, still.expected, bench_cycle).finding;
    ++cycles;
  }
  CHECK(found == Finding::cut);
  CHECK(cycles * bench_cycle == doctest::Approx(0.02 + 0.03 / 0.05).epsilon(0.02));
}

TEST_CASE("devices' own flags are heeded") {
  const auto with_flag = [](WinchFlag flag) {
    SlackWatch watch(cables::Robot::standard(), {});
    Still still;
    still.feedback.flags[6] = static_cast<std::uint16_t>(flag);
    const auto verdict = watch.step(still.feedback, still.expected, bench_cycle);
    CHECK((verdict.finding == Finding::fine || verdict.cable == 6));
    return verdict.finding;
  };
  CHECK(with_flag(WinchFlag::enabled) == Finding::fine);
  CHECK(with_flag(WinchFlag::following) == Finding::stuck);
  CHECK(with_flag(WinchFlag::overload) == Finding::overload);
  CHECK(with_flag(WinchFlag::sensor) == Finding::sensor);
}

TEST_CASE("a drum that slipped is wound in until its cable is taut again") {
  Bench bench;
  REQUIRE(bench.settle());
  bench.plant.unwound(5) += 0.004;
  bench.encoder_error[5] -= 0.004;  // the drum has not turned
  for (int i = 0; i < 15; ++i) bench.cycle();
  // Without the pull of this one others have none to hold against: any of them may be slack.
  CHECK(bench.state().slack != 0);
  CHECK(bench.state().finding == Finding::slack);
  CHECK(told(bench, "is slack"));
  bench.forget_extremes();
  for (int i = 0; i < 300 && bench.state().slack != 0; ++i) bench.cycle();
  CHECK(bench.state().slack == 0);
  CHECK(bench.state().recoveries >= 1);
  for (int i = 0; i < 800; ++i) bench.cycle();
  CHECK(bench.state().activity == Activity::resting);
  CHECK(bench.state().finding == Finding::fine);
  for (int i = 0; i < 8; ++i) CHECK(bench.plant.tension(i) > 2);
  CHECK(bench.most_tension < 120);
}

TEST_CASE("cables that a lifted platform leaves slack are no cut cables") {
  cables::Design soft = cables::default_design();
  soft.stiffness = 5000;
  ControlOptions options;
  options.slack.cut_length = options.slack.lost_length = 0.05;
  Bench bench(options, 40, soft);
  REQUIRE(bench.settle());
  bench.plant.push = {0, 0, 120};
  for (int i = 0; i < 100; ++i) bench.cycle();
  CHECK(bench.state().finding != Finding::cut);
  CHECK(bench.state().activity != Activity::lowering);
}

TEST_CASE("a cable that loses its tension at once is called cut sooner than one that loses it bit by bit") {
  const auto cut_after = [](int cycles_to_none) {
    SlackWatch watch(cables::Robot::standard(), {});
    Still still;
    still.expected.lengths_told = false;
    for (int i = 0; i < cycles_to_none; ++i) {
      still.feedback.tensions[1] = 50.0 * (cycles_to_none - i) / cycles_to_none;
      (void)watch.step(still.feedback, still.expected, bench_cycle);
    }
    still.feedback.tensions[1] = 0;
    int cycles = 0;
    Finding found = Finding::fine;
    while (cycles < 1000 && found != Finding::cut) {
      found = watch.step(still.feedback, still.expected, bench_cycle).finding;
      ++cycles;
    }
    return cycles * bench_cycle;
  };
  CHECK(cut_after(1) == doctest::Approx(0.02 + 0.01 / 0.05).epsilon(0.05));
  CHECK(cut_after(500) == doctest::Approx(0.03 / 0.05).epsilon(0.05));
}

TEST_CASE("of several slack cables the one that was slack first is named and wound in") {
  SlackWatch watch(cables::Robot::standard(), {});
  Still still;
  still.expected.lengths_told = false;
  still.feedback.tensions[5] = 0;
  (void)watch.step(still.feedback, still.expected, bench_cycle);
  still.feedback.tensions[0] = still.feedback.tensions[7] = 0;
  for (int i = 0; i < 50; ++i) (void)watch.step(still.feedback, still.expected, bench_cycle);
  CHECK(watch.slack() == (1 << 0 | 1 << 5 | 1 << 7));
  const auto verdict = watch.step(still.feedback, still.expected, bench_cycle);
  CHECK(verdict.cable == 5);
  CHECK(watch.wound_in()[5] > 0);
  CHECK(watch.wound_in()[0] == 0);
  CHECK(watch.wound_in()[7] == 0);
  // Its turn comes when the first is taut.
  still.feedback.tensions[5] = 50;
  for (int i = 0; i < 10; ++i) (void)watch.step(still.feedback, still.expected, bench_cycle);
  CHECK(watch.wound_in()[0] > 0);
}

TEST_CASE("the platform is lowered when a cable is cut and the others can hold it") {
  for (const int cable : {1, 4, 6}) {
    CAPTURE(cable);
    ControlOptions options;
    options.lowering = {0.15, 1, 0.6, 4};
    Bench bench(options);
    REQUIRE(bench.settle());
    bench.plant.cut = static_cast<std::uint16_t>(1 << cable);
    int cycles = 0;
    while (cycles < 500 && bench.state().finding != Finding::cut) {
      bench.cycle();
      ++cycles;
    }
    CHECK(cycles * bench_cycle < 0.25);  // wound in by 10 mm
    CHECK(bench.state().cable == cable);
    CHECK(told(bench, "cable" + std::to_string(cable) + " is cut: lowering"));
    CHECK(bench.state().activity == Activity::lowering);
    CHECK_FALSE(bench.controller.target(bench.robot.home()).ok());
    double fastest = 0;
    double height = bench.plant.pose().translation().z();
    for (int i = 0; i < 4500 && bench.state().activity == Activity::lowering; ++i) {
      bench.cycle();
      const double now = bench.plant.pose().translation().z();
      fastest = std::max(fastest, std::abs(now - height) / bench_cycle);
      height = now;
    }
    CHECK(bench.state().activity == Activity::stopped);
    CHECK(bench.controller.last().command.mode == WinchMode::hold);
    CHECK(told(bench, "cable" + std::to_string(cable) + " is cut: lowered to"));
    CHECK(height < 0.1);   // of 0.3 m
    CHECK(fastest < 0.4);  // m/s: it swings while it is told to go 0.15 m/s
    CHECK(bench.most_tension < 120);
    MESSAGE("cable" << cable << " lowered to " << height << " m, fastest " << fastest << " m/s, most "
                    << bench.most_tension << " N");
    for (int i = 0; i < 50; ++i) bench.cycle();
    CHECK(bench.plant.pose().translation().z() == doctest::Approx(height).epsilon(0.02));
    // Latched, and the pose is that of the others.
    CHECK(bench.state().activity == Activity::stopped);
    CHECK((bench.state().X_world_platform.translation() - bench.plant.pose().translation()).norm() < 2e-3);
  }
}

TEST_CASE("a cut cable is named wherever the platform is and while it moves") {
  struct Where {
    double x, y, z;
    int cycles;  // of the way there
  };
  for (const Where& at : {Where{0.1, 0.1, 0.3, 600}, Where{0, -0.1, 0.4, 600}, Where{0.1, -0.05, 0.35, 120}}) {
    for (const int cable : {2, 5, 7}) {
      CAPTURE(at.x);
      CAPTURE(cable);
      Bench bench;
      REQUIRE(bench.settle());
      REQUIRE(bench.controller.target(test::level_pose(at.x, at.y, at.z)).ok());
      for (int i = 0; i < at.cycles; ++i) bench.cycle();
      bench.plant.cut = static_cast<std::uint16_t>(1 << cable);
      for (int i = 0; i < 350 && bench.state().activity != Activity::stopped; ++i) bench.cycle();
      CHECK(bench.state().finding == Finding::cut);
      CHECK(bench.state().cable == cable);
      CHECK(told(bench, "cable" + std::to_string(cable) + " is cut"));
    }
  }
}

TEST_CASE("the ways down are looked at one by one") {
  const auto looks = [](int cable, const Pose& from) {
    Path path(cables::Robot::standard(), {});
    path.restart(from);
    path.give_up(cable, 0.2, 0.1);
    std::optional<bool> found;
    int calls = 0;
    for (; calls < 200 && !found; ++calls) found = path.lower({0.1, 1, 0.5, 4});
    return std::pair(found.value_or(false), calls);
  };
  CHECK(looks(1, cables::Robot::standard().home()) == std::pair(true, 79));
  CHECK(looks(0, test::level_pose(0, -0.1, 0.4)) == std::pair(false, 79));
}

TEST_CASE("a cut cable ends in hold where the others cannot hold the platform") {
  Bench bench;
  REQUIRE(bench.settle());
  REQUIRE(bench.controller.target(test::level_pose(0, -0.1, 0.4)).ok());
  for (int i = 0; i < 600; ++i) bench.cycle();
  bench.plant.cut = 1;
  for (int i = 0; i < 1200 && bench.state().activity != Activity::stopped; ++i) bench.cycle();
  CHECK(bench.state().activity == Activity::stopped);
  CHECK(bench.state().finding == Finding::cut);
  CHECK(told(bench, "cable0 is cut and the others cannot hold"));
  CHECK(bench.controller.last().command.mode == WinchMode::hold);
}

TEST_CASE("a stuck winch stops all the others") {
  Bench bench;
  REQUIRE(bench.settle());
  bench.plant.stuck = 1 << 3;
  REQUIRE(bench.controller.target(test::level_pose(0.1, 0.1, 0.3)).ok());
  for (int i = 0; i < 500 && bench.state().activity != Activity::stopped; ++i) bench.cycle();
  CHECK(bench.state().activity == Activity::stopped);
  // A stiff cable is overloaded before its drum is far behind; either way it is named and all hold.
  CHECK((bench.state().finding == Finding::stuck || bench.state().finding == Finding::overload));
  CHECK_FALSE(bench.state().why.empty());
  CHECK(bench.controller.last().command.mode == WinchMode::hold);
  bench.plant.stuck = 0;
  bench.cycle();
  CHECK(bench.state().activity == Activity::stopped);  // latched
}

TEST_CASE("a drum that does not follow is named") {
  SlackWatch watch(cables::Robot::standard(), {});
  Still still;
  still.expected.commanded[2] += 0.012;
  Finding found = Finding::fine;
  int cycles = 0;
  while (cycles < 100 && found == Finding::fine) {
    const auto verdict = watch.step(still.feedback, still.expected, bench_cycle);
    found = verdict.finding;
    if (found != Finding::fine) CHECK(std::string(verdict.why.view()).find("winch 2 is stuck") != std::string::npos);
    ++cycles;
  }
  CHECK(found == Finding::stuck);
  CHECK(cycles == 25);  // 50 ms
}

TEST_CASE("an overload is told after a while") {
  SlackWatch watch(cables::Robot::standard(), {});
  Still still;
  still.feedback.tensions[7] = 130;
  Finding found = Finding::fine;
  for (int i = 0; i < 9; ++i) found = watch.step(still.feedback, still.expected, bench_cycle).finding;
  CHECK(found == Finding::fine);
  for (int i = 0; i < 3; ++i) found = watch.step(still.feedback, still.expected, bench_cycle).finding;
  CHECK(found == Finding::overload);
}

}  // namespace tandem::cable_robot
