// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/doctor/finding.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::app::doctor {

namespace {

std::string_view grade_word(Grade grade) {
  if (grade == Grade::fine) return "fine ";
  return grade == Grade::note ? "note " : "WRONG";
}

}  // namespace

std::string findings_text(const Findings& findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += fmt::format("{}  {}: {}\n", grade_word(finding.grade), finding.area, finding.text);
    if (!finding.fix.empty()) text += fmt::format("       -> {}\n", finding.fix);
  }
  return text;
}

bool all_well(const Findings& findings) {
  return std::none_of(findings.begin(), findings.end(), [](const Finding& f) { return f.grade == Grade::wrong; });
}

}  // namespace tandem::app::doctor
