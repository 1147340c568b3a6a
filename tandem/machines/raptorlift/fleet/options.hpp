// SPDX-License-Identifier: Apache-2.0
// Configuration keys by which a fleet master drives the truck over MQTT (VDA 5050).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "tandem/base/clock.hpp"
#include "tandem/machines/options.hpp"
#include "tandem/protocols/vda5050/write.hpp"

namespace tandem::raptorlift::fleet {

enum class OnBrokerLoss : std::uint8_t { finish_base, pause };

struct FleetOptions {
  vda5050::Identity identity;
  OnBrokerLoss on_broker_loss = OnBrokerLoss::finish_base;
  Duration disarm_after = 60s;  // without a broker, once the truck stands; 0: never
  double battery = 80;          // percent; the PLC does not know it
  std::string map_id;           // empty: the one that initPosition names
  Duration state_interval = 30s, visualization_interval = 1s;
};

std::span<const machines::Option> fleet_keys();
// None unless `vda5050` is set. Throws std::invalid_argument for values that cannot be part of a topic, and for options
// of the machine that another commander than the fleet needs.
std::optional<FleetOptions> fleet_options_from(const machines::Options& options);

}  // namespace tandem::raptorlift::fleet
