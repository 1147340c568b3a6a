// SPDX-License-Identifier: Apache-2.0
// A virtual truck with its physics, its machine under a supervisor, a real broker, and a master that is a few lines of
// its own: it sends orders and keeps what it hears.
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tandem/machines/raptorlift/control/machine.hpp"
#include "tandem/machines/raptorlift/virtual/device.hpp"
#include "tandem/machines/raptorlift/virtual/faults.hpp"
#include "tandem/net/faults/proxy.hpp"
#include "tandem/ros2/node.hpp"
#include "tests/protocols/mqtt/broker.hpp"

namespace tandem::raptorlift::rig {

using Json = nlohmann::json;
using mqtt::eventually;
inline void pass(Duration time) { std::this_thread::sleep_for(time); }

// An ISO 8601 time, so far from now.
std::string vda5050_timestamp(Duration from_now = Duration{0});

struct Stop {
  std::string id;
  double x = 0, y = 0;
  bool released = true;
  double deviation = 0.8;
};

// The defaults of the truck's tables with "key=value" settings over them; lists keep their defaults.
machines::Options fleet_options(const std::vector<std::string>& settings = {});

// The machine in a thread of its own, under a latch as the runtime's: what asks to be disarmed is.
class FleetLink {
 public:
  explicit FleetLink(const machines::Setup& setup);
  ~FleetLink() { end(); }

  bool arm();  // until the motors are on
  void disarm() { armed_ = false; }
  void stop() { stopped_ = true, armed_ = false; }
  bool armed() const { return armed_; }
  bool stopped() const { return stopped_; }
  State state() const { return bridge->state(); }
  void end() { thread_ = {}; }  // waits until the machine has disconnected

  std::unique_ptr<Machine> bridge;

 private:
  void run(const std::stop_token& stop);

  std::atomic<bool> armed_{false}, stopped_{false};
  std::jthread thread_;
};

struct FleetRig {
  explicit FleetRig(const std::vector<std::string>& more = {}, ros2::Context* ros = nullptr);
  ~FleetRig();

  void start();  // the machine
  void end_machine();
  // initPosition at the origin, armed, AUTOMATIC.
  bool ready();

  void send(const std::string& topic, const std::string& payload, bool retain = false);
  // Stops joined by straight edges; the count begins at `sequence`.
  Json order(const std::string& id, int update, int sequence, const std::vector<Stop>& stops) const;
  void give(const Json& order) { send("order", order.dump()); }
  void act(const std::string& type, const std::string& id, const Json& parameters = Json::object());

  Json state() const;  // the newest; {} before the first
  std::vector<Json> heard(const std::string& topic) const;
  bool has_error(const std::string& type) const;
  std::string status(const std::string& action) const;
  bool mode_is(const std::string& mode) const;
  bool eventually_state(const std::function<bool(const Json&)>& what, Duration limit = 60s) const;
  // The physics' truth of the truck since its start: the odometry point.
  kinematics::ackermann::PlanarPose truth() const { return device->truth().axle; }
  double speed() const { return std::abs(device->truth().twist.vx); }
  bool stands() const;

  mqtt::Broker broker;
  net::FaultProxy cable;  // between the truck and the broker
  mqtt::BrokerOptions broker_options = broker.options();
  mqtt::Loop loop;
  mqtt::Listener master;
  PlcFaults faults;
  std::unique_ptr<VirtualDevice> device;
  std::jthread device_thread;
  std::vector<std::string> settings;
  ros2::Context* const ros;
  std::optional<FleetLink> link;
  int header_id = 0;
};

}  // namespace tandem::raptorlift::rig
