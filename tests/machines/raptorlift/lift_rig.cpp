// SPDX-License-Identifier: Apache-2.0
#include "tests/machines/raptorlift/lift_rig.hpp"

#include <algorithm>
#include <cmath>

#include "tandem/machines/raptorlift/control/machine_options.hpp"
#include "tandem/machines/raptorlift/fleet/options.hpp"
#include "tandem/machines/raptorlift/options.hpp"
#include "tandem/runtime/config/config.hpp"

namespace tandem::raptorlift::rig {

machines::Options options(const std::vector<std::string>& settings) {
  const std::vector<machines::Option> table =
      machines::joined({bridge_options(), machine_options(), fleet::fleet_keys()});
  std::vector<std::string> all = {"cycle_hz=50", "feedback_timeout=0.6", "response_timeout=0.3", "acceleration=10"};
  all.insert(all.end(), settings.begin(), settings.end());
  return runtime::options_from_settings(table, all);
}

machines::Setup setup_for(const std::string& device, const std::vector<std::string>& settings, Clock& clock) {
  return {.name = "lift", .device = device, .options = options(settings), .clock = &clock};
}

bool Recorder::note(const modbus::Request& request) {
  if (const auto* write = std::get_if<modbus::WriteRegisters>(&request); write != nullptr && write->address == 0) {
    ++writes;
    const auto words = write->values.span();
    if (std::ranges::all_of(words, [](std::uint16_t word) { return word == 0; })) ++zeros;
    return words[0] != 0 || words[1] != 0 || words[4] != 0 || words[5] != 0;
  }
  if (const auto* coil = std::get_if<modbus::WriteCoil>(&request)) {
    const bool enable = coil->address > 8192;
    if (enable && !coil->value) ++disables;
    if (!enable && coil->value) ++pulses;
    return enable && coil->value;
  }
  return false;
}

SupervisedMachine::SupervisedMachine(const std::string& device, const std::vector<std::string>& settings, Clock& clock)
    : SupervisedLink(setup_for(device, settings, clock)) {
  driver_ = std::jthread([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (wants_) bridge->commands().post(VelocityInput::reference, {{v_, w_}, now()});
      pass(20ms);
    }
  });
}

bool SupervisedMachine::arm() {
  return arm_until([&] { return state().activity == Activity::driving; });
}

void SupervisedMachine::want(double v, double w) {
  v_ = v;
  w_ = w;
  wants_ = true;
}

VirtualDeviceSetup Truck::device_setup(PlcFaults& faults) {
  VirtualDeviceSetup setup;
  setup.physics = false;
  setup.step = 5ms;
  setup.watchdog = 1s;
  setup.clock = &system_clock();
  setup.faults = &faults;
  return setup;
}

double Truck::speed(const VirtualDevice& plc) {
  const TruckState truth = plc.truth();
  return std::max(std::abs(truth.speeds[0]), std::abs(truth.speeds[1]));
}

void play(const Row& row) { kit::play_on(row); }

}  // namespace tandem::raptorlift::rig
