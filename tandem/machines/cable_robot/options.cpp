// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/options.hpp"

#include <array>

#include "tandem/machines/kit/option_keys.hpp"

namespace tandem::cable_robot {
namespace {

using machines::choice_key;
using machines::flag_key;
using machines::number_key;
using machines::Option;
using machines::text_key;

constexpr std::array<std::string_view, 2> profile_words{"original", "cdpr"};
constexpr std::array<std::string_view, 2> commander_words{"pose", "tensions"};
constexpr std::array<std::string_view, 2> winch_words{"length", "tension"};
constexpr std::array<std::string_view, 2> outside_words{"refuse", "project"};
constexpr std::array<std::string_view, 4> aim_words{"middle", "least", "barycentre", "analytic_centre"};
constexpr std::array<std::string_view, 2> pose_type_words{"PoseStamped", "Pose"};
constexpr std::array<std::string_view, 2> task_words{"none", "path"};

constexpr double tiny_number = 1e-3;

constexpr std::array bridge_table{
    number_key("cycle_hz", "500", "rate of exchanges with the winches (Hz)", 1, 1000),
    flag_key("pipelining", "false",
             "send several requests before their answers; only for winches known to answer all of them"),
    choice_key("profile", "original", "ROS names: those of the original project or of the public cdpr package",
               profile_words),
    choice_key("control", "pose", "source of commands: Tandem's controller, or tensions on cable_command",
               commander_words),
    text_key("geometry", "", "YAML file with the robot's geometry; empty: the default robot"),

    choice_key("winch_mode", "length", "quantity that the controller commands to the winches", winch_words),
    choice_key("outside", "refuse",
               "what happens to a target outside the workspace: refused, or replaced by the last pose inside",
               outside_words),
    choice_key("aim", "barycentre", "which of the feasible tensions are used", aim_words),
    number_key("reserve", "0.5", "margin to both tension limits (N)", 0, 1e6),
    number_key("speed", "0.3", "maximum platform speed (m/s)", tiny_number, 100),
    number_key("acceleration", "1.5", "maximum platform acceleration (m/s^2)", tiny_number, 1000),
    number_key("angular_speed", "1.5", "maximum platform angular speed (rad/s)", tiny_number, 100),
    number_key("angular_acceleration", "8", "maximum platform angular acceleration (rad/s^2)", tiny_number, 1000),

    number_key("shortest", "0.02", "minimum unwound cable length (m)", 0, 200),
    number_key("longest", "0", "maximum unwound cable length (m); 0: twice the diagonal of the frame", 0, 200),
    number_key("winch_speed", "1", "maximum cable speed (m/s)", tiny_number, 100),
    number_key("winch_acceleration", "20", "maximum cable acceleration (m/s^2)", tiny_number, 1000),
    number_key("slack_tension", "0", "tension below which a winch reports slack (N); 0: half the geometry's minimum", 0,
               1e6),
    number_key("overload_tension", "0", "tension above which a winch stops (N); 0: 1.5 times the geometry's maximum", 0,
               1e6),
    number_key("following", "0.02", "following error above which a drum counts as stuck (m)", tiny_number, 10),
    number_key("watchdog", "0.1", "command timeout, after which the winches hold (s)", 0.01, 60),

    number_key("feedback_timeout", "0.1", "maximum age of feedback (s); when older: hold and disarm", 0.01, 60),
    number_key("response_timeout", "0.1", "response timeout of the winches (s)", 0.01, 60),
    number_key("link_timeout", "0.5", "link loss while moving after which a stop is latched (s)", 0.01, 60),
    number_key("command_timeout", "0.2", "timeout of tension and feed-forward commands (s)", 0.01, 60),
    number_key("stamp_timeout", "0.5", "maximum age of a desired pose by its stamp (s)", 0.01, 3600),
    number_key("reset_pulse", "0.005", "duration of the pulse on the reset coil (s)", tiny_number, 10),
    number_key("log_interval", "2.0", "minimum time between similar log lines (s)", 0, 3600),

    choice_key("desired_pose_type", "PoseStamped", "message type of desired_pose", pose_type_words),
    text_key("frame", "world", "frame of the robot's geometry"),
    text_key("platform_frame", "platform", "moving frame"),
    text_key("node", "cable_robot", "name of the ROS node"),
    text_key("namespace", "/", "namespace of the node and its topics"),
    number_key("publish_hz", "100", "rate of states, tensions, poses and tf (Hz)", 0.1, 1000),
    number_key("markers_hz", "20", "rate of markers (Hz)", 0.1, 100),
    flag_key("tf", "true", "publish the transform from frame to platform_frame on /tf"),

    choice_key("task", "none", "what the robot does once armed, until another client sends a target", task_words),
    number_key("task_period", "20", "duration of one round of the path (s)", 1, 600),
    flag_key("truth", "false", "compare the estimate with the truth; virtual devices only"),
};

}  // namespace

std::span<const Option> bridge_options() { return bridge_table; }

std::span<const std::string> demo_settings() {
  static const std::array<std::string, 2> settings{"task=path", "truth=true"};
  return settings;
}

}  // namespace tandem::cable_robot
