// SPDX-License-Identifier: Apache-2.0
// The controller's state as its clients see it, filled in once per cycle.
#include <algorithm>
#include <cmath>

#include "tandem/machines/ur3e/virtual/controller.hpp"

namespace tandem::ur3e {
namespace {

namespace kin = kinematics::ur;

template <typename Array, typename Vector>
void put(Array& into, const Vector& from) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = from[static_cast<Eigen::Index>(i)];
}

constexpr double warm = 28.0;              // degrees Celsius
constexpr double main_voltage = 48.0;      // V
constexpr double standing_current = 0.35;  // A, of the electronics

}  // namespace

Wrench Controller::tcp_wrench() const {
  const Measured& measured = body.measured();
  const Eigen::Vector3d arm = measured.tool0.linear() * X_flange_tcp_.translation();
  return {measured.tool_force.force, measured.tool_force.torque - arm.cross(measured.tool_force.force)};
}

void Controller::report() {
  ur::ControllerState& s = variables.state;
  const Measured& measured = body.measured();
  if (!timestamp_frozen) s.timestamp = now();
  s.control_step = cycle_;
  put(s.target_q, motion.position());
  put(s.target_qd, motion.velocity());
  put(s.target_qdd, motion.acceleration());
  put(s.actual_q, measured.position);
  put(s.actual_qd, measured.velocity);
  put(s.actual_current, measured.current);
  put(s.actual_current_as_torque, measured.torque);
  put(s.target_moment, Joints(measured.torque - measured.external_torque));
  for (std::size_t i = 0; i < 6; ++i) {
    s.target_current[i] = s.target_moment[i] / torque_per_ampere[i];
    s.actual_current_window[i] = arm_model.torque[i] / torque_per_ampere[i];
    s.joint_control_output[i] = s.actual_current[i];
  }
  report_tool(measured);
  report_modes();
}

void Controller::report_tool(const Measured& measured) {
  ur::ControllerState& s = variables.state;
  const Eigen::Vector3d point = X_flange_tcp_.translation();
  const Twist6 before = Eigen::Map<const Twist6>(s.actual_tcp_speed.data());
  const Twist6 target_before = Eigen::Map<const Twist6>(s.target_tcp_speed.data());
  const Twist6 speed = kin::jacobian(arm_model, measured.position, point) * measured.velocity;
  const Twist6 target_speed = kin::jacobian(arm_model, motion.position(), point) * motion.velocity();
  put(s.actual_tcp_pose, kin::vector_from_pose(tool(measured.position)));
  put(s.target_tcp_pose, kin::vector_from_pose(tool(motion.position())));
  put(s.actual_tcp_speed, speed);
  put(s.target_tcp_speed, target_speed);
  put(s.actual_tcp_acceleration, Twist6((speed - before) / controller_step));
  put(s.target_tcp_acceleration, Twist6((target_speed - target_before) / controller_step));
  put(s.tcp_offset, tcp_offset_);
  const Wrench outside = tcp_wrench();
  Twist6 wrench, raw;
  wrench << outside.force, outside.torque;
  raw << measured.flange.force, measured.flange.torque;
  put(s.actual_tcp_force, wrench);
  put(s.wrench_calc_from_currents, wrench);
  put(s.ft_raw_wrench, raw);
  s.tcp_force_scalar = outside.force.norm();
  put(s.actual_tool_accelerometer, measured.tool_acceleration);
  const auto links = kin::link_poses(arm_model, measured.position);
  const Eigen::Vector3d elbow = links[1].translation();
  const Eigen::Vector3d elbow_before(s.elbow_position[0], s.elbow_position[1], s.elbow_position[2]);
  put(s.elbow_velocity, Eigen::Vector3d((elbow - elbow_before) / controller_step));
  put(s.elbow_position, elbow);
}

void Controller::report_modes() {
  ur::ControllerState& s = variables.state;
  const Measured& measured = body.measured();
  s.robot_mode = power.robot_mode();
  s.safety_mode = power.safety_mode();
  s.safety_status = static_cast<std::int32_t>(s.safety_mode);
  s.joint_mode.fill(static_cast<std::int32_t>(power.joint_mode()));
  s.robot_status_bits = power.status_bits();
  if (programs.running()) s.robot_status_bits |= ur::robot_status::program_running;
  if (motion.drive() == Drive::freedrive) s.robot_status_bits |= ur::robot_status::teach_button;
  s.safety_status_bits = power.safety_status_bits();
  s.runtime_state = programs.state();
  s.script_control_line = programs.line();
  s.speed_scaling = motion.rate();
  const bool powered = power.powered();
  s.actual_main_voltage = main_voltage;
  s.actual_robot_voltage = powered ? main_voltage : 0;
  s.actual_robot_current = powered ? standing_current + 0.1 * measured.current.cwiseAbs().sum() : 0;
  s.actual_joint_voltage.fill(s.actual_robot_voltage);
  s.joint_temperatures.fill(warm);
  s.tool_temperature = warm;
  s.tool_output_current = powered ? measured.gripper.current : 0;
  s.tool_mode = powered ? 253 : 239;
  const double power_drawn =
      measured.torque.cwiseProduct(measured.velocity).sum() + s.actual_robot_current * s.actual_robot_voltage;
  s.actual_robot_energy_consumed += std::max(0.0, power_drawn) * controller_step;
  double deviation = 0, collision = 0;
  const Guards guards;
  for (int i = 0; i < 6; ++i) {
    deviation = std::max(deviation, std::abs(motion.position()[i] - measured.position[i]) / 0.05);
    collision = std::max(collision,
                         std::abs(measured.external_torque[i]) / guards.external_torque[static_cast<std::size_t>(i)]);
  }
  s.joint_position_deviation_ratio = std::min(1.0, deviation);
  s.collision_detection_ratio = std::min(1.0, collision);
}

}  // namespace tandem::ur3e
