// SPDX-License-Identifier: Apache-2.0
// Types of a ROS installation on this computer: the descriptions that Iron and later install beside each interface.
#pragma once

#include <string>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/ros2/types/type_support.hpp"

namespace tandem::app::ros {

// "example_interfaces/srv/AddTwoInts_Request", or any other part of a service or an action: itself first, then what its
// file describes besides. Looked for in share/ of `prefixes`, which are separated by colons as in AMENT_PREFIX_PATH.
Result<std::vector<ros2::TypeDescription>> installed_type(const std::string& name, std::string_view prefixes);

// The same from the text of such a file. Any text has an answer.
Result<std::vector<ros2::TypeDescription>> type_from_json(const std::string& name, std::string_view json);

}  // namespace tandem::app::ros
