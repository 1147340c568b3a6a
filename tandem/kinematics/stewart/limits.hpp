// SPDX-License-Identifier: Apache-2.0
// How far a Stewart platform can go: strokes of the legs, and the reach they leave along each axis.
#pragma once

#include <string>

#include "tandem/kinematics/stewart/stewart.hpp"

namespace tandem::stewart {

struct Strokes {
  double shortest = 0;  // m, the same for all legs
  double longest = 0;
};

struct Clearance {
  int leg = 0;          // 1 to 6, the one nearest to (or furthest beyond) its end
  double distance = 0;  // m to that end; negative when beyond it
  bool upper = false;   // its longest end, else its shortest
};

// The leg with the least room. Lengths that are not finite have the clearance minus infinity.
Clearance clearance(const Strokes& strokes, const Lengths& lengths);

// "leg 3 would have to be 1.912 m, 0.056 m beyond its longest 1.856 m"; empty when every leg fits.
std::string why_unreachable(const Strokes& strokes, const Lengths& lengths);

struct Range {
  double lowest = 0;
  double highest = 0;
};

// For each coordinate alone, how low and how high it can go from `start` with every leg within its stroke and without
// passing a singularity; absolute values in the coordinate's own unit, to 1e-9. An unreachable start is an error.
Result<std::array<Range, 6>> reach(const Platform& platform, const Strokes& strokes, const Coordinates& start,
                                   RotationOrder order = RotationOrder::zyx);

}  // namespace tandem::stewart
