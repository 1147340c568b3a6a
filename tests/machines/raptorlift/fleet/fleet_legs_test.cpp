// SPDX-License-Identifier: Apache-2.0
// What the truck refuses of an order by itself, how edges become legs, and its options.
#include "tandem/machines/raptorlift/fleet/legs.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "tandem/machines/raptorlift/fleet/factsheet.hpp"
#include "tandem/machines/raptorlift/fleet/options.hpp"
#include "tandem/machines/raptorlift/fleet/truck.hpp"
#include "tandem/machines/raptorlift/options.hpp"
#include "tests/machines/raptorlift/fleet/fleet_rig.hpp"

namespace tandem::raptorlift::fleet {
namespace {

constexpr double pi = std::numbers::pi;

vda5050::Order order_along(const std::vector<std::pair<double, double>>& places) {
  vda5050::Order order;
  order.id = "A";
  for (std::size_t i = 0; i < places.size(); ++i) {
    vda5050::Node node;
    node.id = "n" + std::to_string(i);
    node.position = vda5050::NodePosition{places[i].first, places[i].second, {}, 0, 0, "hall"};
    order.nodes.push_back(node);
    if (i == 0) continue;
    vda5050::Edge edge;
    edge.id = "e" + std::to_string(i);
    order.edges.push_back(edge);
  }
  return order;
}

std::string reference(const vda5050::Problem& problem, const std::string& key) {
  for (const auto& each : problem.references)
    if (each.key == key) return each.value;
  return "none";
}

TEST_CASE("fields that the truck cannot obey are refused by their names") {
  vda5050::Order order = order_along({{0, 0}, {5, 0}});
  CHECK_FALSE(check_fields(order, "hall").has_value());
  CHECK_FALSE(check_fields(order, "").has_value());
  const auto refused = [&](const std::string& field) {
    const auto problem = check_fields(order, "hall");
    REQUIRE(problem);
    CHECK(problem->type == "orderError");
    CHECK(reference(*problem, "orderId") == "A");
    CHECK(reference(*problem, "field") == field);
  };
  vda5050::Edge& edge = order.edges[0];
  SUBCASE("maxHeight") { edge.max_height = 1, refused("maxHeight"); }
  SUBCASE("minHeight") { edge.min_height = 1, refused("minHeight"); }
  SUBCASE("direction") { edge.direction = "left", refused("direction"); }
  SUBCASE("maxSpeed") { edge.max_speed = 0.01, refused("maxSpeed"); }
  SUBCASE("contour") {
    edge.corridor = vda5050::Corridor{1, 1, vda5050::CorridorReference::contour};
    refused("corridor.corridorRefPoint");
  }
  SUBCASE("no position") { order.nodes[1].position.reset(), refused("nodePosition"); }
  SUBCASE("a map") {
    order.nodes[1].position->map_id = "yard";
    CHECK(reference(*check_fields(order, "hall"), "mapId") == "yard");
  }
  SUBCASE("zones") {
    order.zone_set = "z";
    CHECK(reference(*check_fields(order, "hall"), "zoneSetId") == "z");
  }
}

TEST_CASE("orientation is forward or backward; without one the truck goes on as it came") {
  vda5050::Order order = order_along({{0, 0}, {5, 0}, {10, 0}});
  const auto backward = [&](double heading) {
    std::vector<bool> all;
    const LegsOrProblem made = legs_from(order, heading, 1.542);
    for (const auto& leg : made.legs) all.push_back(leg.backward);
    return all;
  };
  CHECK(backward(0.3) == std::vector<bool>{false, false});
  CHECK(backward(pi) == std::vector<bool>{true, true});
  order.edges[0].orientation = pi;
  CHECK(backward(pi) == std::vector<bool>{true, true});
  CHECK(backward(0) == std::vector<bool>{true, true});  // its planner refuses that
  order.edges[1].orientation = 0;
  CHECK(backward(pi) == std::vector<bool>{true, false});
  order.edges[1].orientation = pi;
  order.edges[1].orientation_type = vda5050::OrientationType::global;
  CHECK(backward(pi) == std::vector<bool>{true, true});
  order.edges[1].orientation = 1;
  const LegsOrProblem made = legs_from(order, pi, 1.542);
  REQUIRE(made.problem);
  CHECK(reference(*made.problem, "edgeId") == "e2");
  CHECK(reference(*made.problem, "field") == "orientation");
}

// Its tangent is the limit of the chords from its end.
TEST_CASE("a trajectory with control points on one place is driven in the direction in which it begins and ends") {
  vda5050::Order order = order_along({{0, 0}, {-4, 4}, {-4, 8}});
  vda5050::Trajectory curve;
  curve.degree = 3;
  curve.knots = {0, 0, 0, 0, 1, 1, 1, 1};
  curve.points = {{0, 0}, {0, 0}, {-4, 0}, {-4, 4}};  // begins along -x
  order.edges[0].trajectory = curve;
  const auto backward = [&](double heading) {
    const LegsOrProblem made = legs_from(order, heading, 1.542);
    REQUIRE(made.legs.size() == 2);
    return std::vector<bool>{made.legs[0].backward, made.legs[1].backward};
  };
  CHECK(backward(pi) == std::vector<bool>{false, false});
  CHECK(backward(0) == std::vector<bool>{true, true});
  order.edges[0].trajectory->points = {{0, 0}, {-4, 0}, {-4, 4}, {-4, 4}};  // ends along +y
  CHECK(backward(pi) == std::vector<bool>{false, false});
  order.edges[0].trajectory->points = {{0, 0}, {0, 0}, {0, 0}, {0, 0}};  // its planner refuses it
  CHECK(backward(pi).size() == 2);
}

// What a machine would say that has driven the route of this order to its node.
TEST_CASE("a node with a theta is passed in its direction only; one without is passed in any") {
  Commands commands;
  FleetTruck truck(Description{}, 1s, "hall", vda5050::Tolerance{}, commands);
  const Instant now{10s};
  State state;
  state.samples = 1;
  state.live_at = now;
  state.at_standstill = true;
  truck.see(state, now);
  REQUIRE_FALSE(truck.place({0, 0, 0, "hall", true}));
  vda5050::Order order = order_along({{0, 0}, {5, 0}});
  for (auto& node : order.nodes) node.released = true;
  order.edges[0].released = true;
  const auto passes = [&](double error) {
    REQUIRE_FALSE(truck.plan(order, true));
    truck.adopt();
    const auto goal = vda5050::Goal{1, false, false};
    const auto command = truck.command(goal, now);
    REQUIRE(command);
    State there = state;
    there.samples = 2;
    there.route.id = command->id;
    there.route.distance = command->released;
    there.route.heading_error = error;
    truck.see(there, now);
    const bool passed = truck.has_passed_next(goal);
    CHECK(truck.progress()->failed != passed);
    if (!passed) CHECK(truck.progress()->why.view().find("heading: expected") != std::string_view::npos);
    return passed;
  };
  CHECK(passes(0.5));
  order.nodes[1].position->theta = 0;
  CHECK(passes(0.19));
  CHECK_FALSE(passes(0.21));
  order.nodes[1].position->theta_deviation = 0.1;
  CHECK(passes(-0.09));
  CHECK_FALSE(passes(-0.11));
}

TEST_CASE("speeds and corridors go with the leg; a turning rate limits the speed on the smallest circle") {
  vda5050::Order order = order_along({{0, 0}, {5, 0}});
  order.edges[0].max_speed = 0.5;
  order.edges[0].max_rotation_speed = 0.2;
  order.edges[0].corridor = vda5050::Corridor{1, 2, vda5050::CorridorReference::kinematic_center};
  const LegsOrProblem made = legs_from(order, 0, 1.5);
  REQUIRE(made.legs.size() == 1);
  CHECK(made.legs[0].most_speed == doctest::Approx(0.3));
  CHECK(made.legs[0].corridor_left == 1);
  CHECK(made.legs[0].corridor_right == 2);
  order.edges[0].max_rotation_speed = 0;
  CHECK(reference(*legs_from(order, 0, 1.5).problem, "field") == "maxRotationSpeed");
}

TEST_CASE("an error of the planner names the order's node or edge, also in an update") {
  const vda5050::Order order = order_along({{0, 0}, {5, 0}, {10, 0}});
  CHECK(reference(undrivable(order, "waypoint 1: too tight", 0), "nodeId") == "n1");
  CHECK(reference(undrivable(order, "leg 1: too short", 0), "edgeId") == "e2");
  CHECK(reference(undrivable(order, "waypoint 4: too tight", 3), "nodeId") == "n1");
  CHECK(reference(undrivable(order, "waypoint 1: too tight", 3), "nodeId") == "none");
  CHECK(undrivable(order, "no number", 0).type == "orderError");
}

TEST_CASE("an order that only begins too far from the truck is a noRouteError, one that cannot be driven is not") {
  Commands commands;
  FleetTruck truck(Description{}, 1s, "hall", vda5050::Tolerance{}, commands);
  State state;
  state.samples = 1;
  state.live_at = Instant{10s};
  state.at_standstill = true;
  truck.see(state, state.live_at);
  vda5050::Order order = order_along({{0, 0}, {5, 0}});
  for (auto& node : order.nodes) node.released = true;
  order.edges[0].released = true;
  const auto refused = [&](double y, double theta) {
    REQUIRE_FALSE(truck.place({0, y, theta, "hall", true}));
    const auto problem = truck.plan(order, true);
    return problem ? problem->type + ": " + problem->description : "";
  };
  CHECK(refused(0, 0).empty());
  CHECK(
      refused(0.25, 0).starts_with("noRouteError: the truck cannot begin this from where it is: waypoint 0: expected"));
  CHECK(refused(0, 0.15).starts_with("noRouteError: the truck cannot begin this from where it is: leg 0: expected"));
  order.nodes[1].position->theta = 1;
  CHECK(refused(0, 0).starts_with("orderError: the truck cannot drive this: waypoint 1: heading"));
}

TEST_CASE("options: what cannot be part of a topic, and a second commander, are refused with the key") {
  const auto error = [](const std::vector<std::string>& settings) -> std::string {
    try {
      (void)fleet_options_from(rig::fleet_options(settings));
      return "";
    } catch (const std::invalid_argument& wrong) {
      return wrong.what();
    }
  };
  const std::vector<std::string> good = {"vda5050=true", "manufacturer=KIT", "serial=0001"};
  const auto with = [&](const std::string& more) {
    auto all = good;
    all.push_back(more);
    return error(all);
  };
  CHECK(error({}).empty());
  CHECK(error(good).empty());
  CHECK(error({"vda5050=true"}).starts_with("manufacturer: expected"));
  CHECK(with("serial=a/b").starts_with("serial: expected"));
  CHECK(with("serial=#").starts_with("serial: expected"));
  CHECK(with("interface=+").starts_with("interface: expected"));
  CHECK(with("task=figure_eight") == "task: expected none with vda5050, got figure_eight");
  CHECK(with("control=joint_commands") == "control: expected internal with vda5050, got joint_commands");
  machines::Setup setup;
  setup.device = "modbus://127.0.0.1:1";
  setup.options = rig::fleet_options(good);
  setup.clock = &system_clock();
  CHECK_THROWS_WITH_AS(Machine{setup}, "vda5050: expected a broker in the section mqtt, got none",
                       std::invalid_argument);
}

TEST_CASE("the factsheet has no fork and no charger, and the truck's own measures") {
  const auto options = rig::fleet_options({"vda5050=true", "manufacturer=KIT", "serial=0001"});
  const auto sheet = factsheet_of(description_from(options), *fleet_options_from(options));
  for (const auto& action : sheet.actions) {
    CHECK(action.scopes == std::vector<vda5050::Scope>{vda5050::Scope::instant});
    CHECK(action.type != "pick");
  }
  const auto with_ros = factsheet_of(description_from(options), *fleet_options_from(options), true);
  REQUIRE(with_ros.actions.size() == sheet.actions.size() + 1);
  CHECK(with_ros.actions.back().type == "waitForTrigger");
  CHECK(with_ros.actions.back().scopes == std::vector<vda5050::Scope>{vda5050::Scope::node});
  CHECK(sheet.most_speed == 1);
  CHECK(sheet.wheels.size() == 4);
}

}  // namespace
}  // namespace tandem::raptorlift::fleet
