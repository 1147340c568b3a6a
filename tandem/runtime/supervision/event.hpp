// SPDX-License-Identifier: Apache-2.0
// What happened to a machine, for the log and for people; told on changes only, never in a warm cycle.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace tandem::runtime {

struct Event {
  std::string machine;    // empty: the program itself
  std::string_view kind;  // one word: "live", "lost", "away", "stale", "disarmed", "faulted", ...
  std::string text;
  bool bad = false;  // a warning rather than news
};

// Called from the threads of machines, devices and control.
using OnEvent = std::function<void(const Event&)>;

// What a person will ask about: the black box is written.
struct Incident {
  std::string machine;     // empty: several, or none of them
  std::string_view cause;  // one word: "stopped", "lost", "residual", "protective_stop", "snapshot"
  std::string text;        // why
};

// As OnEvent; must not wait.
using OnIncident = std::function<void(const Incident&)>;

}  // namespace tandem::runtime
