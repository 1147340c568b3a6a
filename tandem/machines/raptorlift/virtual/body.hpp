// SPDX-License-Identifier: Apache-2.0
// The truck's body in MuJoCo: it rolls, slips and tips as friction and weight have it.
#pragma once

#include <array>

#include "tandem/machines/raptorlift/virtual/model.hpp"
#include "tandem/machines/raptorlift/virtual/truck.hpp"
#include "tandem/sim/world.hpp"

namespace tandem::raptorlift {

class Body final : public VirtualTruck {
 public:
  explicit Body(const Description& truck = {}, const ModelOptions& options = {});

  void torques(const Axes& torques) override;
  bool step() override;
  double timestep() const override { return world_.timestep(); }
  const TruckState& state() const override { return state_; }
  void look() override { state_.slip = slip(); }
  std::string_view cause() const override { return world_.cause(); }

  Pose pose() const { return world_.pose(truck_); }  // of the point on the ground under base_link
  Axes loads() const;                                // N, how much each wheel presses on the ground

 private:
  void observe();
  double slip() const;

  kinematics::ackermann::Geometry geometry_;
  sim::World world_;
  sim::Body truck_;
  std::array<sim::Joint, 4> axes_;
  std::array<sim::Actuator, 4> motors_;
  std::array<sim::Joint, 2> rolling_;  // the rear wheels about their axles
  std::array<sim::Body, 4> wheels_;
  TruckState state_;
};

}  // namespace tandem::raptorlift
