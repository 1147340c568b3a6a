// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/control/path_follower.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tandem::raptorlift {
namespace {

namespace ackermann = kinematics::ackermann;

constexpr int projections = 4;
constexpr double longest_jump = 0.5;      // m along the path, from one projection to the next
constexpr double same_end = 0.02;         // m: what is released has grown by more than this
constexpr double most_approach = 0.5;     // rad, toward the path
constexpr double nearly_standing = 1e-4;  // m/s: the steering turns, and the truck stands
constexpr double steered = 0.1;           // 1/m: near enough to start
constexpr double drift = 0.1;             // 1/s: speed times what the steering is off by

double turn_to(double angle) { return std::remainder(angle, 2 * std::numbers::pi); }

}  // namespace

void PathFollower::take(const RouteCommand& command) {
  if (!command.route) return end("withdrawn");
  if (command.id == command_.id) command_.at = command.at;
  if (command.id <= ended_) return;
  if (command.id != command_.id) {
    progress_ = {};
    progress_.id = command.id;
    begin_ = speed_ = 0;
    halted_at_ = -1;
  }
  command_ = command;
  end_ = command_.route->end_of_piece(begin_);
  progress_.distance = std::min(progress_.distance, end_);
}

void PathFollower::end(std::string_view why) {
  ended_ = std::max(ended_, command_.id);
  command_.route.reset();
  progress_.driving = progress_.standing = false;
  if (!progress_.ended && progress_.id != 0) progress_.why = why;
  progress_.ended = true;
  speed_ = 0;
}

void PathFollower::overrule(std::string_view input) {
  progress_.overruled = true;
  end(input);
}

bool PathFollower::holds_route() const { return command_.route && !progress_.ended; }

ackermann::RoutePoint PathFollower::place(double distance) const {
  return distance < end_ ? command_.route->at(std::max(distance, begin_)) : command_.route->before(end_);
}

// The nearest place of the path, from where it was.
void PathFollower::project(const ackermann::PlanarPose& X_odom_axle) {
  for (int i = 0; i < projections; ++i) {
    const ackermann::RoutePoint point = place(progress_.distance);
    const double sign = point.backward ? -1 : 1;
    const double c = sign * std::cos(point.pose.yaw), s = sign * std::sin(point.pose.yaw);
    const double dx = X_odom_axle.x - point.pose.x, dy = X_odom_axle.y - point.pose.y;
    progress_.deviation = c * dy - s * dx;
    const double shrink = std::max(0.2, 1 - sign * point.curvature * progress_.deviation);
    const double step = std::clamp((c * dx + s * dy) / shrink, -longest_jump, longest_jump);
    const double to = std::clamp(progress_.distance + step, begin_, end_);
    const bool there = std::abs(to - progress_.distance) < 1e-6;
    progress_.distance = to;
    if (there) return;
  }
}

bool PathFollower::off_path(const ackermann::RoutePoint& point, double heading_error) {
  const double left = std::min(point.left, options_.deviation), right = std::min(point.right, options_.deviation);
  const double beside = progress_.deviation;
  if (beside <= left && -beside <= right && std::abs(heading_error) <= options_.heading) return false;
  progress_.failed = true;
  const auto why = std::abs(heading_error) > options_.heading
                       ? short_text<120>("heading: expected within {:.2f} rad of the path, got {:.2f} rad",
                                         options_.heading, heading_error)
                       : short_text<120>(
                             "deviation: expected within {:.2f} m left and {:.2f} m right of the path, got "
                             "{:.2f} m",
                             left, right, beside);
  end(why.view());
  return true;
}

// Along the path: what is allowed here and a little ahead, what still stops at the end, and no more than the steering
// is ready for.
double PathFollower::wanted_speed(const ackermann::RoutePoint& point, const Seen& seen, double most, double dt) {
  const double now = std::max(0.0, point.backward ? -seen.speed : seen.speed);
  const double braking = command_.route->limits().braking, k = options_.approach;
  const double ahead = place(progress_.distance + now * options_.speed_lag).speed;
  const double left = most - options_.short_of - progress_.distance, rest = left - now * options_.speed_lag;
  const double round = braking / (k * k);  // m: braking evenly until there, then in proportion
  const double stop = rest > round ? std::sqrt(2 * braking * (rest - round / 2)) : k * std::max(rest, 0.0);
  double wanted = std::min({point.speed, std::max(ahead, options_.creeping), stop});
  wanted = std::min(wanted, speed_ + options_.acceleration * dt);
  return std::max(wanted, options_.creeping);
}

double PathFollower::wanted_curvature(double heading_error, double speed, double sign) const {
  const ackermann::RoutePoint ahead = place(progress_.distance + speed * options_.steering_lag);
  const double beside = 1 / (options_.reach * options_.reach), about = 2 / options_.reach;
  const double toward = std::clamp(beside / about * progress_.deviation, -most_approach, most_approach);
  const double path = sign * ahead.steering - about * (std::sin(heading_error) + toward);
  return std::clamp(sign * path, -options_.most_curvature, options_.most_curvature);
}

ackermann::Twist PathFollower::halt(const Seen& seen) {
  speed_ = 0;
  progress_.driving = !seen.standstill;
  progress_.standing = seen.standstill;
  return {};
}

std::optional<ackermann::Twist> PathFollower::step(const Seen& seen, Instant now, double dt) {
  if (now - command_.at > options_.timeout || progress_.id == 0) {
    progress_.driving = progress_.standing = false;
    speed_ = 0;
    return std::nullopt;
  }
  if (progress_.failed) return halt(seen);
  if (!command_.route) return std::nullopt;
  project(seen.X_odom_axle);
  const double most = std::min(end_, command_.released);
  const double now_along = std::abs(seen.speed);
  const double rest = most - options_.short_of - progress_.distance;
  if (rest - now_along * options_.speed_lag < 1e-3) halted_at_ = most;
  bool halted = halted_at_ >= 0 && most <= halted_at_ + same_end;
  // A cusp, and more is released beyond it.
  if (halted && seen.standstill && end_ < std::min(command_.released, command_.route->length())) {
    begin_ = progress_.distance = end_;
    end_ = command_.route->end_of_piece(begin_);
    halted_at_ = -1;
    halted = false;
    project(seen.X_odom_axle);
  }
  const ackermann::RoutePoint point = place(progress_.distance);
  const double heading_error = turn_to(seen.X_odom_axle.yaw - point.pose.yaw), sign = point.backward ? -1 : 1;
  progress_.heading_error = heading_error;
  if (off_path(point, heading_error) || halted) return halt(seen);
  const double curvature = wanted_curvature(heading_error, now_along, sign);
  double speed = 0;
  if (command_.paused) {
    speed = std::max(0.0, speed_ - options_.pause_braking * dt);
    if (speed == 0) return halt(seen);
  } else {
    speed = wanted_speed(point, seen, std::min(end_, command_.released), dt);
    const double off = std::abs(curvature - seen.curvature);
    if (off > steered && seen.standstill)
      speed = nearly_standing;
    else if (off > steered)
      speed = std::max(options_.creeping, std::min(speed, drift / off));
  }
  speed_ = speed;
  progress_.driving = true;
  progress_.standing = false;
  return ackermann::Twist{sign * speed, sign * speed * curvature};
}

}  // namespace tandem::raptorlift
