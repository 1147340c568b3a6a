// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/ros/commands.hpp"

#include <fmt/format.h>

namespace tandem::raptorlift {
namespace {

using ros2::control_msgs::SetOdometry;
using ros2::geometry_msgs::Twist;
using ros2::geometry_msgs::TwistStamped;
using ros2::sensor_msgs::JointState;

constexpr const char* joint_topic = "raptorlift/joint_commands";

const Twist& twist_of(const Twist& message) { return message; }
const Twist& twist_of(const TwistStamped& message) { return message.twist; }

}  // namespace

RosCommands::RosCommands(ros2::FullNode& node, const RosCommandsSetup& setup, Commands& commands,
                         const machines::Lines& lines)
    : setup_(setup), commands_(commands), refusals_(node, lines, setup.log_interval), inbox_(node, refusals_) {
  const bool internal = setup.commander == Commander::internal;
  inbox_.hear<JointState>(
      joint_topic, {.longest_silence = setup.command_timeout, .oldest_stamp = setup.reference_timeout},
      [this](const JointState& message, Instant received) { return take(message, received); },
      internal ? "control: internal: Tandem's controller drives this truck" : "");
  for (const auto input : {VelocityInput::teleop, VelocityInput::key, VelocityInput::nav})
    hear<TwistStamped>(input, std::string(source(input).topic));
  const std::string cmd_vel(source(VelocityInput::cmd_vel).topic);
  if (setup.cmd_vel_stamped)
    hear<TwistStamped>(VelocityInput::cmd_vel, cmd_vel);
  else
    hear<Twist>(VelocityInput::cmd_vel, cmd_vel);
  using ros2::std_msgs::Int32;
  inbox_.hear<Int32>("gear_state", {.exclusive = false, .every = true},
                     [this](const Int32& message, Instant) -> Result<void> {
                       if (message.data < 1 || message.data > most_gear)
                         return Error{Fault::invalid, fmt::format("expected 1 to {}, got {}", most_gear, message.data)};
                       commands_.gear.post(message.data);
                       return {};
                     });
  if (!internal) return;  // then a controller outside has these
  hear<TwistStamped>(VelocityInput::reference, std::string(source(VelocityInput::reference).topic));
  hear<Twist>(VelocityInput::reference, "~/reference_unstamped");
  set_odometry_.emplace(node, "~/set_odometry", [this](const SetOdometry::Request& request) {
    const auto pose = pose_from(request);
    SetOdometry::Response response;
    response.success = pose.ok();
    response.message = pose ? "odometry is set with the next sample" : pose.error().text;
    if (pose) commands_.place.post(*pose);
    return response;
  });
  if (!setup.fleet) return;
  using ros2::std_srvs::Trigger;
  confirm_.emplace(node, "~/confirm", [this](const Trigger::Request&) {
    Trigger::Response response;
    response.success = commands_.awaited.load(std::memory_order_acquire) > 0;
    response.message = response.success ? "confirmed" : "nothing waits for a confirmation";
    if (response.success) commands_.confirmed.fetch_add(1, std::memory_order_acq_rel);
    return response;
  });
}

template <ros2::Message M>
void RosCommands::hear(VelocityInput input, const std::string& topic) {
  inbox_.hear<M>(
      topic, {.longest_silence = setup_.reference_timeout, .oldest_stamp = setup_.reference_timeout},
      [this, input](const M& message, Instant received) -> Result<void> {
        const auto wanted = twist_from(twist_of(message));
        if (!wanted) return wanted.error();
        commands_.post(input, {*wanted, received});
        return {};
      },
      setup_.commander == Commander::internal
          ? ""
          : "control: joint_commands: only raptorlift/joint_commands drives this truck");
}

Result<void> RosCommands::take(const JointState& message, Instant received) {
  const UtcTime stamp = ros2::utc_from(message.header.stamp);
  const auto wheels = wheels_from(message, setup_.description, setup_.units, setup_.prefix);
  if (!wheels) return wheels.error();
  if (stamp != UtcTime{}) {
    const std::lock_guard lock(mutex_);
    if (stamp < last_stamp_ && last_stamp_ - stamp < 10 * setup_.reference_timeout)
      return Error{Fault::refused, fmt::format("its stamp went back by {:.3f} s", seconds(last_stamp_ - stamp))};
    last_stamp_ = stamp;
  }
  commands_.joints.post({*wheels, received});
  return {};
}

}  // namespace tandem::raptorlift
