// SPDX-License-Identifier: Apache-2.0
// Names and topics of Sparkplug B.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tandem/base/result.hpp"

namespace tandem::sparkplug {

inline constexpr std::string_view rebirth_metric = "Node Control/Rebirth";
inline constexpr std::string_view stop_metric = "Device Control/stop";
inline constexpr std::string_view sequence_metric = "bdSeq";

struct NodeName {
  std::string group, node;

  // spBv1.0/GROUP/KIND/NODE[/DEVICE]; kind: "NBIRTH", "DDATA", ...
  std::string topic(std::string_view kind, std::string_view device = {}) const;
};

std::string host_topic(std::string_view host);  // spBv1.0/STATE/HOST

// What an id may be: UTF-8 without + / # and control characters, 1 to 100 bytes.
Result<void> check_id(std::string_view what, std::string_view id);
// The device of a topic of that kind of this node; empty for the node's own; none for another topic.
std::optional<std::string_view> device_of(const NodeName& node, std::string_view kind, std::string_view topic);
// A metric's name with nothing in it that hosts stumble over; "/" divides its levels and stays.
std::string metric_name(std::string_view text);

}  // namespace tandem::sparkplug
