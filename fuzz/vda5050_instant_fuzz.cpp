// SPDX-License-Identifier: Apache-2.0
// Any bytes as instant actions to a vehicle that has an order, one message per line: an end without a crash, and never
// a path that was not there before.
#include <cstdlib>
#include <string_view>

#include "fuzz/vda5050_truck.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem::vda5050;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  FuzzTruck truck;
  Vehicle vehicle(fuzz_options(), truck);
  fuzz_step(vehicle);
  vehicle.receive_order(
      R"({"headerId":0,"timestamp":"","version":"2.1.0","manufacturer":"m","serialNumber":"s","orderId":"A",)"
      R"("orderUpdateId":0,"nodes":[{"nodeId":"a","sequenceId":0,"released":true,"actions":[]},)"
      R"({"nodeId":"b","sequenceId":2,"released":true,"actions":[]}],"edges":[{"edgeId":"e","sequenceId":1,)"
      R"("released":true,"startNodeId":"a","endNodeId":"b","actions":[]}]})",
      false, {});
  if (vehicle.nodes().size() != 1) std::abort();
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const std::size_t nodes = vehicle.nodes().size();
    vehicle.receive_instant_actions(line, false, {});
    fuzz_step(vehicle);
    if (vehicle.nodes().size() > nodes) std::abort();
    fuzz_check(vehicle);
  }
  return 0;
}
