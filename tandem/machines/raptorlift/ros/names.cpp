// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/ros/names.hpp"

#include "tandem/machines/raptorlift/ros/topics.hpp"
#include "tandem/machines/raptorlift/velocity_inputs.hpp"

namespace tandem::raptorlift {

machines::RosNames ros_names(const machines::Options& options) {
  const Commander commander = commander_from(options);
  machines::RosNameList names(node_name_from(options), options.text("namespace"));
  for (const auto input : {VelocityInput::cmd_vel, VelocityInput::teleop, VelocityInput::key, VelocityInput::nav})
    names.hear(source(input).topic);
  names.hear("raptorlift/joint_commands");
  names.hear("gear_state");
  names.publish("raptorlift/joint_states");
  names.publish("robot_description");
  if (commander != Commander::internal) return names.take();
  names.hear(source(VelocityInput::reference).topic);
  names.hear("~/reference_unstamped");
  for (const char* topic : {"joint_states", "odom", "~/odometry", "~/tf_odometry", "~/controller_state"})
    names.publish(topic);
  const std::string prefix = machines::tf_prefix_from(options);
  if (options.flag("tf")) names.add_frame(prefix + options.text("odom_frame"), prefix + options.text("base_frame"));
  if (options.flag("links")) {
    const Links links = links_at_rest({}, prefix);
    if (has_footprint(options.text("base_frame")))
      names.add_frame(links.base.header.frame_id, links.base.child_frame_id);
    for (const auto& wheel : links.wheels) names.add_frame(wheel.header.frame_id, wheel.child_frame_id);
  }
  return names.take();
}

}  // namespace tandem::raptorlift
