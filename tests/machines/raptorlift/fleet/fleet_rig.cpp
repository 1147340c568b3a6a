// SPDX-License-Identifier: Apache-2.0
#include "tests/machines/raptorlift/fleet/fleet_rig.hpp"

#include <algorithm>
#include <stdexcept>

#include "tandem/machines/raptorlift/control/machine_options.hpp"
#include "tandem/machines/raptorlift/fleet/options.hpp"
#include "tandem/machines/raptorlift/options.hpp"
#include "tandem/protocols/vda5050/time.hpp"

namespace tandem::raptorlift::rig {
namespace {

VirtualDeviceSetup with_physics(PlcFaults& faults) {
  VirtualDeviceSetup setup;
  setup.step = 5ms;
  setup.watchdog = 1s;
  setup.clock = &system_clock();
  setup.faults = &faults;
  return setup;
}

net::FaultProxy cable_to(const net::Endpoint& broker) {
  auto proxy = net::FaultProxy::start({.upstream = broker});
  REQUIRE(proxy);
  return *std::move(proxy);
}

machines::Options::Value value_from(const machines::Option& option, const std::string& text) {
  using machines::OptionKind;
  if (option.kind == OptionKind::number) return std::stod(text);
  if (option.kind == OptionKind::flag) return text == "true";
  if (option.kind == OptionKind::numbers) return Json::parse(text).get<std::vector<double>>();
  if (option.kind == OptionKind::texts) return Json::parse(text).get<std::vector<std::string>>();
  return text;
}

}  // namespace

machines::Options fleet_options(const std::vector<std::string>& settings) {
  const auto table = machines::joined({bridge_options(), machine_options(), fleet::fleet_keys()});
  machines::Options options;
  for (const auto& row : table) options.put(row.name, value_from(row, std::string(row.default_value)));
  for (const std::string& setting : settings) {
    const std::size_t equals = setting.find('=');
    const std::string key = setting.substr(0, equals);
    const auto row = std::ranges::find_if(table, [&](const auto& each) { return each.name == key; });
    if (row == table.end()) throw std::invalid_argument("unknown option " + key);
    options.put(key, value_from(*row, setting.substr(equals + 1)));
  }
  return options;
}

FleetLink::FleetLink(const machines::Setup& setup) : bridge(std::make_unique<Machine>(setup)) {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

void FleetLink::run(const std::stop_token& stop) {
  bool linked = false;
  while (!stop.stop_requested()) {
    if (!linked) {
      linked = bridge->connect(now() + 1s).ok();
      if (!linked) pass(50ms);
      continue;
    }
    const auto cycle = bridge->cycle(machines::Permit(armed_, system_clock(), now() + 1s, &stopped_));
    linked = cycle.ok();
    if (!linked || cycle->disarm) armed_ = false;
    if (linked && cycle->stop) this->stop();
  }
  bridge->disconnect();
}

bool FleetLink::arm() {
  stopped_ = false;
  return eventually([this] {
    armed_ = true;
    return state().activity == Activity::driving;
  });
}

std::string vda5050_timestamp(Duration from_now) { return vda5050::timestamp_of(system_clock().utc() + from_now); }

FleetRig::FleetRig(const std::vector<std::string>& more, ros2::Context* given_ros)
    : cable(cable_to(broker.endpoint())),
      master(loop, broker.options(), {"uagv/v2/KIT/0001/#"}),
      device(make_virtual_device(with_physics(faults))),
      ros(given_ros) {
  broker_options.url = "mqtt://" + cable.endpoint().text();
  device_thread = std::jthread([this](const std::stop_token& stop) { device->run(stop); });
  settings = {"cycle_hz=100", "feedback_timeout=0.6",    "vda5050=true", "manufacturer=KIT", "serial=0001",
              "map_id=hall",  "visualization_interval=0"};
  settings.insert(settings.end(), more.begin(), more.end());
  start();
}

FleetRig::~FleetRig() { end_machine(); }

void FleetRig::start() {
  machines::Setup setup;
  setup.name = "lift";
  setup.device = device->url();
  setup.options = fleet_options(settings);
  setup.ros = ros;
  setup.clock = &system_clock();
  setup.mqtt = &broker_options;
  setup.mqtt_loop = &loop;
  link.emplace(setup);
}

void FleetRig::end_machine() {
  if (!link) return;
  link->end();
  link.reset();
}

bool FleetRig::ready() {
  if (!eventually_state([](const Json& state) { return state.contains("agvPosition"); })) return false;
  act("initPosition", "init", {{"x", 0}, {"y", 0}, {"theta", 0}, {"mapId", "hall"}, {"lastNodeId", "n0"}});
  if (!eventually([&] { return status("init") == "FINISHED"; })) return false;
  return link->arm() && eventually([&] { return mode_is("AUTOMATIC"); });
}

void FleetRig::send(const std::string& topic, const std::string& payload, bool retain) {
  const mqtt::Message message{"uagv/v2/KIT/0001/" + topic, payload, 0, retain};
  REQUIRE(eventually([&] { return master.publish(message); }));
}

Json FleetRig::order(const std::string& id, int update, int sequence, const std::vector<Stop>& stops) const {
  Json made{{"headerId", header_id},   {"timestamp", vda5050_timestamp()}, {"version", "2.1.0"},
            {"manufacturer", "KIT"},   {"serialNumber", "0001"},           {"orderId", id},
            {"orderUpdateId", update}, {"nodes", Json::array()},           {"edges", Json::array()}};
  const Stop* before = nullptr;
  for (const Stop& stop : stops) {
    if (before != nullptr) {
      made["edges"].push_back({{"edgeId", before->id + "_" + stop.id},
                               {"sequenceId", sequence + 1},
                               {"released", stop.released},
                               {"startNodeId", before->id},
                               {"endNodeId", stop.id},
                               {"actions", Json::array()}});
      sequence += 2;
    }
    made["nodes"].push_back(
        {{"nodeId", stop.id},
         {"sequenceId", sequence},
         {"released", stop.released},
         {"actions", Json::array()},
         {"nodePosition", {{"x", stop.x}, {"y", stop.y}, {"mapId", "hall"}, {"allowedDeviationXY", stop.deviation}}}});
    before = &stop;
  }
  return made;
}

void FleetRig::act(const std::string& type, const std::string& id, const Json& parameters) {
  Json action{{"actionType", type}, {"actionId", id}, {"blockingType", "NONE"}};
  for (const auto& [key, value] : parameters.items())
    action["actionParameters"].push_back({{"key", key}, {"value", value}});
  const Json message{{"headerId", header_id++}, {"timestamp", vda5050_timestamp()}, {"version", "2.1.0"},
                     {"manufacturer", "KIT"},   {"serialNumber", "0001"},           {"actions", Json::array({action})}};
  send("instantActions", message.dump());
}

std::vector<Json> FleetRig::heard(const std::string& topic) const {
  std::vector<Json> all;
  for (const mqtt::Message& message : master.heard("uagv/v2/KIT/0001/" + topic))
    all.push_back(Json::parse(message.payload));
  return all;
}

Json FleetRig::state() const {
  const auto all = master.heard("uagv/v2/KIT/0001/state");
  return all.empty() ? Json::object() : Json::parse(all.back().payload);
}

bool FleetRig::has_error(const std::string& type) const {
  for (const Json& error : state().value("errors", Json::array()))
    if (error["errorType"] == type) return true;
  return false;
}

std::string FleetRig::status(const std::string& action) const {
  for (const Json& each : state().value("actionStates", Json::array()))
    if (each["actionId"] == action) return each["actionStatus"];
  return "none";
}

bool FleetRig::mode_is(const std::string& mode) const { return state().value("operatingMode", "") == mode; }

bool FleetRig::eventually_state(const std::function<bool(const Json&)>& what, Duration limit) const {
  return eventually(
      [&] {
        const Json now = state();
        return !now.empty() && what(now);
      },
      limit);
}

bool FleetRig::stands() const {
  return eventually(
      [&] {
        for (int i = 0; i < 30; ++i, pass(10ms))
          if (speed() > 0.005) return false;
        return true;
      },
      60s);
}

}  // namespace tandem::raptorlift::rig
