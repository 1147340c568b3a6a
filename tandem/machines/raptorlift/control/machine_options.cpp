// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/control/machine_options.hpp"

#include <array>

#include "tandem/machines/kit/option_keys.hpp"

namespace tandem::raptorlift {
namespace {

using machines::choice_key;
using machines::flag_key;
using machines::number_key;
using machines::Option;
using machines::text_key;

constexpr std::array<std::string_view, 2> tasks{"none", "figure_eight"};

constexpr std::array machine_table{
    choice_key("task", "none", "what the truck does once armed, until another client drives it", tasks),
    number_key("task_speed", "0.5", "speed along the figure eight (m/s)", 0.05, 2),
    number_key("task_period", "60",
               "duration of one figure eight (s); if too short, its turns are tighter than the truck can drive", 10,
               600),
    flag_key("truth", "false", "compare the odometry with the truth; virtual devices only"),
    flag_key("cmd_vel_stamped", "false", "use TwistStamped instead of Twist on /cmd_vel"),
    flag_key("tf", "true", "publish odom_frame to base_frame on /tf; disable it if another estimator does"),
    flag_key("links", "true", "publish base_link and the wheels on /tf"),
    text_key("tf_prefix", "", "prefix of joint and frame names, such as left_"),
};

}  // namespace

std::span<const Option> machine_options() { return machine_table; }

std::span<const std::string> demo_settings() {
  static const std::array<std::string, 2> settings{"task=figure_eight", "truth=true"};
  return settings;
}

// joint_states and robot_description are the arm's as well, base_link the arm's and the Orca's.
std::span<const std::string> demo_beside_others() {
  static const std::array<std::string, 2> settings{"namespace=/raptorlift", "tf_prefix=raptorlift_"};
  return settings;
}

}  // namespace tandem::raptorlift
