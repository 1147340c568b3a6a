// SPDX-License-Identifier: Apache-2.0
// What the benches of whole machines share: a virtual PLC on its own thread, and numbers made readable.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tandem/machines/em1500/control/machine.hpp"
#include "tandem/machines/em1500/virtual/device.hpp"
#include "tandem/net/url.hpp"
#include "tandem/runtime/config/config.hpp"

namespace bench {

using namespace tandem;

class RunningPlc {
 public:
  explicit RunningPlc(Duration cycle) {
    em1500::VirtualDeviceSetup setup;
    setup.cycle = cycle;
    device_ = em1500::make_virtual_device(setup);
    thread_ = std::jthread([this](const std::stop_token& stop) { device_->run(stop); });
  }
  std::string url() const { return device_->url(); }
  net::Endpoint endpoint() const {
    const auto url = net::parse_url(device_->url());
    return net::resolve(url->host, url->port.value()).value();
  }

 private:
  std::unique_ptr<machines::VirtualDevice> device_;
  std::jthread thread_;
};

// A bridge as the configuration's defaults make it.
inline machines::Setup bridge_setup(std::string device, ros2::Context* ros, double cycle_hz) {
  const std::array types{&em1500::machine_type()};
  const auto config = runtime::demo_config(types);
  machines::Options options = config.machines.at(0).options;
  options.put("cycle_hz", cycle_hz);
  return {"platform", std::move(device), std::move(options), ros, &system_clock(), nullptr};
}

}  // namespace bench
