// SPDX-License-Identifier: Apache-2.0
// Cable robots from files: the YAML of the public cdpr package (github.com/oKermorgant/cdpr), with some keys of our own
// that a file may have besides: name, home, stiffness, pulley_radius, cable_weight and drum beside `points`, centre
// within `platform`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tandem/kinematics/cable/robot.hpp"
#include "tandem/machines/cable_robot/geometry/fittings.hpp"

namespace tandem::cable_robot {

struct GeometryFile {
  cables::Robot robot;
  // What was left out of account or put in its place, one sentence each with file and line: the format is another
  // project's, and its files tell more, and sometimes less, than we need.
  std::vector<std::string> notes;
  Fittings fittings;  // for those who ask; the controller takes cables as straight
};

// Any text in; the error has a line for each problem, with file, line, what was expected and what was seen.
Result<GeometryFile> geometry_from_text(std::string_view text, const std::string& file);
Result<GeometryFile> geometry_from_file(const std::string& file);
Result<cables::Robot> robot_from_file(const std::string& file);

}  // namespace tandem::cable_robot
