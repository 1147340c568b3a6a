// SPDX-License-Identifier: Apache-2.0
// The truck on its wheels, in MuJoCo, with bridge and PLC at their defaults: how far it really rolls after a fault.
#pragma once

#include <string_view>

#include "tests/machines/raptorlift/lift_rig.hpp"

namespace tandem::raptorlift::rig {

// The maximum distance (m) in the table of docs/raptorlift.md, by the fault in its first column.
double documented_bound(std::string_view fault);

VirtualDeviceSetup rolling_setup();
std::vector<std::string> default_settings(const std::vector<std::string>& more = {});

// Speed to start from, and what counts as standstill (m/s), for this time.
constexpr double full_speed = 0.97, standing_speed = 0.01;
constexpr Duration standing_time = 400ms;

// Waits for standstill and returns the distance since `before` (m).
double metres_to_rest(const VirtualDevice& lift, double before);

// What Truck has, on the ground and at the pace of the defaults.
struct RollingTruck : Truck {
  static DeviceSetup device_setup(Faults& faults) {
    DeviceSetup setup = rolling_setup();
    setup.faults = &faults;
    return setup;
  }
  static std::vector<std::string> settings(Mode, const std::vector<std::string>& settings) {
    return default_settings(settings);
  }
};

struct RollingRig : kit::ModbusRig<RollingTruck> {
  using kit::ModbusRig<RollingTruck>::ModbusRig;

  double metres() const { return device->truth().distance; }
  double forward() const { return device->truth().twist.vx; }  // m/s
  // Armed and at 1 m/s, forward or back. On a busy host it may take more than one arm.
  bool drive(double v = 1);
  // Distance (m) from the fault to standstill, and a little longer. The strike calls struck() at the moment of the
  // fault: if the test thread is delayed before it, the truck drives on in order.
  template <typename Strike>
  double rolls_after(Strike strike) {
    struck();
    strike(*this);
    metres_to_rest(*device, before_);
    pass(standing_time);
    return metres_to_rest(*device, before_);
  }
  void struck() { before_ = metres(); }
  bool coils_off();

 private:
  double before_ = 0;  // m
};

}  // namespace tandem::raptorlift::rig
