// Which tensions hold the platform: structure * tensions + outer = 0, each tension within its range. Exact: what is
// called infeasible is.
#pragma once

#include "tandem/kinematics/cable_robot.hpp"

namespace tandem::cables {

// Which of the many, where there are many.
enum class Aim : unsigned char {
  middle,      // nearest to the middle of the range
  least,       // least norm within the range
  barycentre,  // the middle of all that are possible: the smoothest; for two degrees of redundancy, else as middle
};
const char* name(Aim aim);

struct Distribution {
  bool feasible = false;
  // Within their range in any case. When not feasible: those that come nearest, and what they exert is `nearest`.
  PerCable tensions;
  // N. Feasible: from the tensions to the nearest bound of any cable. Otherwise negative: by how much every range had
  // to be wider.
  double margin = 0;
  int cable = -1;                   // that sets the margin; when not feasible, the one at fault
  bool at_most = false;             // its upper bound does, not slack
  Wrench nearest = Wrench::Zero();  // the outer wrench nearest to the one asked for that can be held
};

// `outer` is all that acts on the platform besides its cables: weight, loads, inertia. Nothing throws or allocates, and
// the work is bounded. Numbers that are not finite are not feasible.
Distribution distribute(const Robot& robot, const Structure& structure, const Wrench& outer, Aim aim = Aim::middle);
Distribution distribute(const Robot& robot, const Structure& structure, const Wrench& outer, const TensionRange& range,
                        Aim aim);
// With a range for each cable: one that is cut has {0, 0}.
Distribution distribute(const Robot& robot, const Structure& structure, const Wrench& outer, const PerCable& least,
                        const PerCable& most, Aim aim);

}  // namespace tandem::cables
