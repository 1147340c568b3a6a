// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/ros/topics.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "tandem/machines/kit/ros/diagnosis.hpp"
#include "tandem/ros2/graph/names.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::cable_robot {
namespace {

using ros2::diagnostic_msgs::DiagnosticStatus;
using ros2::geometry_msgs::PoseStamped;

bool due(Instant& next, Instant now, Duration period) {
  if (now < next) return false;
  next = now - next > period ? now + period : next + period;
  return true;
}

}  // namespace

Topics::Setup Topics::setup_from(const machines::Setup& setup, const Times& times, Commander commander) {
  const machines::Options& options = setup.options;
  Setup ros;
  ros.node = options.text("node");
  if (auto good = ros2::check_node_name(ros.node); !good) throw std::invalid_argument(good.error().text);
  ros.name_space = options.text("namespace");
  if (auto good = ros2::full_namespace(ros.name_space); !good) throw std::invalid_argument(good.error().text);
  ros.hardware = fmt::format("{} at {}", setup.name, setup.device);
  ros.platform_frame = options.text("platform_frame");
  ros.tf = options.flag("tf");
  ros.commands.profile = options.text("profile") == "cdpr" ? Profile::cdpr : Profile::original;
  if (commander == Commander::tensions && ros.commands.profile != Profile::cdpr)
    throw std::invalid_argument("control: tensions requires profile: cdpr, which has the topic cable_command");
  ros.commands.commander = commander;
  ros.commands.stamped = options.text("desired_pose_type") == "PoseStamped";
  ros.commands.frame = options.text("frame");
  ros.commands.oldest_stamp = duration_of(options.number("stamp_timeout"));
  ros.commands.command_timeout = duration_of(options.number("command_timeout"));
  ros.commands.log_interval = duration_of(times.log);
  ros.publish_period = duration_of(1 / options.number("publish_hz"));
  ros.markers_period = duration_of(1 / options.number("markers_hz"));
  ros.stale_after = duration_of(times.feedback);
  return ros;
}

PoseTopic pose_topic_from(const Topics::Setup& setup) {
  const auto topic = ros2::full_topic_name(pose_topic(setup.commands.profile), setup.name_space, setup.node);
  if (!topic) throw std::invalid_argument(topic.error().text);
  return {*topic, setup.commands.profile == Profile::original && setup.commands.stamped, setup.commands.frame};
}

Topics::Topics(ros2::Context& context, const Setup& setup, const cables::Robot& robot, Clock& clock,
               const Latest<State>& shared, Commands& commands, const machines::Lines& lines)
    : node_(context, setup.node, setup.name_space, clock),
      clock_(clock),
      publish_period_(setup.publish_period),
      markers_period_(setup.markers_period),
      states_publisher_(node_.advertise<ros2::sensor_msgs::JointState>("cable_states")),
      tensions_publisher_(node_.advertise<ros2::std_msgs::Float64MultiArray>("cable_tensions")),
      markers_publisher_(node_.advertise<ros2::visualization_msgs::MarkerArray>("cable_markers")),
      pose_publisher_(
          node_.advertise<PoseStamped>(setup.commands.profile == Profile::cdpr ? "pf_state" : "platform_pose")),
      set_point_publisher_(node_.advertise<PoseStamped>("platform_set_point")),
      markers_(robot, setup.commands.frame),
      commands_(node_, setup.commands, robot, commands, lines),
      diagnostics_(
          node_, node_.clock(),
          [this, &shared, part = setup.node + ": robot", hardware = setup.hardware, stale_after = setup.stale_after] {
            const State state = machines::state_to_diagnose(shared, clock_, 2 * stale_after);
            DiagnosticStatus status = diagnosis(state, part, hardware);
            status.values.push_back({"commands refused", fmt::format("{}", commands_.refusals().count())});
            status.values.push_back({"last refusal", commands_.refusals().last()});
            return std::vector{status};
          }) {
  if (setup.tf) tf_.emplace(node_);
  states_.header.frame_id = pose_.header.frame_id = set_point_.header.frame_id = setup.commands.frame;
  transform_.header.frame_id = setup.commands.frame;
  transform_.child_frame_id = setup.platform_frame;
}

void Topics::publish(const State& state, Instant received) {
  const Instant now = clock_.now();
  const bool numbers = due(next_publish_, now, publish_period_), shapes = due(next_markers_, now, markers_period_);
  if (!numbers && !shapes) return;
  const Stamp stamp = ros2::message_from(node_.clock().utc() - (now - received));
  if (shapes) markers_publisher_.publish(markers_.update(state, stamp));
  if (!numbers) return;
  fill(states_, state, stamp);
  states_publisher_.publish(states_);
  fill(tensions_, state.tensions, state.cables);
  tensions_publisher_.publish(tensions_);
  fill(set_point_, state.set_point, stamp);
  set_point_publisher_.publish(set_point_);
  if (state.input.view() == task_input) commands_.publish_followed(state.set_point);
  if (!state.pose_known) return;
  fill(pose_, state.pose, stamp);
  pose_publisher_.publish(pose_);
  fill(transform_, state.pose, stamp);
  if (tf_) tf_->send(transform_);
}

}  // namespace tandem::cable_robot
