// SPDX-License-Identifier: Apache-2.0
// Drum angles from cable lengths and back: the cable lies on the drum in a helix.
#pragma once

#include "tandem/base/result.hpp"

namespace tandem::cables {

struct Drum {
  double radius = 0.02;  // m, to the middle of the cable
  double pitch = 0;      // m along the drum's axis for each turn
  double zero = 0;       // m of cable that are out at angle 0
  int sense = 1;         // 1: a positive angle lets cable out; -1: it takes cable in
  // Where the cable leaves the drum it travels along it by one pitch for each turn, while the eye that it runs through
  // stays. 0: the eye travels with it. Else how far the eye is from the drum's axis, m; at angle `level` it is
  // opposite.
  double eye = 0;
  double level = 0;  // rad
};

// Fault::invalid, naming the number, for what no drum can be.
Result<void> check_drum(const Drum& drum);

// Nothing below throws or allocates.
double length_per_turn(const Drum& drum);                   // m: sqrt((2 pi radius)^2 + pitch^2)
double length_from_angle(const Drum& drum, double angle);   // m beyond the eye
double angle_from_length(const Drum& drum, double length);  // rad; the inverse, to rounding
double length_rate(const Drum& drum, double angle);         // m/rad

}  // namespace tandem::cables
