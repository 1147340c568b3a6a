// SPDX-License-Identifier: Apache-2.0
// A virtual forklift on the plain plant, a fault proxy before it, and the bridge under its supervisor, with a recorder
// that sees every byte the bridge sends and every state it shares.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tandem/machines/raptorlift/control/machine.hpp"
#include "tandem/machines/raptorlift/virtual/device.hpp"
#include "tandem/machines/raptorlift/virtual/faults.hpp"
#include "tests/machines/rigs/modbus_rig.hpp"

namespace tandem::raptorlift::rig {

using kit::eventually;
using kit::Mode;
using kit::pass;
using kit::port_of;

// The bridge's settings in tests: host and sanitizer may be slow, so times are longer than the defaults.
machines::Options options(const std::vector<std::string>& settings = {});
machines::Setup setup_for(const std::string& device, const std::vector<std::string>& settings = {},
                          Clock& clock = system_clock());

// Motions are commands with a speed, or an enable.
class Recorder final : public kit::ModbusRecorder {
 public:
  Recorder() : ModbusRecorder(1s) {}

  std::atomic<std::uint64_t> pulses{0};    // of M0
  std::atomic<std::uint64_t> disables{0};  // coils M1 to M4 switched off
  std::atomic<std::uint64_t> zeros{0};     // D0 to D15 all zero
  std::atomic<std::uint64_t> writes{0};    // of D0 to D15

 private:
  bool note(const modbus::Request& request) override;
};

class SupervisedMachine : public kit::SupervisedLink<Machine, Recorder> {
 public:
  explicit SupervisedMachine(const std::string& device, const std::vector<std::string>& settings = {},
                             Clock& clock = system_clock());

  // Resets, arms, and waits until the motors are on.
  bool arm();
  // A reference every 20 ms until told otherwise.
  void want(double v, double w);
  void want_nothing() { wants_ = false; }

 private:
  std::atomic<bool> wants_{false};
  std::atomic<double> v_{0}, w_{0};
  std::jthread driver_;
};

// What the truck adds to the rig of a device on Modbus.
struct Truck {
  using Device = VirtualDevice;
  using DeviceSetup = VirtualDeviceSetup;
  using Faults = PlcFaults;
  using SupervisedMachine = rig::SupervisedMachine;
  static constexpr double rest_speed = 0.1, moving_speed = 1;  // rad/s
  static constexpr std::uint8_t feedback_bytes = 16;

  static DeviceSetup device_setup(Faults& faults);
  static std::unique_ptr<Device> make(const DeviceSetup& setup) { return make_virtual_device(setup); }
  static double speed(const Device& plc);  // rad/s, the faster of the two driven wheels
  static std::vector<std::string> settings(Mode, const std::vector<std::string>& settings) { return settings; }
  static void urge(SupervisedMachine& link) { link.want(0.4, 0.1); }
  static void check(const Recorder&) {}
  static bool silent(const Recorder& recorder) { return recorder.motions == 0; }
};

using Rig = kit::ModbusRig<Truck>;
using Row = kit::ModbusRow<Rig>;

void play(const Row& row);  // as kit::play_on

}  // namespace tandem::raptorlift::rig
