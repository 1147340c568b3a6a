// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/virtual/joint_source.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <vector>

#include "tandem/machines/generic/virtual/physics_model.hpp"
#include "tandem/sim/world.hpp"

namespace tandem::generic {
namespace {

constexpr double timestep = 0.001;  // s

class Physics final : public JointSource {
 public:
  explicit Physics(const PhysicsModel& model) : world_(model.mjcf) {
    for (const ModelJoint& each : model.joints) {
      Axis axis{.joint = world_.joint(each.name), .model = each};
      const double start = each.limited ? std::clamp(0.0, each.low, each.high) : 0;
      world_.place(axis.joint, start);
      if (!each.follows) {
        axis.drive = world_.actuator(each.name);
        axis.weight = world_.actuator(each.name + "_weight");
        world_.control(axis.drive, start);
        driven_.push_back(axis.joint);
        weights_.push_back(axis.weight);
      }
      axes_.emplace(each.name, axis);
    }
    rest_.assign(driven_.size(), 0);
    carried_.assign(driven_.size(), 0);
    world_.update();
  }

  double value(std::string_view joint, Sim::JointValue what) const override {
    const auto axis = axes_.find(joint);
    if (axis == axes_.end() || world_.tripped()) return std::numeric_limits<double>::quiet_NaN();
    if (what == Sim::JointValue::position) return world_.position(axis->second.joint);
    if (what == Sim::JointValue::velocity) return world_.velocity(axis->second.joint);
    if (axis->second.drive.index < 0) return 0;
    return world_.force(axis->second.drive) + world_.force(axis->second.weight);
  }

  void target(std::string_view joint, double position) override {
    const auto axis = axes_.find(joint);
    if (axis == axes_.end() || axis->second.drive.index < 0 || !std::isfinite(position)) return;
    const ModelJoint& model = axis->second.model;
    world_.control(axis->second.drive, model.limited ? std::clamp(position, model.low, model.high) : position);
  }

  void step(double dt) override {
    const int steps = std::max(1, static_cast<int>(std::lround(dt / timestep)));
    for (int i = 0; i < steps && !world_.tripped(); ++i) {
      // What an industrial drive's integral part carries: otherwise every vertical axis would sag.
      world_.forces_for(driven_, rest_, carried_);
      for (std::size_t j = 0; j < weights_.size(); ++j) world_.control(weights_[j], carried_[j]);
      world_.step();
    }
  }

 private:
  struct Axis {
    sim::Joint joint{};
    sim::Actuator drive{}, weight{};
    ModelJoint model{};
  };

  sim::World world_;
  std::map<std::string, Axis, std::less<>> axes_;
  std::vector<sim::Joint> driven_;
  std::vector<sim::Actuator> weights_;
  std::vector<double> rest_, carried_;
};

}  // namespace

std::unique_ptr<JointSource> make_joint_source(const Description& description) {
  if (!description.robot) return nullptr;
  try {
    return std::make_unique<Physics>(physics_model(description, timestep));
  } catch (const std::runtime_error& error) {  // MuJoCo's own words
    throw std::invalid_argument(fmt::format("{}: {}", description.robot->urdf, error.what()));
  }
}

}  // namespace tandem::generic
