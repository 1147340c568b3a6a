// SPDX-License-Identifier: Apache-2.0
// What `tandem learn` has found of a device, and its file. Outputs are only ever proposed as comments.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tandem/machines/generic/description.hpp"

namespace tandem::generic {

struct ProposedSignal {
  std::string name;                 // already a valid name of a signal
  std::string at;                   // as the file says it: "holding 16", "GVL.aBelt"
  std::string type;                 // "uint16", "ARRAY [1..4] OF ST_Belt"; empty: the default
  std::string order;                // empty: the file's
  std::string scale, offset, unit;  // empty: none
  Names names;
  std::vector<std::string> reasons;  // lines of comment above it: "as float32 cdab: 12.41, 12.44 (abcd: 3.1e-29)"
  std::string write;                 // an output that is proposed as a comment: "{limits: [0, 100], rate: none}"
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

// A valid name of a signal out of any text; `taken` are those that exist.
std::string signal_name_from(std::string_view text, const std::vector<ProposedSignal>& taken);

}  // namespace tandem::generic
