// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/virtual/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include "tandem/machines/cable_robot/virtual/faults.hpp"
#include "tandem/machines/cable_robot/virtual/winches.hpp"
#include "tandem/protocols/modbus/server.hpp"

namespace tandem::cable_robot {
namespace {

// Without a request the robot still moves on this often; with one it is up to date when it answers.
constexpr Duration idle_period = 5ms;

void must_be_within(const char* key, double value, double lowest, double highest) {
  if (value >= lowest && value <= highest) return;
  throw std::invalid_argument(fmt::format("{}: expected {} to {}, got {}", key, lowest, highest, value));
}

// One thread: clients are served while nothing is due, and the robot comes up to date before each answer.
class RobotOnSocket final : public VirtualDevice {
 public:
  explicit RobotOnSocket(const VirtualDeviceSetup& setup)
      : listen_(setup.listen),
        faults_(setup.faults != nullptr ? *setup.faults : own_faults_),
        winches_(setup.robot, setup.station,
                 setup.clock != nullptr ? *setup.clock : static_cast<Clock&>(system_clock()), &faults_,
                 FaultScript(setup.script, setup.robot.cables())) {
    modbus::ServerOptions options;
    options.host = setup.listen;
    options.port = setup.port;
    options.plug = setup.plug;
    options.most_connections = setup.most_connections;
    options.idle_limit = setup.idle_limit;
    if (setup.faults != nullptr || !setup.script.empty())
      options.fault = [this](std::vector<std::uint8_t>& answer) { return faults_.answer(answer); };
    auto server = modbus::Server::listen(winches_, options);
    if (!server) throw std::runtime_error(fmt::format("virtual winches: {}", server.error().text));
    server_ = std::move(*server);
  }

  std::string url() const override {
    const std::string host = listen_ == "0.0.0.0" ? "127.0.0.1" : listen_;
    return fmt::format("modbus://{}:{}", host, server_->port());
  }

  void run(std::stop_token stop) override {
    while (!stop.stop_requested()) {
      server_->poll(now() + idle_period);
      winches_.advance();
      const bool restarts = faults_.due(WinchFaults::restart);
      if (restarts) winches_.restart();
      if (faults_.take_cut() || restarts) server_->close_connections();
    }
  }

  PlatformState truth() const override { return winches_.truth(); }
  std::optional<machines::TrueMotion> true_motion() const override {
    const PlatformState state = truth();
    const auto& [vx, vy, vz] = state.velocity;
    return machines::TrueMotion{{state.position.begin(), state.position.end()}, std::hypot(vx, vy, vz)};
  }

 private:
  std::string listen_;
  WinchFaults own_faults_;  // where no other client has any
  WinchFaults& faults_;
  VirtualWinches winches_;
  std::unique_ptr<modbus::Server> server_;
};

}  // namespace

WinchLimits limits_for(const cables::Robot& robot) {
  WinchLimits limits;
  limits.least_tension = robot.design().tension.least / 2;
  limits.most_tension = robot.design().tension.most * 1.5;
  for (int i = 0; i < robot.cables(); ++i)
    for (int j = 0; j < i; ++j)
      limits.longest = std::max(limits.longest, 2 * (robot.cable(i).frame - robot.cable(j).frame).norm());
  return limits;
}

std::unique_ptr<VirtualDevice> make_virtual_device(const VirtualDeviceSetup& setup) {
  must_be_within("device_hz", 1 / setup.station.body.cycle, 100, 4000);
  must_be_within("cable_damping", setup.station.body.damping, 0, 0.002);
  must_be_within("encoder_noise", setup.station.encoder_noise, 0, 0.1);
  must_be_within("tension_noise", setup.station.tension_noise, 0, 1e6);
  must_be_within("most_connections", static_cast<double>(setup.most_connections), 1, 64);
  return std::make_unique<RobotOnSocket>(setup);
}

}  // namespace tandem::cable_robot
