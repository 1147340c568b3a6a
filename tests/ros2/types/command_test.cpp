// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "tandem/ros2/types/command_rules.hpp"
#include "tandem/ros2/types/trajectory_check.hpp"

namespace tandem::ros2 {
namespace {

using trajectory_msgs::JointTrajectory;

const std::vector<std::string> joints = {"shoulder", "elbow", "wrist"};

JointTrajectory good() {
  JointTrajectory trajectory;
  trajectory.joint_names = {"wrist", "shoulder", "elbow"};
  for (int i = 1; i <= 3; ++i) {
    auto& point = trajectory.points.emplace_back();
    point.positions = {0.1 * i, 0.2 * i, 0.3 * i};
    point.time_from_start.sec = i;
  }
  return trajectory;
}

template <typename Spoil>
std::string refusal(Spoil spoil, TrajectoryRules rules = {.joints = joints}) {
  JointTrajectory trajectory = good();
  spoil(trajectory);
  const auto columns = check_trajectory(trajectory, rules);
  return columns ? "" : columns.error().text;
}

}  // namespace

TEST_CASE("D8 a trajectory that can be followed gives the column of every joint") {
  const auto columns = check_trajectory(good(), {.joints = joints});
  REQUIRE(columns.ok());
  CHECK(*columns == std::vector<int>{1, 2, 0});
  JointTrajectory some = good();
  some.joint_names = {"elbow"};
  for (auto& point : some.points) point.positions = {1.0};
  const auto partial = check_trajectory(some, {.joints = joints, .all_joints = false});
  REQUIRE(partial.ok());
  CHECK(*partial == std::vector<int>{-1, 0, -1});
}

TEST_CASE("D8 a trajectory with arrays and times and joints that do not fit is refused by name") {
  CHECK(refusal([](auto& t) { t.points[1].positions.pop_back(); }) ==
        "joint trajectory: point 1: positions: expected one for each of 3 joints, got 2");
  CHECK(refusal([](auto& t) { t.points[0].positions.clear(); }) ==
        "joint trajectory: point 0: positions: expected one for each of 3 joints, got 0");
  CHECK(refusal([](auto& t) { t.points[2].velocities = {1.0}; }) ==
        "joint trajectory: point 2: velocities: expected one for each of 3 joints, got 1");
  CHECK(refusal([](auto& t) { t.points[2].time_from_start = t.points[1].time_from_start; }) ==
        "joint trajectory: point 2 at 2.000 s is not after point 1 at 2.000 s");
  CHECK(refusal([](auto& t) { std::swap(t.points[0], t.points[2]); }) ==
        "joint trajectory: point 1 at 2.000 s is not after point 0 at 3.000 s");
  CHECK(refusal([](auto& t) {
          t.points[0].time_from_start = {-1, 0};
        }) == "joint trajectory: point 0 is 1.000 s before the start");
  CHECK(refusal(
            [](auto& t) {
              t.points[0].time_from_start = {0, 0};
            },
            {.joints = joints, .shortest = 10ms}) ==
        "joint trajectory: the first point is at 0.000 s, but reaching it takes at least 0.010 s");
  CHECK(refusal([](auto& t) { t.points[0].time_from_start = {0, 0}; }).empty());  // where the machine stands already
  CHECK(refusal([](auto& t) {
          t.joint_names[1] = "shuolder";
        }).starts_with("joint trajectory: unknown joint 'shuolder'; did you mean 'shoulder'?"));
  CHECK(refusal([](auto& t) { t.joint_names[1] = "wrist"; }) == "joint trajectory: joint 'wrist' is named twice");
  CHECK(refusal([](auto& t) {
          t.joint_names.pop_back();
          for (auto& point : t.points) point.positions.pop_back();
        }) == "joint trajectory: joint 'elbow' is missing; expected shoulder, elbow, wrist");
  CHECK(refusal([](auto& t) { t.points.clear(); }) == "joint trajectory: no points");
  CHECK(refusal([](auto& t) { t.joint_names.clear(); }) == "joint trajectory: no joint names");
  CHECK(refusal([](auto& t) { t.points[1].positions[2] = std::nan(""); }) ==
        "joint trajectory: point 1: positions: expected finite numbers, got NaN or infinity");
  CHECK(refusal([](auto& t) {
          t.points[1].effort = {0, 0, std::numeric_limits<double>::infinity()};
        }) == "joint trajectory: point 1: effort: expected finite numbers, got NaN or infinity");
  CHECK(refusal([](auto&) {}, {.joints = joints, .most_points = 2}) ==
        "joint trajectory: points: expected at most 2, got 3");
}

TEST_CASE("D10 a command stamped in the past or the future is refused with the reason") {
  const UtcTime now(1'000'000s);
  const CommandRules rules;
  CHECK(stamp_trouble(message_from(now), now, rules).empty());
  CHECK(stamp_trouble({}, now, rules).empty());
  CHECK(stamp_trouble(message_from(now - 499ms), now, rules).empty());
  CHECK(stamp_trouble(message_from(now - 2s), now, rules) == "its stamp is 2.000 s old; the maximum is 0.500 s");
  CHECK(stamp_trouble(message_from(now + 99ms), now, rules).empty());
  CHECK(stamp_trouble(message_from(now + 3600s), now, rules) == "its stamp is 3600.000 s in the future");
}

}  // namespace tandem::ros2
