// SPDX-License-Identifier: Apache-2.0
// Moves that have an end, and stops. The call lasts until the arm is there, or within the blend radius of it.
#include <fmt/format.h>

#include <algorithm>

#include "tandem/kinematics/ur/inverse.hpp"
#include "tandem/machines/ur3e/virtual/builtins/builtins.hpp"
#include "tandem/machines/ur3e/virtual/controller.hpp"

namespace tandem::ur3e {
namespace {

using urscript::Builtins;
using urscript::Call;
using urscript::Outcome;
using urscript::Value;
using Claim = std::shared_ptr<Motion::Claim>;
using kinematics::trajectory::ArcOrientation;

constexpr double joint_speed = 1.05, joint_acceleration = 1.4;         // rad/s, rad/s^2: the defaults of movej
constexpr double tool_speed = 0.25, tool_acceleration = 1.2;           // m/s, m/s^2: of movel, movep and movec
constexpr double most_tool_speed = 1.0, most_tool_acceleration = 2.5;  // m/s, m/s^2: what optimovel takes parts of
constexpr double abort_deceleration = 4;                               // rad/s^2

struct Numbers {
  double a = 0, v = 0, t = 0, r = 0;
};

// The four numbers of a move, from these arguments on; `t` is left out of movep and movec.
Result<Numbers> numbers_from(const Call& call, std::size_t first, bool timed) {
  Numbers numbers;
  std::array<double*, 4> into{&numbers.a, &numbers.v, timed ? &numbers.t : &numbers.r, &numbers.r};
  for (std::size_t i = 0; i < (timed ? 4u : 3u); ++i) {
    const auto number = finite_of(call[first + i]);
    if (!number) return number.error();
    *into[i] = *number;
  }
  if (numbers.t < 0) return Error{Fault::invalid, fmt::format("expected a time t of 0 or more, got {}", numbers.t)};
  if (numbers.r < 0) return Error{Fault::invalid, fmt::format("expected a radius r of 0 or more, got {}", numbers.r)};
  return numbers;
}

// A time makes speed and acceleration of no account.
Pace pace_from(const Numbers& numbers) {
  if (numbers.t > 0) return {1, 1, numbers.t};
  return {numbers.v, numbers.a, 0};
}

// A path of the tool that leaves the reach of the arm: the program is held there, and tries again when it goes on.
struct OutOfReach {};

Outcome stop_before(Call& call, Controller& controller, const char* name, const Error& error) {
  controller.protective_stop(stop_codes::singularity, fmt::format("{}: {}", name, error.text));
  call.state = OutOfReach{};
  return urscript::wait;
}

// The path is planned from where the arm will be at rest; `plan` gets that. A path of the tool that cannot be followed
// to its end is a protective stop, as on a real arm, which comes to it on the way; here it is known before.
template <typename Plan>
Outcome carry_out(Call& call, Controller& controller, const char* name, std::size_t first, bool timed, Plan plan) {
  Motion& motion = controller.motion;
  const bool held = std::any_cast<OutOfReach>(&call.state) != nullptr;
  if (held && controller.abort_asked()) return Value(urscript::None{});
  if (call.resumed() && !held) {
    if (controller.abort_asked() && !motion.passed()) motion.stop(abort_deceleration);
    if (!motion.passed()) return urscript::wait;
    std::any_cast<Claim&>(call.state)->settle();
    return Value(urscript::None{});
  }
  const auto numbers = numbers_from(call, first, timed);
  if (!numbers) return within(name, numbers.error());
  auto claim = motion.claim(call.thread);
  if (!claim) return within(name, claim.error());
  Result<std::unique_ptr<Path>> path = plan(motion.rest(), pace_from(*numbers));
  if (!path && path.error().fault == Fault::unreachable) return stop_before(call, controller, name, path.error());
  if (!path) return within(name, path.error());
  if (numbers->t > 0 && (*path)->duration() > numbers->t * (1 + 1e-3))
    controller.say(ur::primary::Text{fmt::format("{}: a time of {:.3f} s is too short, the move takes {:.3f} s", name,
                                                 numbers->t, (*path)->duration())});
  const double blend_at = blend_time(**path, numbers->r, controller.X_flange_tcp());
  motion.follow(std::move(*path), blend_at);
  call.state = *claim;
  return urscript::wait;
}

Result<Joints> joints_from(const Controller& controller, const Value& value, const Joints& near) {
  if (!is_pose(value)) return joints_of(value);
  const auto pose = transform_of(value);
  if (!pose) return pose.error();
  const auto solved = kinematics::ur::nearest(arm_model, *pose, near, controller.X_flange_tcp());
  // There is no path that could be followed for a while.
  if (!solved) return Error{Fault::invalid, solved.error().text};
  return solved->q;
}

Outcome move_joints(Call& call, Controller& controller, const char* name) {
  return carry_out(call, controller, name, 1, true,
                   [&](const Joints& from, const Pace& pace) -> Result<std::unique_ptr<Path>> {
                     const auto to = joints_from(controller, call[0], from);
                     if (!to) return to.error();
                     return joint_path(from, *to, pace);
                   });
}

Outcome move_line(Call& call, Controller& controller, const char* name, bool timed) {
  return carry_out(call, controller, name, 1, timed,
                   [&](const Joints& from, const Pace& pace) -> Result<std::unique_ptr<Path>> {
                     const auto to = pose_from(controller, call[0]);
                     if (!to) return to.error();
                     const auto curve = Curve::line(controller.tool(from), *to);
                     if (!curve) return curve.error();
                     return tool_path(from, *curve, pace, controller.X_flange_tcp());
                   });
}

Outcome move_circle(Call& call, Controller& controller) {
  return carry_out(
      call, controller, "movec", 2, false, [&](const Joints& from, const Pace& pace) -> Result<std::unique_ptr<Path>> {
        const auto via = pose_from(controller, call[0]);
        const auto to = pose_from(controller, call[1]);
        const auto mode = urscript::number_of(call[5]);
        if (!via) return via.error();
        if (!to) return to.error();
        if (!mode || (*mode != 0 && *mode != 1))
          return Error{Fault::invalid, "expected mode 0 or 1, got " + urscript::to_text(call[5])};
        const auto curve =
            Curve::circle(controller.tool(from), *via, *to, *mode == 1 ? ArcOrientation::fixed : ArcOrientation::free);
        if (!curve) return curve.error();
        return tool_path(from, *curve, pace, controller.X_flange_tcp());
      });
}

// Speed and acceleration are parts, 0 to 1, of what the arm is able to do.
Outcome optimal_move(Call& call, Controller& controller, bool linear) {
  const char* name = linear ? "optimovel" : "optimovej";
  if (!call.resumed()) {
    for (const std::size_t i : {1u, 2u}) {
      const auto part = number_in(call[i], 0, 1);
      if (!part) return part.error();
      if (*part == 0) return Error{Fault::invalid, "expected a part of the speed and acceleration above 0, got 0"};
    }
  }
  const auto scaled = [&](Pace pace) {
    const double speed = linear ? most_tool_speed : *std::ranges::min_element(arm_model.speed);
    const double acceleration = linear ? most_tool_acceleration : *std::ranges::min_element(arm_model.acceleration);
    return Pace{pace.speed * speed, pace.acceleration * acceleration, 0};
  };
  return carry_out(call, controller, name, 1, false,
                   [&](const Joints& from, const Pace& pace) -> Result<std::unique_ptr<Path>> {
                     if (!linear) {
                       const auto to = joints_from(controller, call[0], from);
                       if (!to) return to.error();
                       return joint_path(from, *to, scaled(pace));
                     }
                     const auto to = pose_from(controller, call[0]);
                     if (!to) return to.error();
                     const auto curve = Curve::line(controller.tool(from), *to);
                     if (!curve) return curve.error();
                     return tool_path(from, *curve, scaled(pace), controller.X_flange_tcp());
                   });
}

Outcome stop(Call& call, Controller& controller, bool along) {
  Motion& motion = controller.motion;
  if (call.resumed()) {
    if (!motion.at_rest()) return urscript::wait;
    std::any_cast<Claim&>(call.state)->settle();
    return Value(urscript::None{});
  }
  const char* name = along ? "stopl" : "stopj";
  const auto deceleration = finite_of(call[0]);
  if (!deceleration) return within(name, deceleration.error());
  if (*deceleration <= 0)
    return Error{Fault::invalid, fmt::format("{}: expected a deceleration above 0, got {}", name, *deceleration)};
  const auto turn = along && !is_left_out(call[1]) ? finite_of(call[1]) : deceleration;
  if (!turn) return within(name, turn.error());
  if (*turn <= 0) return Error{Fault::invalid, fmt::format("{}: expected aRot above 0, got {}", name, *turn)};
  auto claim = motion.claim(call.thread);
  if (!claim) return within(name, claim.error());
  if (along) {
    const Twist6 twist =
        kinematics::ur::jacobian(arm_model, motion.position(), controller.X_flange_tcp().translation()) *
        motion.velocity();
    motion.stop_along(std::max(twist.head<3>().norm() / *deceleration, twist.tail<3>().norm() / *turn));
  } else {
    motion.stop(*deceleration);
  }
  call.state = *claim;
  return urscript::wait;
}

}  // namespace

void add_moves(Builtins& builtins, Controller& controller) {
  const urscript::Parameter a_joint{"a", joint_acceleration}, v_joint{"v", joint_speed};
  const urscript::Parameter a_tool{"a", tool_acceleration}, v_tool{"v", tool_speed}, t{"t", 0.0}, r{"r", 0.0};
  builtins.add_waiting("movej", {"q", a_joint, v_joint, t, r},
                       [&controller](Call& call) { return move_joints(call, controller, "movej"); });
  builtins.add_waiting("movel", {"pose", a_tool, v_tool, t, r},
                       [&controller](Call& call) { return move_line(call, controller, "movel", true); });
  for (const bool linear : {false, true})
    builtins.add_waiting(linear ? "optimovel" : "optimovej", {"goal", {"a", 0.3}, {"v", 0.3}, r},
                         [&controller, linear](Call& call) { return optimal_move(call, controller, linear); });
  builtins.add_waiting("movep", {"pose", a_tool, v_tool, r},
                       [&controller](Call& call) { return move_line(call, controller, "movep", false); });
  builtins.add_waiting("movec", {"pose_via", "pose_to", a_tool, v_tool, r, {"mode", 0}},
                       [&controller](Call& call) { return move_circle(call, controller); });
  builtins.add_waiting("stopj", {{"a", 2.0}}, [&controller](Call& call) { return stop(call, controller, false); });
  builtins.add_waiting("stopl", {{"a", 20.0}, {"aRot", Value(urscript::None{})}},
                       [&controller](Call& call) { return stop(call, controller, true); });
}

}  // namespace tandem::ur3e
