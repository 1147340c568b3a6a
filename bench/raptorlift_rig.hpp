// SPDX-License-Identifier: Apache-2.0
// What the forklift's benches share: a virtual PLC on its own thread, and a bridge without a supervisor.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "bench/cycles.hpp"
#include "tandem/machines/raptorlift/control/machine.hpp"
#include "tandem/machines/raptorlift/virtual/device.hpp"
#include "tandem/machines/raptorlift/virtual/faults.hpp"
#include "tandem/net/url.hpp"
#include "tandem/ros2/node.hpp"
#include "tandem/runtime/config/config.hpp"

namespace bench {

using namespace tandem;

class RunningLift {
 public:
  explicit RunningLift(const raptorlift::VirtualDeviceSetup& setup)
      : device_(raptorlift::make_virtual_device(setup)),
        thread_([this](const std::stop_token& stop) { device_->run(stop); }) {}
  std::string url() const { return device_->url(); }
  std::uint16_t port() const { return net::parse_url(url())->port.value(); }

 private:
  std::unique_ptr<raptorlift::VirtualDevice> device_;
  std::jthread thread_;
};

inline machines::Setup lift_setup(std::string device, const std::vector<std::string>& settings, Clock& clock,
                                  ros2::Context* ros = nullptr) {
  return {"lift",
          std::move(device),
          runtime::options_from_settings(raptorlift::machine_type().options, settings),
          ros,
          &clock,
          nullptr};
}

// A bridge that is armed as soon as it is connected, and drives what its task wants.
class ArmedBridge {
 public:
  explicit ArmedBridge(const machines::Setup& setup) : clock_(*setup.clock), bridge_(setup) {
    if (auto connected = bridge_.connect(in(10s)); !connected) give_up(connected.error().text);
  }
  // True when a live sample came.
  bool cycle() {
    const auto done = bridge_.cycle(machines::Permit(armed_, clock_, clock_.now() + 10s));
    if (!done) give_up(done.error().text);
    return done->quality == Quality::live;
  }
  const raptorlift::Machine& bridge() const { return bridge_; }

 private:
  Clock& clock_;
  std::atomic<bool> armed_{true};
  raptorlift::Machine bridge_;
};

// Each says whether what is wanted was reached.
bool one_truck(double rate, double length);  // Hz, s
bool many_trucks(std::size_t count, double length);

}  // namespace bench
