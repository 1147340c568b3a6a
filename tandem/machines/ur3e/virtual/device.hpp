// SPDX-License-Identifier: Apache-2.0
// The virtual UR3e: a controller with all its ports, a body with physics behind it, one thread.
#pragma once

#include <array>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "tandem/base/latest.hpp"
#include "tandem/machines/machine.hpp"
#include "tandem/machines/ur3e/virtual/controller.hpp"
#include "tandem/machines/ur3e/virtual/ports/ports.hpp"

namespace tandem::ur3e {

// A hand at the pendant and the switches of the cell, to test those who use the arm. Any thread may change it while the
// controller runs; what is "once" is taken and cleared.
struct PendantScript {
  std::atomic<bool> protective_stop{false};   // once
  std::atomic<bool> emergency_stop{false};    // as long as it is pressed
  std::atomic<bool> safeguard{false};         // as long as the door is open
  std::atomic<bool> violation{false};         // once
  std::atomic<bool> power_cycle{false};       // once: all connections are lost, time starts again, the arm is off
  std::atomic<bool> program_stop{false};      // once
  std::atomic<bool> program_pause{false};     // once
  std::atomic<bool> timestamp_frozen{false};  // packets go on, their time does not
  std::atomic<bool> halted{false};            // no cycles and no packets, but connections are accepted
  std::atomic<bool> local_control{false};
  std::atomic<double> slider{-1};                       // 0 to 1: moved there once
  std::atomic<std::uint32_t> digital_inputs{0};         // 0-7 standard, 8-15 configurable, 16-17 tool
  std::atomic<double> push_x{0}, push_y{0}, push_z{0};  // N on the tool, base axes
};

struct VirtualDeviceSetup {
  std::string listen = "127.0.0.1";
  PortNumbers ports = free_ports;
  ControllerSetup controller;
  Clock* clock = nullptr;
  net::Plug* plug = nullptr;
  PendantScript* script = nullptr;
  std::function<void(Instant due, Instant begun)> cycle_begins;  // told of each cycle, in the device's thread
};

// What the device has done, for tests and benches. Any thread.
struct VirtualDeviceCounters {
  std::atomic<std::uint64_t> cycles{0};
  std::atomic<std::uint64_t> late{0};  // begun more than half a cycle after their time
  std::atomic<std::uint64_t> lost{0};  // never done because the host was away for too long
};

class VirtualDevice final : public machines::VirtualDevice {
 public:
  // Listens when it returns. Throws std::runtime_error when a port cannot be had.
  explicit VirtualDevice(const VirtualDeviceSetup& setup);

  // "rtde://127.0.0.1:PORT?dashboard=..&primary=..&secondary=..&realtime=..&gripper=..": only what is not standard.
  std::string url() const override;
  void run(std::stop_token stop) override;
  std::optional<machines::TrueMotion> true_motion() const override;

  PortNumbers ports() const { return ports_.numbers(); }
  const VirtualDeviceCounters& counters() const { return counters_; }
  // The controller itself. Only while run() does not, or in its thread.
  Controller& controller() { return controller_; }

 private:
  void obey_script();
  void show();
  int due_cycles(Instant now);

  VirtualDeviceSetup setup_;
  Clock& clock_;
  Controller controller_;
  Ports ports_;
  VirtualDeviceCounters counters_;
  struct Seen {
    std::array<double, 6> angles{};  // rad
    double speed = 0;                // rad/s, of the fastest joint
  };
  Latest<Seen> seen_;
  Instant next_{};
  bool emergency_ = false;
  bool local_ = false;  // as the script last said
};

std::unique_ptr<machines::VirtualDevice> make_virtual_device(const VirtualDeviceSetup& setup);
// Also throws std::invalid_argument for invalid options.
std::unique_ptr<machines::VirtualDevice> make_virtual_device(const machines::VirtualSetup& setup);

// Its configuration keys.
std::span<const machines::Option> virtual_options();

}  // namespace tandem::ur3e
