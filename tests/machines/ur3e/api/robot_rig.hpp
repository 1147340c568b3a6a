// SPDX-License-Identifier: Apache-2.0
// A virtual UR3e and a robot of the API opened on it. Patient where machines that run tests are slow.
#pragma once

#include <memory>
#include <string>

#include "tandem/machines/ur3e/api/robot.hpp"
#include "tests/machines/ur3e/virtual/rig.hpp"

namespace tandem::ur3e {

inline RobotOptions patient(const std::string& device) {
  RobotOptions options;
  options.device = device;
  options.gripper = false;
  options.connect_within = 20s;
  options.link.frequency = 125;
  options.link.watchdog = {1500ms, 3s};
  options.link.stale_after = 2s;
  options.link.lost_after = 3s;
  options.link.connect_within = 5s;
  options.link.start_within = 10s;
  return options;
}

inline ControllerSetup quick_unlock() {
  ControllerSetup setup;
  setup.times = {0.05, 0.05, 0.2};
  return setup;
}

struct Cell {
  explicit Cell(ControllerSetup setup = quick_unlock()) : rig(std::move(setup)) {
    robot = open(patient(rig.device->url()));
  }

  static std::unique_ptr<Robot> open(const RobotOptions& options) {
    auto opened = Robot::open(options);
    REQUIRE_MESSAGE(opened.ok(), (opened ? "" : opened.error().text));
    return std::move(*opened);
  }

  Joint6D here() const {
    const auto joints = robot->actual_joint_positions();
    REQUIRE_MESSAGE(joints.ok(), (joints ? "" : joints.error().text));
    return *joints;
  }

  // Until the condition holds; false when time is up.
  template <typename Holds>
  static bool eventually(Holds holds, Duration most = 20s) {
    for (const Instant end = in(most); system_clock().now() < end; system_clock().sleep_until(in(5ms)))
      if (holds()) return true;
    return holds();
  }

  Rig rig;
  std::unique_ptr<Robot> robot;
};

// Its value, or its error in the log and the test ended.
template <typename T>
T good(Result<T> result) {
  REQUIRE_MESSAGE(result.ok(), (result ? "" : result.error().text));
  return std::move(*result);
}
inline void good(const Result<void>& result) { REQUIRE_MESSAGE(result.ok(), (result ? "" : result.error().text)); }

inline double farthest(const Joint6D& a, const Joint6D& b) {
  double most = 0;
  for (std::size_t i = 0; i < 6; ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

template <typename T>
std::string error_text(const Result<T>& result) {
  return result ? "" : result.error().text;
}

inline bool says(const std::string& text, const std::string& word) {
  const bool found = text.find(word) != std::string::npos;
  if (!found) MESSAGE("\"" << text << "\" does not say \"" << word << "\"");
  return found;
}

}  // namespace tandem::ur3e
