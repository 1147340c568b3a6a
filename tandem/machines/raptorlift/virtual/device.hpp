// SPDX-License-Identifier: Apache-2.0
// `tandem virtual raptorlift`: the virtual PLC behind a real Modbus TCP port, with the truck behind it.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "tandem/machines/machine.hpp"
#include "tandem/machines/raptorlift/description.hpp"
#include "tandem/machines/raptorlift/virtual/truck.hpp"

namespace tandem::net {
class Plug;
}  // namespace tandem::net

namespace tandem::raptorlift {

class PlcFaults;

inline constexpr std::uint16_t virtual_port = 1502;  // as 502 needs privileges

struct VirtualDeviceSetup {
  std::string listen = "127.0.0.1";
  std::uint16_t port = 0;  // 0: a free one
  Description description = {};
  bool physics = true;              // false: the plain plant
  Duration step = 5ms;              // of the physics and of the PLC's program; 1 to 10 ms
  double load = 0;                  // kg on the fork
  double friction = 1;              // of the ground
  Duration watchdog = 500ms;        // of the PLC
  bool heartbeat_required = false;  // D24 has to count, or the PLC stops
  std::size_t most_connections = 8;
  Duration idle_limit{0};  // a client that asks nothing for this long is closed; 0: never
  Clock* clock = nullptr;
  net::Plug* plug = nullptr;
  PlcFaults* faults = nullptr;
};

class VirtualDevice : public machines::VirtualDevice {
 public:
  // Where the truck really is and what its wheels do; from any thread.
  virtual TruckState truth() const = 0;
};

// Both listen when they return. They throw std::invalid_argument for an invalid setup, and std::runtime_error
// when the port cannot be had.
std::unique_ptr<VirtualDevice> make_virtual_device(const VirtualDeviceSetup& setup);
std::unique_ptr<machines::VirtualDevice> make_virtual_device(const machines::VirtualSetup& setup);

// Its configuration keys, beside those of the bridge, of which it shares all that the description is made from.
std::span<const machines::Option> virtual_options();

}  // namespace tandem::raptorlift
