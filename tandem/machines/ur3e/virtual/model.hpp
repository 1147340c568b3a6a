// SPDX-License-Identifier: Apache-2.0
// The UR3e with its Hand-E on a table as a MuJoCo model, generated from its description.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tandem::ur3e {

enum class Surroundings : std::uint8_t { empty, table, cubes };  // cubes: on the table

struct ModelOptions {
  double timestep = 0.002;  // s; 0.001 and 0.002 are tested
  Surroundings surroundings = Surroundings::cubes;
  bool gripper = true;  // a Hand-E on the flange, else nothing
};

// The scene. World frame: the controller's `base` (z up, the arm at zero points to -x), on the surface of the table.
inline constexpr std::array<std::string_view, 3> cube_names = {"cube_1", "cube_2", "cube_3"};
inline constexpr double cube_side = 0.040;     // m
inline constexpr double cube_mass = 0.1;       // kg
inline constexpr double table_side = 1.2;      // m, square, the arm in its middle
inline constexpr double table_height = 0.75;   // m above the ground
Eigen::Vector3d cube_start(std::size_t cube);  // its centre

// What no data sheet gives and the servo needs: the rotors' inertia at the joint and the friction of the gears.
inline constexpr std::array<double, 6> rotor_inertia = {0.4, 0.4, 0.25, 0.12, 0.12, 0.12};  // kg m^2
inline constexpr std::array<double, 6> joint_damping = {2.0, 2.0, 1.0, 0.4, 0.4, 0.4};      // N m s/rad
inline constexpr double finger_drive_inertia = 2.0;  // kg, spindle and motor as felt at one finger
inline constexpr double finger_damping = 20;         // N s/m
inline constexpr double bare_flange_mass = 0.001;    // kg, where there is no hand

// MJCF text. Names: the links and joints of the description, bodies "table", "ground" and the cubes (free) as far as
// they are there, the hand's body also without a hand (a gram then), site
// "tool0", motors named as their joints (N m, N), and sensors "flange_force", "flange_torque" (what wrist 3 bears of
// the hand, tool0 axes) and "tool_acceleration" (m/s^2, tool0 axes, with gravity).
std::string mjcf(const ModelOptions& options = {});

}  // namespace tandem::ur3e
