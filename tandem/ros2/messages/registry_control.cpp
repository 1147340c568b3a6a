#include "tandem/ros2/messages/all_control.hpp"
#include "tandem/ros2/messages/registry_entries.hpp"

namespace tandem::ros2::detail {

std::span<const RegistryEntry> control_entries() { return entries_of(EveryMessage<ControlTypes>{}); }

}  // namespace tandem::ros2::detail
