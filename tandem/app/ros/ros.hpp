// SPDX-License-Identifier: Apache-2.0
// `tandem ros`: look at, call and debug any ROS 2 system from a machine without ROS.
#pragma once

#include <functional>
#include <utility>

namespace CLI {
class App;
}

namespace tandem::app::ros {

// Adds the command to the program. The answer is the command, and what runs the part of it that was chosen.
std::pair<CLI::App*, std::function<int()>> add_ros(CLI::App& program);

}  // namespace tandem::app::ros
