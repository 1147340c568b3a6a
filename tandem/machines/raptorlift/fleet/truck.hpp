// SPDX-License-Identifier: Apache-2.0
// The truck as its VDA 5050 vehicle sees it: which orders it can drive, the route of the present one, and where it is.
// Used by one thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tandem/kinematics/ackermann/route.hpp"
#include "tandem/machines/raptorlift/commands.hpp"
#include "tandem/machines/raptorlift/description.hpp"
#include "tandem/machines/raptorlift/state.hpp"
#include "tandem/protocols/vda5050/vehicle.hpp"

namespace tandem::raptorlift::fleet {

class FleetTruck final : public vda5050::Truck {
 public:
  // `feedback`: the maximum age of the machine's. `map_id` empty: the one that initPosition names.
  FleetTruck(const Description& description, Duration feedback, std::string map_id, vda5050::Tolerance tolerance,
             Commands& commands);

  // The newest state of the machine, whenever there is one. A route of an earlier arm is over.
  void see(const State& state, Instant now);
  const State& state() const { return state_; }
  bool fresh() const { return fresh_; }
  bool driving() const { return driving_; }
  vda5050::Position position() const;
  vda5050::Velocity velocity() const { return {state_.twist.vx, 0, state_.twist.w}; }

  // What the machine is to do about this goal now; none if there is no route.
  std::optional<RouteCommand> command(const vda5050::Goal& goal, Instant now) const;
  // Whether the next node of the route was passed; `pass` goes on to the one behind it. A truck too far beside it, or
  // in another direction than its theta, has not passed it: its route has failed.
  bool has_passed_next(const vda5050::Goal& goal);
  void pass() { ++index_; }
  bool base_ends_soon(const vda5050::Goal& goal) const;
  // What the machine says of the route that it was given last; null if it has not begun it.
  const RouteProgress* progress() const;
  void drop_route() { route_.reset(); }

  std::optional<vda5050::Problem> check(const vda5050::Order& order) override;
  std::optional<vda5050::Problem> plan(const vda5050::Order& order, bool fresh) override;
  void adopt() override;
  std::optional<std::string> place(const vda5050::Position& position) override;
  // waitForTrigger is all that orders may ask.
  vda5050::ActionReport begin(const vda5050::Action& action) override;
  vda5050::ActionReport poll(const vda5050::Action& action) override;
  void interrupt(const vda5050::Action& action) override;

 private:
  using Route = kinematics::ackermann::Route;
  struct Plan {
    std::shared_ptr<const Route> route;
    bool restarts = true;  // from where the truck is; otherwise the present one, longer
    std::uint32_t sequence = 0;
  };

  kinematics::ackermann::PlanarPose X_map_axle() const;
  Result<Route> restart(const vda5050::Order& order, std::vector<kinematics::ackermann::Leg> legs) const;
  bool heads_as(const kinematics::ackermann::Waypoint& waypoint, double heading_error);
  void fail_route(const ShortText<120>& why);
  double released(std::size_t nodes) const;  // m of arc length, of so many nodes ahead

  const kinematics::ackermann::RouteLimits limits_;
  const Duration feedback_;
  const std::string configured_map_;
  const vda5050::Tolerance tolerance_;
  Commands& commands_;

  State state_;
  Duration age_{};  // of the state, when it was seen
  bool fresh_ = false, driving_ = false, initialized_ = false;
  Instant moved_at_{};
  std::string map_;
  std::optional<kinematics::ackermann::PlanarPose> placed_;  // until the machine's samples come from there
  std::uint64_t placed_at_sample_ = 0;

  std::map<std::string, std::uint64_t> awaiting_;  // actionIds, with Commands::confirmed when they began

  std::shared_ptr<const Route> route_;
  std::optional<Plan> planned_;
  std::uint64_t id_ = 0;
  std::uint64_t enabled_ = 0;   // State::enabled when the route was accepted
  std::uint32_t sequence_ = 0;  // of the route's first waypoint
  std::size_t index_ = 0;       // of the waypoint that was passed last
};

}  // namespace tandem::raptorlift::fleet
