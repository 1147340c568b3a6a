// SPDX-License-Identifier: Apache-2.0
// All solutions of a pose whose angles are known, against the plain chain of matrices.
#pragma once

#include <doctest/doctest.h>

#include <limits>

#include "tandem/kinematics/ur/inverse.hpp"
#include "tests/kinematics/ur/samples.hpp"

namespace ur_samples {

// Every solution leads to the pose by the plain chain of matrices; returns how near the nearest is to q.
[[maybe_unused]] static double check_all(const Model& model, const Joints& q,
                                         const tandem::kinematics::ur::Solutions& found) {
  const Pose truth = chain(model, q);
  double least = std::numeric_limits<double>::infinity(), off = 0, turned = 0, largest = 0;
  for (int k = 0; k < found.count; ++k) {
    const Joints& solution = found.q[static_cast<std::size_t>(k)];
    const Pose reached = chain(model, solution);
    if (!solution.allFinite()) off = std::numeric_limits<double>::infinity();
    off = std::max(off, (reached.translation() - truth.translation()).norm());
    turned = std::max(turned, angle_between(reached, truth));
    largest = std::max(largest, solution.cwiseAbs().maxCoeff());
    least = std::min(least, distance(solution, q));
  }
  REQUIRE(off < 1e-9);
  REQUIRE(turned < 1e-9);
  REQUIRE(largest <= pi + 1e-15);
  return least;
}

}  // namespace ur_samples
