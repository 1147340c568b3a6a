// SPDX-License-Identifier: Apache-2.0
// Machines whose configuration is more than a table of options: their type reads its keys itself.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tandem/machines/machine.hpp"
#include "tandem/machines/ros_names.hpp"
#include "tandem/yaml/tree.hpp"

namespace tandem::machines {

// What MachineType::read made of the keys of one machine; handed to make, make_virtual and the others.
struct OwnConfig {
  virtual ~OwnConfig() = default;
  virtual std::string report() const { return {}; }  // printed by `tandem check`
  virtual RosNames ros_names() const { return {}; }  // as MachineType::ros_names of other types
};

struct OwnRead {
  std::shared_ptr<const OwnConfig> config;  // null where there are problems
  // The type with the protocol that these keys ask for; it has the same name.
  const MachineType* type = nullptr;
  std::vector<yaml::FileError::Problem> problems;
};

}  // namespace tandem::machines
