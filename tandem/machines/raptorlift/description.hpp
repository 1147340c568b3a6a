// SPDX-License-Identifier: Apache-2.0
// The RaptorLift: geometry, joints, limits, times and the PLC's registers. What the bridge and the virtual PLC share,
// and all they share. Sources: the original project; where its document and its program differ, both values are here,
// and the document's is the default. Joint angles are positive when they turn the truck to +z driving forward; the
// wheels behind turn the other way, and that flip is in the registers' signs and in the URDF's axes, nowhere else.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tandem/kinematics/ackermann/ackermann.hpp"
#include "tandem/kinematics/ackermann/odometry.hpp"
#include "tandem/kinematics/pid.hpp"

namespace tandem::raptorlift {

// Axes 0 to 3 everywhere: front right, front left (traction), rear right, rear left (steering).
inline constexpr std::size_t axis_count = 4;
inline constexpr std::size_t first_steering_axis = 2;
inline constexpr std::array<std::string_view, axis_count> wheel_names = {"front right", "front left", "rear right",
                                                                         "rear left"};
inline constexpr std::array<std::string_view, axis_count> joint_names = {
    "front_right_wheel_joint", "front_left_wheel_joint", "rear_right_steering_joint", "rear_left_steering_joint"};
inline constexpr std::array<std::string_view, axis_count> link_names = {
    "front_right_wheel_link", "front_left_wheel_link", "rear_right_steering_link", "rear_left_steering_link"};
constexpr bool steers(std::size_t axis) { return axis >= first_steering_axis; }

// What the joints can do; the controller asks for less.
inline constexpr double steering_speed = 1;   // rad/s
inline constexpr double traction_speed = 10;  // rad/s

// As built; a Description may say otherwise.
constexpr kinematics::ackermann::Geometry geometry() {
  return {
      .wheel_radius = 0.1715, .wheelbase = 1.0, .traction_track = 0.71, .steering_track = 0.71, .steering_limit = 0.7};
}

// The body, for drawing and weighing it. base_link lies between the axles, x forward to the fork.
namespace body {
inline constexpr double front_axle = 0.47765;                      // m before base_link
inline constexpr double rear_axle = -0.52235;                      // m
inline constexpr double wheel_drop = 0.0705;                       // m, the wheels' centres below base_link
inline constexpr double wheel_width = 0.05;                        // m
inline constexpr double wheel_mass = 5;                            // kg
inline constexpr std::array<double, 3> chassis = {1.1, 0.6, 0.4};  // m, its middle in base_link
inline constexpr double chassis_mass = 100;                        // kg
// m, base_link above the ground. The original has 0.1715, with which the wheels would sink in by wheel_drop.
inline constexpr double base_height = 0.242;
}  // namespace body

// Where a wheel turns, in base_link (m). The rear axle stands a wheelbase behind the front one, whatever wheelbase is
// configured.
struct Description;
std::array<double, 3> wheel_place(const Description& description, std::size_t axis);

// base_footprint, under base_link, as seen from the traction axle that odometry is about.
inline constexpr kinematics::ackermann::Point base_point = {-body::front_axle, 0};

// Speeds of the operator's gears, 1 to 20.
inline constexpr int most_gear = 20;
inline constexpr int default_gear = 10;
inline constexpr double gear_turn = 0.5;  // rad/s, in every gear
double gear_speed(int gear);              // m/s; a gear outside is the nearest

// Raw numbers per unit.
struct Scales {
  double velocity = 10000;     // per rad/s, feedback of the driven wheels
  double position = 10000;     // per rad
  double speed_limit = 10000;  // per rad/s; the original program has 100000
  double torque = 10;          // per N m; its own comment calls the unit 0.1 % of a rated torque that is not given
};

struct Plc {
  Scales scales;
  std::array<int, axis_count> motor_directions = {1, -1, 1, -1};
  bool flip_steering = true;             // the PLC counts steering the other way round than the joints
  std::string_view word_order = "cdab";  // of 32 bits: the low register first
  std::uint16_t coil_base = 8192;        // M0 on the wire; Mitsubishi's map. The document does not say
  int trip_input = 0;                    // discrete input that reports a trip; -1: none
  double brake_torque = 300;             // raw, as the document has it; the original program writes 3000
  double brake_fade = 0.3;               // rad/s: a stop brakes in full above, less below
  bool heartbeat = false;                // D24 and D25, ours: a real PLC's program does not know them
};

// One value of two registers.
struct Register {
  std::string_view name;
  std::uint16_t address = 0;  // of the first register
  bool is_signed = true;
  double scale = 1;  // raw per unit
  double sign = 1;   // raw = value * scale * sign, and back
  std::string_view unit;
  double lowest = 0, highest = 0;  // in the unit, joint's sign: what may be written, or what is plausible
};

namespace registers {
inline constexpr std::uint16_t command_start = 0;  // D0 to D15, written
inline constexpr std::uint16_t command_count = 16;
inline constexpr std::uint16_t feedback_start = 16;  // D16 to D23, read
inline constexpr std::uint16_t feedback_count = 8;
inline constexpr std::uint16_t bridge_heartbeat = 24;  // counts up while the bridge lives
inline constexpr std::uint16_t plc_heartbeat = 25;     // counts up while the PLC lives
inline constexpr std::uint16_t count = 26;
}  // namespace registers

// Input registers that no real PLC has: int32 values in the description's word order, each times truth::scale.
namespace truth {
inline constexpr std::uint16_t start = 1000;
// x, y (m), yaw (rad) of the traction axle's middle from where it was at first; forward and sideways speed (m/s),
// turn (rad/s) of it; distance travelled (m); slip (m/s); angles of the driven wheels, right and left (rad).
inline constexpr std::size_t values = 10;
inline constexpr std::uint16_t count = 2 * values;
inline constexpr double scale = 1e5;
}  // namespace truth

namespace coils {
inline constexpr std::uint16_t error_reset = 0;   // M0: high, 10 ms, low
inline constexpr std::uint16_t first_enable = 1;  // M1 to M4, axes 0 to 3
inline constexpr std::uint16_t count = 5;
}  // namespace coils

struct Description {
  kinematics::ackermann::Geometry geometry = raptorlift::geometry();
  kinematics::ackermann::Limits limits;  // 1 m/s, 2 m/s^2, 1 rad/s, 2 rad/s^2
  kinematics::PidGains traction = {.proportional = 10, .integral = 5, .integral_limit = 100, .output_limit = 150};
  kinematics::PidGains steering = {.proportional = 50, .derivative = 5, .integral_limit = 100, .output_limit = 100};
  Plc plc;
  double base_height = body::base_height;  // m
};

// Of each axis: speed limit or target position, and torque.
struct CommandRow {
  Register target;  // speed limit (rad/s) of axes 0 and 1, position (rad) of axes 2 and 3
  Register torque;  // N m
};
std::array<CommandRow, axis_count> command_registers(const Description& description);
// Speed (rad/s) of axes 0 and 1, position (rad) of axes 2 and 3.
std::array<Register, axis_count> feedback_registers(const Description& description);

// Seconds, all of them configuration.
struct Times {
  double cycle = 0.01;
  double reference = 0.5;  // without a twist: speed 0, the steering stays
  double command = 0.2;    // without joint commands: the same
  double feedback = 0.2;   // older feedback is stale: disarm and brake
  double link = 1.0;       // without an answer: stop with brake, latched
  double response = 0.5;   // for one answer
  double reset_pulse = 0.01;
  double readback = 0.1;  // between looks at coils and D0 to D15
  double log = 2;         // between lines of the same kind
};

}  // namespace tandem::raptorlift
