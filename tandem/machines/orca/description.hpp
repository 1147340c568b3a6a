// SPDX-License-Identifier: Apache-2.0
// The Orca submarine: hull, thrusters, sensors, camera, frames and addresses. What the bridge and the virtual vehicle
// share, and all they share. Numbers are those of the original project's model (seed 001) and of ArduSub. SI; body axes
// are FLU (x forward, y left, z up) and the world is ENU unless a name says otherwise.
#pragma once

#include <Eigen/Geometry>
#include <array>
#include <cstdint>
#include <numbers>
#include <string_view>

#include "tandem/base/transforms.hpp"

namespace tandem::orca {

inline constexpr double quarter_turn = std::numbers::pi / 2;  // rad

// Who is who on MAVLink.
inline constexpr std::uint8_t vehicle_system = 1, vehicle_component = 1;
inline constexpr std::uint8_t bridge_system = 200, bridge_component = 197;  // visual inertial odometry
inline constexpr std::uint16_t ground_port = 14550;                         // UDP: the vehicle sends, others listen
inline constexpr std::uint16_t bridge_port = 14551;
inline constexpr std::uint16_t tcp_port = 5760;   // the vehicle serves
inline constexpr std::uint16_t json_port = 9002;  // the physics of the real ArduSub's simulation

// ArduSub's numbers for its modes (custom_mode).
enum class Mode : std::uint8_t {
  stabilize = 0,
  acro = 1,
  alt_hold = 2,
  automatic = 3,
  guided = 4,
  circle = 7,
  surface = 9,
  poshold = 16,
  manual = 19,
  motor_detect = 20,
  surftrak = 21,
};

// Bits of EKF_STATUS_REPORT.flags.
namespace ekf {
inline constexpr std::uint16_t attitude = 1, velocity_horizontal = 2, velocity_vertical = 4, position_relative = 8,
                               position_absolute = 16, height = 32, height_above_ground = 64, constant_position = 128,
                               predicted_relative = 256, predicted_absolute = 512, uninitialised = 1024;
}  // namespace ekf

// Frames of the seed's tree: map -> base_link -> camera_link -> camera_sensor, base_link -> ping_link, map -> slam ->
// world. In code by their short names: X_map_base, X_base_link, X_link_camera, X_base_ping, X_map_slam, X_slam_world.
namespace frames {
inline constexpr std::string_view map = "map", base = "base_link", link = "camera_link", camera = "camera_sensor",
                                  ping = "ping_link", slam = "slam", world = "world";
}  // namespace frames
Pose X_base_link();    // the camera looks down: pitched forward by a quarter turn
Pose X_link_camera();  // FLU to OpenCV's optical axes
Pose X_base_ping();
Pose X_slam_world();  // half a turn about x

struct Hull {
  double mass = 10.345;                             // kg: 10 and six propellers, two and one fittings
  double surplus = 0.05;                            // kg of buoyancy more than weight
  double water = 1023.6;                            // kg/m^3
  Eigen::Vector3d size{0.457, 0.338, 0.254};        // m
  Eigen::Vector3d centre_of_mass{0, 0, 0.011};      // m from base_link
  Eigen::Vector3d centre_of_buoyancy{0, 0, 0.06};   // m
  Eigen::Vector3d drag{33.8, 54.3, 73.4};           // N per (m/s)^2
  Eigen::Vector3d angular_drag{4, 4, 4};            // N m per (rad/s)^2
  Eigen::Vector3d linear_damping{4, 6, 5};          // N per m/s, so that slow motion ends
  Eigen::Vector3d angular_damping{0.1, 0.1, 0.1};   // N m per rad/s
  Eigen::Vector3d added_mass{5.5, 12.7, 14.57};     // kg
  Eigen::Vector3d added_inertia{0.12, 0.12, 0.12};  // kg m^2
  double seafloor = -4;                             // m, z in map
};

// ArduSub's "vectored" frame: four in the plane, two upright.
struct Thruster {
  Eigen::Vector3d position;   // m from base_link
  Eigen::Vector3d direction;  // of the push on the vehicle at full forward
};
inline constexpr std::size_t thruster_count = 6;
inline constexpr double most_thrust = 50;                  // N
inline constexpr double pwm_stop = 1500, pwm_swing = 400;  // us; thrust = most_thrust * u * |u|
std::array<Thruster, thruster_count> thrusters();
// What each thruster is commanded for roll, pitch, yaw, throttle (up), forward, lateral (right): ArduSub's factors.
std::array<std::array<double, 6>, thruster_count> mixer();

// The sonar looks down: a cone of rays, the nearest counts.
struct Sonar {
  double half_angle = 0.14835;             // rad
  double least = 0.2, most = 50;           // m
  double noise_mean = 0.1, noise = 0.005;  // m; the mean is taken off again by the vehicle
  double rate = 10;                        // Hz
};

// The camera under the hull.
struct Eye {
  int width = 800, height = 600;
  double focal = 474.897, centre_x = 400.5, centre_y = 300.5;  // pixels
  double rate = 10;                                            // Hz
  double far = 5;                                              // m
};

// The tracking states of orb_slam3_msgs/SlamStatus.
enum class Tracking : std::int8_t {
  not_ready = -1,
  no_images = 0,
  not_initialised = 1,
  ok = 2,
  recently_lost = 3,
  lost = 4,
  ok_klt = 5
};

// Where the simulated world begins.
inline constexpr double origin_latitude = 47.6302, origin_longitude = -122.3982391;  // degrees

}  // namespace tandem::orca
