// SPDX-License-Identifier: Apache-2.0
// The platform in its elastic cables, in MuJoCo. A cable pulls and never pushes, hangs slack when it is too long, and
// may be cut; below all of it is a floor.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tandem/kinematics/cable/robot.hpp"
#include "tandem/sim/world.hpp"

namespace tandem::cable_robot {

// What is really so, whatever the sensors say.
struct PlatformState {
  std::array<double, 3> position{};                    // m, world
  std::array<double, 4> rotation{0, 0, 0, 1};          // x, y, z, w
  std::array<double, 3> velocity{};                    // m/s of its origin, world axes
  std::array<double, 3> spin{};                        // rad/s, world axes
  std::array<double, cables::most_cables> tensions{};  // N
  std::array<double, cables::most_cables> lengths{};   // m, straight from frame to platform
  bool on_floor = false;
};

struct BodyOptions {
  double cycle = 0.001;     // s, of one advance()
  double damping = 0.0005;  // s: a cable that stretches pulls as if it were so much later
};

class Body {
 public:
  // At rest at home. Throws std::invalid_argument when the cables are too stiff for the platform to be followed.
  explicit Body(const cables::Robot& robot, const BodyOptions& options = {});

  // One cycle, in which the cables come to be unwound (unstretched) so far. False when the physics has tripped: nothing
  // moves any more, and cause() says why.
  bool advance(const cables::PerCable& unwound);
  // Those of the bits pull no more; cables without a bit are whole.
  void cut(std::uint16_t cables) { cut_ = cables; }
  // A load on the platform's centre of mass, world axes; stays until changed.
  void push(const Eigen::Vector3d& force, const Eigen::Vector3d& torque) { world_.push(platform_, force, torque); }
  // At rest there, and a trip is forgotten. Cables stay as far unwound as they are.
  void place(const Pose& X_world_platform);

  // Unwound lengths that hold the platform there, as far as its tension range can.
  cables::PerCable resting(const Pose& X_world_platform) const;

  const PlatformState& state() const { return state_; }
  Pose pose() const { return world_.pose(platform_); }
  const cables::PerCable& unwound() const { return unwound_; }
  const cables::Robot& robot() const { return robot_; }
  const std::string& cause() const { return world_.cause(); }
  double timestep() const { return world_.timestep(); }  // s, of the physics

 private:
  void pull(const cables::PerCable& speeds);
  void observe();

  cables::Robot robot_;
  BodyOptions options_;
  int steps_;  // of the physics in a cycle
  sim::World world_;
  sim::Body platform_;
  std::vector<sim::Actuator> cables_;
  cables::PerCable unwound_;  // m
  cables::PerCable before_;   // m, lengths one step ago
  std::uint16_t cut_ = 0;
  PlatformState state_;
};

}  // namespace tandem::cable_robot
