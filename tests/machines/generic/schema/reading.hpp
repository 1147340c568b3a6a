// SPDX-License-Identifier: Apache-2.0
// Descriptions from texts, for tests.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "tandem/machines/generic/schema/read.hpp"

namespace tandem::generic::testing {

// The keys of a machine named press, or an exception with all problems.
inline std::shared_ptr<const Description> must_read(std::string_view text, const std::string& file = "press.yaml") {
  auto read = read_description(yaml::parse(text, file), file, "press");
  if (!read.problems.empty()) throw yaml::FileError(read.problems);
  return read.description;
}

// All problems, one in a line: "press.yaml:3:5: ..."; empty: none.
inline std::string problems_of(std::string_view text, const std::string& file = "press.yaml") {
  try {
    must_read(text, file);
    return {};
  } catch (const yaml::FileError& error) {
    return error.what();
  }
}

}  // namespace tandem::generic::testing
