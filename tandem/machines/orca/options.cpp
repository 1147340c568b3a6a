// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/options.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <numbers>
#include <stdexcept>

#include "tandem/machines/kit/option_keys.hpp"
#include "tandem/machines/orca/device/signing_file.hpp"
#include "tandem/net/url.hpp"

namespace tandem::orca {
namespace {

using machines::choice_key;
using machines::flag_key;
using machines::number_key;
using machines::numbers_key;
using machines::Option;
using machines::text_key;
using machines::texts_key;

constexpr std::array<std::string_view, 2> profile_words{"original", "mavros"};
constexpr std::array<std::string_view, 3> message_words{"delta", "estimate", "odometry"};
constexpr std::array<std::string_view, 2> transform_words{"own", "tf"};
constexpr std::array<std::string_view, 2> orca_task_words{"none", "box"};

constexpr std::array orca_table{
    choice_key("profile", "original", "ROS names: those of the original project, optionally with those of mavros",
               profile_words),
    number_key("source_system", "200", "own MAVLink system id", 1, 255),
    number_key("source_component", "197", "own MAVLink component id; 197 is visual inertial odometry", 1, 255),
    number_key("vehicle_system", "1", "the autopilot's system id", 1, 255),
    number_key("vehicle_component", "1", "the autopilot's component id", 1, 255),
    text_key("signing_key", "", "file with 64 hexadecimal digits; enables MAVLink signing in both directions"),
    number_key("stream_hz", "50", "requested rate of attitude and position (Hz)", 1, 400),
    number_key("sonar_hz", "20", "requested rate of sonar ranges (Hz)", 1, 100),
    number_key("stale_after", "0.5", "maximum age of the attitude (s); when older: disarm", 0.1, 10),
    flag_key("set_origin", "true", "send `origin` to a vehicle that has no origin"),
    numbers_key("origin", "[47.6302, -122.3982391]", "latitude and longitude of the origin (degrees)", -180, 180, 2),
    texts_key("parameters", "[]",
              "parameters written to the autopilot once connected, such as [\"VISO_TYPE=1\"]; no others are written"),

    choice_key("vision_message", "delta",
               "message sent for vision: VISION_POSITION_DELTA, VISION_POSITION_ESTIMATE or ODOMETRY", message_words),
    number_key("max_delta_pos", "0.5", "maximum translation between two frames (m); more is an outlier", 0.01, 10),
    number_key("max_delta_rot", "0.5235987755982988", "maximum rotation between two frames (rad); more is an outlier",
               0.01, 3.2),
    number_key("max_frame_gap", "1.0", "maximum time between two frames of a chain (s)", 0.05, 10),
    number_key("scale_weight", "0.1", "weight of a new sonar-to-camera ratio in the scale", 0.001, 1),
    number_key("sonar_timeout", "1.0", "range timeout, after which vision is not used (s)", 0.05, 60),
    number_key("sonar_min", "0.2", "minimum valid range (m)", 0, 100),
    number_key("sonar_max", "50", "maximum valid range (m), exclusive", 0.1, 1000),
    number_key("sonar_offset", "0", "constant error of the sonar (m); 0.1 in the original's model", -1, 1),
    numbers_key("sonar_position", "[-0.15, 0, -0.095]", "position of the sonar on the body: forward, left, up (m)", -10,
                10, 3),
    number_key("scale_timeout", "3.0", "timeout of a scale that no ratio confirms (s)", 0.1, 600),
    number_key("slam_timeout", "1.0", "frame timeout, after which vision is not used (s)", 0.1, 60),
    flag_key("switch_sources", "true", "switch the estimator to source set 1 with vision and 2 without"),
    choice_key("transforms", "own",
               "transform from base_link to camera_link: published by the machine (own), or received (tf)",
               transform_words),

    number_key("full_speed", "1.0", "speed in cmd_vel that equals full stick (m/s)", 0.05, 10),
    number_key("full_turn", "1.0", "yaw rate at full stick (rad/s)", 0.05, 10),
    number_key("input_hz", "10", "rate of stick messages while armed (Hz)", 3, 50),
    number_key("command_timeout", "0.5", "cmd_vel timeout, after which sticks are neutral (s)", 0.05, 10),

    choice_key("task", "none", "what the vehicle does once armed, until another client sends a command",
               orca_task_words),
    number_key("task_height", "2", "height of the box above the sea floor, by sonar (m)", 0.5, 45),
    number_key("task_side", "2", "side of the box (m)", 0.5, 100),

    flag_key("truth", "false", "show the error of the estimate against the truth; virtual devices only"),
    text_key("paths", "", "output file of the paths, as a picture (.png, .svg) or points (.csv)"),

    number_key("frame_rate", "10", "rate of ekf_pose, status topics and tf (Hz)", 1, 100),
    flag_key("tf", "true", "publish transforms on /tf and /tf_static"),
    text_key("node", "slam_bridge", "name of the ROS node"),
    text_key("namespace", "/", "namespace of the node and its topics"),
};

std::uint8_t id_from(const machines::Options& options, std::string_view key) {
  return static_cast<std::uint8_t>(options.number(key));
}

mavlink::Address own_address_from(const machines::Options& options) {
  return {id_from(options, "source_system"), id_from(options, "source_component")};
}
mavlink::Address vehicle_address_from(const machines::Options& options) {
  return {id_from(options, "vehicle_system"), id_from(options, "vehicle_component")};
}

ParameterSetting parameter_setting_from(const std::string& text) {
  const std::size_t equals = text.find('=');
  ParameterSetting setting;
  const char* end = text.data() + text.size();
  if (equals != std::string::npos && equals > 0 && equals <= 16) {
    setting.name = text.substr(0, equals);
    const auto [stop, error] = std::from_chars(text.data() + equals + 1, end, setting.value);
    if (error == std::errc() && stop == end) return setting;
  }
  throw std::invalid_argument(fmt::format("parameters: expected NAME=NUMBER, got '{}'", text));
}

}  // namespace

std::span<const Option> bridge_options() { return orca_table; }

std::span<const std::string> demo_settings() {
  static const std::array<std::string, 3> settings{"task=box", "slam=images", "truth=true"};
  return settings;
}

// Its base_link is also the arm's, its world the cable robot's and its cmd_vel the truck's.
std::span<const std::string> demo_beside_others() {
  static const std::array<std::string, 2> settings{"namespace=/orca", "tf=false"};
  return settings;
}

LinkOptions autopilot_options_from(const machines::Options& options) {
  LinkOptions autopilot;
  autopilot.own = own_address_from(options);
  autopilot.vehicle = vehicle_address_from(options);
  if (autopilot.own == autopilot.vehicle)
    throw std::invalid_argument(fmt::format("source_system: expected an address other than the vehicle's, got {}/{}",
                                            autopilot.own.system, autopilot.own.component));
  autopilot.stream_rate = options.number("stream_hz");
  autopilot.sonar_rate = options.number("sonar_hz");
  autopilot.absolute_vision = vision_message_from(options) != VisionMessage::delta;
  autopilot.switch_sources = options.flag("switch_sources");
  autopilot.late_after = duration_of(options.number("stale_after"));
  autopilot.signs = !options.text("signing_key").empty();
  if (options.flag("set_origin")) {
    const auto& place = options.numbers("origin");
    if (place.size() != 2 || place[0] < -90 || place[0] > 90)
      throw std::invalid_argument("origin: expected [latitude, longitude] in degrees");
    autopilot.origin = Origin{place[0], place[1]};
  }
  for (const std::string& text : options.texts("parameters"))
    autopilot.parameters.push_back(parameter_setting_from(text));
  return autopilot;
}

HelmOptions helm_options_from(const machines::Options& options) {
  HelmOptions helm;
  helm.vehicle = vehicle_address_from(options);
  helm.full_speed = options.number("full_speed");
  helm.full_turn = options.number("full_turn");
  helm.input_rate = options.number("input_hz");
  helm.twist_timeout = duration_of(options.number("command_timeout"));
  if (options.text("task") == "box") {
    BoxOptions& box = helm.box.emplace();
    box.side = options.number("task_side");
    box.height = options.number("task_height");
    box.sonar_least = options.number("sonar_min");
    box.sonar_most = options.number("sonar_max");
    box.sonar_timeout = duration_of(options.number("sonar_timeout"));
  }
  return helm;
}

VisionOptions vision_options_from(const machines::Options& options) {
  VisionOptions vision;
  vision.scale.weight = options.number("scale_weight");
  vision.scale.least = options.number("sonar_min");
  vision.scale.most = options.number("sonar_max");
  if (vision.scale.least >= vision.scale.most) {
    throw std::invalid_argument(
        fmt::format("sonar_min: expected less than sonar_max ({} m), got {} m", vision.scale.most, vision.scale.least));
  }
  vision.scale.oldest_sonar = duration_of(options.number("sonar_timeout"));
  vision.sonar_offset = options.number("sonar_offset");
  const auto& place = options.numbers("sonar_position");
  if (place.size() != 3) throw std::invalid_argument("sonar_position: expected three numbers");
  vision.X_base_sonar.translation() = Eigen::Vector3d(place[0], place[1], place[2]);
  vision.most_step = options.number("max_delta_pos");
  vision.most_turn = options.number("max_delta_rot");
  vision.longest_span = duration_of(options.number("max_frame_gap"));
  vision.longest_hold = duration_of(options.number("scale_timeout"));
  vision.longest_silence = duration_of(options.number("slam_timeout"));
  return vision;
}

VisionMessage vision_message_from(const machines::Options& options) {
  const std::string& word = options.text("vision_message");
  if (word == "estimate") return VisionMessage::estimate;
  return word == "odometry" ? VisionMessage::odometry : VisionMessage::delta;
}

mavlink::LinkOptions link_options_from(const machines::Setup& setup) {
  mavlink::LinkOptions link;
  link.channel.own = own_address_from(setup.options);
  link.channel.version = mavlink::VersionPolicy::v2;  // vision deltas exist in version 2 only
  link.channel.clock = setup.clock;
  link.tap = setup.tap;
  if (const std::string& file = setup.options.text("signing_key"); !file.empty())
    link.channel.signing = machines::must_be(signing_from_file(file));
  return link;
}

mavlink::LinkAddress link_address_from(const std::string& device) {
  const net::Url url = machines::must_be(net::parse_url(device));
  if (url.scheme != "mavlink") {
    throw std::invalid_argument(fmt::format(
        "{}: expected an address like mavlink://127.0.0.1:14551?link=udpin, got {}://", device, url.scheme));
  }
  if (auto known = url.only_keys({"link", "device", "baud"}); !known) throw std::invalid_argument(known.error().text);
  const std::string kind(url.value("link").value_or("udpin"));
  if (kind == "serial") {
    const auto line = url.value("device");
    if (!line) throw std::invalid_argument(fmt::format("{}: link=serial needs device=/dev/...", device));
    const auto baud = machines::must_be(url.number("baud", 115200, 300, 4'000'000));
    return machines::must_be(mavlink::parse_link_address(fmt::format("serial:{}:{}", *line, baud)));
  }
  if (kind != "udpin" && kind != "udpout" && kind != "tcp" && kind != "tcpin") {
    throw std::invalid_argument(
        fmt::format("{}: link: expected udpin, udpout, tcp, tcpin or serial, got '{}'", device, kind));
  }
  const std::uint16_t port = url.port.value_or(kind.starts_with("tcp") ? tcp_port : bridge_port);
  return machines::must_be(mavlink::parse_link_address(fmt::format("{}:{}:{}", kind, url.host, port)));
}

}  // namespace tandem::orca
