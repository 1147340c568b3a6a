// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/workspace/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <system_error>
#include <thread>

#include "tandem/kinematics/cable/clearance.hpp"

namespace tandem::cables {

namespace {

constexpr std::size_t chunk_points = 2048;
constexpr unsigned most_threads = 64;

Result<void> check_task(const GridTask& task) {
  const Grid& grid = task.grid;
  constexpr const char* axes[] = {"x", "y", "z"};
  double points = 1;
  for (int k = 0; k < 3; ++k) {
    if (!std::isfinite(grid.low[k]) || !std::isfinite(grid.high[k]) || !(grid.low[k] < grid.high[k]))
      return Error{Fault::invalid, fmt::format("box: expected low < high along {}, got {:.6g} and {:.6g}", axes[k],
                                               grid.low[k], grid.high[k])};
    const int count = grid.counts[static_cast<std::size_t>(k)];
    if (count < 1)
      return Error{Fault::invalid, fmt::format("grid: expected 1 point or more along {}, got {}", axes[k], count)};
    points *= count;
  }
  if (points > static_cast<double>(Grid::most_points))
    return Error{Fault::invalid,
                 fmt::format("grid: expected at most {} points, got {:.0f}", Grid::most_points, points)};
  if (task.attitudes.empty()) return Error{Fault::invalid, "attitudes: expected one or more, got none"};
  for (const Eigen::Matrix3d& rotation : task.attitudes) {
    if (!((rotation.transpose() * rotation - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() < 1e-6))
      return Error{Fault::invalid, "attitudes: expected rotations, got something else"};
  }
  return {};
}

// Takes chunk after chunk until none is left; any number of threads at a time.
class GridWork {
 public:
  GridWork(const Robot& robot, const GridTask& task, const kernel::Kernels& kernels, GridAnswer& answer)
      : robot_(robot), task_(task), kernels_(kernels), answer_(answer), points_(task.grid.points()) {}

  void run(const std::function<void(double)>& progress) {
    for (std::size_t first = next_.fetch_add(chunk_points); first < points_; first = next_.fetch_add(chunk_points)) {
      const std::size_t count = std::min(chunk_points, points_ - first);
      look_at_chunk(first, count);
      const std::size_t done = done_.fetch_add(count) + count;
      if (progress) progress(static_cast<double>(done) / static_cast<double>(points_));
    }
  }

 private:
  struct Chunk {
    std::array<double, chunk_points> x, y, z, margin;
  };

  void look_at_chunk(std::size_t first, std::size_t count) {
    Chunk chunk;
    const Grid& grid = task_.grid;
    const auto wide = static_cast<std::size_t>(grid.counts[0]), deep = static_cast<std::size_t>(grid.counts[1]);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t at = first + i;
      chunk.x[i] = grid.at(0, static_cast<int>(at % wide));
      chunk.y[i] = grid.at(1, static_cast<int>(at / wide % deep));
      chunk.z[i] = grid.at(2, static_cast<int>(at / wide / deep));
    }
    const Positions positions = {std::span(chunk.x).first(count), std::span(chunk.y).first(count),
                                 std::span(chunk.z).first(count)};
    for (std::size_t a = 0; a < task_.attitudes.size(); ++a) {
      measure(task_.attitudes[a], positions, std::span(chunk.margin).first(count));
      for (std::size_t i = 0; i < count; ++i) {
        double& margin = answer_.margins[first + i];
        margin = a == 0 ? chunk.margin[i] : std::min(margin, chunk.margin[i]);
      }
      look_closer(task_.attitudes[a], positions, first, a == 0);
    }
  }

  void measure(const Eigen::Matrix3d& rotation, const Positions& positions, std::span<double> found) const {
    if (task_.kind == Kind::feasible) {
      margins(robot_, rotation, positions, task_.loads, found, kernels_);
      return;
    }
    for (std::size_t i = 0; i < found.size(); ++i)
      found[i] = standing(robot_, pose_at(rotation, positions, i), task_.kind).margin;
  }

  void look_closer(const Eigen::Matrix3d& rotation, const Positions& positions, std::size_t first, bool fresh) {
    if (!task_.conditioning && !task_.clearance) return;
    const auto keep = [fresh](double& kept, double value) { kept = fresh ? value : std::min(kept, value); };
    for (std::size_t i = 0; i < positions[0].size(); ++i) {
      const Pose pose = pose_at(rotation, positions, i);
      if (task_.conditioning) keep(answer_.conditioning[first + i], conditioning(robot_, structure(robot_, pose)));
      if (!task_.clearance) continue;
      const Clearance clear = clearance(robot_, pose);
      keep(answer_.between_cables[first + i], clear.cables);
      keep(answer_.to_platform[first + i], clear.platform);
    }
  }

  static Pose pose_at(const Eigen::Matrix3d& rotation, const Positions& positions, std::size_t i) {
    return pose_from({positions[0][i], positions[1][i], positions[2][i]}, rotation);
  }

  const Robot& robot_;
  const GridTask& task_;
  const kernel::Kernels& kernels_;
  GridAnswer& answer_;
  const std::size_t points_;
  std::atomic<std::size_t> next_ = 0, done_ = 0;
};

void run_on_cores(GridWork& work, int wanted, std::size_t points, const std::function<void(double)>& progress) {
  const unsigned cores = wanted > 0 ? static_cast<unsigned>(wanted) : std::max(1U, std::thread::hardware_concurrency());
  const auto chunks = static_cast<unsigned>(std::min<std::size_t>((points + chunk_points - 1) / chunk_points, 1000));
  const unsigned count = std::min({cores, most_threads, chunks});
  std::vector<std::thread> others;
  try {
    for (unsigned i = 1; i < count; ++i) others.emplace_back([&work] { work.run({}); });
  } catch (const std::system_error&) {
    // No more threads are to be had: those that there are do the work.
  }
  work.run(progress);
  for (std::thread& other : others) other.join();
  if (progress && !others.empty()) progress(1);
}

}  // namespace

std::size_t Grid::points() const {
  return static_cast<std::size_t>(counts[0]) * static_cast<std::size_t>(counts[1]) *
         static_cast<std::size_t>(counts[2]);
}
double Grid::volume() const { return (high - low).prod(); }
Eigen::Vector3d Grid::cell() const {
  return (high - low).cwiseQuotient(Eigen::Vector3d(counts[0], counts[1], counts[2]));
}
double Grid::at(int axis, int i) const {
  return low[axis] + (i + 0.5) * (high[axis] - low[axis]) / counts[static_cast<std::size_t>(axis)];
}
std::size_t Grid::index(int x, int y, int z) const {
  return (static_cast<std::size_t>(z) * static_cast<std::size_t>(counts[1]) + static_cast<std::size_t>(y)) *
             static_cast<std::size_t>(counts[0]) +
         static_cast<std::size_t>(x);
}

Grid default_grid(const Robot& robot) {
  const Design& design = robot.design();
  Grid grid;
  grid.low = grid.high = design.cables.front().frame;
  Eigen::Vector3d need = design.size / 2;
  for (const Cable& cable : design.cables) {
    grid.low = grid.low.cwiseMin(cable.frame);
    grid.high = grid.high.cwiseMax(cable.frame);
    need = need.cwiseMax(cable.platform.cwiseAbs());
  }
  const double half = (grid.high - grid.low).maxCoeff() / 2;
  for (int k = 0; k < 3; ++k) {
    const double top = grid.high[k] - need[k];
    grid.low[k] += need[k];
    grid.high[k] = top;
    if (grid.low[k] < top) continue;
    grid.low[k] = design.home[k] - half;
    if (k == 2 && design.home[k] > 0) grid.low[k] = std::max(grid.low[k], 0.0);
    grid.high[k] = design.home[k] < top ? std::min(design.home[k] + half, top) : design.home[k] + half;
  }
  return grid;
}

Result<GridAnswer> look_at(const Robot& robot, const GridTask& task, const std::function<void(double)>& progress,
                           const kernel::Kernels& kernels) {
  if (const auto good = check_task(task); !good) return good.error();
  const auto start = std::chrono::steady_clock::now();
  GridAnswer answer;
  answer.grid = task.grid;
  const std::size_t points = task.grid.points();
  answer.margins.resize(points);
  if (task.conditioning) answer.conditioning.resize(points);
  if (task.clearance) {
    answer.between_cables.resize(points);
    answer.to_platform.resize(points);
  }
  GridWork work(robot, task, kernels, answer);
  run_on_cores(work, task.threads, points, progress);
  for (const double margin : answer.margins) answer.inside += is_inside(task.kind, margin) ? 1 : 0;
  answer.volume = task.grid.volume() * static_cast<double>(answer.inside) / static_cast<double>(points);
  answer.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return answer;
}

}  // namespace tandem::cables
