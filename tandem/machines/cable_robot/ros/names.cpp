// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/ros/names.hpp"

#include "tandem/machines/cable_robot/ros/commands.hpp"

namespace tandem::cable_robot {

machines::RosNames ros_names(const machines::Options& options) {
  machines::RosNameList names(options.text("node"), options.text("namespace"));
  const bool cdpr = options.text("profile") == "cdpr";
  names.hear(pose_topic(cdpr ? Profile::cdpr : Profile::original));
  if (cdpr) {
    for (const char* topic : {"cable_command", "desired_vel", "desired_acc"}) names.hear(topic);
  } else {
    names.publish("cable_lengths");
  }
  for (const char* topic : {"cable_states", "cable_tensions", "cable_markers", "platform_set_point"})
    names.publish(topic);
  names.publish(cdpr ? "pf_state" : "platform_pose");
  if (options.flag("tf"))
    names.add_frame(options.text("frame"), options.text("platform_frame"), "platform_frame: {}_platform");
  return names.take();
}

}  // namespace tandem::cable_robot
