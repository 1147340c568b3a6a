#include "tandem/ros2/messages/all_world.hpp"
#include "tandem/ros2/messages/registry_entries.hpp"

namespace tandem::ros2::detail {

std::span<const RegistryEntry> world_entries() { return entries_of(EveryMessage<WorldTypes>{}); }

}  // namespace tandem::ros2::detail
