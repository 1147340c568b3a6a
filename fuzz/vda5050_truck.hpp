// SPDX-License-Identifier: Apache-2.0
// The vehicle that the targets vda5050_* fuzz: its truck takes every path, and ends each action when asked once.
#pragma once

#include <cstdlib>

#include "tandem/protocols/vda5050/vehicle.hpp"

namespace tandem::vda5050 {

class FuzzTruck final : public Truck {
 public:
  std::optional<Problem> check(const Order&) override { return std::nullopt; }
  std::optional<Problem> plan(const Order&, bool) override { return std::nullopt; }
  void adopt() override {}
  std::optional<std::string> place(const Position&) override { return std::nullopt; }
  ActionReport begin(const Action&) override { return {ActionStatus::initializing, ""}; }
  ActionReport poll(const Action&) override { return {ActionStatus::finished, ""}; }
  void interrupt(const Action&) override {}
};

inline const Identity fuzz_identity{Version::v2_1, "uagv", "m", "s"};

inline VehicleOptions fuzz_options() {
  VehicleOptions options;
  options.identity = fuzz_identity;
  for (const char* type : {"cancelOrder", "startPause", "stopPause", "stateRequest", "factsheetRequest"})
    options.factsheet.actions.push_back({type, {Scope::instant}, {}});
  options.factsheet.actions.push_back(
      {"initPosition",
       {Scope::instant},
       {{"x", "NUMBER"}, {"y", "NUMBER"}, {"theta", "NUMBER"}, {"mapId", "STRING"}, {"lastNodeId", "STRING", true}}});
  options.factsheet.actions.push_back({"beep", {Scope::node, Scope::edge}, {}});
  return options;
}

inline void fuzz_step(Vehicle& vehicle) {
  Observation seen;
  seen.mode = OperatingMode::automatic;
  seen.position = Position{0, 0, 0, "m", true};
  vehicle.observe(seen);
  (void)vehicle.take({});
}

inline void fuzz_check(const Vehicle& vehicle) {
  std::size_t released = 0;
  for (const Node& node : vehicle.nodes()) released += node.released ? 1 : 0;
  if (vehicle.goal().nodes > released || vehicle.nodes().size() != vehicle.edges().size()) std::abort();
}

}  // namespace tandem::vda5050
