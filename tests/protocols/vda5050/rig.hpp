// SPDX-License-Identifier: Apache-2.0
// A vehicle without a machine: its truck takes every path and does its actions by a table, and what it sends is read
// back as JSON by another library than the one under test writes with.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "tandem/protocols/vda5050/time.hpp"
#include "tandem/protocols/vda5050/vehicle.hpp"

namespace tandem::vda5050::test {

using Json = nlohmann::json;

inline Action action(std::string type, std::string id, Blocking blocking = Blocking::hard) {
  Action made;
  made.type = std::move(type);
  made.id = std::move(id);
  made.blocking = blocking;
  return made;
}

struct NodeAt {
  std::string id;
  double x = 0;
  bool released = true;
  std::vector<Action> actions = {};
};

// Nodes along the x axis, joined by edges named after their ends.
inline Order order(std::string id, std::uint32_t update, std::uint32_t sequence, const std::vector<NodeAt>& nodes) {
  static std::uint32_t header_id = 0;
  Order made;
  made.header.header_id = header_id++;
  made.id = std::move(id);
  made.update = update;
  for (const NodeAt& at : nodes) {
    Node node;
    node.id = at.id;
    node.sequence = sequence + 2 * static_cast<std::uint32_t>(made.nodes.size());
    node.released = at.released;
    node.position = NodePosition{at.x, 0, {}, 0.3, 0, "hall"};
    node.actions = at.actions;
    if (!made.nodes.empty()) {
      Edge edge;
      edge.id = made.nodes.back().id + "_" + at.id;
      edge.sequence = node.sequence - 1;
      edge.released = at.released;
      edge.start_node = made.nodes.back().id;
      edge.end_node = at.id;
      made.edges.push_back(std::move(edge));
    }
    made.nodes.push_back(std::move(node));
  }
  return made;
}

class FakeTruck final : public Truck {
 public:
  std::optional<Problem> check(const Order&) override { return check_problem; }
  std::optional<Problem> plan(const Order&, bool) override {
    ++planned;
    return plan_problem;
  }
  void adopt() override { ++adopted; }
  std::optional<std::string> place(const Position& position) override {
    if (place_problem) return place_problem;
    placed = position;
    return std::nullopt;
  }
  ActionReport begin(const Action& begun) override {
    log.push_back("begin " + begun.id);
    return reports[begun.id] = start;
  }
  ActionReport poll(const Action& asked) override { return reports[asked.id]; }
  void interrupt(const Action& ended) override { log.push_back("interrupt " + ended.id); }

  std::optional<Problem> check_problem, plan_problem;
  std::optional<std::string> place_problem;
  std::optional<Position> placed;
  int planned = 0, adopted = 0;
  ActionReport start{ActionStatus::running, ""};
  std::map<std::string, ActionReport> reports;
  std::vector<std::string> log;
};

inline ActionFact fact(std::string type, std::vector<Scope> scopes, std::vector<ActionParameterFact> parameters = {}) {
  return {std::move(type), std::move(scopes), std::move(parameters)};
}

inline VehicleOptions options(Version version = Version::v2_1) {
  VehicleOptions made;
  made.identity = {version, "uagv", "KIT", "0001"};
  made.repeat_state = Duration{0};
  made.visualization_interval = Duration{0};
  made.factsheet.series = "Test";
  made.factsheet.kinematic = "THREEWHEEL";
  made.factsheet.vehicle_class = "FORKLIFT";
  made.factsheet.actions = {
      fact("cancelOrder", {Scope::instant}),
      fact("startPause", {Scope::instant}),
      fact("stopPause", {Scope::instant}),
      fact("stateRequest", {Scope::instant}),
      fact("factsheetRequest", {Scope::instant}),
      fact(
          "initPosition", {Scope::instant},
          {{"x", "NUMBER"}, {"y", "NUMBER"}, {"theta", "NUMBER"}, {"mapId", "STRING"}, {"lastNodeId", "STRING", true}}),
      fact("pick", {Scope::node, Scope::edge}, {{"stationType", "STRING", true}, {"loadType", "STRING", true}}),
      fact("drop", {Scope::node}, {{"stationType", "STRING", true}, {"loadType", "STRING", true}}),
      fact("beep", {Scope::node, Scope::edge}),
  };
  return made;
}

// Automatic, standing at x on the map "hall".
inline Observation seen(double x = 0, bool driving = false) {
  Observation made;
  made.mode = OperatingMode::automatic;
  made.driving = driving;
  made.position = Position{x, 0, 0, "hall", true};
  return made;
}

struct Rig {
  explicit Rig(VehicleOptions given = options()) : own(given), vehicle(given, truck) { step(seen()); }

  Times times() const { return {now, UtcTime{} + 1'700'000'000s + (now - Instant{})}; }
  std::vector<Json> step(const Observation& observation) {
    last = observation;
    vehicle.observe(observation);
    return take();
  }
  std::vector<Json> step() { return step(last); }
  std::vector<Json> at(double x, bool driving) { return step(seen(x, driving)); }
  std::vector<Json> pass(double x, bool driving = true) {
    vehicle.pass_node();
    return step(seen(x, driving));
  }
  std::vector<Json> give(const Order& wanted) { return give_json(json_of(wanted)); }
  std::vector<Json> give_json(const std::string& json, bool retained = false) {
    vehicle.receive_order(json, retained, times());
    return take();
  }
  std::vector<Json> act(const std::vector<Action>& actions) {
    return act_json(write_instant_actions(own.identity, {instant_id++, times().utc}, actions));
  }
  std::vector<Json> act_json(const std::string& json, bool retained = false) {
    vehicle.receive_instant_actions(json, retained, times());
    return take();
  }
  std::string json_of(const Order& wanted) const {
    return write_order(own.identity, {wanted.header.header_id, times().utc}, wanted);
  }

  // States only; others go to `others`.
  std::vector<Json> take() {
    std::vector<Json> states;
    for (const Outgoing& message : vehicle.take(times())) {
      Json json = Json::parse(message.payload);
      if (message.topic.ends_with("/state")) {
        state = json;
        states.push_back(std::move(json));
      } else {
        others.push_back(message);
      }
    }
    return states;
  }

  // Of the newest state.
  std::vector<std::string> errors() const {
    std::vector<std::string> types;
    for (const Json& error : state.at("errors")) types.push_back(error.at("errorType"));
    return types;
  }
  std::string reference(const std::string& key) const {
    if (state.at("errors").empty()) return "no error";
    for (const Json& reference : state.at("errors").back().at("errorReferences"))
      if (reference.at("referenceKey") == key) return reference.at("referenceValue");
    return "none";
  }
  std::string description() const { return state.at("errors").back().at("errorDescription"); }
  std::string status(const std::string& id) const {
    for (const Json& each : state.at("actionStates"))
      if (each.at("actionId") == id) return each.at("actionStatus");
    return "none";
  }
  std::vector<std::string> nodes() const {
    std::vector<std::string> ids;
    for (const Json& node : state.at("nodeStates"))
      ids.push_back(node.at("nodeId").get<std::string>() + (node.at("released").get<bool>() ? "" : "?"));
    return ids;
  }

  VehicleOptions own;
  FakeTruck truck;
  Vehicle vehicle;
  Instant now{1h};
  std::uint32_t instant_id = 0;
  Observation last;
  Json state;
  std::vector<Outgoing> others;
};

using Texts = std::vector<std::string>;
inline const std::vector<NodeAt> three = {{"a", 0}, {"b", 5}, {"c", 10}};

}  // namespace tandem::vda5050::test
