// SPDX-License-Identifier: Apache-2.0
// What `tandem learn` has found of a device, and its file. Outputs are only ever proposed as comments.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tandem/machines/generic/description.hpp"

namespace tandem::generic {

inline constexpr std::size_t most_learned_signals = 2000;  // of one file
inline constexpr std::size_t most_file_bytes = 250'000;    // the reader takes 256 KiB

struct ProposedSignal {
  std::string name;                 // already a valid name of a signal
  std::string at;                   // as the file says it: "holding 16", "GVL.aBelt"
  std::string type;                 // "uint16", "ARRAY [1..4] OF ST_Belt"; empty: the default
  std::string order;                // empty: the file's
  std::string scale, offset, unit;  // empty: none
  Names names;
  std::vector<std::pair<std::string, std::string>> member_units;  // of a structure: "fSpeed", "m/s"
  std::vector<std::pair<std::string, Names>> member_names;
  std::vector<std::string> reasons;  // lines of comment above it: "as float32 cdab: 12.41, 12.44 (abcd: 3.1e-29)"
  std::string write;                 // an output that is proposed as a comment: "{limits: [0, 100], rate: none}"
  bool alias = false;                // its place is another signal's too
  bool commented = false;            // the whole entry only as a comment
};

struct ProposedDevice {
  std::string machine;  // the name under `machines`
  std::string device;   // URL
  std::string base;     // "40001"; empty: not said
  std::string order;
  std::vector<PlcStructure> types;
  std::vector<std::string> remarks;  // at the top: what was asked, what was left out and why
  std::vector<ProposedSignal> signals;
};

// A commented file that read_description takes as it is.
std::string to_yaml(const ProposedDevice& device);

// The same, read by the reader of such files: what it refuses becomes a comment that says why. An error when nothing is
// left, or when it is more than one file holds.
Result<std::string> checked_yaml(ProposedDevice device);

// Good when the file is one that can be used: signals that are not comments, and not more than fit one file.
Result<void> check(const ProposedDevice& device);

// A valid name of a signal out of any text; `taken` are those that exist.
std::string signal_name_from(std::string_view text, const std::vector<ProposedSignal>& taken);
// The same of a PLC path: "GVL.stX.fPos" is "pos", or as many of its parts as it takes to differ from the others.
std::string signal_name_from_path(std::string_view path, const std::vector<ProposedSignal>& taken);

// A unit out of a comment: "speed [mm/s]", "speed in mm/s", "speed, mm/s". Empty: none.
std::string unit_in(std::string_view comment);
// A unit as people write it in the spelling of the file: "°C" is "Cel", "l/min" is "L/min". Others as they are.
std::string unit_from(std::string_view text);
// "0=off, 1=running; 2: fault" with two values or more. Empty: none.
Names names_in(std::string_view comment);

// Text of strangers on one line, as UTF-8 without control characters; ISO-8859-1 where it is no UTF-8.
std::string one_line(std::string_view text, std::size_t longest = 160);
// The shortest text that reads as this number.
std::string shortest_number(double value);

}  // namespace tandem::generic
