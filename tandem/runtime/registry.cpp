#include "tandem/runtime/registry.hpp"

#include "tandem/machines/cable_robot/machine.hpp"
#include "tandem/machines/em1500/machine.hpp"
#include "tandem/machines/orca/machine.hpp"
#include "tandem/machines/raptorlift/machine.hpp"
#include "tandem/machines/ur3e/machine.hpp"

namespace tandem::runtime {

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
      &orca::machine_type(),
      &raptorlift::machine_type(),
      &ur3e::machine_type(),
  });
  return registry;
}

}  // namespace tandem::runtime
