// SPDX-License-Identifier: Apache-2.0
// A MuJoCo world: loaded from MJCF text, stepped, read and driven by names that are resolved once.
//
// After construction, update() and step() everything that depends on positions and velocities is that of the
// present state: read it, write controls and forces, step again. Nothing is a step old (MuJoCo's step is cut
// between its two halves), and a controller needs no callback.
//
// One thread at a time per world; worlds share nothing. The same calls give the same bits.
#pragma once

#include <Eigen/Geometry>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/transforms.hpp"

namespace tandem::sim {

struct Joint {  // hinge (rad) or slide (m)
  int position = -1;
  int velocity = -1;
};
struct Actuator {
  int index = -1;
};
struct Body {
  int index = -1;
};
struct Sensor {
  int address = -1;
  int size = 0;
};
struct Site {
  int index = -1;
};

// Two bodies that touch at a point.
struct Contact {
  Body a, b;
  Eigen::Vector3d position = Eigen::Vector3d::Zero();  // m, world
  Eigen::Vector3d force = Eigen::Vector3d::Zero();     // N, of a on b, world axes
  double normal = 0;                                   // N, the part that presses
};

// Of a body's frame, in world axes.
struct Twist {
  Eigen::Vector3d linear = Eigen::Vector3d::Zero();   // m/s
  Eigen::Vector3d angular = Eigen::Vector3d::Zero();  // rad/s
};

// All that decides the future of a world, from World::save().
struct Snapshot {
  std::vector<double> numbers;
};

class World {
 public:
  // Throws std::runtime_error with MuJoCo's own words when the text is no model. A model should say
  // <size nstack= njmax= nconmax=/>: MuJoCo's defaults take 14 MB, a machine of ours needs 2.
  // Integrators: Euler and implicit; RK4 cannot be cut in two halves and is refused.
  explicit World(std::string_view mjcf);
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;
  ~World();

  // Throw std::runtime_error that names what is not there.
  Joint joint(std::string_view name) const;
  Actuator actuator(std::string_view name) const;
  Body body(std::string_view name) const;
  Sensor sensor(std::string_view name) const;
  Site site(std::string_view name) const;
  int bodies() const;                      // indices 0 (the world itself) to bodies() - 1
  std::string_view name(Body body) const;  // empty when it has none

  double timestep() const;  // s
  double time() const;      // s, simulated

  double position(Joint joint) const;
  double velocity(Joint joint) const;
  double acceleration(Joint joint) const;  // in the step before this state
  // The force that holds the body together at this joint's constraints and limits, N or N m.
  double constraint_force(Joint joint) const;
  double control(Actuator actuator) const;
  double length(Actuator actuator) const;  // of its transmission, m or rad
  double force(Actuator actuator) const;   // in the step before this state, N or N m
  Pose pose(Body body) const;              // X_world_body
  Twist twist(Body body) const;
  Pose pose(Site site) const;
  std::span<const double> values(Sensor sensor) const;
  double energy() const;  // J, of weight (zero at the world's origin) and motion
  // Those of the step before this state.
  std::span<const Contact> contacts() const;
  // Inverse dynamics without contacts: the forces on these joints (N or N m) that accelerate them so (rad/s^2 or
  // m/s^2) from the present state, against gravity, Coriolis terms and damping, while all others keep their velocities.
  void forces_for(std::span<const Joint> joints, std::span<const double> accelerations, std::span<double> forces) const;

  void control(Actuator actuator, double value);
  // A force (N) and torque (N m) at the body's centre of mass, world axes; stays until changed.
  void push(Body body, const Eigen::Vector3d& force, const Eigen::Vector3d& torque);
  // These change the state by hand; update() or step() makes everything else follow.
  void place(Joint joint, double position, double velocity = 0);
  // A body with a free joint; throws std::runtime_error for another. It ends at rest.
  void place(Body body, const Pose& X_world_body);
  void update();

  // One time step. False when the world has tripped: the state is then the last good one and stays so.
  bool step();
  bool tripped() const;
  const std::string& cause() const;  // empty while not tripped
  // The initial state of the model; a trip is forgotten.
  void reset();

  Snapshot save() const;
  // Bit-exact: the future after restore() is the future after save(). Throws std::runtime_error
  // for a snapshot of another model. A trip is forgotten.
  void restore(const Snapshot& snapshot);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tandem::sim
