// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/options.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "tandem/machines/kit/modbus_link.hpp"
#include "tandem/machines/kit/option_keys.hpp"

namespace tandem::raptorlift {
namespace {

using machines::choice_key;
using machines::flag_key;
using machines::number_key;
using machines::numbers_key;
using machines::Option;
using machines::text_key;

constexpr std::array<std::string_view, 2> profiles{"original", "raptorlift"};
constexpr std::array<std::string_view, 2> commanders{"internal", "joint_commands"};
constexpr std::array<std::string_view, 2> exchanges{"two_requests", "one_request"};
constexpr std::array<std::string_view, 4> word_orders{"abcd", "cdab", "badc", "dcba"};
constexpr std::array<std::string_view, 2> velocity_units{"rad_per_s", "m_per_s"};

constexpr double tiny = 1e-3;

constexpr std::array bridge_table{
    number_key("cycle_hz", "100", "rate of exchanges with the PLC (Hz)", 1, 500),
    choice_key("profile", "original", "ROS names; both are those of the original project", profiles),
    choice_key("control", "internal", "source of commands: Tandem's steering controller, or /raptorlift/joint_commands",
               commanders),
    choice_key("exchange", "two_requests", "write and read in two requests (fc16, fc3), or in one (fc23)", exchanges),
    flag_key("pipelining", "false",
             "send several requests before their answers; only for PLCs known to answer all of them"),

    number_key("wheel_radius", "0.1715", "radius of the driven wheels (m)", tiny, 10),
    number_key("wheelbase", "1.0", "distance between the axles (m)", tiny, 100),
    number_key("traction_track", "0.71", "distance between the driven wheels (m)", tiny, 100),
    number_key("steering_track", "0.71", "distance between the steered wheels (m)", tiny, 100),
    number_key("steering_limit", "0.7", "maximum steering angle of the inner wheel, each way (rad)", 0.01, 1.5),
    number_key("base_height", "0.242",
               "height of base_link above the ground (m); the original has 0.1715, with the wheels below the ground", 0,
               10),

    number_key("speed", "1.0", "maximum speed, each way (m/s)", 0, 10),
    number_key("acceleration", "2.0", "maximum acceleration and deceleration (m/s^2)", tiny, 100),
    number_key("turn", "1.0", "maximum yaw rate, each way (rad/s)", 0, 10),
    number_key("turn_acceleration", "2.0", "maximum yaw acceleration and deceleration (rad/s^2)", tiny, 100),
    flag_key("position_feedback", "true",
             "use the measured steering angles in the odometry, not only the driven wheels"),
    flag_key("reduce_wheel_speed_until_steering_reached", "true",
             "reduce the speed while the steering is far from its target"),

    numbers_key("traction_pid", "[10, 5, 0]", "traction gains: proportional, integral, derivative (rad/s to N m)", 0,
                1e4, 3),
    numbers_key("steering_pid", "[50, 0, 5]", "steering gains: proportional, integral, derivative (rad to N m)", 0, 1e4,
                3),
    number_key("integral_limit", "100", "maximum integral of the error, each way (rad, rad s)", 0, 1e6),
    number_key("traction_torque", "150", "maximum torque of a driven wheel, each way (N m)", 0, 1e4),
    number_key("steering_torque", "100", "maximum torque of a steered wheel, each way (N m)", 0, 1e4),

    numbers_key("motor_directions", "[1, -1, 1, -1]",
                "directions of front right, front left, rear right, rear left motor, 1 or -1", -1, 1, 4),
    flag_key("flip_steering", "true",
             "the PLC's steering angles have the opposite sign to the joints', as the truck steers at the rear"),
    number_key("velocity_scale", "10000", "raw units per rad/s of velocity feedback", tiny, 1e9),
    number_key("position_scale", "10000", "raw units per rad of steering", tiny, 1e9),
    number_key("speed_limit_scale", "10000", "raw units per rad/s of speed limits", tiny, 1e9),
    number_key("torque_scale", "10", "raw units per N m; equals 0.1 % of rated torque if that is 100 N m", tiny, 1e9),
    number_key("brake_torque", "300", "braking torque of a stop (raw units)", 0, 1e9),
    number_key("brake_fade", "0.3", "wheel speed (rad/s) below which a stop's braking torque fades out", 0.05, 100),
    choice_key("word_order", "cdab", "byte order of 32-bit values in two registers; cdab has the low word first",
               word_orders),
    number_key("coil_base", "8192", "Modbus address of M0; 0 on PLCs without Mitsubishi's mapping", 0, 65531),
    number_key("trip_input", "0", "discrete input that reports a trip of the PLC; -1 disables it", -1, 65535),
    flag_key("heartbeat", "false", "heartbeat in D24 and D25; requires support in the PLC's program"),

    number_key("reference_timeout", "0.5", "twist timeout, after which the speed is 0 and the steering is kept (s)",
               0.01, 60),
    number_key("command_timeout", "0.2", "timeout of joint commands, with the same effect (s)", 0.01, 60),
    number_key("feedback_timeout", "0.2", "maximum age of feedback; when older: disarm and brake (s)", 0.01, 60),
    number_key("link_timeout", "1.0", "response timeout, after which the truck brakes and a stop is latched (s)", 0.01,
               60),
    number_key("response_timeout", "0.5", "response timeout of the PLC (s)", 0.01, 60),
    number_key("reset_pulse", "0.01", "duration of the pulse on M0 (s)", tiny, 10),
    number_key("readback_hz", "10", "rate at which coils and D0 to D15 are read back (Hz)", 0.1, 100),
    number_key("log_interval", "2.0", "minimum time between similar log lines (s)", 0, 3600),

    choice_key("joint_velocity", "rad_per_s", "unit of the driven joints' velocity on ROS; the original has m_per_s",
               velocity_units),
    text_key("odom_frame", "odom", "fixed frame of the odometry"),
    text_key("base_frame", "base_footprint", "moving frame"),
    text_key("node", "ackermann_steering_controller", "name of the ROS node"),
    text_key("namespace", "/", "namespace of the node and its topics"),
};

kinematics::PidGains gains_from(const machines::Options& options, std::string_view key, std::string_view torque) {
  const auto& pid = options.numbers(key);
  if (pid.size() != 3) {
    throw std::invalid_argument(
        fmt::format("{}: expected three numbers (proportional, integral, derivative), got {}", key, pid.size()));
  }
  return {.proportional = pid[0],
          .integral = pid[1],
          .derivative = pid[2],
          .integral_limit = options.number("integral_limit"),
          .output_limit = options.number(torque)};
}

std::array<int, axis_count> directions_from(const machines::Options& options) {
  const auto& numbers = options.numbers("motor_directions");
  if (numbers.size() != axis_count) {
    throw std::invalid_argument(
        fmt::format("motor_directions: expected four numbers (front right, front left, rear right, rear left), got {}",
                    numbers.size()));
  }
  std::array<int, axis_count> directions{};
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    if (std::abs(numbers[axis]) != 1)
      throw std::invalid_argument(fmt::format("motor_directions: expected 1 or -1, got {}", numbers[axis]));
    directions[axis] = numbers[axis] > 0 ? 1 : -1;
  }
  return directions;
}

// Of the table's own words, so that the view outlives the options.
std::string_view word_order_from(const std::string& word) {
  for (const std::string_view known : word_orders)
    if (known == word) return known;
  throw std::invalid_argument(fmt::format("word_order: expected abcd, cdab, badc or dcba, got '{}'", word));
}

double whole_from(const machines::Options& options, std::string_view key) {
  const double number = options.number(key);
  if (number != std::floor(number))
    throw std::invalid_argument(fmt::format("{}: expected a whole number, got {}", key, number));
  return number;
}

Plc plc_from(const machines::Options& options) {
  return {.scales = {.velocity = options.number("velocity_scale"),
                     .position = options.number("position_scale"),
                     .speed_limit = options.number("speed_limit_scale"),
                     .torque = options.number("torque_scale")},
          .motor_directions = directions_from(options),
          .flip_steering = options.flag("flip_steering"),
          .word_order = word_order_from(options.text("word_order")),
          .coil_base = static_cast<std::uint16_t>(whole_from(options, "coil_base")),
          .trip_input = static_cast<int>(whole_from(options, "trip_input")),
          .brake_torque = options.number("brake_torque"),
          .brake_fade = options.number("brake_fade"),
          .heartbeat = options.flag("heartbeat")};
}

}  // namespace

