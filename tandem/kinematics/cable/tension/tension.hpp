// SPDX-License-Identifier: Apache-2.0
// Which tensions hold the platform: structure * tensions + outer = 0, each tension within its range. Exact: what is
// called infeasible is.
#pragma once

#include "tandem/kinematics/cable/robot.hpp"

namespace tandem::cables {

// Which of the many, where there are many.
enum class Aim : unsigned char {
  middle,           // nearest to the middle of the range
  least,            // least norm within the range
  barycentre,       // the middle of all that are possible: the smoothest; for one or two degrees of redundancy, else as
                    // middle
  analytic_centre,  // the largest product of all distances to the bounds: smooth, away from every bound, for any
                    // number of cables; where the possible tensions have no inside (a line, a point), as middle
};
inline constexpr Aim all_aims[] = {Aim::middle, Aim::least, Aim::barycentre, Aim::analytic_centre};
const char* name(Aim aim);
inline constexpr const char* aims_in_words = "middle, least, barycentre or analytic_centre";

struct Distribution {
  bool feasible = false;
  // Within their range in any case. When not feasible: those that come nearest, and what they exert is `nearest`.
  PerCable tensions;
  // N. Feasible: from the tensions to the nearest bound of any cable. Otherwise negative: by how much every range had
  // to be wider, at both ends; minus infinity when that would not help (wrenches that no tensions exert, input that is
  // no number). Cables that have no choice, as cut ones, count in neither.
  double margin = 0;
  // That sets the margin; when not feasible, the one at fault: whose bound keeps the wrench away most. -1: none does.
  int cable = -1;
  bool at_most = false;             // its upper bound does, not slack
  Wrench nearest = Wrench::Zero();  // the outer wrench nearest to the one asked for that can be held
};

// `outer` is all that acts on the platform besides its cables: weight, loads, inertia. Nothing throws or allocates, and
// the work is bounded. Numbers that are not finite (or beyond 1e60) and ranges that are none are not feasible; tensions
// are then 0. Wrenches nearer than 1e-10 of what the cables can exert count as one.
Distribution distribute(const Robot& robot, const Structure& structure, const Wrench& outer, Aim aim = Aim::middle);
Distribution distribute(const Robot& robot, const Structure& structure, const Wrench& outer, const TensionRange& range,
                        Aim aim);
// With a range for each cable: one that is cut has {0, 0}, and may well be the one at fault.
Distribution distribute(const Robot& robot, const Structure& structure, const Wrench& outer, const PerCable& least,
                        const PerCable& most, Aim aim);

// Whether there are any: distribute(...).feasible, for eight cables without the time that it takes to say what would be
// nearest.
bool is_feasible(const Robot& robot, const Structure& structure, const Wrench& outer);
bool is_feasible(const Robot& robot, const Structure& structure, const Wrench& outer, const TensionRange& range);

}  // namespace tandem::cables
