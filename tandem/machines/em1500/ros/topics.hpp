// SPDX-License-Identifier: Apache-2.0
// What the EM1500 is to ROS users: its node, its topics, and how their messages are filled.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tandem/base/clock.hpp"
#include "tandem/base/latest.hpp"
#include "tandem/machines/em1500/pose_map.hpp"
#include "tandem/machines/em1500/state.hpp"
#include "tandem/ros2/diagnostics.hpp"
#include "tandem/ros2/full_node.hpp"
#include "tandem/ros2/messages/geometry_msgs.hpp"
#include "tandem/ros2/messages/sensor_msgs.hpp"
#include "tandem/ros2/messages/std_msgs.hpp"
#include "tandem/ros2/messages/visualization_msgs.hpp"
#include "tandem/ros2/tf/broadcaster.hpp"

namespace tandem::em1500 {

inline constexpr const char* base_frame = "stewart_base";
inline constexpr const char* top_frame = "stewart_top";

// The topic of the six displacements: the original name for profile original, another for true extensions.
std::string_view legs_topic(Profile profile);

class Topics {
 public:
  struct Names {
    std::string node;        // "ads_em1500_node", as the seed calls it
    std::string name_space;  // "/"
    std::string hardware;    // for /diagnostics: the machine's name and its device
    std::string prefix;      // before the names of frames
  };

  // `state` is what /diagnostics reports, once a second and from a thread of its own; a live state older than
  // `stale_after` is reported as stale in any case.
  Topics(ros2::Context& context, const Names& names, Profile profile, Clock& clock, const Latest<State>& state,
         Duration stale_after);

  ros2::FullNode& node() { return node_; }
  // Legs, pose, joint states and tf of one sample; markers at 10 Hz. `received` is the stamp of all of them.
  void publish(const State& state, const Pose& X_base_top, UtcTime received, Instant now);

 private:
  void fill_markers(const State& state, const Pose& X_base_top);

  ros2::FullNode node_;
  ros2::Publisher<ros2::std_msgs::Float64MultiArray> legs_publisher_;
  ros2::Publisher<ros2::geometry_msgs::PoseStamped> pose_publisher_;
  ros2::Publisher<ros2::sensor_msgs::JointState> joints_publisher_;
  ros2::Publisher<ros2::visualization_msgs::MarkerArray> markers_publisher_;
  ros2::TfBroadcaster tf_;
  // Filled in place: a warm cycle allocates nothing.
  ros2::std_msgs::Float64MultiArray legs_;
  ros2::geometry_msgs::PoseStamped pose_;
  ros2::sensor_msgs::JointState joints_;
  ros2::visualization_msgs::MarkerArray markers_;
  ros2::geometry_msgs::TransformStamped transform_;
  Instant next_markers_{};
  ros2::Diagnostics diagnostics_;
};

}  // namespace tandem::em1500
