#include "tandem/ros2/messages/registry.hpp"

#include <algorithm>

#include "tandem/ros2/messages/registry_entries.hpp"

namespace tandem::ros2 {
namespace {

std::array<std::span<const detail::RegistryEntry>, 5> groups() {
  return {detail::core_entries(), detail::world_entries(), detail::control_entries(), detail::arm_entries(),
          detail::vehicle_entries()};
}

const TypeSupport* find_full_name(std::string_view name) {
  for (const auto& group : groups()) {
    const auto found = std::ranges::find(group, name, &detail::RegistryEntry::name);
    if (found != group.end()) return &found->make();
  }
  return nullptr;
}

}  // namespace

const TypeSupport* find_type(std::string_view name) {
  const std::size_t slash = name.find('/');
  if (slash == std::string_view::npos) return nullptr;
  if (name.find('/', slash + 1) != std::string_view::npos) return find_full_name(name);
  for (const std::string_view kind : {"/msg", "/srv", "/action"}) {
    std::string full(name);
    if (const TypeSupport* type = find_full_name(full.insert(slash, kind))) return type;
  }
  return nullptr;
}

std::vector<std::string> known_types() {
  std::vector<std::string> names;
  for (const auto& group : groups()) {
    for (const detail::RegistryEntry& entry : group) names.emplace_back(entry.name);
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace tandem::ros2
