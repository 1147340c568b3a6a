// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/ros/names.hpp"

#include "tandem/machines/em1500/options.hpp"
#include "tandem/machines/em1500/ros/topics.hpp"

namespace tandem::em1500 {

machines::RosNames ros_names(const machines::Options& options) {
  const std::string& node = options.text("node");
  machines::RosNameList names(node, options.text("namespace"));
  names.add_node(node + "_twin");
  const std::string_view legs = legs_topic(pose_map_from(options).profile);
  names.hear(legs);  // the twin
  for (const std::string_view topic : {legs, std::string_view("stewart/pose"), std::string_view("stewart/joint_states"),
                                       std::string_view("stewart/markers"), std::string_view("stewart/twin/residual"),
                                       std::string_view("stewart/twin/joint_states")})
    names.publish(topic);
  const std::string prefix = machines::tf_prefix_from(options);
  names.add_frame(prefix + base_frame, prefix + top_frame);
  return names.take();
}

}  // namespace tandem::em1500
