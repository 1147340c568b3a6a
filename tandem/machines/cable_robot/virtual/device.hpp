// SPDX-License-Identifier: Apache-2.0
// `tandem virtual cable_robot`: the virtual winches behind a real Modbus TCP port, with the robot behind them.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tandem/machines/cable_robot/virtual/station.hpp"
#include "tandem/machines/machine.hpp"

namespace tandem::net {
class Plug;
}  // namespace tandem::net

namespace tandem::cable_robot {

class WinchFaults;

// What winches of this robot allow before they get any limits: the description's numbers, but as long as its frame
// needs and as strong as its cables are.
WinchLimits limits_for(const cables::Robot& robot);

struct VirtualDeviceSetup {
  std::string listen = "127.0.0.1";
  std::uint16_t port = 0;  // 0: a free one
  cables::Robot robot = cables::Robot::standard();
  StationOptions station = {};
  std::vector<std::string> script = {};  // of faults
  std::size_t most_connections = 8;
  Duration idle_limit{0};  // a client that asks nothing for this long is closed; 0: never
  Clock* clock = nullptr;
  net::Plug* plug = nullptr;
  WinchFaults* faults = nullptr;
};

class VirtualDevice : public machines::VirtualDevice {
 public:
  // Where the platform really is and what its cables pull; from any thread.
  virtual PlatformState truth() const = 0;
};

// Both listen when they return. They throw std::invalid_argument for an invalid setup, and std::runtime_error
// when the port cannot be had.
std::unique_ptr<VirtualDevice> make_virtual_device(const VirtualDeviceSetup& setup);
std::unique_ptr<machines::VirtualDevice> make_virtual_device(const machines::VirtualSetup& setup);

// Its configuration keys, beside those of the bridge, of which it shares `geometry`.
std::span<const machines::Option> virtual_options();

}  // namespace tandem::cable_robot
