// SPDX-License-Identifier: Apache-2.0
// A virtual truck with its physics, its machine under a supervisor, a real broker, and a master that is a few lines of
// its own: it sends orders and keeps what it hears.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/machines/raptorlift/lift_rig.hpp"
#include "tests/protocols/mqtt/broker.hpp"

namespace tandem::raptorlift::rig {

using Json = nlohmann::json;

// An ISO 8601 time, so far from now.
std::string vda5050_timestamp(Duration from_now = Duration{0});

struct Stop {
  std::string id;
  double x = 0, y = 0;
  bool released = true;
  double deviation = 0.8;
};

class FleetLink : public kit::SupervisedLink<Machine, Recorder> {
 public:
  explicit FleetLink(const machines::Setup& setup) : SupervisedLink(setup) {}
  bool arm() {
    return arm_until([&] { return state().activity == Activity::driving; });
  }
};

struct FleetRig {
  explicit FleetRig(const std::vector<std::string>& more = {});
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
  mqtt::BrokerOptions broker_options = broker.options();
  mqtt::Loop loop;
  mqtt::Listener master;
  PlcFaults faults;
  std::unique_ptr<VirtualDevice> device;
  std::jthread device_thread;
  std::vector<std::string> settings;
  std::optional<FleetLink> link;
  int header_id = 0;
};

}  // namespace tandem::raptorlift::rig
