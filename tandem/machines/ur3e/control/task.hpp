// SPDX-License-Identifier: Apache-2.0
// The task that the demo shows: takes a cube from one place on the table, puts it down at another, and back,
// indefinitely. Only decides; the pilot carries out.
#pragma once

#include <Eigen/Core>
#include <optional>
#include <string_view>
#include <variant>

#include "tandem/machines/ur3e/device/control_script.hpp"
#include "tandem/machines/ur3e/state.hpp"

namespace tandem::ur3e {

struct PickAndPlaceOptions {
  Eigen::Vector3d pick = {-0.10, -0.30, 0.02};   // centre of the cube in `base`, m
  Eigen::Vector3d place = {-0.25, -0.25, 0.02};  // where it goes
  double lift = 0.12;                            // m above either
  double speed = 0.25;                           // m/s near the cube
  double joint_speed = 1.05;                     // rad/s on the way
};

class PickAndPlace {
 public:
  // Both places must be in reach; the error says which is not, and why.
  static Result<PickAndPlace> make(const PickAndPlaceOptions& options);

  struct Grip {
    int position = 0;  // 0 open .. 255 closed
  };
  using Action = std::variant<script::Write, Grip>;

  // Begins again, from wherever the arm is.
  void restart();
  // What to do next; the one before is done.
  Action next(const State& state);
  // In words, what is being done.
  std::string_view step() const;
  std::uint64_t placed() const { return placed_; }
  // Where the cube stands while it is not held: its centre in `base`, m.
  std::array<double, 3> cube() const;

 private:
  struct Place {
    Six above{}, at{};             // joints
    Pose X_base_above, X_base_at;  // of the flange
  };
  enum class Step : std::uint8_t { open, over_pick, down, grip, up, over_place, lower, release, leave };

  PickAndPlace(const PickAndPlaceOptions& options, const Place& here, const Place& there)
      : options_(options), places_{here, there} {}
  static Result<Place> place_from(const PickAndPlaceOptions& options, const Eigen::Vector3d& cube);
  script::Write line(const Pose& X_base_flange, const State& state) const;
  script::Write joints(const Six& q) const;

  PickAndPlaceOptions options_;
  std::array<Place, 2> places_;
  std::size_t from_ = 0;  // the place that the cube is taken from
  std::optional<Step> step_;
  std::uint64_t placed_ = 0;
};

}  // namespace tandem::ur3e
