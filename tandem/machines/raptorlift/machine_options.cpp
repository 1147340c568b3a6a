#include "tandem/machines/raptorlift/machine_options.hpp"

#include <array>

namespace tandem::raptorlift {
namespace {

using machines::Option;
using machines::OptionKind;

constexpr std::array<std::string_view, 2> tasks{"none", "figure_eight"};

constexpr std::array machine_table{
    Option{.name = "task",
           .kind = OptionKind::choice,
           .default_value = "none",
           .help = "what the truck does, once armed, while nobody else drives it",
           .choices = tasks},
    Option{.name = "task_speed",
           .kind = OptionKind::number,
           .default_value = "0.5",
           .help = "of the task (m/s)",
           .minimum = 0.05,
           .maximum = 2},
    Option{.name = "task_period",
           .kind = OptionKind::number,
           .default_value = "60",
           .help = "of one figure eight (s); short ones need tighter turns than the truck can make",
           .minimum = 10,
           .maximum = 600},
    Option{.name = "truth",
           .kind = OptionKind::flag,
           .default_value = "false",
           .help = "compare odometry with where a virtual truck really is; a real PLC cannot tell"},
    Option{.name = "cmd_vel_stamped",
           .kind = OptionKind::flag,
           .default_value = "false",
           .help = "/cmd_vel carries TwistStamped instead of Twist"},
    Option{.name = "tf",
           .kind = OptionKind::flag,
           .default_value = "true",
           .help = "tell odom to base_frame on /tf; off when another estimator does"},
    Option{.name = "links",
           .kind = OptionKind::flag,
           .default_value = "true",
           .help = "publish base_link and the wheels on /tf; off when robot_state_publisher does"},
    Option{.name = "tf_prefix", .default_value = "", .help = "before the names of joints and frames: left_"},
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
