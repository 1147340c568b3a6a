// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/ros/topics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tandem/machines/kit/ros/diagnosis.hpp"
#include "tandem/machines/ur3e/ros/commands.hpp"
#include "tandem/machines/ur3e/ros/urdf.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::ur3e {
namespace {

namespace control_msgs = ros2::control_msgs;
using ros2::diagnostic_msgs::DiagnosticStatus;

constexpr Duration controller_period = 20ms;
constexpr Duration slow_period = 100ms;

bool may_move(const State& state) {
  return state.controller.robot_mode == ur::RobotMode::running &&
         (state.controller.safety_mode == ur::SafetyMode::normal ||
          state.controller.safety_mode == ur::SafetyMode::reduced);
}

DiagnosticStatus diagnosis(const State& state, const std::string& part, const std::string& hardware) {
  const bool ready = may_move(state);
  const std::string modes = fmt::format("robot mode {}, safety mode {}", ur::name(state.controller.robot_mode),
                                        ur::name(state.controller.safety_mode));
  DiagnosticStatus status = machines::diagnosis_of(state, part, hardware, !ready, ready ? "live" : modes);
  status.values = {
      {"quality", name(state.quality)},
      {"robot mode", ur::name(state.controller.robot_mode)},
      {"safety mode", ur::name(state.controller.safety_mode)},
      {"takes commands", state.armed ? "yes" : "no"},
      {"activity", name(state.activity)},
      {"speed", fmt::format("{:.0f} %", 100 * state.controller.speed_scaling)},
      {"gripper", !state.hand.known ? "not there" : fmt::format("{:.1f} mm", 2e3 * state.hand.finger)},
      {"samples", fmt::format("{}", state.samples)},
      {"skipped", fmt::format("{}", state.skipped)},
      {"rejected", fmt::format("{}", state.rejected)},
      {"last refusal", std::string(state.refusal.view())},
  };
  return status;
}

}  // namespace

Topics::Topics(ros2::Context& context, const Setup& setup, Clock& clock, const Latest<State>& shared,
               Commands& commands)
    : node_(context, setup.node, setup.name_space, clock),
      clock_(clock),
      prefix_(setup.prefix),
      joints_publisher_(node_.advertise<ros2::sensor_msgs::JointState>("joint_states")),
      pose_publisher_(node_.advertise<ros2::geometry_msgs::PoseStamped>("tcp_pose_broadcaster/pose")),
      wrench_publisher_(node_.advertise<ros2::geometry_msgs::WrenchStamped>("force_torque_sensor_broadcaster/wrench")),
      filtered_publisher_(
          node_.advertise<ros2::geometry_msgs::WrenchStamped>("force_torque_sensor_broadcaster/wrench_filtered")),
      scaling_publisher_(node_.advertise<ros2::std_msgs::Float64>("speed_scaling_state_broadcaster/speed_scaling")),
      controller_publishers_{
          node_.advertise<control_msgs::JointTrajectoryControllerState>("joint_trajectory_controller/controller_state"),
          node_.advertise<control_msgs::JointTrajectoryControllerState>(
              "scaled_joint_trajectory_controller/controller_state")},
      io_publisher_(node_.advertise<ros2::ur_msgs::IOStates>("io_and_status_controller/io_states")),
      tool_publisher_(node_.advertise<ros2::ur_msgs::ToolDataMsg>("io_and_status_controller/tool_data")),
      robot_mode_publisher_(node_.advertise<ros2::ur_dashboard_msgs::RobotMode>("io_and_status_controller/robot_mode",
                                                                                ros2::Qos::latched())),
      safety_mode_publisher_(node_.advertise<ros2::ur_dashboard_msgs::SafetyMode>(
          "io_and_status_controller/safety_mode", ros2::Qos::latched())),
      program_publisher_(node_.advertise<ros2::std_msgs::Bool>("io_and_status_controller/robot_program_running",
                                                               ros2::Qos::latched())),
      description_publisher_(node_.advertise<ros2::std_msgs::String>("robot_description", ros2::Qos::latched())),
      tf_(node_),
      static_tf_(node_),
      frames_(moving_frames(setup.prefix)),
      commands_(std::make_unique<RosCommands>(node_, setup.has_hand, setup.prefix, shared, commands)),
      diagnostics_(node_, node_.clock(),
                   [&, part = setup.node + ": arm", hardware = setup.hardware, stale_after = setup.stale_after] {
                     const State state = machines::state_to_diagnose(shared, clock, 2 * stale_after);
                     DiagnosticStatus status = diagnosis(state, part, hardware);
                     const machines::Refusals& refusals = commands_->refusals();
                     status.values.push_back({"commands refused", fmt::format("{}", refusals.count())});
                     status.values.push_back({"last refused command", refusals.last()});
                     return std::vector{std::move(status)};
                   }) {
  ros2::std_msgs::String description;
  description.data = urdf(setup.prefix);
  description_publisher_.publish(description);
  static_tf_.send(fixed_frames(node_.clock().utc(), setup.prefix));
}

Topics::~Topics() = default;

void Topics::publish(const State& state, Instant received) {
  const Instant now = clock_.now();
  const auto stamp = ros2::message_from(node_.clock().utc() - (now - received));
  fill(joints_, state, stamp, prefix_);
  joints_publisher_.publish(joints_);
  const std::size_t count = fill(frames_, state, stamp);
  tf_.send(std::span(frames_.data(), count));
  fill(pose_, state, stamp, prefix_);
  pose_publisher_.publish(pose_);
  fill(wrench_, state, stamp, prefix_);
  wrench_publisher_.publish(wrench_);
  smooth(filtered_, wrench_, std::max(0.0, seconds(received - wrench_at_)));
  wrench_at_ = received;
  filtered_publisher_.publish(filtered_);
  publish_modes(state);
  if (now >= next_controller_) {
    next_controller_ = now + controller_period;
    fill(controller_, state, stamp, prefix_);
    for (const auto& publisher : controller_publishers_) publisher.publish(controller_);
    ros2::std_msgs::Float64 scaling;
    scaling.data = 100 * state.controller.speed_scaling;  // percent, as that broadcaster has it
    scaling_publisher_.publish(scaling);
  }
  if (now >= next_slow_) publish_slow(state, now);
}

void Topics::publish_slow(const State& state, Instant now) {
  next_slow_ = now + slow_period;
  fill(io_, state);
  io_publisher_.publish(io_);
  fill(tool_, state);
  tool_publisher_.publish(tool_);
}

// When they change.
void Topics::publish_modes(const State& state) {
  if (const auto mode = robot_mode_from(state); robot_mode_ != mode) {
    robot_mode_ = mode;
    robot_mode_publisher_.publish(mode);
  }
  if (const auto mode = safety_mode_from(state); safety_mode_ != mode) {
    safety_mode_ = mode;
    safety_mode_publisher_.publish(mode);
  }
  if (const bool runs = program_runs(state); program_ != runs) {
    program_ = runs;
    ros2::std_msgs::Bool message;
    message.data = runs;
    program_publisher_.publish(message);
  }
}

}  // namespace tandem::ur3e
