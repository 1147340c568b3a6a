// SPDX-License-Identifier: Apache-2.0
// Whether a joint trajectory can be followed at all, before any machine is asked to.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/base/result.hpp"
#include "tandem/ros2/messages/trajectory_msgs.hpp"

namespace tandem::ros2 {

struct TrajectoryRules {
  std::span<const std::string> joints;  // the machine's, in its order
  bool all_joints = true;               // or some of them
  Duration shortest = 0s;               // from the start to a first point that is not where the machine is
  std::size_t most_points = 100'000;
};

// Arrays of the right length (velocities, accelerations and effort may be missing), joints known and named once,
// times rising, all numbers finite; a point without positions is refused. The answer says for every joint of the
// machine which column of the trajectory is its own, or -1.
Result<std::vector<int>> check_trajectory(const trajectory_msgs::JointTrajectory& trajectory,
                                          const TrajectoryRules& rules);

}  // namespace tandem::ros2
