// SPDX-License-Identifier: Apache-2.0
// Message types as the text of .msg files ("ros2msg"): the type itself, then everything that it contains, each after
// a line of 80 '=' and one that names it. This is the schema that MCAP files and Foxglove clients read.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "tandem/base/result.hpp"
#include "tandem/ros2/types/type_support.hpp"

namespace tandem::ros2 {

// Of a type that we know: "geometry_msgs/msg/Twist", "std_srvs/srv/SetBool_Request". Initial values are there,
// constants are not. An empty message has an empty text.
Result<std::string> ros2msg_text(std::string_view type);

// Of a type as a peer describes it: any description in, a text or an error out.
Result<std::string> ros2msg_text(const TypeDescription& root, std::span<const TypeDescription> referenced);

}  // namespace tandem::ros2
