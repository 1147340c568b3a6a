// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/ur/closed_form.hpp"

namespace tandem::kinematics::ur {

int all_solutions(const Model& model, const Pose& X_base_flange, Solutions& out, double wrist_3,
                  const Tolerance& tolerance) {
  return closed_form(model, X_base_flange, out, wrist_3, tolerance);
}

}  // namespace tandem::kinematics::ur
