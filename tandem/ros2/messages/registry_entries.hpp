// The rows of the registry. One source for each group of types, since compiling all at once takes long.
#pragma once

#include <span>

#include "tandem/ros2/messages/every.hpp"
#include "tandem/ros2/type_support.hpp"

namespace tandem::ros2::detail {

struct RegistryEntry {
  std::string_view name;
  const TypeSupport& (*make)();
};

std::span<const RegistryEntry> arm_entries();
std::span<const RegistryEntry> control_entries();
std::span<const RegistryEntry> core_entries();
std::span<const RegistryEntry> vehicle_entries();
std::span<const RegistryEntry> world_entries();

template <typename... M>
std::span<const RegistryEntry> entries_of(Types<M...>) {
  static constexpr RegistryEntry entries[] = {{M::type_name, &type_support<M>}...};
  return entries;
}

}  // namespace tandem::ros2::detail
