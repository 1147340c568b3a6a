// SPDX-License-Identifier: Apache-2.0
// The EM1500: geometry, limits, and the PLC's variables. What the bridge and the virtual PLC share, and all they share.
// Sources: the laboratory's public bridge node and PLC project.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string_view>

#include "tandem/base/short_text.hpp"
#include "tandem/kinematics/stewart/limits.hpp"
#include "tandem/kinematics/stewart/stewart.hpp"

namespace tandem::em1500 {

inline constexpr double neutral_height = 1.205;     // m, the top's origin above the base's at mid-stroke
inline constexpr double neutral_length = 1.45623;   // m, every leg there, within 3 um
inline constexpr double stroke = 0.4;               // m, each way from neutral
inline constexpr double leg_speed = 0.40;           // m/s, the most a leg does
inline constexpr double settled_depth = 0.4663845;  // m, the top at rest below neutral

// What the laboratory's PLC lets through, each way from neutral, per axis: surge, sway, heave (m), roll, pitch, yaw
// (rad).
inline constexpr std::array<double, 6> laboratory_limits = {
    0.15, 0.15, 0.30, 5 * std::numbers::pi / 180, 5 * std::numbers::pi / 180, 5 * std::numbers::pi / 180};

// Legs are numbered clockwise seen from above, leg 1 front right; x forward, y left, z up.
const stewart::Geometry& geometry();
Pose home_pose();                     // neutral: level, neutral_height above the base
const stewart::Platform& platform();  // the geometry with that home
stewart::Strokes strokes();

// MAIN.stEM1500Pose exactly as TwinCAT lays it out: six LREAL, metres and radians.
// Not a pose: surge and roll point the other way round, heave is zero at mid-stroke.
// No operators on purpose. The only way on is platform_from_plc().
struct PlcPose {
  double surge, sway, heave, roll, pitch, yaw;
};
static_assert(sizeof(PlcPose) == 48 && offsetof(PlcPose, yaw) == 40);

inline constexpr std::array<std::string_view, 6> axis_names = {"surge", "sway", "heave", "roll", "pitch", "yaw"};
std::array<double, 6> axes(const PlcPose& pose);
PlcPose plc_pose(const std::array<double, 6>& axes);

// Why these numbers cannot be a platform's pose, naming the axis; empty when they can. Generous: ten times the
// laboratory's limits and more, to catch garbage and not motion.
ShortText<160> implausible(const PlcPose& pose);

// The PLC project. Names are case-insensitive there; sizes in bytes.
inline constexpr double task_period = 0.010;                          // s, PlcTask
inline constexpr std::string_view symbol_pose = "MAIN.stEM1500Pose";  // ST_Pose, 48
inline constexpr std::string_view symbol_rx_counter =
    "MAIN.nRxCounter";  // DINT: grows while the EtherCAT bridge is alive
inline constexpr std::string_view symbol_tx_counter = "MAIN.nTxCounter";  // DINT
inline constexpr std::string_view symbol_timeout = "MAIN.bTimout";  // BOOL, spelled so: 500 ms without a new nRxCounter
inline constexpr std::string_view symbol_time = "MAIN.fTime";       // LREAL, s
inline constexpr std::string_view symbol_period = "MAIN.fDt";       // LREAL, s
inline constexpr std::string_view symbol_enable = "MAIN.bEnable";   // BOOL
inline constexpr std::string_view symbol_feedback = "MAIN.rxEtherCatBridge";  // ST_Feedback, 720
inline constexpr std::string_view symbol_control = "MAIN.txEtherCatBridge";   // ST_Control, 264
inline constexpr std::size_t feedback_size = 720;
inline constexpr std::size_t feedback_em1500 =
    144;  // offset of eta[6], eta_t[6], eta_tt[6]: position, velocity, acceleration
inline constexpr std::size_t control_size = 264;
inline constexpr std::size_t control_em1500 = 96;  // offset of u[6], u_t[6]

}  // namespace tandem::em1500
