// SPDX-License-Identifier: Apache-2.0
// A status as text for people: a pure function, so that what the terminal shows can be tested.
#pragma once

#include <string>
#include <vector>

#include "tandem/runtime/supervision/event.hpp"
#include "tandem/runtime/supervision/status.hpp"

namespace tandem::app {

struct RenderOptions {
  bool color = false;
  std::size_t columns = 0;  // lines are cut here; 0: not at all
};

// The whole page: a head line, then each machine with link, latencies and its own values.
std::string render(const runtime::SystemStatus& status, const RenderOptions& options);

// A line for each machine: state, rate, age, arm, and what is the matter or what it does.
std::string render_brief(const runtime::SystemStatus& status, const RenderOptions& options);

// One line for all machines, for logs: "platform live 100.0 Hz age 4 ms; lift connecting: nobody listens".
std::string render_line(const runtime::SystemStatus& status);

// "platform: live: after 35 ms".
std::string render_event(const runtime::Event& event);

// A duration in the unit that suits it: "3.1 us", "12 ms", "4.0 s".
std::string short_time(double seconds);

// Cut to this many visible columns; escape sequences take none and stay whole.
std::string cut(const std::string& line, std::size_t columns);

}  // namespace tandem::app
