// SPDX-License-Identifier: Apache-2.0
// What a program can ask about the arm, and the kinematics it can use.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/base/linear.hpp"
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
namespace kin = kinematics::ur;

constexpr std::uint64_t steady_cycles = 250;       // half a second with zero target velocity
constexpr double close = 0.01, too_close = 0.002;  // least singular value of the Jacobian (m, rad): singular postures

bool left_out(const Value& value) { return value.is_none() || value.text() != nullptr; }

// A TCP by its offset; left out, or by name, the active one.
Result<Pose> tcp_of(const Value& value, const Controller& controller) {
  return left_out(value) ? Result<Pose>(controller.X_flange_tcp()) : transform_of(value);
}

Outcome forward(Call& call, const Controller& controller) {
  const auto q = left_out(call[0]) ? Result<Joints>(controller.body.measured().position) : joints_of(call[0]);
  const auto tcp = tcp_of(call[1], controller);
  if (!q) return within("get_forward_kin", q.error());
  if (!tcp) return within("get_forward_kin", tcp.error());
  return value_from(Pose(kin::forward(arm_model, *q) * *tcp));
}

Result<kin::Nearest> inverse(Call& call, const Controller& controller) {
  const auto pose = transform_of(call[0]);
  const auto near = left_out(call[1]) ? Result<Joints>(controller.motion.position()) : joints_of(call[1]);
  const auto tcp = tcp_of(call[4], controller);
  if (!pose) return pose.error();
  if (!near) return near.error();
  if (!tcp) return tcp.error();
  return kin::nearest(arm_model, *pose, *near, *tcp);
}

Outcome within_limits(Call& call, const Controller& controller) {
  if (is_pose(call[0])) {
    const auto pose = transform_of(call[0]);
    if (!pose) return within("is_within_safety_limits", pose.error());
    const auto near = left_out(call[1]) ? Result<Joints>(controller.motion.position()) : joints_of(call[1]);
    if (!near) return near.error();
    return Value(kin::nearest(arm_model, *pose, *near, controller.X_flange_tcp()).ok());
  }
  const auto q = joints_of(call[0]);
  if (!q) return within("is_within_safety_limits", q.error());
  return Value(!kin::outside_limits(arm_model, *q));
}

Outcome history(Call& call, const Controller& controller) {
  const auto steps = urscript::integer_of(call[0]);
  if (!steps) return within("get_actual_joint_positions_history", steps.error());
  if (*steps < 0 || static_cast<std::size_t>(*steps) >= history_length)
    return Error{Fault::invalid, fmt::format("get_actual_joint_positions_history: expected 0 to {} steps, got {}",
                                             history_length - 1, *steps)};
  return value_from(controller.history(static_cast<std::size_t>(*steps)));
}

Joints joints_from(const ur::Vector6& numbers) { return Eigen::Map<const Joints>(numbers.data()); }

// The manual's words for how far the arm is from a singularity: 0 normal, 1 near, 2 too close.
std::int32_t freedrive_status(const Joints& q, const Pose& X_flange_tcp) {
  const kin::Jacobian jacobian = kin::jacobian(arm_model, q, X_flange_tcp.translation());
  const double least = std::sqrt(std::max(0.0, eigenvalues(Matrix6(jacobian * jacobian.transpose()))[0]));
  if (least < too_close) return 2;
  return least < close ? 1 : 0;
}

Outcome rows_of(const kin::Jacobian& matrix) {
  std::vector<Value> rows;
  for (Eigen::Index i = 0; i < 6; ++i) rows.push_back(value_from(Joints(matrix.row(i))));
  return Value::make_list(std::move(rows));
}

void add_joint_state(Builtins& builtins, Controller& controller) {
  const auto add = [&](const char* name, auto read) {
    builtins.add(name, {}, [&controller, read](Call&) -> Outcome { return value_from(Joints(read(controller))); });
  };
  const auto actual = [](const Controller& c) { return c.body.measured().position; };
  const auto target = [](const Controller& c) { return c.motion.position(); };
  add("get_actual_joint_positions", actual);
  add("get_joint_positions", actual);
  add("get_target_joint_positions", target);
  add("get_actual_joint_speeds", [](const Controller& c) { return c.body.measured().velocity; });
  add("get_target_joint_speeds", [](const Controller& c) { return c.motion.velocity(); });
  add("get_target_joint_accelerations", [](const Controller& c) { return c.motion.acceleration(); });
  // Without what gravity and the motion need.
  add("get_joint_torques", [](const Controller& c) { return c.body.measured().external_torque; });
  add("get_actual_tcp_speed", [](const Controller& c) { return joints_from(c.variables.state.actual_tcp_speed); });
  add("get_target_tcp_speed_along_path",
      [](const Controller& c) { return joints_from(c.variables.state.target_tcp_speed); });
  add("get_target_tcp_speed", [](const Controller& c) { return joints_from(c.variables.state.target_tcp_speed); });
  add("get_tcp_force", [](const Controller& c) { return joints_from(c.variables.state.actual_tcp_force); });
}

