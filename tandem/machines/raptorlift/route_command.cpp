// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/route_command.hpp"

#include <algorithm>
#include <utility>

namespace tandem::raptorlift {
namespace {

// A post holds it while it copies a command; another post waits for that, a take does not.
class Held {
 public:
  explicit Held(std::atomic_flag& flag) : flag_(flag) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { flag_.clear(std::memory_order_release); }

 private:
  std::atomic_flag& flag_;
};

constexpr double steering_share = 0.6;  // of the steering's speed: the rest is for corrections

}  // namespace

void RouteMailbox::post(RouteCommand command) {
  std::vector<std::shared_ptr<const kinematics::ackermann::Route>> unused;  // freed without holding the flag
  {
    while (busy_.test_and_set(std::memory_order_acquire)) {
    }
    const Held held(busy_);
    if (command.route && std::ranges::find(kept_, command.route) == kept_.end()) kept_.push_back(command.route);
    std::swap(newest_, command);
    unread_ = true;
    command.route.reset();
    const auto used = std::ranges::partition(kept_, [](const auto& route) { return route.use_count() > 1; });
    unused.assign(std::make_move_iterator(used.begin()), std::make_move_iterator(used.end()));
    kept_.erase(used.begin(), used.end());
  }
}

std::optional<RouteCommand> RouteMailbox::take() {
  if (busy_.test_and_set(std::memory_order_acquire)) return std::nullopt;
  const Held held(busy_);
  if (!std::exchange(unread_, false)) return std::nullopt;
  return newest_;
}

kinematics::ackermann::RouteLimits route_limits_from(const Description& description) {
  kinematics::ackermann::RouteLimits limits;
  limits.smallest_radius = 1 / kinematics::ackermann::most_curvature(description.geometry);
  limits.speed = description.limits.speed;
  limits.turn = description.limits.turn;
  limits.braking = std::min(0.5, description.limits.acceleration / 2);
  limits.curvature_rate = steering_share * steering_speed / description.geometry.wheelbase;
  return limits;
}

}  // namespace tandem::raptorlift
