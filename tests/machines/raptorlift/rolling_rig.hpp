// The truck on its wheels, in MuJoCo, with bridge and PLC at their defaults: how far it really rolls after a fault.
#pragma once

#include <string_view>

#include "tests/machines/raptorlift/lift_rig.hpp"

namespace tandem::raptorlift::rig {

// Of the table in docs/raptorlift.md, by the name in its first column: what may be rolled at most (m).
double documented_bound(std::string_view fault);

VirtualLiftSetup rolling_setup();
std::vector<std::string> default_settings(const std::vector<std::string>& more = {});

// Fast enough to begin with (m/s), and so slow for so long that it stands.
constexpr double full_speed = 0.97, standing_speed = 0.01;
constexpr Duration standing_time = 400ms;

// Metres that it rolls until it stands, from `before` on; patience runs out in a test that fails.
double metres_to_rest(const VirtualLift& lift, double before);

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
  // Metres from now until it stands, whatever is done meanwhile, and a little longer.
  template <typename Strike>
  double rolls_after(Strike strike) {
    const double before = metres();
    strike(*this);
    metres_to_rest(*device, before);
    pass(standing_time);
    return metres_to_rest(*device, before);
  }
  bool coils_off();
};

}  // namespace tandem::raptorlift::rig
