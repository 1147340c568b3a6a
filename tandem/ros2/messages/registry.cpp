// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/messages/registry.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <mutex>

#include "tandem/ros2/messages/groups/all.hpp"
#include "tandem/ros2/messages/groups/every.hpp"

namespace tandem::ros2 {
namespace {

template <typename... M>
constexpr auto table_of(Types<M...>) {
  return std::array<const detail::RawType*, sizeof...(M)>{&detail::RawTypeOf<M>::type...};
}

constexpr auto table =
    table_of(JoinedTypes<EveryMessage<CoreTypes>, EveryMessage<WorldTypes>, EveryMessage<ControlTypes>,
                         EveryMessage<ArmTypes>, EveryMessage<VehicleTypes>>{});

const TypeSupport* find_full_name(std::string_view name) {
  static std::mutex mutex;
  static std::map<std::string_view, TypeSupport> made;  // its elements stay where they are
  const auto found = std::ranges::find(table, name, [](const detail::RawType* type) { return type->name; });
  if (found == table.end()) return nullptr;
  const std::lock_guard lock(mutex);
  const auto known = made.find(name);
  if (known != made.end()) return &known->second;
  return &made.emplace((*found)->name, detail::make_type_support(**found)).first->second;
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
  for (const detail::RawType* type : table) names.emplace_back(type->name);
  std::ranges::sort(names);
  return names;
}

}  // namespace tandem::ros2
