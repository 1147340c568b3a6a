// SPDX-License-Identifier: Apache-2.0
// Whether a pose may be gone to, and why not: tensions with a reserve, the frame, singularities.
#pragma once

#include <cstdint>
#include <optional>

#include "tandem/base/short_text.hpp"
#include "tandem/kinematics/cable/robot.hpp"
#include "tandem/kinematics/cable/tension/tension.hpp"

namespace tandem::cable_robot {

using Reason = ShortText<160>;

struct BorderOptions {
  double reserve = 0.5;              // N that every tension must stay from both ends of its range
  double least_conditioning = 0.02;  // of the structure, 0 is singular
  std::optional<double> floor;  // m, world: the platform's underside stays above; else the lowest point of the frame
};

enum class Bound : std::uint8_t {
  none,          // inside
  numbers,       // not a pose
  frame,         // the platform would be out of the frame or in the floor
  conditioning,  // too near to a singular pose
  tension,       // a cable would be slack or overloaded
};

struct Look {
  bool inside = false;
  Bound bound = Bound::none;
  double margin = 0;     // N to the nearest bound of a tension, the reserve taken off; negative outside
  int cable = -1;        // that sets it
  bool at_most = false;  // its upper bound does
  double beyond = 0;     // frame: m it is out; conditioning: what it is
  int axis = 0;          // frame: 0 x, 1 y, 2 z
};

class Border {
 public:
  Border(const cables::Robot& robot, const BorderOptions& options);

  // At rest, with the platform's own weight. Nothing throws or allocates.
  Look look(const Pose& pose) const;
  // "cable3 would be slack: 1.20 N below 2.5 N (0.5 N of it in reserve)", "the platform would be out of the frame by
  // 0.02 m in x", ...
  Reason words(const Look& look) const;

  // How far the straight way is inside: 1 is all of it. A way that begins outside may come in once. `at` becomes what
  // was found first behind the border.
  double inside_until(const Pose& from, const Pose& to, Look& at) const;

  // Cable `i` holds nothing any more, and the others may be nearly slack: N.
  void give_up(int i, double least, double reserve);
  bool given_up(int i) const { return most_(i) <= 0; }
  const cables::PerCable& least() const { return least_; }  // N, without the reserve
  const cables::PerCable& most() const { return most_; }

  // m along the world's axes, with the attitude kept, to where the platform would be out of the frame or all its
  // cables could not keep the reserve; 0 outside, at most 1 m. Singular poses are not looked for. 25 us for eight
  // cables; nothing throws or allocates.
  double distance(const Pose& pose) const;

  double lowest() const { return low_.z(); }  // m: the floor; minus infinity where there is none
  const cables::Robot& robot() const { return robot_; }

 private:
  cables::Robot robot_;
  BorderOptions options_;
  cables::PerCable least_, most_;
  Eigen::Vector3d low_, high_;  // of the frame
};

// Share 0 is `from`, 1 is `to`: straight, and about one axis.
Pose between(const Pose& from, const Pose& to, double share);

}  // namespace tandem::cable_robot
