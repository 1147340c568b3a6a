// SPDX-License-Identifier: Apache-2.0
// Where the joints of a described robot are, by the signals that they are bound to. SI.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "tandem/machines/generic/robot/urdf.hpp"
#include "tandem/machines/generic/signal.hpp"

namespace tandem::generic {

class Posture {
 public:
  struct Axis {
    std::size_t joint = 0;  // of the URDF
    std::optional<SignalReference> position, velocity, effort;
    std::string position_name, velocity_name, effort_name;
    double scale = 1, offset = 0;  // SI = value * scale + offset, of the position
    double velocity_scale = 1, effort_scale = 1;
  };

  // Throws std::invalid_argument for joints that the URDF lacks.
  Posture(const Description& description, const Urdf& urdf);

  void bind(const std::vector<Signal>& signals);
  // Allocates nothing.
  void read(const Readings& readings);

  const Urdf& urdf() const { return urdf_; }
  const std::vector<Axis>& axes() const { return axes_; }
  // Of each joint of the URDF; NaN: not known. Joints that are not bound are at 0, those that mimic one follow it.
  std::span<const double> positions() const { return positions_; }
  std::span<const double> velocities() const { return velocities_; }
  std::span<const double> efforts() const { return efforts_; }  // N or N.m
  // Whether every joint that is bound is known.
  bool known() const { return known_; }
  // Joints for joint_states: bound, following a bound one, or fixed by the file.
  const std::vector<std::size_t>& published() const { return published_; }
  // Whether any joint has one; those of the others are NaN.
  bool has_velocities() const { return has_velocities_; }
  bool has_efforts() const { return has_efforts_; }

 private:
  const Urdf& urdf_;
  std::vector<Axis> axes_;
  std::vector<double> positions_, velocities_, efforts_;
  std::vector<std::size_t> mimics_, published_;
  bool known_ = false, has_velocities_ = false, has_efforts_ = false;
};

// Of a joint that moves: its child in its parent.
Pose joint_pose(const UrdfJoint& joint, double position);

}  // namespace tandem::generic
