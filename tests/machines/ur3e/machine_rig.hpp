// A virtual UR3e and the machine of the runtime on it, each in its own thread, with an arm latch that only falls.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tandem/machines/ur3e/machine.hpp"
#include "tandem/machines/ur3e/options.hpp"
#include "tandem/machines/ur3e/virtual_ur.hpp"
#include "tests/ros2/loopback.hpp"

namespace tandem::ur3e {

inline machines::Options rig_options(const std::string& task = "none") {
  machines::Options options;
  options.put("cycle_hz", 125.0);
  options.put("profile", std::string("seed"));
  options.put("gripper", true);
  options.put("task", task);
  options.put("pick", std::vector<double>{-0.10, -0.30, 0.02});
  options.put("place", std::vector<double>{-0.25, -0.25, 0.02});
  options.put("servo_watchdog", 0.5);  // test machines are busy
  options.put("servo_gain", 2000.0);
  options.put("servo_lookahead", 0.03);
  options.put("node", std::string("ur3e"));
  options.put("namespace", std::string("/"));
  options.put("tf_prefix", std::string());
  return options;
}

class MachineRig {
 public:
  explicit MachineRig(ros2::Context* ros = nullptr, const std::string& task = "none") {
    VirtualUrSetup setup;
    setup.clock = &system_clock();
    setup.script = &pendant;
    device = std::make_unique<VirtualUr>(setup);
    machines::Setup machine_setup;
    machine_setup.name = "arm";
    machine_setup.device = device->url();
    machine_setup.options = rig_options(task);
    machine_setup.ros = ros;
    machine_setup.clock = &system_clock();
    machine = std::make_unique<Bridge>(machine_setup);
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

  PendantScript pendant;
  std::unique_ptr<VirtualUr> device;
  std::unique_ptr<Bridge> machine;

 private:
  void run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (const auto connected = machine->connect(system_clock().now() + 1s); !connected) {
        machine->disconnect();
        system_clock().sleep_until(system_clock().now() + 50ms);
        continue;
      }
      ++connects_;
      while (!stop.stop_requested()) {
        const auto cycle = machine->cycle(machines::Permit(armed_, system_clock(), Instant::max()));
        live_ = cycle && cycle->quality == Quality::live;
        if (!cycle) {
          fall("link lost: " + cycle.error().text);
          break;
        }
        if (cycle->disarm) fall(std::string(cycle->why.view()));
      }
      machine->disconnect();
    }
  }
  void fall(const std::string& why) {
    if (!armed_.exchange(false)) return;
    const std::lock_guard lock(mutex_);
    cause_ = why;
  }

  std::atomic<bool> armed_{false}, live_{false};
  std::atomic<int> connects_{0};
  mutable std::mutex mutex_;
  std::string cause_;  // guarded
  std::jthread device_thread_, machine_thread_;
};

}  // namespace tandem::ur3e
