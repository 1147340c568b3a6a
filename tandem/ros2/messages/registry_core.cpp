#include "tandem/ros2/messages/all_core.hpp"
#include "tandem/ros2/messages/registry_entries.hpp"

namespace tandem::ros2::detail {

std::span<const RegistryEntry> core_entries() { return entries_of(EveryMessage<CoreTypes>{}); }

}  // namespace tandem::ros2::detail
