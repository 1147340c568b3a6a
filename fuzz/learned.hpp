// SPDX-License-Identifier: Apache-2.0
// What must hold of every file that `tandem learn` writes: the reader takes it, and nothing in it can be written.
#pragma once

#include <cstdlib>

#include "tandem/machines/generic/learn/proposal.hpp"
#include "tandem/machines/generic/schema/read.hpp"

namespace tandem::generic {

inline void check_learned(const ProposedDevice& device) {
  const auto text = checked_yaml(device);
  if (!text) {
    if (text.error().fault != Fault::not_found && text.error().fault != Fault::unsupported) std::abort();
    return;
  }
  const yaml::Node root = yaml::parse(*text, "learned.yaml");
  const auto read = read_description(root.items.at(0).items.at(0), "learned.yaml", device.machine);
  if (!read.problems.empty() || !read.description || read.description->writes()) std::abort();
}

}  // namespace tandem::generic
