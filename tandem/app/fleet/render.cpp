// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/app/fleet/fleet.hpp"
#include "tandem/app/terminal/render.hpp"
#include "tandem/runtime/fleet/watch.hpp"

namespace tandem::app {

namespace {

// Of the machines of all hosts, so that columns stand below each other.
runtime::SystemStatus with_host_names(const runtime::HostState& state, std::size_t width) {
  runtime::SystemStatus status = *state.status;
  for (runtime::MachineStatus& machine : status.machines)
    machine.name = fmt::format("{:<{}}", fmt::format("{}/{}", state.name, machine.name), width);
  return status;
}

std::size_t longest_name(const std::vector<runtime::HostState>& states) {
  constexpr std::size_t most = 40;
  std::size_t width = 0;
  for (const runtime::HostState& state : states) {
    if (!state.status) continue;
    for (const auto& machine : state.status->machines)
      width = std::max(width, state.name.size() + 1 + machine.name.size());
  }
  return std::min(width, most);
}

std::string host_line(const runtime::HostState& state, bool color) {
  const auto toned = [&](const char* code, const std::string& text) {
    return color ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
  };
  if (!state.reachable)
    return fmt::format("{}  {}  {}: {}", toned("1", state.name), state.page, toned("31", "unreachable"), state.error);
  const std::string clock = state.clock ? "clock " + offset_text(state.clock->offset, state.clock->uncertainty)
                                        : "clock unknown" + (state.error.empty() ? "" : ": " + state.error);
  const std::string recording = !state.status->recording ? ""
                                : state.status->recording->trouble.empty()
                                    ? "  recording"
                                    : "  recording: " + state.status->recording->trouble;
  return fmt::format("{}  {}  tandem {}  {}{}{}", toned("1", state.name), state.page, state.version, clock,
                     state.may_control ? "" : "  read-only: no stop from here", recording);
}

}  // namespace

std::string offset_text(double offset, double uncertainty) {
  return fmt::format("{}{} ± {}", std::signbit(offset) ? "-" : "+", short_time(std::abs(offset)),
                     short_time(uncertainty));
}

std::string render_fleet(const std::vector<runtime::HostState>& states, bool color, std::size_t columns) {
  const std::size_t width = longest_name(states);
  std::string text;
  for (const runtime::HostState& state : states) {
    const std::string line = host_line(state, color);
    text += (columns > 0 ? cut(line, columns) : line) + '\n';
    if (state.reachable && state.status) text += render_brief(with_host_names(state, width), {color, columns});
  }
  return text;
}

std::string render_stops(const std::vector<runtime::HostStop>& stops) {
  std::size_t width = 0;
  for (const runtime::HostStop& stop : stops) width = std::max(width, stop.host.size());
  std::string text;
  for (const runtime::HostStop& stop : stops)
    text += fmt::format("{:<{}}  {}: {}\n", stop.host, width, stop.ok ? "stopped" : "NOT CONFIRMED", stop.text);
  const auto missing = std::ranges::count_if(stops, [](const auto& stop) { return !stop.ok; });
  if (missing > 0)
    text += fmt::format("{} of {} hosts did not confirm: use the machines' own stop\n", missing, stops.size());
  return text;
}

}  // namespace tandem::app
