// SPDX-License-Identifier: Apache-2.0
// The UR3e with a Robotiq Hand-E: names, masses, limits, shapes and ports. What the machine and the virtual controller
// share, and all they share. Sources: Universal Robots' published dynamics and limits, Robotiq's manual, the original
// ISCoin API.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>
#include <string_view>

#include "tandem/base/transforms.hpp"
#include "tandem/kinematics/ur/ur.hpp"

namespace tandem::ur3e {

using Joints = kinematics::ur::Joints;  // base to wrist 3; rad, rad/s, rad/s^2 or N m as the name says

// Geometry, and the limits of position, speed and torque.
inline constexpr const kinematics::ur::Model& arm_model = kinematics::ur::ur3e;

inline constexpr std::array<std::string_view, 6> joint_names = {
    "shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint", "wrist_2_joint", "wrist_3_joint"};
// Each turns about the z of its own frame; joint i carries link i.
inline constexpr std::array<std::string_view, 6> link_names = {"shoulder_link", "upper_arm_link", "forearm_link",
                                                               "wrist_1_link",  "wrist_2_link",   "wrist_3_link"};
namespace frames {
inline constexpr std::string_view base_link = "base_link";  // REP 103: x forward
inline constexpr std::string_view base = "base";            // the controller's: base_link turned half round about z
inline constexpr std::string_view base_link_inertia = "base_link_inertia";  // the casing; same frame as base
inline constexpr std::string_view flange = "flange";                        // x out of the flange
inline constexpr std::string_view tool0 = "tool0";  // z out of the flange; the same frame as wrist_3_link
}  // namespace frames

// The forearm meets the shoulder near half a turn; planners get this limit.
inline constexpr double elbow_planning_limit = std::numbers::pi;  // rad, +-
// N m at the joint per ampere of its motor: torque constant times gear ratio (101). No data sheet gives the
// constants; these put the most torque at the motors' usual 3 to 5 A.
inline constexpr std::array<double, 6> torque_per_ampere = {12.0, 12.0, 9.0, 3.0, 3.0, 3.0};
inline constexpr double gravity = 9.81;       // m/s^2
inline constexpr double payload_limit = 3.0;  // kg

// Upright, every published drawing's home: 0, -90, 0, -90, 0, 0 degrees.
Joints home();

struct Inertia {
  double mass = 0;                                   // kg
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  // of mass, in the frame it belongs to, m
  Eigen::Matrix3d tensor = Eigen::Matrix3d::Zero();  // about the centre, axes of that frame, kg m^2
};

// Link 0 to 5 in its own frame.
Inertia link_inertia(std::size_t link);
Inertia base_inertia();  // in base_link_inertia

// X_parent_link at joint angle zero; link 0's parent is base.
Pose link_frame(std::size_t link);

// A capsule from one point to another; the collision shape, and with flat ends the picture.
struct Tube {
  std::string_view link;
  Eigen::Vector3d from, to;  // m
  double radius;             // m
};
std::span<const Tube> tubes();

// The Hand-E on tool0, its frame that of tool0. Fingers slide along x: left to +x, right to -x; 0 is closed.
namespace hand {
inline constexpr std::string_view link = "robotiq_hande_link";
inline constexpr std::array<std::string_view, 2> finger_joints = {"robotiq_hande_left_finger_joint",
                                                                  "robotiq_hande_right_finger_joint"};
inline constexpr std::array<std::string_view, 2> finger_links = {"robotiq_hande_left_finger",
                                                                 "robotiq_hande_right_finger"};
inline constexpr double finger_stroke = 0.025;     // m, each
inline constexpr double finger_mass = 0.038;       // kg, each
inline constexpr double least_force = 20;          // N, between the fingers
inline constexpr double most_force = 130;          // N
inline constexpr double least_speed = 0.010;       // m/s, of one finger: the manual's 20 mm/s is for both
inline constexpr double most_speed = 0.075;        // m/s
inline constexpr double reach = 0.157;             // m, tool0 to the tips of the fingers
inline constexpr double grip_reach = 0.145;        // m, tool0 to the middle of the pads
inline constexpr double finger_root = 0.105;       // m, tool0 to where the fingers begin
inline constexpr double finger_thickness = 0.012;  // m, along x
inline constexpr double finger_width = 0.022;      // m, along y
inline constexpr double most_current = 1.0;        // A, at the most force

// The casing with its coupling, without the fingers.
Inertia inertia();
// With the fingers: what a user enters as payload.
double mass();
Eigen::Vector3d centre();  // of mass, fingers closed or open, tool0, m

// Robotiq's units, 0 to 255. POS reads 3 when quite open and 250 when closed, as the users' own formula has it.
double finger_from_position(double position);  // m, clamped to the stroke
std::uint8_t position_from_finger(double finger);
double speed_from(std::uint8_t speed);  // m/s, of one finger
double force_from(std::uint8_t force);  // N
}  // namespace hand

namespace ports {
inline constexpr std::uint16_t dashboard = 29999;
inline constexpr std::uint16_t primary = 30001;
inline constexpr std::uint16_t secondary = 30002;
inline constexpr std::uint16_t real_time = 30003;
inline constexpr std::uint16_t rtde = 30004;
inline constexpr std::uint16_t primary_read_only = 30011;
inline constexpr std::uint16_t secondary_read_only = 30012;
inline constexpr std::uint16_t real_time_read_only = 30013;
inline constexpr std::uint16_t interpreter = 30020;
inline constexpr std::uint16_t gripper = 63352;
inline constexpr std::uint16_t camera = 4242;
}  // namespace ports

}  // namespace tandem::ur3e
