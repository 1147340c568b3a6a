// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/ur/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "tandem/kinematics/ur/closed_form.hpp"

namespace tandem::kinematics::ur {
namespace {

// One pose of the batch by the scalar closed form.
void solve_alone(const Model& model, const PoseColumns& poses, std::size_t i, const SolutionColumns& solutions,
                 unsigned char& found, const Tolerance& tolerance) {
  const Eigen::Quaterniond turn(poses[3][i], poses[4][i], poses[5][i], poses[6][i]);
  const Pose pose = pose_from({poses[0][i], poses[1][i], poses[2][i]}, turn.normalized().toRotationMatrix());
  Solutions alone;
  found = static_cast<unsigned char>((1 << closed_form(model, pose, alone, 0, tolerance)) - 1);
  for (std::size_t k = 0; k < solutions.size(); ++k)
    solutions[k][i] = k / 6 < static_cast<std::size_t>(alone.count) ? alone.q[k / 6][static_cast<int>(k % 6)]
                                                                    : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

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
  const kernel::Numbers numbers = numbers_of(m, tolerance);
  constexpr std::size_t block = 1024;
  std::array<unsigned char, block> singular;
  for (std::size_t first = 0; first < found.size(); first += block) {
    const std::size_t here = std::min(block, found.size() - first);
    kernels.all_many(numbers, in.data(), here, out.data(), found.data() + first, singular.data());
    for (std::size_t i = 0; i < here; ++i)
      if (singular[i] != 0) solve_alone(m, poses, first + i, solutions, found[first + i], tolerance);
    for (const double*& column : in) column += here;
    for (double*& column : out) column += here;
  }
}

}  // namespace tandem::kinematics::ur
