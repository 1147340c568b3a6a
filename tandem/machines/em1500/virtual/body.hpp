// SPDX-License-Identifier: Apache-2.0
// The platform's body in MuJoCo: six driven legs under a plate. The virtual platform and the twin each have one.
#pragma once

#include <array>
#include <string>

#include "tandem/base/transforms.hpp"
#include "tandem/kinematics/stewart/stewart.hpp"
#include "tandem/machines/em1500/virtual/model.hpp"
#include "tandem/sim/world.hpp"

namespace tandem::em1500 {

class Body {
 public:
  // Stands at home, the neutral pose.
  explicit Body(const ModelOptions& options = {});

  // At rest in this pose, whatever was before; a trip is forgotten.
  void stand(const Pose& X_base_top);

  // Where each leg should be after the next step, as displacement from home (m), and how fast it moves there (m/s).
  // Beyond the stroke the legs stop at their ends.
  void command(const stewart::Lengths& displacements, const stewart::Lengths& velocities);

  // One time step; false when the physics has tripped.
  bool step();
  const std::string& cause() const { return world_.cause(); }  // of the trip

  double timestep() const { return world_.timestep(); }
  double time() const { return world_.time(); }  // s, simulated
  stewart::Lengths displacements() const;        // of the slides, m
  stewart::Lengths velocities() const;           // m/s
  stewart::Lengths forces() const;               // N, positive pushes
  Pose pose() const;                             // X_base_top
  double opening() const;                        // largest distance between a rod's end and its joint on the plate, m

 private:
  struct Leg {
    sim::Joint sway;
    sim::Joint swing;
    sim::Joint slide;
    sim::Actuator drive;
    sim::Body rod;
  };

  sim::World world_;
  sim::Body top_;
  std::array<Leg, 6> legs_;
};

}  // namespace tandem::em1500
