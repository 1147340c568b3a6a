// SPDX-License-Identifier: Apache-2.0
// Any bytes as orders to a vehicle, one per line: an end without a crash; what is read and written again is the same;
// what is refused changes nothing but the errors; the goal never reaches into the horizon.
#include <cstdlib>
#include <string>
#include <string_view>

#include "fuzz/vda5050_truck.hpp"
#include "tandem/protocols/vda5050/read.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem::vda5050;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  FuzzTruck truck;
  Vehicle vehicle(fuzz_options(), truck);
  fuzz_step(vehicle);
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    if (const auto parsed = read_order(line); parsed.message) {
      const std::string once = write_order(fuzz_identity, {}, *parsed.message);
      const auto again = read_order(once);
      if (!again.message || write_order(fuzz_identity, {}, *again.message) != once) std::abort();
    }
    const std::uint64_t refused = vehicle.refused();
    const std::string id = vehicle.state().order_id;
    const std::size_t nodes = vehicle.nodes().size();
    vehicle.receive_order(line, false, {});
    if (vehicle.refused() != refused && (vehicle.state().order_id != id || vehicle.nodes().size() != nodes))
      std::abort();
    fuzz_check(vehicle);
    if (!vehicle.goal().hold) vehicle.pass_node();
    fuzz_step(vehicle);
  }
  return 0;
}
