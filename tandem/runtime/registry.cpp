// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/registry.hpp"

#include <stdexcept>
#include <string>

#include "tandem/machines/cable_robot/control/machine.hpp"
#include "tandem/machines/em1500/control/machine.hpp"
#include "tandem/machines/generic/type.hpp"
#include "tandem/machines/orca/control/machine.hpp"
#include "tandem/machines/raptorlift/control/machine.hpp"
#include "tandem/machines/ur3e/control/machine.hpp"

namespace tandem::runtime {

Registry::Registry(std::vector<const machines::MachineType*> types) : types_(std::move(types)) {
  for (std::size_t i = 0; i < types_.size(); ++i) {
    if (types_[i] == nullptr || types_[i]->name.empty())
      throw std::invalid_argument("machine types: expected a name, got none");
    for (std::size_t j = 0; j < i; ++j) {
      if (types_[i]->name == types_[j]->name)
        throw std::invalid_argument("machine types: expected different names, got '" + std::string(types_[i]->name) +
                                    "' twice");
    }
  }
}

const machines::MachineType* Registry::find(std::string_view name) const {
  for (const auto* type : types_) {
    if (type->name == name) return type;
  }
  return nullptr;
}

std::vector<std::string_view> Registry::names() const {
  std::vector<std::string_view> names;
  names.reserve(types_.size());
  for (const auto* type : types_) names.push_back(type->name);
  return names;
}

const Registry& all_machines() {
  static const Registry registry({
      &cable_robot::machine_type(),
      &em1500::machine_type(),
      &generic::machine_type(),
      &orca::machine_type(),
      &raptorlift::machine_type(),
      &ur3e::machine_type(),
  });
  return registry;
}

Registry all_machines_and(std::span<const machines::MachineType* const> more) {
  const auto own = all_machines().types();
  std::vector<const machines::MachineType*> types(own.begin(), own.end());
  types.insert(types.end(), more.begin(), more.end());
  return Registry(std::move(types));
}

}  // namespace tandem::runtime
