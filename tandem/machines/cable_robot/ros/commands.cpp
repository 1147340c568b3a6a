// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/ros/commands.hpp"

#include <fmt/format.h>

namespace tandem::cable_robot {
namespace {

using ros2::geometry_msgs::PoseStamped;
using ros2::geometry_msgs::Twist;
using ros2::sensor_msgs::JointState;
using PlainPose = ros2::geometry_msgs::Pose;

constexpr const char* desired_topic = "desired_pose";
constexpr const char* setpoint_topic = "pf_setpoint";
constexpr const char* command_topic = "cable_command";
constexpr int answered_depth = 100;  // a burst of desired poses

}  // namespace

const char* pose_topic(Profile profile) { return profile == Profile::cdpr ? setpoint_topic : desired_topic; }

RosCommands::RosCommands(ros2::FullNode& node, const RosCommandsSetup& setup, const cables::Robot& robot,
                         Commands& commands, const machines::Lines& lines)
    : node_(node),
      setup_(setup),
      robot_(robot),
      commands_(commands),
      refusals_(node, lines, setup.log_interval),
      inbox_(node, refusals_) {
  if (setup_.profile == Profile::cdpr) {
    hear_cdpr();
    return;
  }
  lengths_publisher_.emplace(node_.advertise<ros2::std_msgs::Float64MultiArray>("cable_lengths"));
  if (setup_.stamped)
    hear_desired_pose<PoseStamped>();
  else
    hear_desired_pose<PlainPose>();
}

// Heard twice: everybody is answered, whatever other clients send and whatever the robot does; one of them is obeyed.
template <ros2::Message M>
void RosCommands::hear_desired_pose() {
  inbox_.hear<M>(desired_topic, {.judges_stamp = false, .exclusive = false, .every = true, .depth = answered_depth},
                 [this](const M& message, Instant) -> Result<void> {
                   const auto pose = checked(message);
                   if (!pose) return pose.error();
                   answer(*pose);
                   return {};
                 });
  const ros2::CommandRules rules{.longest_silence = setup_.oldest_stamp, .oldest_stamp = setup_.oldest_stamp};
  inbox_.hear<M>(desired_topic, {.longest_silence = setup_.oldest_stamp, .judges_stamp = false, .every = true},
                 [this, rules](const M& message, Instant received) -> Result<void> {
                   const auto pose = checked(message);
                   if (!pose) return {};  // refused above
                   auto good = inbox_.judge(message, rules, closed_to(Commander::pose));
                   if (good) commands_.pose.post({*pose, received});
                   return good;
                 });
}

void RosCommands::hear_cdpr() {
  inbox_.hear<PlainPose>(setpoint_topic, {.longest_silence = setup_.oldest_stamp, .every = true},
                         [this](const PlainPose& message, Instant received) -> Result<void> {
                           const auto pose = checked(message);
                           if (!pose) return pose.error();
                           if (const std::string closed = closed_to(Commander::pose); !closed.empty())
                             return Error{Fault::refused, closed};
                           commands_.pose.post({*pose, received});
                           return {};
                         });
  inbox_.hear<JointState>(
      command_topic, {.longest_silence = setup_.command_timeout, .oldest_stamp = setup_.command_timeout},
      [this](const JointState& message, Instant received) -> Result<void> {
        const auto tensions = tensions_from(message, robot_.cables());
        if (!tensions) return tensions.error();
        commands_.tensions.post({*tensions, received});
        return {};
      },
      closed_to(Commander::tensions));
  hear_motion("desired_vel", commands_.velocity);
  hear_motion("desired_acc", commands_.acceleration);
}

void RosCommands::hear_motion(const std::string& topic, Mailbox<MotionCommand>& into) {
  inbox_.hear<Twist>(topic, {.longest_silence = setup_.command_timeout},
                     [&into](const Twist& message, Instant received) -> Result<void> {
                       const auto six = six_from(message);
                       if (!six) return six.error();
                       into.post({*six, received});
                       return {};
                     });
}

// Why this robot takes no commands of that kind; "" if it does.
std::string RosCommands::closed_to(Commander commander) const {
  if (setup_.commander == commander) return "";
  if (commander == Commander::pose) return "control: tensions: only cable_command moves this robot";
  return "control: pose: Tandem's controller moves this robot";
}

template <ros2::Message M>
Result<PoseNumbers> RosCommands::checked(const M& message) const {
  if constexpr (requires { message.header.frame_id; }) {
    if (const std::string why = frame_trouble(message.header.frame_id, setup_.frame); !why.empty())
      return Error{Fault::invalid, why};
    return pose_numbers_from(message.pose);
  } else {
    return pose_numbers_from(message);
  }
}

void RosCommands::answer(const PoseNumbers& pose) { publish_lengths(pose, answered_lengths_); }

void RosCommands::publish_followed(const PoseNumbers& pose) { publish_lengths(pose, followed_lengths_); }

void RosCommands::publish_lengths(const PoseNumbers& pose, ros2::std_msgs::Float64MultiArray& message) const {
  if (!lengths_publisher_) return;
  fill(message, numbers_of(cables::lengths(robot_, pose_of(pose))), robot_.cables());
  lengths_publisher_->publish(message);
}

}  // namespace tandem::cable_robot