void add_tool_state(Builtins& builtins, Controller& controller) {
  const auto add = [&](const char* name, auto read) {
    builtins.add(name, {}, [&controller, read](Call&) -> Outcome { return value_from(Pose(read(controller))); });
  };
  add("get_actual_tcp_pose", [](const Controller& c) { return c.tool(c.body.measured().position); });
  add("get_target_tcp_pose", [](const Controller& c) { return c.tool(c.motion.position()); });
  add("get_target_tcp_pose_along_path", [](const Controller& c) { return c.tool(c.motion.planned()); });
  add("get_target_waypoint", [](const Controller& c) { return c.tool(c.motion.target()); });
  add("get_actual_tool_flange_pose",
      [](const Controller& c) { return kin::forward(arm_model, c.body.measured().position); });
  add("get_target_tool_flange_pose", [](const Controller& c) { return kin::forward(arm_model, c.motion.position()); });
  builtins.add("get_tcp_offset", {}, [&controller](Call&) -> Outcome {
    urscript::PoseValue offset;
    std::copy(controller.tcp_offset().begin(), controller.tcp_offset().end(), offset.begin());
    return Value(offset);
  });
}

void add_numbers(Builtins& builtins, Controller& controller) {
  const auto add = [&](const char* name, auto read) {
    builtins.add(name, {}, [&controller, read](Call&) -> Outcome { return Value(double{read(controller)}); });
  };
  add("force", [](const Controller& c) { return c.variables.state.tcp_force_scalar; });
  add("get_controller_temp", [](const Controller&) { return 30.0; });
  add("get_steptime", [](const Controller&) { return controller_step; });
  add("get_tool_temp", [](const Controller& c) { return c.variables.state.tool_temperature; });
  add("get_target_payload", [](const Controller& c) { return c.variables.state.payload; });
  add("get_tool_current", [](const Controller& c) { return c.variables.state.tool_output_current; });
  add("get_speed_scaling", [](const Controller& c) { return c.variables.state.speed_scaling; });
  builtins.add("get_target_payload_cog", {}, [&controller](Call&) -> Outcome {
    const auto& cog = controller.variables.state.payload_cog;
    return urscript::list_of_numbers({cog.begin(), cog.end()});
  });
  builtins.add("get_target_payload_inertia", {}, [&controller](Call&) -> Outcome {
    const auto& inertia = controller.variables.state.payload_inertia;
    return urscript::list_of_numbers({inertia.begin(), inertia.end()});
  });
  builtins.add("get_tool_accelerometer_reading", {}, [&controller](Call&) -> Outcome {
    const auto& reading = controller.variables.state.actual_tool_accelerometer;
    return urscript::list_of_numbers({reading.begin(), reading.end()});
  });
  builtins.add("get_gravity", {}, [&controller](Call&) -> Outcome {
    const auto& gravity = controller.variables.state.target_gravity;
    return urscript::list_of_numbers({gravity.begin(), gravity.end()});
  });
  builtins.add("get_joint_temp", {"j"}, [&controller](Call& call) -> Outcome {
    const auto joint = urscript::integer_of(call[0]);
    if (!joint || *joint < 0 || *joint > 5)
      return Error{Fault::invalid, "get_joint_temp: expected a joint of 0 to 5, got " + urscript::to_text(call[0])};
    return Value(controller.variables.state.joint_temperatures[static_cast<std::size_t>(*joint)]);
  });
}

}  // namespace

void add_kinematics(Builtins& builtins, Controller& controller) {
  const Value none = None{};
  add_joint_state(builtins, controller);
  add_tool_state(builtins, controller);
  add_numbers(builtins, controller);
  builtins.add("get_forward_kin", {{"q", none}, {"tcp", none}},
               [&controller](Call& call) { return forward(call, controller); });
  const std::vector<urscript::Parameter> inverse_parameters{
      "x", {"qnear", none}, {"maxPositionError", 1e-10}, {"maxOrientationError", 1e-10}, {"tcp", none}};
  builtins.add("get_inverse_kin", inverse_parameters, [&controller](Call& call) -> Outcome {
    const auto solved = inverse(call, controller);
    if (!solved) return within("get_inverse_kin", solved.error());
    return value_from(solved->q);
  });
  builtins.add("get_inverse_kin_has_solution", inverse_parameters,
               [&controller](Call& call) -> Outcome { return Value(inverse(call, controller).ok()); });
  builtins.add("is_within_safety_limits", {"pose", {"qNear", none}},
               [&controller](Call& call) { return within_limits(call, controller); });
  builtins.add("get_actual_joint_positions_history", {{"steps", 0}},
               [&controller](Call& call) { return history(call, controller); });
  builtins.add("get_freedrive_status", {}, [&controller](Call&) -> Outcome {
    return Value(freedrive_status(controller.body.measured().position, controller.X_flange_tcp()));
  });
  const auto jacobian = [&controller](Call& call, bool derivative) -> Outcome {
    const auto q = left_out(call[0]) ? Result<Joints>(controller.body.measured().position) : joints_of(call[0]);
    const auto tcp = tcp_of(call[derivative ? 2 : 1], controller);
    const auto qd =
        !derivative || left_out(call[1]) ? Result<Joints>(controller.body.measured().velocity) : joints_of(call[1]);
    if (const auto error = first_error(q, tcp, qd)) return *error;
    const Eigen::Vector3d point = tcp->translation();
    if (!derivative) return rows_of(kin::jacobian(arm_model, *q, point));
    constexpr double dt = 1e-5;  // s
    return rows_of((kin::jacobian(arm_model, *q + dt * *qd, point) - kin::jacobian(arm_model, *q - dt * *qd, point)) /
                   (2 * dt));
  };
  builtins.add("get_jacobian", {{"q", none}, {"tcp", none}}, [jacobian](Call& call) { return jacobian(call, false); });
  builtins.add("get_jacobian_time_derivative", {{"q", none}, {"qd", none}, {"tcp", none}},
               [jacobian](Call& call) { return jacobian(call, true); });
  builtins.add("is_steady", {}, [&controller](Call&) -> Outcome { return Value(controller.still() >= steady_cycles); });
}

}  // namespace tandem::ur3e
