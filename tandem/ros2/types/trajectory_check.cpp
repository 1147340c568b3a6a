// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/types/trajectory_check.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "tandem/base/nearest.hpp"

namespace tandem::ros2 {
namespace {

using trajectory_msgs::JointTrajectoryPoint;

Error bad(std::string text) { return {Fault::invalid, "joint trajectory: " + std::move(text)}; }

Result<std::vector<int>> columns_of(std::span<const std::string> named, const TrajectoryRules& rules) {
  std::vector<int> columns(rules.joints.size(), -1);
  for (std::size_t column = 0; column < named.size(); ++column) {
    const auto joint = std::ranges::find(rules.joints, named[column]);
    if (joint == rules.joints.end()) {
      const std::vector<std::string_view> known(rules.joints.begin(), rules.joints.end());
      return bad(fmt::format("unknown joint '{}'{}", printable(named[column]), suggestion(named[column], known)));
    }
    int& place = columns[static_cast<std::size_t>(joint - rules.joints.begin())];
    if (place >= 0) return bad(fmt::format("joint '{}' is named twice", named[column]));
    place = static_cast<int>(column);
  }
  if (named.empty()) return bad("no joint names");
  const auto missing = std::ranges::find(columns, -1);
  if (rules.all_joints && missing != columns.end()) {
    return bad(fmt::format("joint '{}' is missing; expected {}",
                           rules.joints[static_cast<std::size_t>(missing - columns.begin())],
                           fmt::join(rules.joints, ", ")));
  }
  return columns;
}

std::string trouble_of(const JointTrajectoryPoint& point, std::size_t joints) {
  struct Part {
    const char* name;
    const std::vector<double>& values;
    bool needed;
  };
  for (const Part& part : {Part{"positions", point.positions, true}, Part{"velocities", point.velocities, false},
                           Part{"accelerations", point.accelerations, false}, Part{"effort", point.effort, false}}) {
    if (part.values.empty() && !part.needed) continue;
    if (part.values.size() != joints) {
      return fmt::format("{1}: expected one for each of {2} joints, got {0}", part.values.size(), part.name, joints);
    }
    if (!std::ranges::all_of(part.values, [](double value) { return std::isfinite(value); })) {
      return fmt::format("{}: expected finite numbers, got NaN or infinity", part.name);
    }
  }
  return "";
}

}  // namespace

Result<std::vector<int>> check_trajectory(const trajectory_msgs::JointTrajectory& trajectory,
                                          const TrajectoryRules& rules) {
  auto columns = columns_of(trajectory.joint_names, rules);
  if (!columns) return columns;
  if (trajectory.points.empty()) return bad("no points");
  if (trajectory.points.size() > rules.most_points) {
    return bad(fmt::format("points: expected at most {1}, got {0}", trajectory.points.size(), rules.most_points));
  }
  Duration last = -1ns;
  for (std::size_t i = 0; i < trajectory.points.size(); ++i) {
    const JointTrajectoryPoint& point = trajectory.points[i];
    if (const std::string trouble = trouble_of(point, trajectory.joint_names.size()); !trouble.empty()) {
      return bad(fmt::format("point {}: {}", i, trouble));
    }
    const Duration time =
        std::chrono::seconds(point.time_from_start.sec) + std::chrono::nanoseconds(point.time_from_start.nanosec);
    if (time < 0s) return bad(fmt::format("point {} is {:.3f} s before the start", i, -seconds(time)));
    if (i > 0 && time <= last) {
      return bad(fmt::format("point {} at {:.3f} s is not after point {} at {:.3f} s", i, seconds(time), i - 1,
                             seconds(last)));
    }
    if (i == 0 && time < rules.shortest) {
      return bad(fmt::format("the first point is at {:.3f} s, but reaching it takes at least {:.3f} s", seconds(time),
                             seconds(rules.shortest)));
    }
    last = time;
  }
  return columns;
}

}  // namespace tandem::ros2
