// SPDX-License-Identifier: Apache-2.0
// Any text as the terms of a fault, which are read back as they were printed or refused in words; as a schedule, which
// is written and read again; and as the reports that `tandem chaos` reads.
#include <cstdlib>

#include "tandem/runtime/chaos/report.hpp"
#include "tandem/runtime/chaos/schedule.hpp"
#include "tandem/yaml/tree.hpp"

namespace {

using namespace tandem::runtime::chaos;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_schedule(std::string_view text) {
  Schedule schedule;
  try {
    schedule = parse_schedule(text, "run.yaml");
  } catch (const tandem::yaml::FileError& error) {
    return require(!error.problems().empty());
  }
  const std::string written = text_of(schedule);
  require(text_of(parse_schedule(written, "run.yaml")) == written);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto terms = parse_terms(text)) {
    const auto again = parse_terms(text_of(*terms));
    require(again && *again == *terms);
    require(lasts(*terms) || terms->reset || terms->half_open);
    require(length_of(*terms) <= longest && !words_of(*terms).empty());
    static_cast<void>(faults_of(*terms));
  } else {
    require(!terms.error().text.empty());
  }
  // What cannot be one of these is refused by exceptions, which would take most of the time.
  if (text.find("faults") != text.npos) check_schedule(text);
  if (text.starts_with('[')) {
    if (const auto reports = reports_from_json(text)) require(reports_from_json(json_from_reports(*reports)).ok());
  }
  return 0;
}