std::span<const Option> bridge_options() { return bridge_table; }

Description description_from(const machines::Options& options) {
  Description description;
  description.geometry = {.wheel_radius = options.number("wheel_radius"),
                          .wheelbase = options.number("wheelbase"),
                          .traction_track = options.number("traction_track"),
                          .steering_track = options.number("steering_track"),
                          .steering_limit = options.number("steering_limit")};
  if (auto good = check(description.geometry); !good) throw std::invalid_argument(good.error().text);
  description.limits = {.speed = options.number("speed"),
                        .acceleration = options.number("acceleration"),
                        .turn = options.number("turn"),
                        .turn_acceleration = options.number("turn_acceleration")};
  description.traction = gains_from(options, "traction_pid", "traction_torque");
  description.steering = gains_from(options, "steering_pid", "steering_torque");
  description.plc = plc_from(options);
  description.base_height = options.number("base_height");
  return description;
}

Times times_from(const machines::Options& options) {
  return {.cycle = 1 / options.number("cycle_hz"),
          .reference = options.number("reference_timeout"),
          .command = options.number("command_timeout"),
          .feedback = options.number("feedback_timeout"),
          .link = options.number("link_timeout"),
          .response = options.number("response_timeout"),
          .reset_pulse = options.number("reset_pulse"),
          .readback = 1 / options.number("readback_hz"),
          .log = options.number("log_interval")};
}

modbus::Peer plc_address_from(const std::string& device) { return machines::modbus_peer_from(device, 502); }

}  // namespace tandem::raptorlift
