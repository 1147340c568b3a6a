// SPDX-License-Identifier: Apache-2.0
// What the RaptorLift is to ROS users: its node and topics, under the names of the truck's own project and of ROS'
// Ackermann steering controller.
#pragma once

#include <optional>
#include <string>

#include "tandem/base/latest.hpp"
#include "tandem/machines/machine.hpp"
#include "tandem/machines/raptorlift/ros/commands.hpp"
#include "tandem/machines/raptorlift/ros/messages.hpp"
#include "tandem/machines/raptorlift/scene.hpp"
#include "tandem/ros2/diagnostics.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/tf/broadcaster.hpp"

namespace tandem::raptorlift {

class Topics {
 public:
  struct Setup {
    std::string node, name_space;
    std::string hardware;                // for /diagnostics: the machine's name and its device
    std::string odom_frame, base_frame;  // with the prefix
    bool tf = true;
    bool links = true;
    bool footprint = true;  // base_link hangs on base_footprint
    RosCommandsSetup commands;
    bool fleet = false;  // a fleet may drive: a person's keys go above it
    Duration stale_after = 200ms;
  };
  // Throws std::invalid_argument for invalid names.
  static Setup setup_from(const machines::Setup& setup, const Description& description, const Times& times,
                          Commander commander);

  // `state` is what /diagnostics looks at, from its own thread; `commands` is where commands go.
  Topics(ros2::Context& context, const Setup& setup, Clock& clock, const Latest<State>& state, Commands& commands,
         const machines::Lines& lines);

  ros2::FullNode& node() { return node_; }
  // One sample, received at that time of the machine's clock.
  void publish(const State& state, Instant received);

 private:
  // Our controller's; off while another controller commands the joints.
  struct Controller {
    Controller(ros2::FullNode& node, const Setup& setup);
    void publish(const State& state, const Stamp& stamp);

    ros2::Publisher<ros2::sensor_msgs::JointState> joints_publisher;
    ros2::Publisher<ros2::nav_msgs::Odometry> odometry_publisher, odom_publisher;
    ros2::Publisher<ros2::tf2_msgs::TFMessage> tf_odometry_publisher;
    ros2::Publisher<ros2::control_msgs::SteeringControllerStatus> status_publisher;
    std::optional<ros2::TfBroadcaster> tf, links_tf;
    std::optional<ros2::StaticTfBroadcaster> static_tf;
    Links links;
    ros2::nav_msgs::Odometry odometry;
    ros2::tf2_msgs::TFMessage transforms;
    ros2::control_msgs::SteeringControllerStatus status;
  };

  ros2::FullNode node_;
  Clock& clock_;
  const JointUnits units_;
  ros2::Publisher<ros2::sensor_msgs::JointState> joints_publisher_;
  ros2::Publisher<ros2::std_msgs::String> description_publisher_;
  std::optional<Controller> controller_;
  ros2::sensor_msgs::JointState joints_;
  RosCommands commands_;
  ros2::Diagnostics diagnostics_;  // last: it asks the others
};

Commander commander_from(const machines::Options& options);
// Of the node; our controller's name belongs to the controller outside, when there is one.
std::string node_name_from(const machines::Options& options);
// Whether base_link hangs on base_footprint; not when odometry itself moves base_link, which has one parent only.
bool has_footprint(std::string_view base_frame);
// Where a person's keys go on that node.
JogTopic jog_topic_from(const Topics::Setup& setup);

}  // namespace tandem::raptorlift
