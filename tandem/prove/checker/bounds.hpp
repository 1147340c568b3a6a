// SPDX-License-Identifier: Apache-2.0
// The bounds that a history is judged by: stated here once, and in docs/prove.md and docs/MACHINE.md for people; a test
// holds the two together.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

namespace tandem::prove::checker {

// In the unit of the machine's truth: m, or rad for the joints of an arm.
struct Bounds {
  std::string_view type;
  double coast = 0;         // from the end of a permission to standstill, whatever ended it
  double stop_time = 0;     // s, the same
  double loss_time = 0;     // s, from the loss of the link to standstill
  double notice = 0;        // s, from the loss of the link until it is disarmed; a shorter one need not be noticed
  double link_back = 0;     // s, from a link that is possible again to live samples
  double command_age = 0;   // s: what a motion command may still cause after it was given last
  double published = 0.2;   // s: what is published may be so old
  double replayed = 0;      // s: how long a device that repeats itself is not believed afterwards
  double rest = 0;          // per s: slower is standstill
  std::size_t axes = 0;     // of the truth's position that are judged; a submarine that is disarmed floats up
  bool moves = true;        // false: read only, and nothing may ever be written
  double switch_off = 0.1;  // s after the end of a permission in which it may still be braked and switched off
};
const Bounds* bounds_of(std::string_view type);  // null: unknown
std::span<const Bounds> all_bounds();

// How far it may go after the loss of its link, by the fault that it was, and which row of which document says so.
struct LossRow {
  std::string_view type, verb;
  double distance = 0;        // m or rad
  std::string_view document;  // "raptorlift.md"
  std::string_view row;       // first cell of the row
  std::string_view cell;      // as the document writes the distance
};
std::span<const LossRow> loss_rows();
std::optional<double> loss_distance(std::string_view type, std::string_view verb);

}  // namespace tandem::prove::checker
