// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/ros/topics.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "tandem/machines/kit/ros/diagnosis.hpp"
#include "tandem/machines/raptorlift/ros/urdf.hpp"
#include "tandem/machines/ros_names.hpp"
#include "tandem/ros2/graph/names.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::raptorlift {
namespace {

using ros2::diagnostic_msgs::DiagnosticStatus;

constexpr const char* controller_node = "ackermann_steering_controller";
constexpr const char* bridge_node = "hardware_bridge";  // as the original calls it

}  // namespace

Topics::Setup Topics::setup_from(const machines::Setup& setup, const Description& description, const Times& times,
                                 Commander commander) {
  const machines::Options& options = setup.options;
  Setup ros;
  ros.node = node_name_from(options);
  if (auto good = ros2::check_node_name(ros.node); !good) throw std::invalid_argument(good.error().text);
  ros.name_space = options.text("namespace");
  if (auto good = ros2::full_namespace(ros.name_space); !good) throw std::invalid_argument(good.error().text);
  ros.hardware = fmt::format("{} at {}", setup.name, setup.device);
  const std::string prefix = machines::tf_prefix_from(options);
  ros.odom_frame = prefix + options.text("odom_frame");
  ros.base_frame = prefix + options.text("base_frame");
  ros.tf = options.flag("tf");
  ros.links = options.flag("links");
  ros.footprint = has_footprint(options.text("base_frame"));
  ros.fleet = options.flag("vda5050");
  ros.commands.prefix = prefix;
  ros.commands.description = description;
  ros.commands.commander = commander;
  ros.commands.units.per_radian = options.text("joint_velocity") == "m_per_s" ? description.geometry.wheel_radius : 1.0;
  ros.commands.fleet = ros.fleet;
  ros.commands.cmd_vel_stamped = options.flag("cmd_vel_stamped");
  ros.commands.reference_timeout = duration_of(times.reference);
  ros.commands.command_timeout = duration_of(times.command);
  ros.stale_after = duration_of(times.feedback);
  ros.commands.log_interval = duration_of(times.log);
  return ros;
}

Commander commander_from(const machines::Options& options) {
  return options.text("control") == "internal" ? Commander::internal : Commander::joint_commands;
}

std::string node_name_from(const machines::Options& options) {
  const std::string& name = options.text("node");
  return commander_from(options) == Commander::joint_commands && name == controller_node ? bridge_node : name;
}

bool has_footprint(std::string_view base_frame) { return base_frame != "base_link"; }

JogTopic jog_topic_from(const Topics::Setup& setup) {
  const VelocityInput input = setup.fleet ? VelocityInput::key : VelocityInput::cmd_vel;
  const auto topic = ros2::full_topic_name(source(input).topic, setup.name_space, setup.node);
  if (!topic) throw std::invalid_argument(topic.error().text);
  return {*topic, input != VelocityInput::cmd_vel || setup.commands.cmd_vel_stamped};
}

Topics::Controller::Controller(ros2::FullNode& node, const Setup& setup)
    : joints_publisher(node.advertise<ros2::sensor_msgs::JointState>("joint_states")),
      odometry_publisher(node.advertise<ros2::nav_msgs::Odometry>("~/odometry")),
      odom_publisher(node.advertise<ros2::nav_msgs::Odometry>("odom")),
      tf_odometry_publisher(node.advertise<ros2::tf2_msgs::TFMessage>("~/tf_odometry")),
      status_publisher(node.advertise<ros2::control_msgs::SteeringControllerStatus>("~/controller_state")) {
  if (setup.tf) tf.emplace(node);
  if (setup.links) {
    links = links_at_rest(setup.commands.description, setup.commands.prefix);
    links.base.header.stamp = ros2::message_from(node.clock().utc());
    links_tf.emplace(node);
    static_tf.emplace(node);
    if (setup.footprint) static_tf->send(links.base);
  }
  odometry.header.frame_id = setup.odom_frame;
  odometry.child_frame_id = setup.base_frame;
  transforms.transforms.resize(1);
  transforms.transforms[0].header.frame_id = setup.odom_frame;
  transforms.transforms[0].child_frame_id = setup.base_frame;
}

void Topics::Controller::publish(const State& state, const Stamp& stamp) {
  fill(odometry, state, stamp);
  odometry_publisher.publish(odometry);
  odom_publisher.publish(odometry);
  fill(transforms.transforms[0], state, stamp);
  tf_odometry_publisher.publish(transforms);
  if (tf) tf->send(transforms.transforms[0]);
  if (links_tf) {
    fill(links, state, stamp);
    links_tf->send(links.wheels);
  }
  fill(status, state, stamp);
  status_publisher.publish(status);
}

Topics::Topics(ros2::Context& context, const Setup& setup, Clock& clock, const Latest<State>& shared,
               Commands& commands, const machines::Lines& lines)
    : node_(context, setup.node, setup.name_space, clock),
      clock_(clock),
      units_(setup.commands.units),
      joints_publisher_(node_.advertise<ros2::sensor_msgs::JointState>("raptorlift/joint_states")),
      description_publisher_(node_.advertise<ros2::std_msgs::String>("robot_description", ros2::Qos::latched())),
      commands_(node_, setup.commands, commands, lines),
      diagnostics_(
          node_, node_.clock(),
          [this, &shared, part = setup.node + ": truck", hardware = setup.hardware, stale_after = setup.stale_after] {
            const State state = machines::state_to_diagnose(shared, clock_, 2 * stale_after);
            DiagnosticStatus status = diagnosis(state, part, hardware);
            status.values.push_back({"commands refused", fmt::format("{}", commands_.refusals().count())});
            status.values.push_back({"last refusal", commands_.refusals().last()});
            return std::vector{status};
          }) {
  if (setup.commands.commander == Commander::internal) controller_.emplace(node_, setup);
  ros2::std_msgs::String text;
  text.data = urdf(setup.commands.description, {}, setup.commands.prefix);
  description_publisher_.publish(text);
  for (const std::string_view joint : joint_names) joints_.name.push_back(setup.commands.prefix + std::string(joint));
}

void Topics::publish(const State& state, Instant received) {
  const Instant now = clock_.now();
  const Stamp stamp = ros2::message_from(node_.clock().utc() - (now - received));
  fill(joints_, state, stamp, units_);
  joints_publisher_.publish(joints_);
  if (controller_) {
    controller_->joints_publisher.publish(joints_);
    controller_->publish(state, stamp);
  }
}

}  // namespace tandem::raptorlift
