// What users of ros2_control load to drive the RaptorLift from their own controller manager, by way of its joint
// topics: a URDF with the topic-based system, and the controllers' parameters. Generated from the description, so that
// wheels, tracks and limits are those of the machine.
#pragma once

#include <string>

#include "tandem/machines/raptorlift/description.hpp"

namespace tandem::raptorlift {

inline constexpr std::string_view joint_commands_topic = "/raptorlift/joint_commands";
inline constexpr std::string_view joint_states_topic = "/raptorlift/joint_states";

// The URDF with a <ros2_control> of topic_based_ros2_control/TopicBasedSystem.
std::string ros2_control_urdf(const Description& description);

// Parameters of controller_manager, joint_state_broadcaster and ackermann_steering_controller, as YAML.
std::string ros2_control_yaml(const Description& description, const Times& times);

}  // namespace tandem::raptorlift
