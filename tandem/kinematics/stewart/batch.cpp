// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/stewart/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "tandem/kinematics/stewart/mode.hpp"

namespace tandem::stewart {
namespace {

constexpr std::size_t chunk = 128;  // poses whose starts are kept, for those that the vectors do not solve
constexpr int vector_limit = 9;     // Newton steps; what takes more goes the careful way

template <typename T>
std::array<T*, 6> pointers(const std::array<std::span<T>, 6>& columns, std::size_t first) {
  std::array<T*, 6> out;
  for (std::size_t k = 0; k < 6; ++k) out[k] = columns[k].data() + first;
  return out;
}

void check_sizes(const ConstColumns& in, const Columns& out, std::size_t count) {
  for (std::size_t k = 0; k < 6; ++k) {
    if (in[k].size() != count || out[k].size() != count)
      throw std::invalid_argument(fmt::format("Stewart batch: column {0}: expected {3} rows, got {1} in and {2} out",
                                              k + 1, in[k].size(), out[k].size(), count));
  }
}

// The careful way, for one pose of the batch.
Outcome solve_alone(const Platform& platform, const Lengths& lengths, const Coordinates& start, RotationOrder order,
                    Coordinates& answer) {
  const auto solution = pose_from_lengths(platform, lengths, pose_from_coordinates(start, order));
  if (!solution) {
    answer.fill(std::numeric_limits<double>::quiet_NaN());
    return Outcome::none;
  }
  answer = coordinates_from_pose(solution->X_base_top, order);
  return solution->mode == Mode::home ? Outcome::home : Outcome::other_possible;
}

}  // namespace

void leg_lengths(const Platform& platform, const ConstColumns& coordinates, const Columns& lengths, RotationOrder order,
                 const kernel::Kernels& kernels) {
  check_sizes(coordinates, lengths, coordinates[0].size());
  kernels.lengths_many(platform.legs, pointers(coordinates, 0).data(), order == RotationOrder::zyx,
                       coordinates[0].size(), pointers(lengths, 0).data());
}

void poses_from_lengths(const Platform& platform, const ConstColumns& lengths, const Columns& coordinates,
                        std::span<Outcome> outcomes, RotationOrder order, const kernel::Kernels& kernels) {
  check_sizes(lengths, coordinates, outcomes.size());
  const bool level_home = platform.home.linear().isIdentity(0);
  double starts[6][chunk];
  int iterations[chunk];
  double determinants[chunk];
  for (std::size_t first = 0; first < outcomes.size(); first += chunk) {
    const std::size_t count = std::min(chunk, outcomes.size() - first);
    for (std::size_t k = 0; k < 6; ++k) std::copy_n(coordinates[k].data() + first, count, starts[k]);
    kernels.pose_many(platform.pivoting, pointers(lengths, first).data(), order == RotationOrder::zyx, count,
                      pointers(coordinates, first).data(), iterations, determinants, vector_limit);
    for (std::size_t j = 0; j < count; ++j) {
      const std::size_t i = first + j;
      const Lengths own = {lengths[0][i], lengths[1][i], lengths[2][i], lengths[3][i], lengths[4][i], lengths[5][i]};
      const double determinant =
          determinants[j] / (platform.pivoting.determinant * own[0] * own[1] * own[2] * own[3] * own[4] * own[5]);
      // The sum of the angles is never less than the turn that they make.
      const double turn = std::abs(coordinates[3][i]) + std::abs(coordinates[4][i]) + std::abs(coordinates[5][i]);
      if (iterations[j] > 0 && level_home && surely_home(turn, determinant) &&
          *std::min_element(own.begin(), own.end()) > 0) {
        outcomes[i] = Outcome::home;
        continue;
      }
      Coordinates answer;
      outcomes[i] = solve_alone(platform, own,
                                {starts[0][j], starts[1][j], starts[2][j], starts[3][j], starts[4][j], starts[5][j]},
                                order, answer);
      for (std::size_t k = 0; k < 6; ++k) coordinates[k][i] = answer[k];
    }
  }
}

}  // namespace tandem::stewart
