// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/virtual/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "tandem/machines/raptorlift/virtual/body.hpp"
#include "tandem/machines/raptorlift/virtual/faults.hpp"
#include "tandem/machines/raptorlift/virtual/plant.hpp"
#include "tandem/machines/raptorlift/virtual/plc.hpp"
#include "tandem/machines/shared.hpp"
#include "tandem/protocols/modbus/server.hpp"

namespace tandem::raptorlift {
namespace {

// Without a request the PLC still lives this often; with one it is up to date when it answers.
constexpr Duration heartbeat_period = 10ms;

std::unique_ptr<VirtualTruck> truck_from(const VirtualDeviceSetup& setup) {
  if (!setup.physics) return std::make_unique<VirtualPlant>(setup.description.geometry, seconds(setup.step));
  return std::make_unique<Body>(
      setup.description, ModelOptions{.timestep = seconds(setup.step), .load = setup.load, .friction = setup.friction});
}

VirtualProgram::Setup program_from(const VirtualDeviceSetup& setup) {
  const Description& truck = setup.description;
  return {.watchdog = setup.watchdog,
          .heartbeat_required = setup.heartbeat_required,
          .traction_torque = truck.traction.output_limit,
          .steering_torque = truck.steering.output_limit,
          .brake_torque = truck.plc.brake_torque / truck.plc.scales.torque};
}

// One thread, its own or one for many: clients are served while nothing is due, and the PLC comes up to date before
// each answer.
class Lift final : public VirtualDevice, public machines::SharedDevice {
 public:
  explicit Lift(const VirtualDeviceSetup& setup)
      : setup_(setup),
        clock_(setup.clock != nullptr ? *setup.clock : static_cast<Clock&>(system_clock())),
        plc_(setup.description, program_from(setup), truck_from(setup), clock_, setup.faults) {
    modbus::ServerOptions options;
    options.host = setup.listen;
    options.port = setup.port;
    options.plug = setup.plug;
    options.most_connections = setup.most_connections;
    options.idle_limit = setup.idle_limit;
    if (PlcFaults* faults = setup.faults)
      options.fault = [faults](std::vector<std::uint8_t>& answer) { return faults->answer(answer); };
    auto server = modbus::Server::listen(plc_, options);
    if (!server) throw std::runtime_error(fmt::format("virtual PLC: {}", server.error().text));
    server_ = std::move(*server);
  }

  std::string url() const override {
    const std::string host = setup_.listen == "0.0.0.0" ? "127.0.0.1" : setup_.listen;
    return fmt::format("modbus://{}:{}", host, server_->port());
  }

  void run(std::stop_token stop) override {
    while (!stop.stop_requested()) {
      server_->poll(now() + heartbeat_period);
      go_on();
    }
  }

  void serve(std::span<const net::Watch> ready) override {
    server_->serve(ready, now());
    go_on();
  }
  Instant watch(std::vector<net::Watch>& watches) const override {
    return std::min(server_->watch(watches), now() + heartbeat_period);
  }

  TruckState truth() const override { return plc_.truth(); }
  std::optional<machines::TrueMotion> true_motion() const override {
    const TruckState state = truth();
    return machines::TrueMotion{{state.axle.x, state.axle.y}, std::hypot(state.twist.vx, state.twist.vy)};
  }

 private:
  void go_on() {
    plc_.advance();
    if (setup_.faults != nullptr) misbehave(*setup_.faults);
  }
  void misbehave(PlcFaults& faults) {
    const bool restarts = faults.due(PlcFaults::restart);
    if (restarts) plc_.restart();
    if (faults.take_cut() || restarts) server_->close_connections();
  }

  VirtualDeviceSetup setup_;
  Clock& clock_;
  VirtualPlc plc_;
  std::unique_ptr<modbus::Server> server_;
};

void check_range(const char* key, double value, double lowest, double highest) {
  if (value >= lowest && value <= highest) return;
  throw std::invalid_argument(fmt::format("{}: expected {} to {}, got {}", key, lowest, highest, value));
}

}  // namespace

std::unique_ptr<VirtualDevice> make_virtual_device(const VirtualDeviceSetup& setup) {
  check_range("step_ms", 1e3 * seconds(setup.step), 1, setup.physics ? 5 : 10);
  check_range("load", setup.load, 0, most_load);
  check_range("friction", setup.friction, 0.01, 5);
  check_range("plc_watchdog", seconds(setup.watchdog), 0.02, 60);
  check_range("most_connections", static_cast<double>(setup.most_connections), 1, 64);
  return std::make_unique<Lift>(setup);
}

}  // namespace tandem::raptorlift
