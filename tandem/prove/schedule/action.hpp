// SPDX-License-Identifier: Apache-2.0
// One thing that is done to a machine at a time: a fault of its link or device, a command, or a motion that is asked
// for. As a line: "4.250 raptorlift black_hole lasts=1.200", "5.000 ur3e arm by=service".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/result.hpp"

namespace tandem::prove {

enum class Kind : std::uint8_t {
  command,  // arm, stop, reset
  motion,   // asked for over ROS
  fault,    // of the link, until it is lifted
  device,   // the device itself: restarted or unplugged
};

struct Verb {
  std::string_view name;
  Kind kind{};
  std::string_view help;  // what a and b are
};
std::span<const Verb> verbs();
const Verb* find_verb(std::string_view name);  // null: unknown

struct Action {
  double at = 0;  // s since the beginning
  std::string machine;
  std::string verb;
  double lasts = 0;     // s; 0: done at once
  double a = 0, b = 0;  // see Verb::help
  std::string by{};     // of a command: direct, socket or service
  bool operator==(const Action&) const = default;
};

// Milliseconds of times, thousandths of a and b: what is printed is what is done.
std::string text_of(const Action& action);
Result<Action> action_from(std::string_view line);

// A line each; lines that are empty or begin with '#' are passed over. The error names the line.
std::string text_of(std::span<const Action> actions);
Result<std::vector<Action>> actions_from(std::string_view text);

}  // namespace tandem::prove
