// SPDX-License-Identifier: Apache-2.0
// The quality of service that a topic had, as recordings tell it: the way rosbag2 does, so that its player offers what
// the publisher did.
#pragma once

#include <string>
#include <string_view>

#include "tandem/record/mcap.hpp"
#include "tandem/ros2/qos.hpp"

namespace tandem::runtime {

inline constexpr const char* qos_key = "offered_qos_profiles";  // in the metadata of a channel

std::string text_from_qos(const ros2::Qos& qos);
// Reliability and durability, in numbers or in words; what the text does not say is as the standard profile has it.
ros2::Qos qos_from_text(std::string_view text);
ros2::Qos recorded_qos(const record::mcap::Channel& channel);

}  // namespace tandem::runtime
