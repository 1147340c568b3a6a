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
constexpr std::array<std::string_view, 3> aim_words{"middle", "least", "barycentre"};
constexpr std::array<std::string_view, 2> pose_type_words{"PoseStamped", "Pose"};
constexpr std::array<std::string_view, 2> task_words{"none", "path"};

constexpr double tiny_number = 1e-3;

constexpr std::array bridge_table{
    number_key("cycle_hz", "500", "exchanges with the winches a second", 1, 1000),
    flag_key("pipelining", "false",
             "several requests in flight, in one TCP segment; only for winches known to answer all"),
    choice_key("profile", "original", "ROS names: those of the original project or of the public cdpr package",
               profile_words),
    choice_key("control", "pose", "who commands: our controller, or tensions on cable_command", commander_words),
    text_key("geometry", "", "file with the robot's points (YAML); empty: the default robot"),

    choice_key("winch_mode", "length", "what our controller tells the winches", winch_words),
    choice_key("outside", "refuse",
               "a target outside the workspace is refused, or the last pose inside takes its place", outside_words),
    choice_key("aim", "barycentre", "which of the possible tensions", aim_words),
    number_key("reserve", "0.5", "every tension stays so far from both ends of its range (N)", 0, 1e6),
    number_key("speed", "0.3", "of the platform, most (m/s)", tiny_number, 100),
    number_key("acceleration", "1.5", "of the platform, most (m/s^2)", tiny_number, 1000),
    number_key("angular_speed", "1.5", "of the platform, most (rad/s)", tiny_number, 100),
    number_key("angular_acceleration", "8", "of the platform, most (rad/s^2)", tiny_number, 1000),

    number_key("shortest", "0.02", "unwound cable, least (m)", 0, 200),
    number_key("longest", "0", "unwound cable, most (m); 0: twice across the frame", 0, 200),
    number_key("winch_speed", "1", "of a cable, most (m/s)", tiny_number, 100),
    number_key("winch_acceleration", "20", "of a cable, most (m/s^2)", tiny_number, 1000),
    number_key("slack_tension", "0", "below it a winch tells slack (N); 0: half of the geometry's least", 0, 1e6),
    number_key("overload_tension", "0", "above it a winch stops (N); 0: one and a half times the geometry's most", 0,
               1e6),
    number_key("following", "0.02", "a drum further from its command than this is stuck (m)", tiny_number, 10),
    number_key("watchdog", "0.1", "command timeout, after which the winches hold (s)", 0.01, 60),

    number_key("feedback_timeout", "0.1", "feedback so old is stale: hold and disarm (s)", 0.01, 60),
    number_key("response_timeout", "0.1", "for one answer of the winches (s)", 0.01, 60),
    number_key("link_timeout", "0.5", "link loss while moving after which a stop is latched (s)", 0.01, 60),
    number_key("command_timeout", "0.2", "tensions and feed-forward so old do not count (s)", 0.01, 60),
    number_key("stamp_timeout", "0.5", "a desired pose with a stamp so old is not gone to (s)", 0.01, 3600),
    number_key("reset_pulse", "0.005", "the reset coil stays high (s)", tiny_number, 10),
    number_key("log_interval", "2.0", "between lines of the same kind (s)", 0, 3600),

    choice_key("desired_pose_type", "PoseStamped", "message on desired_pose", pose_type_words),
    text_key("frame", "world", "frame that the robot's points are given in"),
    text_key("platform_frame", "platform", "frame that moves in it"),
    text_key("node", "cable_robot", "name of the ROS node"),
    text_key("namespace", "/", "ROS namespace of node and topics"),
    number_key("publish_hz", "100", "states, tensions, poses and tf a second", 0.1, 1000),
    number_key("markers_hz", "20", "pictures a second", 0.1, 100),
    flag_key("tf", "true", "tell frame to platform_frame on /tf"),

    choice_key("task", "none", "what the robot does once armed, until another client sends a target", task_words),
    number_key("task_period", "20", "of one round (s)", 1, 600),
    flag_key("truth", "false",
             "compare the estimate with where a virtual platform really is; real winches cannot tell"),
};

}  // namespace

std::span<const Option> bridge_options() { return bridge_table; }

std::span<const std::string> demo_settings() {
  static const std::array<std::string, 2> settings{"task=path", "truth=true"};
  return settings;
}

}  // namespace tandem::cable_robot
