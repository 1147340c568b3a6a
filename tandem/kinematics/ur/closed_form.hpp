// SPDX-License-Identifier: Apache-2.0
// The closed form of the inverse in plain scalar code, for every pose: what the kernels leave out, which is a wrist
// that is nearly straight or over the axis of joint 1, and what they are compared with.
#pragma once

#include "tandem/kinematics/ur/inverse.hpp"
#include "tandem/kinematics/ur/kernels.hpp"

namespace tandem::kinematics::ur {

// Below this sine of joint 5 a pose does not say where wrist 3 is: of its direction no three digits are left.
inline constexpr double straight_sine = 1e-12;

// Below this one the forearm may miss the wrist by rounding alone, and the wrist gives way within the tolerance.
inline constexpr double bent_sine = 1e-5;

// Below this squared distance (m^2) of the wrist point from its circle of radius d4 about axis 1 the rounding of the
// pose hides on which side it is.
constexpr double shoulder_rounding(double d4) { return 2e-14 * d4 * d4; }
// As straight_sine where joint 1 itself is known to fewer digits: times the distance of the wrist point from the
// circle.
constexpr double straight_moment(double d4) { return 4e-13 * d4; }

// What the kernels need to know.
inline kernel::Numbers numbers_of(const Model& m, const Tolerance& tolerance) {
  return {m.a[1],
          m.a[2],
          m.d[0],
          m.d[3],
          m.d[4],
          m.d[5],
          tolerance.position,
          tolerance.orientation,
          shoulder_rounding(m.d[3]),
          bent_sine};
}

// As all_solutions. A wrist that the tolerance allows to straighten is left bent as the pose has it, unless its sine is
// below `straight_below`.
int closed_form(const Model& model, const Pose& X_base_flange, Solutions& out, double wrist_3,
                const Tolerance& tolerance, double straight_below = straight_sine);

}  // namespace tandem::kinematics::ur
