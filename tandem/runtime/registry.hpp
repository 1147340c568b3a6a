// SPDX-License-Identifier: Apache-2.0
// The machines this program knows.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tandem/machines/machine.hpp"

namespace tandem::runtime {

class Registry {
 public:
  // Throws std::invalid_argument when two types have one name, or one has none.
  explicit Registry(std::vector<const machines::MachineType*> types);

  const machines::MachineType* find(std::string_view name) const;  // null: unknown
  std::span<const machines::MachineType* const> types() const { return types_; }
  std::vector<std::string_view> names() const;

 private:
  std::vector<const machines::MachineType*> types_;
};

// Every machine of Tandem, one line each.
const Registry& all_machines();
// These as well, behind Tandem's own.
Registry all_machines_and(std::span<const machines::MachineType* const> more);

}  // namespace tandem::runtime
