// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/ur/batch.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace tandem::kinematics::ur {

void all_solutions(const Model& m, const PoseColumns& poses, const SolutionColumns& solutions,
                   std::span<unsigned char> found, const Tolerance& tolerance, const kernel::Kernels& kernels) {
  std::array<const double*, 7> in;
  std::array<double*, 48> out;
  const auto check = [&](const char* what, std::size_t column, std::size_t size) {
    if (size != found.size())
      throw std::invalid_argument(
          fmt::format("UR batch: {} column {}: expected {} rows, got {}", what, column, found.size(), size));
  };
  for (std::size_t k = 0; k < in.size(); ++k) {
    check("pose", k, poses[k].size());
    in[k] = poses[k].data();
  }
  for (std::size_t k = 0; k < out.size(); ++k) {
    check("solution", k, solutions[k].size());
    out[k] = solutions[k].data();
  }
  const kernel::Numbers numbers = {
      m.a[1], m.a[2], m.d[0], m.d[3], m.d[4], m.d[5], tolerance.position, tolerance.orientation};
  kernels.all_many(numbers, in.data(), found.size(), out.data(), found.data());
}

}  // namespace tandem::kinematics::ur
