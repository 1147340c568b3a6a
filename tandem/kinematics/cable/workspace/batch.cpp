// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/workspace/batch.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace tandem::cables {

namespace {

kernel::Ends ends_of(const Cable& cable, const Eigen::Matrix3d& rotation) {
  const Eigen::Vector3d turned = rotation * cable.platform;
  return {{cable.frame.x(), cable.frame.y(), cable.frame.z()}, {turned.x(), turned.y(), turned.z()}};
}

void check_sizes(const Positions& positions, std::size_t size) {
  for (const auto& column : positions) {
    if (column.size() != size) throw std::invalid_argument("cables: positions and answers of different sizes");
  }
}

// Several loads at a time: they are laid out again for the kernel, and on the stack.
void margins_of_eight(const Robot& robot, const Eigen::Matrix3d& rotation, const double* const* columns,
                      std::size_t count, std::span<const Wrench> loads, double* margins,
                      const kernel::Kernels& kernels) {
  constexpr std::size_t most_loads = 64, block = 256;
  const Wrench own = weight(robot, pose_from(Eigen::Vector3d::Zero(), rotation));
  const TensionRange& range = robot.design().tension;
  double outer[6 * most_loads], found[block];
  kernel::Task task{};
  for (int i = 0; i < 8; ++i) task.cables[i] = ends_of(robot.cable(i), rotation);
  task.per_length = 1 / robot.scale();
  task.outer = outer;
  task.middle = (range.least + range.most) / 2;
  task.half = (range.most - range.least) / 2;
  std::size_t done = 0;
  do {
    const std::size_t here = std::min(most_loads, std::max<std::size_t>(loads.size() - done, 1));
    for (std::size_t w = 0; w < here; ++w) {
      const Wrench total = loads.empty() ? own : Wrench(own + loads[done + w]);
      std::copy_n(total.data(), 6, outer + 6 * w);
    }
    task.wrenches = static_cast<int>(here);
    if (done == 0) {
      kernels.margins(task, columns, count, margins);
    } else {
      for (std::size_t first = 0; first < count; first += block) {
        const std::size_t size = std::min(block, count - first);
        const double* const from[] = {columns[0] + first, columns[1] + first, columns[2] + first};
        kernels.margins(task, from, size, found);
        for (std::size_t i = 0; i < size; ++i) {
          if (!(margins[first + i] <= found[i])) margins[first + i] = found[i];
        }
      }
    }
    done += here;
  } while (done < loads.size());
}

}  // namespace

void lengths(const Robot& robot, const Eigen::Matrix3d& rotation, const Positions& positions,
             std::span<const std::span<double>> lengths, const kernel::Kernels& kernels) {
  if (lengths.size() != static_cast<std::size_t>(robot.cables()))
    throw std::invalid_argument("cables: expected one array of lengths for each cable");
  std::array<kernel::Ends, most_cables> ends;
  std::array<double*, most_cables> to{};
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    check_sizes(positions, lengths[i].size());
    ends[i] = ends_of(robot.cable(static_cast<int>(i)), rotation);
    to[i] = lengths[i].data();
  }
  const double* const columns[] = {positions[0].data(), positions[1].data(), positions[2].data()};
  kernels.lengths(ends.data(), robot.cables(), columns, positions[0].size(), to.data());
}

void margins(const Robot& robot, const Eigen::Matrix3d& rotation, const Positions& positions,
             std::span<const Wrench> loads, std::span<double> margins, const kernel::Kernels& kernels) {
  check_sizes(positions, margins.size());
  const double* const columns[] = {positions[0].data(), positions[1].data(), positions[2].data()};
  const bool eight = robot.cables() == 8;
  if (eight) margins_of_eight(robot, rotation, columns, margins.size(), loads, margins.data(), kernels);
  for (std::size_t i = 0; i < margins.size(); ++i) {
    if (eight && !std::isnan(margins[i])) continue;
    const Eigen::Vector3d at(columns[0][i], columns[1][i], columns[2][i]);
    margins[i] = margin_by_program(robot, pose_from(at, rotation), loads);
  }
}

double margin(const Robot& robot, const Pose& pose, std::span<const Wrench> loads) {
  const double x = pose.translation().x(), y = pose.translation().y(), z = pose.translation().z();
  double found = no_margin;
  if (pose.matrix().allFinite()) margins(robot, pose.linear(), {{{&x, 1}, {&y, 1}, {&z, 1}}}, loads, {&found, 1});
  return found;
}

}  // namespace tandem::cables
