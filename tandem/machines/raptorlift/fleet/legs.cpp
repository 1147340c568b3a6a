// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/fleet/legs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>

#include "tandem/machines/raptorlift/fleet/factsheet.hpp"
#include "tandem/protocols/vda5050/problems.hpp"

namespace tandem::raptorlift::fleet {
namespace {

namespace ackermann = kinematics::ackermann;
using vda5050::Edge;
using vda5050::Node;
using vda5050::Order;
using vda5050::Problem;

constexpr double aligned = 0.1;  // rad: an orientation this close to forward or backward is meant as that

double between(double a, double b) { return std::abs(std::remainder(a - b, 2 * std::numbers::pi)); }

Problem refused(const Order& order, const Edge& edge, std::string_view field, std::string text) {
  return vda5050::order_problem(order, vda5050::error_type::order,
                                fmt::format("edge '{}': {}: {}", edge.id, field, text),
                                {{"edgeId", edge.id}, {"field", std::string(field)}});
}

std::optional<Problem> check_edge(const Order& order, const Edge& edge) {
  const auto refuse = [&](std::string_view field, std::string text) {
    return refused(order, edge, field, std::move(text));
  };
  if (edge.max_height) return refuse("maxHeight", "expected none, as the fork is not controlled");
  if (edge.min_height) return refuse("minHeight", "expected none, as the fork is not controlled");
  if (!edge.direction.empty()) return refuse("direction", "expected none, as the truck follows no line");
  if (edge.max_speed && *edge.max_speed < least_speed)
    return refuse("maxSpeed", fmt::format("expected at least {} m/s, got {}", least_speed, *edge.max_speed));
  if (edge.corridor && edge.corridor->reference == vda5050::CorridorReference::contour)
    return refuse("corridor.corridorRefPoint", "expected KINEMATICCENTER, got CONTOUR");
  if (edge.orientation && edge.orientation_type == vda5050::OrientationType::global && edge.trajectory)
    return refuse("orientationType", "expected TANGENTIAL on a trajectory, got GLOBAL");
  return std::nullopt;
}

ackermann::Nurbs nurbs_from(const vda5050::Trajectory& trajectory) {
  ackermann::Nurbs nurbs;
  nurbs.degree = static_cast<std::size_t>(trajectory.degree);
  nurbs.knots = trajectory.knots;
  for (const auto& point : trajectory.points) nurbs.points.push_back({point.x, point.y, point.weight});
  return nurbs;
}

// Rad, of travel at the edge's beginning and end.
struct Directions {
  double begin = 0, end = 0;
};
Directions directions_of(const Edge& edge, const Node& from, const Node& to) {
  const auto direction = [](double x, double y) { return std::atan2(y, x); };
  const double straight = direction(to.position->x - from.position->x, to.position->y - from.position->y);
  if (!edge.trajectory || edge.trajectory->points.size() < 2) return {straight, straight};
  const ackermann::Nurbs nurbs = nurbs_from(*edge.trajectory);
  if (!check(nurbs)) return {straight, straight};  // its planner refuses it
  const auto [first, last] = ends(nurbs);
  return {direction(first.first.x, first.first.y), direction(last.first.x, last.first.y)};
}

// Whether the edge is driven backward; none if its orientation is neither.
std::optional<bool> backward_on(const Edge& edge, const Directions& directions, double heading) {
  const bool reverses = between(directions.begin, heading) > std::numbers::pi / 2;
  if (!edge.orientation) return reverses;
  const double ahead = edge.orientation_type == vda5050::OrientationType::global ? *edge.orientation - directions.begin
                                                                                 : *edge.orientation;
  if (between(ahead, 0) <= aligned) return false;
  if (between(ahead, std::numbers::pi) <= aligned) return true;
  return std::nullopt;
}

}  // namespace

std::optional<Problem> check_fields(const Order& order, std::string_view map_id) {
  const auto refuse = [&](std::string text, std::vector<vda5050::Reference> more) {
    return vda5050::order_problem(order, vda5050::error_type::order, std::move(text), std::move(more));
  };
  if (!order.zone_set.empty()) return refuse("zoneSetId: zones are not supported", {{"zoneSetId", order.zone_set}});
  for (const Node& node : order.nodes) {
    if (!node.position)
      return refuse(fmt::format("node '{}': nodePosition: expected one, got none", node.id),
                    {{"nodeId", node.id}, {"field", "nodePosition"}});
    const std::string& map = node.position->map_id;
    const std::string_view expected = map_id.empty() ? order.nodes[0].position->map_id : map_id;
    if (map != expected)
      return refuse(fmt::format("node '{}': mapId: expected '{}', got '{}'", node.id, expected, map),
                    {{"nodeId", node.id}, {"mapId", map}});
  }
  for (const Edge& edge : order.edges) {
    if (auto wrong = check_edge(order, edge)) return wrong;
  }
  return std::nullopt;
}

std::vector<ackermann::Waypoint> waypoints_from(const Order& order) {
  std::vector<ackermann::Waypoint> waypoints;
  for (const Node& node : order.nodes) {
    const vda5050::NodePosition& at = *node.position;
    waypoints.push_back({{at.x, at.y}, at.theta, at.deviation, at.theta_deviation});
  }
  return waypoints;
}

LegsOrProblem legs_from(const Order& order, double heading, double smallest_radius) {
  LegsOrProblem made;
  for (std::size_t i = 0; i < order.edges.size(); ++i) {
    const Edge& edge = order.edges[i];
    const Directions directions = directions_of(edge, order.nodes[i], order.nodes[i + 1]);
    const auto backward = backward_on(edge, directions, heading);
    if (!backward) {
      made.problem =
          refused(order, edge, "orientation",
                  fmt::format("expected forward (0) or backward (pi) along the edge, got {} rad {}", *edge.orientation,
                              edge.orientation_type == vda5050::OrientationType::global ? "GLOBAL" : "TANGENTIAL"));
      return made;
    }
    heading = directions.end + (*backward ? std::numbers::pi : 0);
    ackermann::Leg leg;
    leg.backward = *backward;
    if (edge.trajectory) leg.trajectory = nurbs_from(*edge.trajectory);
    if (edge.max_speed) leg.most_speed = *edge.max_speed;
    // The fastest turn is on the smallest circle.
    if (edge.max_rotation_speed) leg.most_speed = std::min(leg.most_speed, *edge.max_rotation_speed * smallest_radius);
    if (leg.most_speed < least_speed) {
      made.problem = refused(order, edge, "maxRotationSpeed",
                             fmt::format("expected at least {:.3f} rad/s, got {}", least_speed / smallest_radius,
                                         *edge.max_rotation_speed));
      return made;
    }
    if (edge.corridor) {
      leg.corridor_left = edge.corridor->left;
      leg.corridor_right = edge.corridor->right;
    }
    made.legs.push_back(std::move(leg));
  }
  return made;
}

Problem undrivable(const Order& order, std::string_view why, std::size_t first, bool from_here) {
  std::vector<vda5050::Reference> references;
  const bool is_leg = why.starts_with("leg ");
  std::string_view number = why;
  if (is_leg || why.starts_with("waypoint ")) {
    number.remove_prefix(is_leg ? 4 : 9);
    std::size_t index = 0;
    const auto read = std::from_chars(number.data(), number.data() + number.size(), index);
    if (read.ec == std::errc{} && index >= first) {
      index -= first;
      if (is_leg && index < order.edges.size()) references.push_back({"edgeId", order.edges[index].id});
      if (!is_leg && index < order.nodes.size()) references.push_back({"nodeId", order.nodes[index].id});
    }
  }
  if (from_here)
    return vda5050::order_problem(order, vda5050::error_type::no_route,
                                  fmt::format("the truck cannot begin this from where it is: {}", why),
                                  std::move(references));
  return vda5050::order_problem(order, vda5050::error_type::order, fmt::format("the truck cannot drive this: {}", why),
                                std::move(references));
}

}  // namespace tandem::raptorlift::fleet
