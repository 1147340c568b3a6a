// The machines this program knows.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "tandem/machines/machine.hpp"

namespace tandem::runtime {

class Registry {
 public:
  explicit Registry(std::vector<const machines::MachineType*> types) : types_(std::move(types)) {}

  const machines::MachineType* find(std::string_view name) const;  // null: unknown
  std::span<const machines::MachineType* const> types() const { return types_; }
  std::vector<std::string_view> names() const;

 private:
  std::vector<const machines::MachineType*> types_;
};

// Every machine of Tandem, one line each.
const Registry& all_machines();

}  // namespace tandem::runtime
