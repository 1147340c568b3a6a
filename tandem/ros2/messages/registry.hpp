// SPDX-License-Identifier: Apache-2.0
// The types that we know, found by name.
#pragma once

#include "tandem/ros2/types/type_support.hpp"

namespace tandem::ros2 {

// "std_msgs/msg/String"; "std_srvs/srv/SetBool_Request" and the other messages of services and actions;
// "std_srvs/srv/SetBool" and "control_msgs/action/GripperCommand" as whole types. The middle part may be missing:
// then a message goes before a service, and a service before an action. Null for a name that we do not know.
// A type is described when it is first asked for; the answer stays valid indefinitely.
const TypeSupport* find_type(std::string_view name);

// The full names of all of them, sorted.
std::vector<std::string> known_types();

}  // namespace tandem::ros2
