// SPDX-License-Identifier: Apache-2.0
// A route on its way from the thread that plans it to the machine's cycle, and how far the truck is along it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/base/short_text.hpp"
#include "tandem/kinematics/ackermann/route.hpp"
#include "tandem/machines/raptorlift/description.hpp"

namespace tandem::raptorlift {

// Newest wins. It counts for 0.5 s: post it every 200 ms or more often, as it is or with more released.
struct RouteCommand {
  std::shared_ptr<const kinematics::ackermann::Route> route;  // in odom, of the middle of the traction axle
  double released = 0;                                        // m of arc length that may be driven
  bool paused = false;
  // Of the order. An extension keeps it. Numbers grow: one that has ended (by a stop, a disarm, another input that took
  // over, or a deviation) never drives again, nor does any below it.
  std::uint64_t id = 0;
  Instant at{};
  std::uint64_t enabled = 0;  // State::enabled when the order was accepted; under any other it does not drive
};

struct RouteProgress {
  std::uint64_t id = 0;      // 0: none so far
  double distance = 0;       // m of arc length
  double deviation = 0;      // m, from the path; positive: left in the direction of travel
  double heading_error = 0;  // rad, of the truck, from the path's heading there
  bool driving = false;      // a speed is asked of the truck by the route
  bool standing = false;     // asked to stand, and does: paused, at the end of what is released, or at a cusp
  bool failed = false;       // ended by an error; `why` says which
  bool overruled = false;    // ended since an input of higher priority drove
  bool ended = false;        // by failed, overruled, stop or disarm
  ShortText<120> why;
};

// Any thread posts, the cycle takes. The cycle never waits and never frees a route: what it holds is kept here until
// a later post finds it unused.
class RouteMailbox {
 public:
  void post(RouteCommand command);
  // The newest one posted since the last take; nothing if a post is under way just now.
  std::optional<RouteCommand> take();

 private:
  std::atomic_flag busy_ = ATOMIC_FLAG_INIT;
  RouteCommand newest_;
  bool unread_ = false;
  std::vector<std::shared_ptr<const kinematics::ackermann::Route>> kept_;
};

// What routes of this truck must keep to.
kinematics::ackermann::RouteLimits route_limits_from(const Description& description);

}  // namespace tandem::raptorlift
