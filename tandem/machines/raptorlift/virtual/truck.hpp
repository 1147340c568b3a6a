// SPDX-License-Identifier: Apache-2.0
// What the virtual PLC drives: four joints with torques on them, and where the truck that they belong to really is.
#pragma once

#include <array>
#include <string_view>

#include "tandem/kinematics/ackermann/odometry.hpp"
#include "tandem/machines/raptorlift/description.hpp"

namespace tandem::raptorlift {

// Of the four axes in the order of the description; signs are those of the joints: rolling forward and turning the
// truck to the left are positive.
using Axes = std::array<double, axis_count>;

struct TruckState {
  Axes angles{};                               // rad
  Axes speeds{};                               // rad/s
  kinematics::ackermann::PlanarPose axle{};    // of the traction axle's middle, from where it was at first
  kinematics::ackermann::PlanarTwist twist{};  // of the same point, in the truck's own directions
  double distance = 0;                         // m, travelled by it, forward and back
  double slip = 0;                             // m/s, the fastest that a wheel slides over the ground
};

class VirtualTruck {
 public:
  virtual ~VirtualTruck() = default;

  // N m, for the next step.
  virtual void torques(const Axes& torques) = 0;
  // False when the physics has tripped: nothing moves any more, and cause() says why.
  virtual bool step() = 0;
  virtual double timestep() const = 0;  // s
  virtual const TruckState& state() const = 0;
  // Brings up to date what no step needs: the slip.
  virtual void look() {}
  virtual std::string_view cause() const = 0;
};

}  // namespace tandem::raptorlift
