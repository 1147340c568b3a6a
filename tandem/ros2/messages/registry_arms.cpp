#include "tandem/ros2/messages/all_arms.hpp"
#include "tandem/ros2/messages/registry_entries.hpp"

namespace tandem::ros2::detail {

std::span<const RegistryEntry> arm_entries() { return entries_of(EveryMessage<ArmTypes>{}); }

}  // namespace tandem::ros2::detail
