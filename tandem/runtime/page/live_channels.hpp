// SPDX-License-Identifier: Apache-2.0
// What Tandem says of itself beside ROS: the channels of the page, on a hub and in a recording alike, all JSON.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "tandem/runtime/page/watched.hpp"
#include "tandem/runtime/supervision/event.hpp"

namespace tandem::runtime {

enum class Live : std::uint8_t { scene, picture, status, latency, log };

struct LiveChannel {
  Live what;
  std::string_view topic;
  double hertz;             // of the page; 0: when something happens
  std::size_t keep;         // this many are sent to later clients
  std::string_view schema;  // JSON Schema
};
const std::array<LiveChannel, 5>& live_channels();
inline constexpr std::string_view command_service = "/tandem/command";
// Answers {"received": ns, "sent": ns}, UTC of this host, to any viewer: two of the four stamps of an exchange by which
// another host measures how far this clock is from its own.
inline constexpr std::string_view clock_service = "/tandem/clock";

// The message of a channel that has a rate. `time` is seconds since the epoch.
void compose(std::string& into, Live what, const Watched& watched, double time);
std::string log_json(const Event& event, double time);

}  // namespace tandem::runtime
