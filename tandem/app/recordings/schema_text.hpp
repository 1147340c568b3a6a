// SPDX-License-Identifier: Apache-2.0
// A message type from the text that recordings carry ("ros2msg"): the type, then all it contains, each after a line of
// '=' and one that names it. Any text may come.
#pragma once

#include <string>
#include <string_view>

#include "tandem/ros2/types/dynamic.hpp"

namespace tandem::app {

// `name` is that of the first: "geometry_msgs/msg/Twist". The error names the line.
Result<ros2::DynamicType> type_from_text(std::string_view name, std::string_view text);

// The other way round, for types that only a peer knows.
std::string text_from_type(const ros2::DynamicType& type);

}  // namespace tandem::app
