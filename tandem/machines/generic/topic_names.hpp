// SPDX-License-Identifier: Apache-2.0
// What a described machine is called on ROS: its node and the topics of its signals, known from the file alone.
#pragma once

#include <string>
#include <string_view>

#include "tandem/machines/generic/description.hpp"
#include "tandem/machines/ros_names.hpp"

namespace tandem::generic {

// "/cell/press" is the node press in /cell, so that ~/pressure is /cell/press/pressure.
struct NodeName {
  std::string node, name_space;
};
NodeName node_name(const Description& description);

// "pressure" is "~/pressure", "belts[1].fSpeed" is "~/belts_1/fSpeed", "m[0,2]" is "~/m_0_2".
std::string signal_topic(std::string_view signal);

// Throws std::invalid_argument for names that ROS does not allow. Members of structures on a PLC are not known before
// it is connected, and are left out.
machines::RosNames ros_names_of(const Description& description);

}  // namespace tandem::generic
