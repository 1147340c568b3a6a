// SPDX-License-Identifier: Apache-2.0
// A virtual UR3e and the machine of the runtime on it, each in its own thread, with an arm latch that only falls. Where
// a test asks for it, a fault proxy is between them.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tandem/machines/ur3e/control/machine.hpp"
#include "tandem/machines/ur3e/options.hpp"
#include "tandem/machines/ur3e/virtual/device.hpp"
#include "tandem/net/faults/proxy.hpp"
#include "tests/machines/ur3e/faults/arm_truth.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::ur3e {

inline machines::Options rig_options(const std::string& task = "none", double servo_watchdog = 0.5) {
  machines::Options options;
  options.put("cycle_hz", 125.0);
  options.put("profile", std::string("original"));
  options.put("gripper", std::string("hande"));
  options.put("task", task);
  options.put("pick", std::vector<double>{-0.10, -0.30, 0.02});
  options.put("place", std::vector<double>{-0.25, -0.25, 0.02});
  options.put("servo_watchdog", servo_watchdog);  // test machines are busy
  options.put("servo_gain", 2000.0);
  options.put("servo_lookahead", 0.03);
  options.put("node", std::string("ur3e"));
  options.put("namespace", std::string("/"));
  options.put("tf_prefix", std::string());
  return options;
}

class MachineRig {
 public:
  struct Line {  // between machine and device
    bool faulty = false;
    double servo_watchdog = 0.5;  // s
    net::Tap* tap = nullptr;
  };
  explicit MachineRig(ros2::Context* ros = nullptr, const std::string& task = "none") : MachineRig(ros, task, Line{}) {}
  explicit MachineRig(const Line& line) : MachineRig(nullptr, "none", line) {}
  MachineRig(ros2::Context* ros, const std::string& task, const Line& line) : faulty_(line.faulty) {
    VirtualDeviceSetup setup;
    setup.clock = &system_clock();
    setup.script = &pendant;
    setup.cycle_begins = [this](Instant, Instant) { truth.look(device->controller().body); };
    device = std::make_unique<VirtualDevice>(setup);
    machines::Setup machine_setup;
    machine_setup.name = "arm";
    url = line.faulty ? proxied() : device->url();
    machine_setup.device = url;
    machine_setup.options = rig_options(task, line.servo_watchdog);
    machine_setup.tap = line.tap;
    machine_setup.ros = ros;
    machine_setup.clock = &system_clock();
    machine = std::make_unique<Machine>(machine_setup);
    device_thread_ = std::jthread([this](const std::stop_token& stop) { device->run(stop); });
    machine_thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
  }
  ~MachineRig() {
    machine_thread_.request_stop();
    machine_thread_.join();
    machine.reset();
  }

  bool live() const { return live_; }
  bool armed() const { return armed_; }
  bool protective_stop() const { return protective_stop_; }  // as its cycles say
  int connects() const { return connects_; }
  void arm() {
    {
      const std::lock_guard lock(mutex_);
      cause_.clear();
    }
    armed_ = true;
  }
  void disarm() { armed_ = false; }
  // Why it was disarmed last; "" when it was not.
  std::string cause() const {
    const std::lock_guard lock(mutex_);
    return cause_;
  }
  // What failed in all attempts to connect.
  std::string complaints() const {
    const std::lock_guard lock(mutex_);
    return complaints_;
  }
  // Waits for the link, arms, and waits until commands are taken.
  bool ready() {
    if (!ros2::eventually([this] { return live(); })) return false;
    arm();
    return ros2::eventually([this] { return text("activity") != "" && takes_commands(); });
  }
  bool takes_commands() const { return machine->state().armed; }
  State state() const { return machine->state(); }
  Six q() const { return state().controller.actual_q; }
  double fastest() const {
    double most = 0;
    for (const double speed : state().controller.actual_qd) most = std::max(most, std::abs(speed));
    return most;
  }
  std::string text(std::string_view name) const {
    for (const auto& value : machine->values())
      if (value.name == name) return value.text;
    return "";
  }

  // What is done to the line, on both ports of the controller.
  void both(const std::function<void(net::FaultProxy&)>& what) { what(*rtde), what(*primary); }

  PendantScript pendant;
  ArmTruth truth;
  std::unique_ptr<VirtualDevice> device;
  std::optional<net::FaultProxy> rtde, primary;
  std::string url;  // of the device, behind the proxies if there are any
  std::unique_ptr<Machine> machine;

 private:
  std::string proxied() {
    const auto proxy_to = [](std::uint16_t port) {
      auto proxy = net::FaultProxy::start({.upstream = {0x7f000001, port}});
      if (!proxy) throw std::runtime_error(proxy.error().text);
      return std::move(*proxy);
    };
    rtde.emplace(proxy_to(device->ports().rtde));
    primary.emplace(proxy_to(device->ports().primary));
    return fmt::format("rtde://{}?primary={}&dashboard={}&gripper={}", rtde->endpoint().text(),
                       primary->endpoint().port, device->ports().dashboard, device->ports().gripper);
  }
  void run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (const auto connected = machine->connect(system_clock().now() + (faulty_ ? 500ms : 1s)); !connected) {
        complain(connected.error().text);
        machine->disconnect();
        system_clock().sleep_until(system_clock().now() + 50ms);
        continue;
      }
      ++connects_;
      Instant lived = system_clock().now();
      while (!stop.stop_requested()) {
        const auto cycle = machine->cycle(machines::Permit(armed_, system_clock(), Instant::max()));
        live_ = cycle && cycle->quality == Quality::live;
        if (live_) protective_stop_ = cycle->protective_stop;
        if (live_) lived = system_clock().now();
        if (!cycle) {
          fall("link lost: " + cycle.error().text);
          break;
        }
        if (cycle->disarm) fall(std::string(cycle->why.view()));
        if (faulty_ && system_clock().now() - lived > 100ms) fall("stale: " + std::string(cycle->why.view()));
      }
      machine->disconnect();
    }
  }
  void complain(const std::string& why) {
    const std::lock_guard lock(mutex_);
    complaints_ += why + "\n";
  }
  void fall(const std::string& why) {
    if (!armed_.exchange(false)) return;
    const std::lock_guard lock(mutex_);
    cause_ = why;
  }

  const bool faulty_;  // then as the supervisor: stale samples disarm
  std::atomic<bool> armed_{false}, live_{false};
  std::atomic<bool> protective_stop_{false};
  std::atomic<int> connects_{0};
  mutable std::mutex mutex_;
  std::string cause_;       // guarded
  std::string complaints_;  // guarded
  std::jthread device_thread_, machine_thread_;
};

}  // namespace tandem::ur3e
