// SPDX-License-Identifier: Apache-2.0
// What a trajectory controller of a test moves: six joints that jump to the newest point whose time has come, and two
// fingers that may hold a thing.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/machines/ur3e/api/values.hpp"
#include "tandem/machines/ur3e/description.hpp"

namespace tandem::ur3e {

struct FollowedArm {
  struct Point {
    double t = 0;  // s from the start
    std::vector<double> positions;
  };

  void start(std::vector<std::string> names, std::vector<Point> way) {
    joints = std::move(names);
    points = std::move(way);
    begun = now();
  }
  double elapsed() const { return seconds(now() - begun); }
  // Whether it has arrived.
  bool follow() {
    const double t = elapsed();
    for (const Point& point : points)
      if (point.t <= t)
        for (std::size_t j = 0; j < joints.size(); ++j)
          if (const auto joint = std::ranges::find(joint_names, joints[j]); joint != joint_names.end())
            q[static_cast<std::size_t>(joint - joint_names.begin())] = point.positions[j];
    return points.empty() || t > points.back().t;
  }
  void grip(std::size_t finger, double position) { fingers[finger] = std::max(position, held); }

  // Names and positions of joint states, in an order of their own and with a joint of another machine, which has none.
  void describe(std::vector<std::string>& names, std::vector<double>& positions) const {
    names = {"stranger"};
    positions = {std::numeric_limits<double>::quiet_NaN()};
    for (std::size_t i = 6; i-- > 0;) {
      names.emplace_back(joint_names[i]);
      positions.push_back(q[i]);
    }
    for (std::size_t i = 0; i < 2; ++i) {
      names.emplace_back(hand::finger_joints[i]);
      positions.push_back(fingers[i]);
    }
  }

  Six q{0, -1.57, 1.57, -1.57, -1.57, 0};
  std::array<double, 2> fingers{0.025, 0.025};  // m
  double held = 0;                              // m of a finger: where they stop when closing
  std::vector<std::string> joints;
  std::vector<Point> points;
  Instant begun{};
};

}  // namespace tandem::ur3e
