// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/ros/names.hpp"

#include "tandem/machines/orca/companion/camera.hpp"
#include "tandem/machines/orca/companion/path_recorder.hpp"
#include "tandem/machines/orca/companion/slam_node.hpp"
#include "tandem/machines/orca/description.hpp"
#include "tandem/machines/orca/ros/commands.hpp"

namespace tandem::orca {
namespace {

// mavros' names are absolute, so that only one vehicle of a computer has them.
void add_mavros(machines::RosNameList& names) {
  constexpr std::string_view fix = "profile: original";
  const CommandNames commands = mavros_order_names();
  for (const std::string& topic : {commands.twist, commands.goal, std::string("/mavros/setpoint_velocity/cmd_vel"),
                                   std::string("/mavros/manual_control/send"), std::string("/mavros/rc/override"),
                                   std::string("/mavros/setpoint_raw/local")})
    names.hear(topic, fix);
  for (const char* topic : {"state", "local_position/pose", "local_position/odom", "local_position/velocity_local",
                            "local_position/velocity_body", "global_position/global", "global_position/compass_hdg",
                            "global_position/rel_alt", "statustext/recv", "mission/waypoints", "imu/data",
                            "rangefinder/rangefinder", "battery"})
    names.publish(std::string("/mavros/") + topic, fix);
}

// A SLAM, the camera of a virtual vehicle and the recorder of paths are nodes of their own.
void add_companions(machines::RosNameList& names, const machines::Options& options) {
  const std::string& slam = options.text("slam");
  if (slam == "images" || slam == "features") {
    names.add_node(SlamOptions{}.node);
    for (const char* topic : {"slam_status", "camera_pose", "map_points"}) names.publish(topic);
  }
  if (slam == "images" || slam == "camera") {
    names.add_node(CameraOptions{}.node);
    for (const char* topic : {"image_raw", "camera_info"}) names.publish(topic);
  }
  if (slam == "images")
    for (const char* topic : {"image_raw", "camera_info"}) names.hear(topic);
  if (options.flag("truth")) {
    names.add_node("truth");
    names.publish(truth_topic);
  }
  if (!options.flag("truth") && options.text("paths").empty()) return;
  names.add_node(RecorderOptions{}.node);
  for (const std::string_view topic : {truth_topic, std::string_view("ekf_pose"), std::string_view("bridge_status")})
    names.hear(topic);
}

void add_frames(machines::RosNameList& names, const machines::Options& options) {
  const auto add = [&](std::string_view parent, std::string_view child) {
    names.add_frame(std::string(parent), std::string(child), "tf: false");
  };
  add(frames::map, frames::base);
  add(frames::map, frames::slam);
  add(frames::slam, frames::world);
  add(frames::link, frames::camera);
  if (options.text("transforms") == "tf") return;  // others publish these
  add(frames::base, frames::link);
  add(frames::base, frames::ping);
}

}  // namespace

machines::RosNames ros_names(const machines::Options& options) {
  machines::RosNameList names(options.text("node"), options.text("namespace"));
  const CommandNames commands = own_order_names();
  for (const std::string& topic :
       {commands.twist, commands.goal, std::string("slam_status"), std::string("map_points")})
    names.hear(topic);
  for (const char* topic : {"ekf_pose", "slam_pose", "slam_delta", "ekf_status", "bridge_status", "map_points/scaled"})
    names.publish(topic);
  if (options.text("profile") == "mavros") add_mavros(names);
  add_companions(names, options);
  if (options.flag("tf")) add_frames(names, options);
  return names.take();
}

}  // namespace tandem::orca
