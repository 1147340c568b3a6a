// SPDX-License-Identifier: Apache-2.0
// What `tandem status` knows of a machine, as a device of Sparkplug.
#pragma once

#include <map>
#include <string>

#include "tandem/protocols/sparkplug/device.hpp"
#include "tandem/runtime/supervision/status.hpp"

namespace tandem::runtime {

class Readings {
 public:
  sparkplug::Snapshot of(const MachineStatus& machine);

 private:
  std::map<std::string, std::string> faults_;  // the last one of each machine
};

}  // namespace tandem::runtime
