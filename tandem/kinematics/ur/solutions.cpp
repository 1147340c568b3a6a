// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "tandem/kinematics/ur/closed_form.hpp"

namespace tandem::kinematics::ur {
namespace {

bool is_near_axis(const Model& m, const Pose& X) {
  const Eigen::Vector3d w = X.translation() - m.d[5] * X.linear().col(2);
  return w.head<2>().squaredNorm() - m.d[3] * m.d[3] < m.d[3] * m.d[3] * 1e-12;
}

}  // namespace

int all_solutions(const Model& model, const Pose& X_base_flange, Solutions& out, double wrist_3,
                  const Tolerance& tolerance, const kernel::Kernels& kernels) {
  unsigned singular = 0;
  out.count = kernels.all_one(numbers_of(model, tolerance), X_base_flange.matrix().data(), out.q[0].data(), &singular);
  if ((singular & kernel::is_singular) != 0 || !std::isfinite(wrist_3))
    return closed_form(model, X_base_flange, out, wrist_3, tolerance);
  out.wrist_singular = false;
  out.shoulder_singular = is_near_axis(model, X_base_flange);
  out.elbow_singular = (singular & kernel::elbow_is_singular) != 0;
  return out.count;
}

}  // namespace tandem::kinematics::ur
