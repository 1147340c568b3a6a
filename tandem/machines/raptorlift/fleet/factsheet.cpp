// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/fleet/factsheet.hpp"

#include <algorithm>

namespace tandem::raptorlift::fleet {
namespace {

using vda5050::Blocking;
using vda5050::Scope;

vda5050::ActionFact instant(std::string type, std::vector<vda5050::ActionParameterFact> parameters = {}) {
  return {std::move(type), {Scope::instant}, std::move(parameters), {Blocking::none, Blocking::soft, Blocking::hard}};
}

}  // namespace

// The PLC's registers know neither a fork nor a battery: there is nothing to pick or to charge with.
vda5050::Factsheet factsheet_of(const Description& description, const FleetOptions& options, bool confirmable) {
  const auto& geometry = description.geometry;
  vda5050::Factsheet sheet;
  sheet.series = "RaptorLift";
  sheet.kinematic = "THREEWHEEL";
  sheet.vehicle_class = "FORKLIFT";
  sheet.localization = {"NATURAL"};
  sheet.navigation = {"VIRTUAL_LINE_GUIDED"};
  sheet.least_speed = least_speed;
  sheet.most_speed = description.limits.speed;
  sheet.most_acceleration = sheet.most_deceleration = description.limits.acceleration;
  sheet.height = description.base_height + body::chassis[2] / 2;
  sheet.width = std::max(geometry.traction_track, geometry.steering_track) + body::wheel_width;
  sheet.length = body::chassis[0] + 2 * geometry.wheel_radius;
  sheet.order_interval = 0.05;
  sheet.state_interval = 0.05;
  sheet.default_state_interval = seconds(options.state_interval);
  sheet.visualization_interval = seconds(options.visualization_interval);
  sheet.optional_parameters = {
      {"order.nodes.nodePosition", true},
      {"order.nodes.nodePosition.theta", false},
      {"order.nodes.nodePosition.allowedDeviationXY", false},
      {"order.nodes.nodePosition.allowedDeviationTheta", false},
      {"order.edges.maxSpeed", false},
      {"order.edges.maxRotationSpeed", false},
      {"order.edges.rotationAllowed", false},
      {"order.edges.orientation", false},
      {"order.edges.orientationType", false},
      {"order.edges.length", false},
      {"order.edges.trajectory", false},
      {"order.edges.corridor", false},
  };
  sheet.actions = {
      instant("cancelOrder", {{"orderId", "STRING", true}}),
      instant("startPause"),
      instant("stopPause"),
      instant("stateRequest"),
      instant("factsheetRequest"),
      instant(
          "initPosition",
          {{"x", "NUMBER"}, {"y", "NUMBER"}, {"theta", "NUMBER"}, {"mapId", "STRING"}, {"lastNodeId", "STRING", true}}),
  };
  if (confirmable)
    sheet.actions.push_back({std::string(wait_for_trigger), {Scope::node}, {{"triggerType", "STRING", true}}});
  const double diameter = 2 * geometry.wheel_radius;
  for (const double side : {-0.5, 0.5}) {
    sheet.wheels.push_back({"DRIVE", true, false, 0, side * geometry.traction_track, diameter, body::wheel_width});
    sheet.wheels.push_back(
        {"DRIVE", false, true, -geometry.wheelbase, side * geometry.steering_track, diameter, body::wheel_width});
  }
  return sheet;
}

}  // namespace tandem::raptorlift::fleet
