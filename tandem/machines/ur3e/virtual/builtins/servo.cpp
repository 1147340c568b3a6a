// SPDX-License-Identifier: Apache-2.0
// Motion without an end of its own: each call says what to do for a time, the next one takes over.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/kinematics/ur/inverse.hpp"
#include "tandem/machines/ur3e/virtual/builtins/builtins.hpp"
#include "tandem/machines/ur3e/virtual/controller.hpp"

namespace tandem::ur3e {
namespace {

using urscript::Builtins;
using urscript::Call;
using urscript::None;
using urscript::Outcome;
using urscript::Value;

constexpr double most_acceleration = 1e3;  // rad/s^2 or m/s^2
constexpr double most_servo_speed = 10;    // m/s: more is a mistake

struct Turn {
  std::shared_ptr<Motion::Claim> claim;
  double until = 0;   // of the motion's time
  bool timed = true;  // else until the speed is there
};

Outcome again(Call& call, Controller& controller) {
  Turn& turn = std::any_cast<Turn&>(call.state);
  const bool done = turn.timed ? controller.motion.over(turn.until) : controller.motion.speed_reached();
  if (!done) return urscript::wait;
  turn.claim->settle();
  return Value(None{});
}

// At least one cycle, so that a loop of such calls takes time. Under a slider it lasts longer, as the motion does.
Turn turn_of(const Call& call, Controller& controller, std::shared_ptr<Motion::Claim> claim, double time) {
  const bool timed = time > 0;
  return {std::move(claim), timed ? controller.motion.turn(std::max(time, call.cycle.step)) : 0, timed};
}

Result<double> ramp_of(const Value& value) {
  const auto number = urscript::number_of(value);
  if (!number) return number.error();
  if (std::isnan(*number) || *number < 0)
    return Error{Fault::invalid, fmt::format("expected an acceleration of 0 or more, got {}", *number)};
  return std::min(*number, most_acceleration);
}

Result<double> time_of(const Value& value) {
  if (value.is_none()) return 0.0;
  auto time = finite_of(value);
  if (time && *time < 0) return Error{Fault::invalid, fmt::format("expected a time of 0 or more, got {}", *time)};
  return time;
}

Outcome servo_joints(Call& call, Controller& controller) {
  if (call.resumed()) return again(call, controller);
  const auto q = joints_of(call[0]);
  const auto time = time_of(call[3]);
  const auto lookahead = finite_of(call[4]);
  const auto gain = finite_of(call[5]);
  if (!q) return within("servoj", q.error());
  if (!time) return within("servoj", time.error());
  if (!lookahead) return within("servoj", lookahead.error());
  if (!gain) return within("servoj", gain.error());
  auto claim = controller.motion.claim(call.thread);
  if (!claim) return within("servoj", claim.error());
  if (auto wanted = controller.motion.servo(*q, {*lookahead, *gain}); !wanted) return within("servoj", wanted.error());
  call.state = turn_of(call, controller, *claim, std::max(*time, call.cycle.step));
  return urscript::wait;
}

// The blend radius has no effect: the newest target is headed for from wherever the tool is.
Outcome servo_circle(Call& call, Controller& controller) {
  if (call.resumed()) return again(call, controller);
  const auto pose = pose_from(controller, call[0]);
  if (!pose) return within("servoc", pose.error());
  const auto solved =
      kinematics::ur::nearest(arm_model, *pose, controller.motion.position(), controller.X_flange_tcp());
  const auto a = ramp_of(call[1]);
  const auto v = number_in(call[2], 0, most_servo_speed);
  const auto r = number_in(call[3], 0, 10);
  if (const auto error = first_error(solved, a, v, r)) return within("servoc", *error);
  auto claim = controller.motion.claim(call.thread);
  if (!claim) return within("servoc", claim.error());
  controller.motion.tool_servo(*pose, *v, *a, controller.X_flange_tcp());
  call.state = turn_of(call, controller, *claim, call.cycle.step);
  return urscript::wait;
}

Outcome speed_joints(Call& call, Controller& controller) {
  if (call.resumed()) return again(call, controller);
  auto qd = joints_of(call[0]);
  const auto a = ramp_of(call[1]);
  const auto time = time_of(call[2]);
  if (!qd) return within("speedj", qd.error());
  if (!a) return within("speedj", a.error());
  if (!time) return within("speedj", time.error());
  double most = 1;
  for (int i = 0; i < 6; ++i) most = std::max(most, std::abs((*qd)[i]) / arm_model.speed[static_cast<std::size_t>(i)]);
  auto claim = controller.motion.claim(call.thread);
  if (!claim) return within("speedj", claim.error());
  controller.motion.speed(*qd / most, *a);
  call.state = turn_of(call, controller, *claim, *time);
  return urscript::wait;
}

Outcome speed_tool(Call& call, Controller& controller) {
  if (call.resumed()) return again(call, controller);
  const auto xd = joints_of(call[0]);
  const auto a = ramp_of(call[1]);
  const auto time = time_of(call[2]);
  const auto turn = is_left_out(call[3]) ? a : ramp_of(call[3]);
  if (!xd) return within("speedl", xd.error());
  if (!a) return within("speedl", a.error());
  if (!time) return within("speedl", time.error());
  if (!turn) return within("speedl", turn.error());
  auto claim = controller.motion.claim(call.thread);
  if (!claim) return within("speedl", claim.error());
  controller.motion.tool_speed(*xd, *a, *turn, controller.X_flange_tcp());
  call.state = turn_of(call, controller, *claim, *time);
  return urscript::wait;
}

Outcome torque(Call& call, Controller& controller) {
  if (call.resumed()) return again(call, controller);
  auto wanted = joints_of(call[0]);
  if (!wanted) return within("direct_torque", wanted.error());
  for (int i = 0; i < 6; ++i) {
    const double most = arm_model.torque[static_cast<std::size_t>(i)];
    (*wanted)[i] = std::clamp((*wanted)[i], -most, most);
  }
  auto claim = controller.motion.claim(call.thread);
  if (!claim) return within("direct_torque", claim.error());
  controller.motion.torque(*wanted);
  call.state = turn_of(call, controller, *claim, call.cycle.step);
  return urscript::wait;
}

}  // namespace

void add_servo(Builtins& builtins, Controller& controller) {
  const Value none = None{};
  builtins.add_waiting("servoj",
                       {"q", {"a", 0.0}, {"v", 0.0}, {"t", controller_step}, {"lookahead_time", 0.1}, {"gain", 300.0}},
                       [&controller](Call& call) { return servo_joints(call, controller); });
  builtins.add_waiting("servoc", {"pose", {"a", 1.2}, {"v", 0.25}, {"r", 0.0}},
                       [&controller](Call& call) { return servo_circle(call, controller); });
  builtins.add_waiting("speedj", {"qd", {"a", 1.4}, {"t", none}},
                       [&controller](Call& call) { return speed_joints(call, controller); });
  builtins.add_waiting("speedl", {"xd", {"a", 1.2}, {"t", none}, {"aRot", none}},
                       [&controller](Call& call) { return speed_tool(call, controller); });
  for (const char* name : {"direct_torque", "torque_command"})
    builtins.add_waiting(name, {"torque", {"friction_comp", true}, {"viscous_scale", none}, {"coulomb_scale", none}},
                         [&controller](Call& call) { return torque(call, controller); });
}

}  // namespace tandem::ur3e
