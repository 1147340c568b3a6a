// SPDX-License-Identifier: Apache-2.0
// What `tandem doctor` finds: its state, in words, and what to do about it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace tandem::app::doctor {

enum class Grade { fine, note, wrong };

struct Finding {
  Grade grade = Grade::fine;
  std::string area;   // "real-time", "ports"
  std::string text;   // its state
  std::string fix{};  // what to do; empty when nothing is to be done
};
using Findings = std::vector<Finding>;

// A line for each, and one more for what to do.
std::string findings_text(const Findings& findings);
bool all_well(const Findings& findings);  // nothing is wrong; notes are allowed

}  // namespace tandem::app::doctor
