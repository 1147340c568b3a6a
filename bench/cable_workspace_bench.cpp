// SPDX-License-Identifier: Apache-2.0
// Cable robot: exact margins in lanes beside the tension solver and beside a textbook QP pose by pose, on every
// instruction set of this processor; lengths beside bare square roots; a million points on all cores. Exit code 1 when
// a figure is not what it should be.
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "bench/cable_peers.hpp"
#include "bench/side_by_side.hpp"
#include "tandem/kinematics/cable/border.hpp"
#include "tandem/kinematics/cable/tension/tension.hpp"
#include "tandem/kinematics/cable/workspace/grid.hpp"

using namespace tandem;
using namespace tandem::cables;

namespace {

constexpr std::size_t count = 2048;
constexpr double wanted_poses = 3e6;  // per second and core, exact, with AVX2

struct Poses {
  std::vector<double> x, y, z;
  Eigen::Matrix3d rotation = rotation_from_rpy(0.05, -0.03, 0.1);

  Poses() {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> within(-0.23, 0.23);
    for (std::size_t i = 0; i < count; ++i) {
      x.push_back(within(random));
      y.push_back(within(random));
      z.push_back(0.3 + within(random));
    }
  }
  Positions view() const { return {x, y, z}; }
};

volatile double sink = 0;

bool margin_rows(const Poses& poses, std::vector<bench::Row>& rows) {
  const Robot& robot = Robot::standard();
  bool fast = true;
  std::vector<double> found(count);
  for (const kernel::Kernels* const* set = kernel::available(); *set != nullptr; ++set) {
    const auto peer = [&] {
      double sum = 0;
      for (std::size_t i = 0; i < count; i += 16) {
        const Pose pose = pose_from({poses.x[i], poses.y[i], poses.z[i]}, poses.rotation);
        for (int n = 0; n < 16; ++n) sum += distribute(robot, structure(robot, pose), weight(robot, pose)).margin;
      }
      sink = sum;
    };
    // Yes or no alone.
    const auto qp_peer = [&] {
      textbook::DualActiveSet<8, 6> qp;
      double held = 0;
      for (std::size_t i = 0; i < count; i += 16) {
        const Pose pose = pose_from({poses.x[i], poses.y[i], poses.z[i]}, poses.rotation);
        for (int n = 0; n < 16; ++n) held += peer::tensions_by_qp(structure(robot, pose), weight(robot, pose), qp);
      }
      sink = held;
    };
    const auto ours = [&] {
      margins(robot, poses.rotation, poses.view(), {}, found, **set);
      sink = found[0];
    };
    const bench::Pair pair = bench::side_by_side(count, peer, ours, 40);
    const double rate = 1 / pair.ours;
    fmt::print("{}: {:.2f} M exact poses/s on one core\n", (*set)->name, 1e-6 * rate);
    const bool wide = std::string((*set)->name) != "baseline";
    fast = fast && (!wide || rate >= wanted_poses);
    const std::string what = fmt::format("margin, eight cables, {}", (*set)->name);
    rows.push_back({what, pair, 3, "our tension solver"});
    rows.push_back({what, bench::side_by_side(count, qp_peer, ours, 40), 3, "dual active-set QP, yes or no"});
  }
  return fast;
}

void length_row(const Poses& poses, std::vector<bench::Row>& rows) {
  std::vector<std::vector<double>> columns(8, std::vector<double>(count));
  const std::vector<std::span<double>> views(columns.begin(), columns.end());
  const auto peer = [&] {
    for (std::size_t i = 0; i < count; ++i) {
      const PerCable each = lengths(Robot::standard(), pose_from({poses.x[i], poses.y[i], poses.z[i]}, poses.rotation));
      for (int c = 0; c < 8; ++c) columns[static_cast<std::size_t>(c)][i] = each[c];
    }
    sink = columns[0][0];
  };
  const auto ours = [&] {
    lengths(Robot::standard(), poses.rotation, poses.view(), views);
    sink = columns[0][0];
  };
  rows.push_back({"eight lengths, rotation given", bench::side_by_side(count, peer, ours, 300), 1, "pose by pose"});
}

void border_time() {
  const Robot& robot = Robot::standard();
  for (const bool turns : {false, true}) {
    const BorderReach reach = {0.1, turns ? 0.35 : 0};
    double least = 1;
    for (int i = 0; i < 200; ++i) {
      const double start = bench::thread_time();
      sink = distance_to_border(robot, robot.home(), {}, reach).distance;
      least = std::min(least, bench::thread_time() - start);
    }
    fmt::print("distance to the border, {} turns: {:.1f} us\n", turns ? "with" : "without", 1e6 * least);
    bench::report_at_most(fmt::format("distance to the border, {} turns", turns ? "with" : "without"), 1e6 * least,
                          "us");
  }
}

bool grid_time() {
  GridTask task;
  task.grid = default_grid(Robot::standard());
  task.grid.counts = {100, 100, 100};
  double least = 1e9;
  std::size_t inside = 0;
  for (int i = 0; i < 3; ++i) {
    const auto found = look_at(Robot::standard(), task);
    if (!found) return false;
    least = std::min(least, found->seconds);
    inside = found->inside;
  }
  fmt::print("a million points on all cores: {:.3f} s, {} feasible\n", least, inside);
  bench::report_at_most("a million points on all cores", least, "s", 1);
  return least < 1;
}

}  // namespace

int main() {
  const Poses poses;
  std::vector<bench::Row> rows;
  const bool fast = margin_rows(poses, rows);
  length_row(poses, rows);
  border_time();
  const bool quick = grid_time();
  const bool ratios = bench::print(rows);
  if (!fast) fmt::print("MISSED: {} poses/s\n", wanted_poses);
  return fast && quick && ratios ? 0 : 1;
}
