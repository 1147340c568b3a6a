#include "tandem/ros2/messages/all_vehicles.hpp"
#include "tandem/ros2/messages/registry_entries.hpp"

namespace tandem::ros2::detail {

std::span<const RegistryEntry> vehicle_entries() { return entries_of(EveryMessage<VehicleTypes>{}); }

}  // namespace tandem::ros2::detail
