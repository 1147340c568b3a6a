// SPDX-License-Identifier: Apache-2.0
// The lists and project files of these tests, and what was written for them once by hand.
#pragma once

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "tandem/machines/generic/learn/proposal.hpp"
#include "tandem/machines/generic/schema/read.hpp"

namespace tandem::generic::testing {

inline std::string file_text(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  REQUIRE_MESSAGE(stream.is_open(), path);
  return {std::istreambuf_iterator<char>(stream), {}};
}
inline std::string golden(const std::string& name) { return file_text(std::string(TANDEM_GOLDEN) + "/" + name); }
inline std::string example(const std::string& name) { return file_text(std::string(TANDEM_EXAMPLES) + "/" + name); }

// What the reader makes of what is written; fails when it refuses anything.
inline std::shared_ptr<const Description> read_back(const ProposedDevice& device) {
  const std::string text = to_yaml(device);
  INFO(text);
  const yaml::Node root = yaml::parse(text, "learned.yaml");
  auto read = read_description(root.items.at(0).items.at(0), "learned.yaml", device.machine);
  for (const auto& problem : read.problems) FAIL_CHECK(problem.text);
  REQUIRE(read.description);
  return read.description;
}

}  // namespace tandem::generic::testing
