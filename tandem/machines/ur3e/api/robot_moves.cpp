// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/machines/ur3e/api/arm_plan.hpp"
#include "tandem/machines/ur3e/api/robot.hpp"
#include "tandem/machines/ur3e/description.hpp"

namespace tandem::ur3e {
namespace {

constexpr Duration submit_within = 500ms;
constexpr Duration look_for_end = 1ms;
constexpr double slack = 5;           // s that a motion may take longer than twice the time it should
constexpr double least_speed = 0.01;  // of full speed: how a motion that is held counts against its deadline
constexpr double reached = 0.02;      // rad
constexpr Duration newest_target = 20ms;

// Commands begin and end at rest, so the last target of one has nothing to blend into. With a radius the controller
// would report the end of the move where the blend begins, short of the target.
void end_at_rest(command::Any& command) {
  const auto stop_there = [](auto& move) {
    if constexpr (requires { move.r; }) move.r = 0;
  };
  if (auto* path = std::get_if<command::MovePath>(&command); path != nullptr && !path->points.empty())
    std::visit(stop_there, path->points.back());
  else
    std::visit(stop_there, command);
}

// The joints where a move by joints must end.
const Six* goal_of(const command::Any& command) {
  if (const auto* move = std::get_if<command::MoveJoints>(&command)) return &move->q;
  const auto* path = std::get_if<command::MovePath>(&command);
  if (path == nullptr || path->points.empty()) return nullptr;
  const auto* last = std::get_if<command::MoveJoints>(&path->points.back());
  return last != nullptr ? &last->q : nullptr;
}

bool is_near(const Six& a, const Six& b) {
  for (std::size_t i = 0; i < 6; ++i)
    if (std::abs(a[i] - b[i]) > reached) return false;
  return true;
}

}  // namespace

Result<bool> Robot::move(command::Any command, bool wait) {
  if (auto meant = command::check(command); !meant) return std::move(meant).error();
  const ArmStatus seen = status();
  if (!seen.armed)
    return Error{Fault::refused, fmt::format("{}: not armed: {}", command::name(command), seen.why.view())};
  const auto here = state();
  if (!here) return here.error();
  end_at_rest(command);
  const auto way = plan(command, Joint6D::from_radians(here->q), TCP6D::from_metres_radians(here->tcp_offset));
  if (!way) return way.error();
  const double seconds = way->duration();
  const Six* goal = wait ? goal_of(command) : nullptr;
  const std::optional<Six> wanted = goal != nullptr ? std::optional(*goal) : std::nullopt;
  auto moved = motion(std::move(command), wait, seconds);
  if (!moved || !*moved || !wanted) return moved;
  const auto there = state();
  if (!there) return there.error();
  return is_near(there->q, *wanted);
}

Result<bool> Robot::motion(command::Any command, bool wait, double seconds) {
  if (arm_ == nullptr) return Error{Fault::closed, "the robot is closed"};
  const char* name = command::name(command);
  const bool moves = command::is_motion(command), streams = command::is_open_ended(command);
  auto ticket = arm_->submit(std::move(command), now() + submit_within);
  if (!ticket) return std::move(ticket).error();
  if (moves) {
    streamed_at_ = streams ? now().time_since_epoch().count() : 0;
    last_motion_ = *ticket;
  }
  if (!wait) return true;
  return settle(*ticket, name, seconds);
}

// A slower slider makes motions longer and a pause holds them: time counts as fast as the arm may move.
Result<bool> Robot::settle(Ticket ticket, const char* name, double seconds) const {
  const double most = 2 * seconds + slack;
  double passed = 0;
  Instant before = now();
  while (true) {
    switch (arm_->outcome(ticket)) {
      case Outcome::done:
        return true;
      case Outcome::interrupted:
        return false;
      case Outcome::failed:
        return Error{Fault::device, fmt::format("{}: {}", name, status().why.view())};
      default:
        break;
    }
    const auto seen = arm_->state();
    const double speed = seen && !seen->paused ? std::clamp(seen->speed_fraction, least_speed, 1.0) : least_speed;
    const Instant at = now();
    passed += tandem::seconds(at - std::exchange(before, at)) * speed;
    if (passed > most)
      return Error{Fault::timeout,
                   fmt::format("{}: not done within {:.1f} s at full speed, expected {:.1f} s", name, most, seconds)};
    system_clock().sleep_until(at + look_for_end);
  }
}

Result<void> Robot::perform(command::Any command) {
  auto done = motion(std::move(command), true, 0);
  if (!done) return std::move(done).error();
  return {};
}

Result<bool> Robot::movej(const Joint6D& joints, double a, double v, double t, double r, bool wait) {
  return move(command::MoveJoints{joints.list(), a, v, t, r}, wait);
}

Result<bool> Robot::movej(const TCP6D& pose, double a, double v, double t, double r, bool wait) {
  const auto joints = inverse_kin(pose);
  if (!joints) return within("movej", joints.error());
  return movej(*joints, a, v, t, r, wait);
}

Result<bool> Robot::movel(const TCP6D& pose, double a, double v, double t, double r, bool wait) {
  return move(command::MoveLine{pose.list(), a, v, t, r}, wait);
}

Result<bool> Robot::movep(const TCP6D& pose, double a, double v, double r, bool wait) {
  return move(command::MoveProcess{pose.list(), a, v, r}, wait);
}

Result<bool> Robot::movec(const TCP6D& via, const TCP6D& to, double a, double v, double r, bool wait) {
  return move(command::MoveCircle{via.list(), to.list(), a, v, r}, wait);
}

Result<bool> Robot::movej_waypoints(std::span<const Joint6DDescriptor> points, bool wait) {
  command::MovePath path;
  for (const Joint6DDescriptor& point : points)
    path.points.push_back(command::MoveJoints{point.joints.list(), point.a, point.v, point.t, point.r});
  return move(std::move(path), wait);
}

Result<bool> Robot::movel_waypoints(std::span<const TCP6DDescriptor> points, bool wait) {
  command::MovePath path;
  for (const TCP6DDescriptor& point : points)
    path.points.push_back(command::MoveLine{point.tcp.list(), point.a, point.v, point.t, point.r});
  return move(std::move(path), wait);
}

Result<bool> Robot::move_linear_direction_until(const TCP6D& from, DirectionFeature feature, DirectionAxis axis,
                                                double distance_mm, double a, double v, bool wait) {
  if (!std::isfinite(distance_mm))
    return Error{Fault::invalid,
                 fmt::format("move_linear_direction_until: distance: expected a finite number, got {}", distance_mm)};
  const std::array<TCP6DDescriptor, 2> points = {
      TCP6DDescriptor{from, a, v}, TCP6DDescriptor{displaced(from, feature, axis, distance_mm / 1000), a, v}};
  const auto here = actual_tcp_pose();
  if (!here) return here.error();
  const bool there = (here->pose().translation() - from.pose().translation()).norm() < 1e-4;
  return movel_waypoints(std::span(points).subspan(there ? 1 : 0), wait);
}

Result<bool> Robot::stopj(double a, bool wait) { return motion(command::StopJoints{a}, wait, 1); }
Result<bool> Robot::stopl(double a, bool wait) { return motion(command::StopLine{a}, wait, 1); }

// The joints' own limits of speed over the time that the arm has for the step.
Result<void> Robot::followable(const Joint6D& joints, double t) {
  const auto here = state();
  if (!here) return here.error();
  const Instant at = now();
  const bool streaming = at - served_at_ <= newest_target;
  const Six& from = streaming ? served_ : here->q;
  const double time = std::max(t, streaming ? seconds(at - served_at_) : seconds(newest_target));
  for (std::size_t i = 0; i < 6; ++i) {
    const double step = std::abs(joints[i] - from[i]), most = arm_model.speed[i] * time;
    if (!(step <= most))
      return Error{Fault::invalid,
                   fmt::format("servoj: joint {} ({}): a step of {:.4f} rad in {:.1f} ms is more than its speed limit "
                               "allows ({:.4f} rad); nothing was sent",
                               i + 1, joint_names[i], step, 1000 * time, most)};
  }
  served_ = joints.list();
  served_at_ = at;
  return {};
}

Result<bool> Robot::servoj(const Joint6D& joints, double t, double lookahead_time, double gain) {
  const command::Servo servo{joints.list(), t, lookahead_time, gain};
  if (auto meant = command::check(servo); !meant) return std::move(meant).error();
  if (auto can = followable(joints, t); !can) return std::move(can).error();
  return motion(servo, false, 0);
}

Result<bool> Robot::speedj(const Six& speeds, double a, double t, bool wait) {
  return motion(command::SpeedJoints{speeds, a, t}, wait, t + 2);
}

Result<bool> Robot::speedl(const Six& twist, double a, double t, bool wait) {
  return motion(command::SpeedLine{twist, a, t}, wait, t + 2);
}

}  // namespace tandem::ur3e
