// SPDX-License-Identifier: Apache-2.0
// ROS names: what may be one, what a name means inside a node, and what it becomes on DDS.
#pragma once

#include <string>
#include <string_view>

#include "tandem/base/result.hpp"

namespace tandem::ros2 {

// "talker"; letters, digits and underscores, no digit first.
Result<void> check_node_name(std::string_view name);

// "" and "/" are the root, "lab" and "/lab" the same; the answer starts with a slash.
Result<std::string> full_namespace(std::string_view name);

// "legs" -> "/lab/legs", "/legs" -> "/legs", "~/legs" -> "/lab/talker/legs", "~" -> "/lab/talker".
Result<std::string> full_topic_name(std::string_view topic, std::string_view node_namespace,
                                    std::string_view node_name);

// "/a/_b/c": a part that begins with an underscore.
bool is_hidden(std::string_view name);

// "/a/b" -> "rt/a/b".
std::string dds_topic_name(std::string_view full_name);
// The way back; "" when the DDS topic is no ROS topic.
std::string ros_topic_name(std::string_view dds_name);

// "/s" -> "rq/sRequest" and "rr/sReply".
std::string service_request_topic(std::string_view full_name);
std::string service_reply_topic(std::string_view full_name);
// The way back from either; "" when the DDS topic is none of a service.
std::string ros_service_name(std::string_view dds_name);

}  // namespace tandem::ros2
