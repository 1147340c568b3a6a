// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/config/ros.hpp"

#include <array>

namespace tandem::runtime {

namespace {

using machines::Option;
using machines::OptionKind;

constexpr std::array<std::string_view, 4> discoveries = {"off", "localhost", "subnet", "system_default"};
constexpr std::array<std::string_view, 3> distros = {"auto", "humble", "jazzy"};
constexpr std::array<std::string_view, 2> strategies = {"enforce", "permissive"};

constexpr std::array<Option, 9> table = {{
    {"enabled", OptionKind::flag, "true", "enable ROS 2"},
    {"domain", OptionKind::number, "0", "DDS domain ID", 0, 232},
    {"discovery", OptionKind::choice, "localhost", "discovery range", -1e300, 1e300, 0, discoveries},
    {"static_peers", OptionKind::texts, "[]", "addresses or host names of further peers, with localhost and subnet"},
    {"distro", OptionKind::choice, "auto", "ROS distribution whose graph message format is sent", -1e300, 1e300, 0,
     distros},
    {"shared_memory", OptionKind::flag, "false",
     "shared memory transport between processes of this computer (/dev/shm)"},
    {"use_sim_time", OptionKind::flag, "false", "use the time on /clock"},
    {"publish_clock", OptionKind::flag, "false", "publish the time of this process on /clock (100 Hz)"},
    {"security", OptionKind::text, "", "certificates: keystore, enclave, strategy"},
}};
constexpr std::array<Option, 3> security_table = {{
    {"keystore", OptionKind::text, "", "keystore folder as made by `ros2 security create_keystore`"},
    {"enclave", OptionKind::text, "/", "enclave of this process in the keystore"},
    {"strategy", OptionKind::choice, "enforce", "behaviour without valid certificates", -1e300, 1e300, 0, strategies},
}};

void apply_security(RosConfig& config, const std::string& key, const machines::Options& options) {
  if (!config.security) config.security.emplace();
  if (key == "keystore") config.security->keystore = options.text("keystore");
  if (key == "enclave") config.enclave = options.text("enclave");
  if (key == "strategy") {
    config.security->strategy = options.text("strategy") == "permissive" ? ros2::Security::Strategy::permissive
                                                                         : ros2::Security::Strategy::enforce;
  }
}

}  // namespace

std::span<const Option> ros_options() { return table; }
std::span<const Option> ros_security_options() { return security_table; }

void apply_ros(RosConfig& config, const std::string& path, const machines::Options& options) {
  constexpr std::string_view nested = "ros.security.";
  if (path.starts_with(nested)) return apply_security(config, path.substr(nested.size()), options);
  if (path == "ros.enabled") config.enabled = options.flag("enabled");
  if (path == "ros.domain") config.domain = static_cast<int>(options.number("domain"));
  if (path == "ros.discovery") config.discovery = options.text("discovery");
  if (path == "ros.static_peers") config.static_peers = options.texts("static_peers");
  if (path == "ros.distro") config.distro = options.text("distro");
  if (path == "ros.shared_memory") config.shared_memory = options.flag("shared_memory");
  if (path == "ros.publish_clock") config.publish_clock = options.flag("publish_clock");
  if (path == "ros.use_sim_time") config.use_sim_time = options.flag("use_sim_time");
}

}  // namespace tandem::runtime
