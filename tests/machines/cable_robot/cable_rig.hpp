// SPDX-License-Identifier: Apache-2.0
// The virtual winches with their robot, a fault proxy before them, and the bridge under its supervisor, with a recorder
// that sees every byte the bridge sends and every state it shares.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tandem/machines/cable_robot/control/machine.hpp"
#include "tandem/machines/cable_robot/virtual/device.hpp"
#include "tandem/machines/cable_robot/virtual/faults.hpp"
#include "tests/machines/rigs/modbus_rig.hpp"

namespace tandem::cable_robot::rig {

using kit::eventually;
using kit::Mode;
using kit::pass;
using kit::port_of;

// The bridge's settings in tests: host and sanitizer may be slow, so times are longer than the defaults.
machines::Options options(const std::vector<std::string>& settings = {});
machines::Setup setup_for(const std::string& device, const std::vector<std::string>& settings = {},
                          Clock& clock = system_clock());

// Motions are commands that enable a winch in a mode that moves.
class Recorder final : public kit::ModbusRecorder {
 public:
  Recorder() : ModbusRecorder(3s) {}  // with braking

  std::atomic<std::uint64_t> enables{0};   // commands that enable a winch
  std::atomic<std::uint64_t> disables{0};  // commands that enable none
  std::atomic<std::uint64_t> pulses{0};    // of the reset coil
  std::atomic<std::uint64_t> limits{0};    // that were written
  std::atomic<double> widest_step{0};      // m, of a commanded length from one command to the next

 private:
  bool note(const modbus::Request& request) override;
  bool note_command(std::span<const std::uint16_t> words);

  std::vector<double> lengths_;  // of the last command that moves; empty after another one
};

class SupervisedMachine : public kit::SupervisedLink<Machine, Recorder> {
 public:
  explicit SupervisedMachine(const std::string& device, const std::vector<std::string>& settings = {},
                             Clock& clock = system_clock())
      : SupervisedLink(setup_for(device, settings, clock)) {}

  // Resets, arms, and waits until the robot is under control.
  bool arm();
  // Where the platform shall be, level.
  void want(double x, double y, double z);
};

// What the cable robot adds to the rig of a device on Modbus.
struct Cables {
  using Device = VirtualDevice;
  using DeviceSetup = VirtualDeviceSetup;
  using Faults = WinchFaults;
  using SupervisedMachine = rig::SupervisedMachine;
  static constexpr double rest_speed = 0.003, moving_speed = 0.01;  // m/s
  static constexpr std::uint8_t feedback_bytes = 128;

  static DeviceSetup device_setup(Faults& faults);
  static std::unique_ptr<Device> make(const DeviceSetup& setup) { return make_virtual_device(setup); }
  static double speed(const Device& winches);  // m/s, of the platform
  // A task of the bridge's own moves it, once it is armed.
  static std::vector<std::string> settings(Mode mode, std::vector<std::string> settings);
  static void urge(SupervisedMachine&) {}
  // Commanded lengths never jump.
  static void check(const Recorder& recorder);
  static bool silent(const Recorder& recorder) { return recorder.enables == 0; }
};

struct Rig : kit::ModbusRig<Cables> {
  using ModbusRig::ModbusRig;
  Eigen::Vector3d place() const;  // m, where the platform really is
};
using Row = kit::ModbusRow<Rig>;

void play(const Row& row);  // as kit::play_on

}  // namespace tandem::cable_robot::rig
