// SPDX-License-Identifier: Apache-2.0
// ArduSub's modes as the virtual autopilot flies them: from what a pilot, a set point or a mission wants to demands on
// the thrusters; arming, and which mode may be entered when.
#pragma once

#include <Eigen/Geometry>
#include <cstdint>
#include <optional>
#include <string_view>

#include "tandem/machines/orca/description.hpp"
#include "tandem/machines/orca/virtual/pilot/control.hpp"
#include "tandem/machines/orca/virtual/pilot/mission.hpp"

namespace tandem::orca {

// Sticks, -1 to 1 each, in the directions of Demand.
using PilotInput = Demand;

struct ModeSettings {
  double most_angle = 0.52;    // rad, ANGLE_MAX
  double yaw_rate = 1;         // rad/s at full stick
  double acro_rate = 1;        // rad/s, the same
  double climb = 0.5;          // m/s, PILOT_SPEED_UP
  double dive = 0.5;           // m/s, PILOT_SPEED_DN
  double level_speed = 0.3;    // m/s, WPNAV_SPEED
  double up_speed = 0.3;       // m/s, WPNAV_SPEED_UP
  double down_speed = 0.3;     // m/s, WPNAV_SPEED_DN
  double radius = 0.2;         // m, WPNAV_RADIUS
  double surface_depth = 0.1;  // m, SURFACE_DEPTH: less than this is the surface
  double guided_timeout = 3;   // s, after which a velocity set point counts no more
  double lean_timeout = 1;     // s, the same for an attitude
};

struct GuidedTarget {
  enum class Kind : std::uint8_t { position, velocity, attitude };
  Kind kind = Kind::position;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m, NED
  Eigen::Vector3d velocity = Eigen::Vector3d::Zero();  // m/s, NED
  std::optional<double> yaw{};                         // rad
  std::optional<double> yaw_rate{};                    // rad/s
  Eigen::Quaterniond q_ned_frd = Eigen::Quaterniond::Identity();
  double climb = 0;  // m/s upwards, with an attitude
};

// As STATUSTEXT and mode lists of ground stations write them; empty for a number that is no mode.
std::string_view mode_name(Mode mode);
std::optional<Mode> mode_from(double number);

class Pilot {
 public:
  explicit Pilot(const ModeSettings& settings = {}, const Gains& gains = {});

  void settings(const ModeSettings& settings) { settings_ = settings; }
  const ModeSettings& settings() const { return settings_; }

  // Why it cannot be; empty when it was done. Leaving is always possible, entering is not.
  std::string_view change(Mode mode, const Estimate& estimate);
  std::string_view arm(const Estimate& estimate, bool by_force);
  std::string_view unready(const Estimate& estimate) const;
  void disarm();

  // Only in GUIDED; false otherwise, and for what is no number.
  bool guide(const GuidedTarget& target, const Estimate& estimate);
  // The heading to hold from now on, rad; in GUIDED and AUTO.
  void face(double yaw);
  // The depth to hold, m, and an attitude that counts instead of the sticks for a while; in ALT_HOLD.
  void hold(double depth);
  void lean(const Eigen::Quaterniond& q_ned_frd);
  // The new mission; what is being flown in AUTO restarts.
  MissionFlight& mission() { return mission_; }
  const MissionFlight& mission() const { return mission_; }

  // The demand for the next `dt` seconds; all zero unless armed.
  Demand step(const Estimate& estimate, const PilotInput& sticks, double dt);

  Mode mode() const { return mode_; }
  bool armed() const { return armed_; }
  // Where it is going in GUIDED or AUTO, or holds in POSHOLD; m NED.
  std::optional<Eigen::Vector3d> destination() const;
  double heading() const { return yaw_; }  // rad, that it holds

 private:
  void begin(const Estimate& estimate);
  Demand attitude(const Estimate& estimate, const PilotInput& sticks, double dt);
  Demand acro(const Estimate& estimate, const PilotInput& sticks, double dt);
  double climb_rate(const Estimate& estimate, double stick);
  Demand hold_depth(const Estimate& estimate, const PilotInput& sticks, double dt);
  Demand hold_position(const Estimate& estimate, const PilotInput& sticks, double dt);
  Demand surface(const Estimate& estimate, const PilotInput& sticks, double dt);
  Demand guided(const Estimate& estimate, double dt);
  Demand leaning(const Estimate& estimate, double dt);
  Demand automatic(const Estimate& estimate, double dt);
  Demand go(const Estimate& estimate, const Eigen::Vector3d& velocity, double dt);
  Demand go_to(const Estimate& estimate, const Eigen::Vector3d& destination, double dt);
  Demand wait_for_position(const Estimate& estimate, double dt);

  ModeSettings settings_;
  Gains gains_;
  AttitudeControl attitude_;
  VelocityControl velocity_;
  Carrot carrot_;
  MissionFlight mission_;
  Mode mode_ = Mode::manual;
  bool armed_ = false;
  double yaw_ = 0;    // rad, held
  double depth_ = 0;  // m, held
  bool had_position_ = false;
  std::optional<Eigen::Vector2d> place_;  // m, north and east, held in POSHOLD
  GuidedTarget target_;
  double target_age_ = 0;  // s
  std::optional<Eigen::Quaterniond> lean_;
  double lean_age_ = 0;       // s
  double mission_speed_ = 0;  // m/s, that an item asked for; 0: none did
  Eigen::Vector3d last_destination_ = Eigen::Vector3d::Zero();
};

}  // namespace tandem::orca
