// SPDX-License-Identifier: Apache-2.0
// Our side of a peer test in another process: talker localhost|subnet DOMAIN. Publishes until its input closes.
#include <poll.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "tandem/ros2/calls/action_server.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/control_msgs_actions.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"

int main(int count, char** arguments) {
  using namespace tandem;
  if (count != 3) return std::fprintf(stderr, "talker localhost|subnet DOMAIN\n"), 2;
  ros2::ContextOptions options;
  options.range =
      std::strcmp(arguments[1], "subnet") == 0 ? ros2::DiscoveryRange::subnet : ros2::DiscoveryRange::localhost;
  options.domain = std::atoi(arguments[2]);
  ros2::Context context(options);
  ros2::FullNode node(context, "tandem");
  using Gripper = ros2::control_msgs::GripperCommandAction;
  ros2::ActionServer<Gripper>::Handlers handlers;
  handlers.execute = [](const ros2::ServerGoal<Gripper>&) {};
  const ros2::ActionServer<Gripper> gripper(node, "gripper_cmd", handlers);
  const auto legs = node.advertise<ros2::std_msgs::Float64MultiArray>("/stewart/legs_em1500");
  const auto description = node.advertise<ros2::std_msgs::String>("/robot_description", ros2::Qos::latched());
  description.publish({"<robot/>"});
  ros2::std_msgs::Float64MultiArray message;
  message.data = {0.1, -0.2, 0.3, -0.4, 0.5, 1e-300};
  int rounds = 0;
  for (pollfd input{STDIN_FILENO, POLLIN, 0}; poll(&input, 1, 20) == 0;) {
    legs.publish(message);
    // Now and then the graph changes, for those who hear only what is new.
    if (++rounds % 25 == 0) const ros2::Node passing(context, "passing");
  }
}
