// SPDX-License-Identifier: Apache-2.0
// The truck without physics: every axis alone with its inertia and damping, the truck going where its wheels say.
// Hundreds of them cost little.
#pragma once

#include "tandem/machines/raptorlift/virtual/truck.hpp"

namespace tandem::raptorlift {

class VirtualPlant final : public VirtualTruck {
 public:
  VirtualPlant(const kinematics::ackermann::Geometry& geometry, double timestep)
      : geometry_(geometry), timestep_(timestep) {}

  void torques(const Axes& torques) override { torques_ = torques; }
  bool step() override;
  double timestep() const override { return timestep_; }
  const TruckState& state() const override { return state_; }
  std::string_view cause() const override { return {}; }

 private:
  kinematics::ackermann::Geometry geometry_;
  double timestep_;
  Axes torques_{};
  TruckState state_;
};

}  // namespace tandem::raptorlift
