// SPDX-License-Identifier: Apache-2.0
// The log: one line of key=value pairs per event, on standard error.
#pragma once

#include <string>
#include <string_view>

#include "tandem/runtime/supervision/event.hpp"

namespace tandem::runtime {

// trace, debug, info, warn, error or off.
void start_log(const std::string& level);

// `machine=platform event=lost text="the peer closed the connection"`. Any thread.
void log_event(const Event& event);
std::string event_line(const Event& event);

}  // namespace tandem::runtime
