// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/fleet/truck.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "tandem/machines/raptorlift/fleet/factsheet.hpp"
#include "tandem/machines/raptorlift/fleet/legs.hpp"
#include "tandem/protocols/vda5050/problems.hpp"

namespace tandem::raptorlift::fleet {
namespace {

namespace ackermann = kinematics::ackermann;

constexpr Duration oldest_state = 500ms;   // older: the machine is not heard of
constexpr Duration turn = 50ms;            // between two looks
constexpr Duration unseen_standing = 2s;   // a standing truck that is away for longer may have been moved
constexpr Duration settled_after = 150ms;  // without motion: it stands
constexpr double ahead = 0.5;              // m: so far before the truck an extension leaves its route as it is
constexpr double ahead_time = 0.2;         // s, the same: of its speed, beyond that
constexpr double ahead_left = 0.1;         // m, of it when the extension is planned
constexpr double gaining = 0.5;            // m/s^2, the most by which a truck on a route gains speed
constexpr double passed_within = 0.005;    // m
constexpr double reached_within = 0.02;    // m, of the end of what is released, when it stands there
constexpr double most_coordinate = 1e6;    // m
constexpr double base_request = 1;         // m, beyond the braking distance

const ackermann::PlanarPose X_base_axle{-base_point.x, -base_point.y, 0};
const ackermann::PlanarPose X_axle_base{base_point.x, base_point.y, 0};

}  // namespace

FleetTruck::FleetTruck(const Description& description, Duration feedback, std::string map_id,
                       vda5050::Tolerance tolerance, Commands& commands)
    : limits_(route_limits_from(description)),
      feedback_(feedback),
      configured_map_(std::move(map_id)),
      tolerance_(tolerance),
      commands_(commands),
      map_(configured_map_) {}

// Odometry counts wheel speeds: what the truck drove while it was not seen is not in it.
void FleetTruck::see(const State& state, Instant now) {
  const Duration unseen = now - state.live_at;
  const Duration gap = std::max(unseen, state.live_at - state_.live_at);
  fresh_ = state.samples > 0 && unseen <= std::max(feedback_, oldest_state);
  if (gap > (state_.at_standstill ? unseen_standing : feedback_) + turn) initialized_ = false;
  if (state.enabled != state_.enabled) route_.reset();
  state_ = state;
  age_ = unseen;
  if (placed_ && state_.samples > placed_at_sample_ + 2) placed_.reset();
  const bool moves = fresh_ && (!state_.at_standstill || state_.route.driving);
  if (moves) moved_at_ = now;
  driving_ = moves || (driving_ && fresh_ && now - moved_at_ < settled_after);
}

ackermann::PlanarPose FleetTruck::X_map_axle() const { return placed_ ? *placed_ : state_.X_odom_base * X_base_axle; }

vda5050::Position FleetTruck::position() const {
  const ackermann::PlanarPose pose = X_map_axle();
  return {pose.x, pose.y, std::remainder(pose.yaw, 2 * std::numbers::pi), map_, initialized_};
}

std::optional<std::string> FleetTruck::place(const vda5050::Position& position) {
  if (!configured_map_.empty() && position.map_id != configured_map_)
    return fmt::format("mapId: expected '{}', got '{}'", configured_map_, position.map_id);
  if (position.map_id.empty()) return "mapId: expected a name, got an empty one";
  if (!(std::abs(position.x) <= most_coordinate && std::abs(position.y) <= most_coordinate &&
        std::abs(position.theta) <= 2 * std::numbers::pi))
    return fmt::format("expected x and y within {} m and theta within 2 pi", most_coordinate);
  if (!fresh_) return "expected a truck with valid feedback";
  placed_ = {position.x, position.y, std::remainder(position.theta, 2 * std::numbers::pi)};
  placed_at_sample_ = state_.samples;
  map_ = position.map_id;
  initialized_ = true;
  route_.reset();
  commands_.place.post(*placed_ * X_axle_base);
  return std::nullopt;
}

std::optional<vda5050::Problem> FleetTruck::check(const vda5050::Order& order) { return check_fields(order, map_); }

// The first node is where the truck is, as far as the order allows; the route begins at the truck.
Result<ackermann::Route> FleetTruck::restart(const vda5050::Order& order, std::vector<ackermann::Leg> legs) const {
  std::vector<ackermann::Waypoint> waypoints = waypoints_from(order);
  waypoints[0].heading.reset();
  waypoints[0].deviation = std::max(waypoints[0].deviation, tolerance_.distance);
  return ackermann::plan_route(X_map_axle(), waypoints, legs, limits_);
}

std::optional<vda5050::Problem> FleetTruck::plan(const vda5050::Order& order, bool fresh) {
  planned_.reset();
  const std::uint32_t sequence = order.nodes[0].sequence;
  const std::size_t joint = fresh || sequence < sequence_ ? 0 : (sequence - sequence_) / 2;
  const bool extends = !fresh && route_ && joint >= index_ && joint < route_->waypoints().size();
  const double heading = extends ? route_->before(route_->passed()[joint]).pose.yaw : X_map_axle().yaw;
  LegsOrProblem legs = legs_from(order, heading, limits_.smallest_radius);
  if (legs.problem) return std::move(legs.problem);
  std::optional<Error> first;
  if (extends) {
    std::vector<ackermann::Waypoint> further = waypoints_from(order);
    further.erase(further.begin());
    const RouteProgress* const where = progress();
    const double at = where == nullptr ? 0 : where->distance, speed = std::abs(state_.twist.vx);
    const double end = route_->passed()[joint];  // the truck stops there without the extension
    const double driven = std::min(at + ahead + ahead_time * speed, end);
    const Instant begun = system_clock().now();
    auto longer = ackermann::extend(*route_, joint, further, legs.legs, driven);
    const double late = seconds(age_ + (system_clock().now() - begun));
    const double reached = at + (speed + gaining * late / 2) * late;
    if (driven < end && reached + ahead_left > driven)
      return undrivable(order,
                        fmt::format("the update's path: expected it planned {:.2f} m before it changes, got {:.2f} m",
                                    ahead_left, driven - reached),
                        joint);
    if (longer) {
      planned_ = {std::make_shared<const Route>(*std::move(longer)), false, sequence_};
      return std::nullopt;
    }
    first = std::move(longer).error();
  }
  if (!fresh && (driving_ || joint != index_)) {
    return undrivable(order, first ? first->text : "there is no route to continue", joint);
  }
  auto route = restart(order, std::move(legs.legs));
  if (!route) {
    return undrivable(order, first ? first->text : route.error().text, first ? joint : 0,
                      !first && route.error().fault == Fault::unreachable);
  }
  planned_ = {std::make_shared<const Route>(*std::move(route)), true, sequence};
  return std::nullopt;
}

void FleetTruck::adopt() {
  if (!planned_) return;
  route_ = std::move(planned_->route);
  enabled_ = state_.enabled;
  if (planned_->restarts) {
    ++id_;
    index_ = 0;
    sequence_ = planned_->sequence;
  }
  planned_.reset();
}

vda5050::ActionReport FleetTruck::begin(const vda5050::Action& action) {
  if (action.type != wait_for_trigger) return {vda5050::ActionStatus::failed, "unknown"};
  awaiting_[action.id] = commands_.confirmed.load(std::memory_order_acquire);
  commands_.awaited.store(awaiting_.size(), std::memory_order_release);
  return {vda5050::ActionStatus::running, "waits for a person at the truck"};
}

vda5050::ActionReport FleetTruck::poll(const vda5050::Action& action) {
  const auto found = awaiting_.find(action.id);
  if (found == awaiting_.end()) return {vda5050::ActionStatus::failed, "unknown"};
  if (commands_.confirmed.load(std::memory_order_acquire) == found->second)
    return {vda5050::ActionStatus::running, "waits for a person at the truck"};
  interrupt(action);
  return {vda5050::ActionStatus::finished, "confirmed"};
}

void FleetTruck::interrupt(const vda5050::Action& action) {
  awaiting_.erase(action.id);
  commands_.awaited.store(awaiting_.size(), std::memory_order_release);
}

double FleetTruck::released(std::size_t nodes) const {
  const auto passed = route_->passed();
  return passed[std::min(index_ + nodes, passed.size() - 1)];
}

std::optional<RouteCommand> FleetTruck::command(const vda5050::Goal& goal, Instant now) const {
  if (!route_) return std::nullopt;
  return RouteCommand{route_, released(goal.nodes), goal.hold, id_, now, enabled_};
}

const RouteProgress* FleetTruck::progress() const { return route_ && state_.route.id == id_ ? &state_.route : nullptr; }

bool FleetTruck::has_passed_next(const vda5050::Goal& goal) {
  const RouteProgress* const where = progress();
  if (where == nullptr || goal.nodes == 0 || where->failed) return false;
  const double left = released(1) - where->distance;
  if (left > passed_within && !(goal.nodes == 1 && where->standing && !driving_ && left <= reached_within))
    return false;
  const auto waypoints = route_->waypoints();
  const ackermann::Waypoint& waypoint = waypoints[std::min(index_ + 1, waypoints.size() - 1)];
  const double allowed = waypoint.deviation > 0 ? waypoint.deviation : limits_.deviation;
  if (std::abs(where->deviation) <= allowed) return heads_as(waypoint, where->heading_error);
  fail_route(short_text<120>("deviation: expected a node passed within {:.2f} m, got {:.2f} m", allowed,
                             std::abs(where->deviation)));
  return false;
}

// By the path's heading at the node, as it is looked at a little behind it.
bool FleetTruck::heads_as(const ackermann::Waypoint& waypoint, double heading_error) {
  if (!waypoint.heading) return true;
  const double heading = route_->before(released(1)).pose.yaw + heading_error;
  const double off = std::remainder(heading - *waypoint.heading, 2 * std::numbers::pi);
  const double allowed = waypoint.heading_deviation > 0 ? waypoint.heading_deviation
                                                        : std::max(tolerance_.angle, limits_.heading_deviation);
  if (std::abs(off) <= allowed) return true;
  fail_route(
      short_text<120>("heading: expected a node passed within {:.2f} rad of its theta, got {:.2f} rad", allowed, off));
  return false;
}

// The machine withdraws it at once, without waiting for commands to stop.
void FleetTruck::fail_route(const ShortText<120>& why) {
  state_.route.failed = state_.route.ended = true;
  state_.route.driving = state_.route.standing = false;
  state_.route.why = why;
  commands_.route.post({nullptr, 0, false, id_, {}});
}

bool FleetTruck::base_ends_soon(const vda5050::Goal& goal) const {
  const RouteProgress* const where = progress();
  if (where == nullptr || !goal.at_horizon) return false;
  const double speed = state_.twist.vx;
  return released(goal.nodes) - where->distance <= speed * speed / (2 * limits_.braking) + base_request;
}

}  // namespace tandem::raptorlift::fleet
