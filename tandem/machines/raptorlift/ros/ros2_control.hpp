// SPDX-License-Identifier: Apache-2.0
// What users of ros2_control load to drive the RaptorLift from their own controller manager, by way of its joint
// topics: a URDF with the topic-based system, and the controllers' parameters. Generated from the description, so that
// wheels, tracks and limits are those of the machine.
#pragma once

#include <string>

#include "tandem/machines/raptorlift/description.hpp"

namespace tandem::raptorlift {

inline constexpr std::string_view joint_commands_topic = "/raptorlift/joint_commands";
inline constexpr std::string_view joint_states_topic = "/raptorlift/joint_states";

// The two packages of the topic-based system: PickNik's, and ros-controls', which has taken its place. They take the
// same parameters and speak on the same topics.
inline constexpr std::string_view topic_based_system = "topic_based_ros2_control/TopicBasedSystem";
inline constexpr std::string_view joint_state_topic_system =
    "joint_state_topic_hardware_interface/JointStateTopicSystem";

// The URDF with a <ros2_control> of one of them.
std::string ros2_control_urdf(const Description& description, std::string_view plugin = topic_based_system);

// Parameters of controller_manager, joint_state_broadcaster and ackermann_steering_controller, as YAML.
std::string ros2_control_yaml(const Description& description, const Times& times);

}  // namespace tandem::raptorlift
