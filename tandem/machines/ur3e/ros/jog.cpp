// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/ros/jog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/machines/ur3e/description.hpp"

namespace tandem::ur3e {
namespace {

namespace trajectory = kinematics::trajectory;

constexpr double jog_acceleration = 2.0;  // rad/s^2
constexpr double shortest_ramp = 0.15;    // s
constexpr double cruise = 0.2;            // s: two messages at ten a second
constexpr double at_rest = 1e-3;          // rad/s
constexpr double shortest_move = 0.5;     // s
constexpr Duration jog_silence = 500ms;
constexpr double grip_force = 40;  // N

double ramp_time(const Joints& from, const Joints& to) {
  return std::max(shortest_ramp, (to - from).cwiseAbs().maxCoeff() / jog_acceleration);
}

Result<void> within_range(const Joints& q) {
  if (const auto joint = kinematics::ur::outside_limits(arm_model, q))
    return Error{Fault::refused, fmt::format("{} is at the end of its range",
                                             kinematics::ur::joint_names[static_cast<std::size_t>(*joint)])};
  return {};
}

// Where a trajectory takes over: at the reference of one that is driven, else where the arm is.
trajectory::JointState handover(const State& state) {
  const bool driven = state.activity == Activity::trajectory;
  return {Joint6D::from_radians(driven ? state.reference : state.controller.actual_q).vector(),
          driven ? Joint6D::from_radians(state.reference_speed).vector() : Joints::Zero(), Joints::Zero()};
}

}  // namespace

Result<std::vector<trajectory::Waypoint>> jog_path(const trajectory::JointState& start, const Joints& speeds) {
  std::vector<trajectory::Waypoint> points;
  double time = 0;
  Joints q = start.q, qd = start.qd;
  const auto go = [&](const Joints& to, double duration) {
    time += duration;
    q += 0.5 * duration * (qd + to);
    qd = to;
    trajectory::Waypoint& point = points.emplace_back();
    point.time = time;
    point.q = q;
    point.qd = qd;
  };
  go(speeds, ramp_time(qd, speeds));
  if (speeds.cwiseAbs().maxCoeff() > 0) {
    go(speeds, cruise);
    go(Joints::Zero(), ramp_time(qd, Joints::Zero()));
  }
  if (auto fits = within_range(q); !fits) return std::move(fits).error();
  return points;
}

Result<std::vector<trajectory::Waypoint>> set_point_path(const trajectory::JointState& start, const Joints& target) {
  std::vector<trajectory::Waypoint> points;
  Joints from = start.q;
  double time = 0;
  if (start.qd.cwiseAbs().maxCoeff() > at_rest) {
    auto braked = jog_path(start, Joints::Zero());
    if (!braked) return braked;
    points = std::move(*braked);
    from = points.back().q;
    time = points.back().time;
  }
  if (auto fits = within_range(target); !fits) return std::move(fits).error();
  // Between two rests a cubic is at most 1.5 times as fast as on average, and accelerates by at most 6 ways per time
  // squared.
  const double way = (target - from).cwiseAbs().maxCoeff();
  trajectory::Waypoint& point = points.emplace_back();
  point.time =
      time + std::max({shortest_move, 1.5 * way / set_point_speed, std::sqrt(6 * way / set_point_acceleration)});
  point.q = target;
  point.qd = Joints::Zero();
  return points;
}

RosJog::RosJog(ros2::FullNode& node, bool has_hand, const Latest<State>& state, Commands& commands,
               machines::Refusals& refusals)
    : state_(state), commands_(commands), refusals_(refusals), inbox_(node, refusals) {
  hear(topics_.joints, "forward_velocity_controller/commands", false, &RosJog::jog);
  // A set point may be sent once, so none may be lost.
  hear(topics_.places, "forward_position_controller/commands", true, &RosJog::place);
  if (has_hand) hear(topics_.hand, "hande_position_controller/commands", false, &RosJog::grip);
}

void RosJog::hear(std::string& topic, const char* name, bool every, std::string (RosJog::*take)(const Numbers&)) {
  topic = inbox_.hear<Numbers>(name, {.longest_silence = jog_silence, .every = every},
                               [this, take](const Numbers& message, Instant) -> Result<void> {
                                 std::string why = (this->*take)(message);
                                 if (!why.empty()) return Error{Fault::refused, std::move(why)};
                                 refusals_.forget_last();
                                 return {};
                               });
}

std::string RosJog::not_ready(const State& state) const {
  if (state.quality != Quality::live) return "the link to the robot is not live";
  return state.armed ? "" : "not armed: call ~/arm or `tandem arm` first";
}

std::string RosJog::jog(const Numbers& message) {
  if (message.data.size() != 6) return fmt::format("expected six speeds, got {}", message.data.size());
  const Joints speeds(message.data.data());
  for (Eigen::Index i = 0; i < 6; ++i) {
    if (!(std::abs(speeds[i]) <= fastest_jog))
      return fmt::format("data[{}]: expected a speed within +-{} rad/s, got {}", i, fastest_jog, speeds[i]);
  }
  const State state = state_.get().value_or(State{});
  if (auto trouble = not_ready(state); !trouble.empty()) return trouble;
  const bool stands = speeds.cwiseAbs().maxCoeff() < at_rest;
  const bool driven = state.activity == Activity::trajectory;
  if (stands && !driven) return "";
  if (state.activity == Activity::task) {
    commands_.end_task = true;  // the task stops first; the next message finds the arm at rest
    return "";
  }
  if (state.activity == Activity::stopping) return "";
  const trajectory::JointState start = handover(state);
  return drive(start, jog_path(start, speeds));
}

std::string RosJog::place(const Numbers& message) {
  if (message.data.size() != 6) return fmt::format("expected six angles, got {}", message.data.size());
  const Joints target(message.data.data());
  if (!target.allFinite()) return "expected finite angles";
  const State state = state_.get().value_or(State{});
  if (auto trouble = not_ready(state); !trouble.empty()) return trouble;
  // A task stops first, and the move begins where the arm then stands.
  const trajectory::JointState start = handover(state);
  return drive(start, set_point_path(start, target));
}

std::string RosJog::drive(const trajectory::JointState& start, Result<std::vector<trajectory::Waypoint>> points) {
  if (!points) return points.error().text;
  const auto wanted = std::make_shared<TrajectoryRequest>();
  wanted->points = std::move(*points);
  if (const auto drivable = wanted->plan(start); !drivable) return drivable.error().text;
  commands_.drive(wanted);
  return "";
}

std::string RosJog::grip(const Numbers& message) {
  if (message.data.size() != 1) return fmt::format("expected one position, got {}", message.data.size());
  const double finger = message.data[0];
  if (!(finger >= 0 && finger <= hand::finger_stroke + 1e-6))
    return fmt::format("data[0]: expected 0 to {} m, got {}", hand::finger_stroke, finger);
  const State state = state_.get().value_or(State{});
  if (auto trouble = not_ready(state); !trouble.empty()) return trouble;
  if (!state.hand.known) return "the gripper does not answer";
  commands_.end_task = true;
  const auto wanted = std::make_shared<GripRequest>();
  wanted->finger = finger;
  wanted->force = grip_force;
  commands_.grip(0, wanted);
  return "";
}

}  // namespace tandem::ur3e
