// SPDX-License-Identifier: Apache-2.0
// Messages as people type them: YAML, usually in flow style.
#pragma once

#include <string>

#include "tandem/ros2/types/dynamic.hpp"

namespace tandem::app::ros {

// "{data: 1.5}" and "data: 1.5" are the same; nothing at all is a message with its defaults.
Result<ros2::Value> value_from_yaml(const std::string& text);

// The bytes of such a message. The error names the field.
Result<std::vector<std::uint8_t>> message_from_yaml(const ros2::DynamicType& type, const std::string& text);

}  // namespace tandem::app::ros
