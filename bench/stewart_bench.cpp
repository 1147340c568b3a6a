// SPDX-License-Identifier: Apache-2.0
// Stewart platform: ours beside the seed's Eigen form and beside the same Newton written with Eigen, in one run.
// Exit code 1 when a ratio or the convergence is not what it should be.
#include <benchmark/benchmark.h>

#include <Eigen/LU>
#include <cstring>
#include <random>

#include "bench/side_by_side.hpp"
#include "tandem/kinematics/stewart/batch.hpp"
#include "tandem/machines/em1500/description.hpp"

using namespace tandem;
using namespace tandem::stewart;

namespace {

// Seed 000's inverse kinematics, as written there.
namespace peer {

void lengths(double surge, double sway, double heave, double roll, double pitch, double yaw, double* out) {
  const Geometry& g = em1500::geometry();
  const Eigen::Vector3d p_tb(surge, sway, heave);
  const Eigen::Matrix3d R =
      (Eigen::AngleAxisd(yaw, Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(pitch, Eigen::Vector3d::UnitY()) *
       Eigen::AngleAxisd(roll, Eigen::Vector3d::UnitX()))
          .toRotationMatrix();
  for (std::size_t i = 0; i < 6; ++i) {
    const Eigen::Vector3d Pi = p_tb + R * g.top[i];
    out[i] = (Pi - g.base[i]).norm();
  }
}

// The same equations, the same stop and the same steps as ours, with Eigen's types and partialPivLu.
int pose(const Lengths& lengths, double tolerance, Eigen::Vector3d& p, Eigen::Quaterniond& q) {
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  const Geometry& g = em1500::geometry();
  for (int step = 0; step <= 12; ++step) {
    const Eigen::Matrix3d R = q.toRotationMatrix();
    Eigen::Matrix<double, 6, 6> J;
    Vector6 e;
    for (int i = 0; i < 6; ++i) {
      const Eigen::Vector3d arm = R * g.top[static_cast<std::size_t>(i)];
      const Eigen::Vector3d d = p + arm - g.base[static_cast<std::size_t>(i)];
      const double length = lengths[static_cast<std::size_t>(i)];
      e[i] = length * length - d.squaredNorm();
      J.row(i) << d.transpose(), arm.cross(d).transpose();
    }
    if (step > 0 && e.cwiseAbs().maxCoeff() <= tolerance) return step;
    const Vector6 twist = J.partialPivLu().solve(0.5 * e);
    p += twist.head<3>();
    const Eigen::Vector3d half = 0.5 * twist.tail<3>();
    q = (Eigen::Quaterniond(1, half.x(), half.y(), half.z()) * q).normalized();
  }
  return -1;
}

}  // namespace peer

constexpr std::size_t count = 1024;

struct Samples {
  Samples() {
    std::mt19937_64 engine(7);
    const auto within = [&](double a) { return std::uniform_real_distribution<double>(-a, a)(engine); };
    for (std::size_t i = 0; i < count; ++i) {
      Coordinates c{}, near{};
      for (std::size_t k = 0; k < 6; ++k) {
        c[k] = within(em1500::laboratory_limits[k]) + (k == 2 ? em1500::neutral_height : 0);
        near[k] = c[k] + within(k < 3 ? 0.004 : 0.004);  // what the legs' speed allows in one PLC cycle
        columns[k][i] = c[k];
        near_columns[k][i] = near[k];
      }
      poses[i] = c;
      starts[i] = pose_from_coordinates(near);
      lengths[i] = leg_lengths(em1500::geometry(), pose_from_coordinates(c));
      for (std::size_t k = 0; k < 6; ++k) length_columns[k][i] = lengths[i][k];
    }
  }
  std::array<Coordinates, count> poses;
  std::array<Pose, count> starts;
  std::array<Lengths, count> lengths;
  double columns[6][count], near_columns[6][count], length_columns[6][count], out[6][count];
  std::array<Outcome, count> outcomes;

  ConstColumns read(const double (*from)[count]) const {
    return {
        {{from[0], count}, {from[1], count}, {from[2], count}, {from[3], count}, {from[4], count}, {from[5], count}}};
  }
  Columns write(double (*to)[count]) {
    return {{{to[0], count}, {to[1], count}, {to[2], count}, {to[3], count}, {to[4], count}, {to[5], count}}};
  }
};

Samples& samples() {
  static Samples value;
  return value;
}

void peer_lengths() {
  double out[6];
  for (const Coordinates& c : samples().poses) {
    peer::lengths(c[0], c[1], c[2], c[3], c[4], c[5], out);
    benchmark::DoNotOptimize(out);
  }
}
void our_lengths() {
  for (const Coordinates& c : samples().poses) {
    Lengths out = leg_lengths(em1500::platform(), c);
    benchmark::DoNotOptimize(out);
  }
}
void our_lengths_batched(const kernel::Kernels& kernels) {
  leg_lengths(em1500::platform(), samples().read(samples().columns), samples().write(samples().out), RotationOrder::zyx,
              kernels);
  benchmark::ClobberMemory();
}
void peer_pose(bool warm) {
  const double tolerance = em1500::platform().pivoting.tolerance;
  for (std::size_t i = 0; i < count; ++i) {
    const Pose& start = warm ? samples().starts[i] : em1500::platform().home;
    Eigen::Vector3d p = start.translation();
    Eigen::Quaterniond q(start.linear());
    int steps = peer::pose(samples().lengths[i], tolerance, p, q);
    Pose pose = pose_from(p, q.toRotationMatrix());
    benchmark::DoNotOptimize(pose);
    benchmark::DoNotOptimize(steps);
  }
}
void our_pose(bool warm) {
  for (std::size_t i = 0; i < count; ++i) {
    auto found = warm ? pose_from_lengths(em1500::platform(), samples().lengths[i], samples().starts[i])
                      : pose_from_lengths(em1500::platform(), samples().lengths[i]);
    benchmark::DoNotOptimize(found);
  }
}
void our_poses_batched(const kernel::Kernels& kernels) {
  std::memcpy(samples().out, samples().near_columns, sizeof samples().out);
  poses_from_lengths(em1500::platform(), samples().read(samples().length_columns), samples().write(samples().out),
                     samples().outcomes, RotationOrder::zyx, kernels);
  benchmark::ClobberMemory();
}

template <typename Work>
void add(const std::string& name, Work work) {
  benchmark::RegisterBenchmark(name.c_str(), [work](benchmark::State& state) {
    for (auto _ : state) work();
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
  });
}

// How many of `tries` random poses come back to 1e-10 m in home's mode.
bool convergence(int tries) {
  std::mt19937_64 engine(8);
  const auto within = [&](double a) { return std::uniform_real_distribution<double>(-a, a)(engine); };
  int cold_right = 0, warm_right = 0;
  double worst = 0;
  const Platform& platform = em1500::platform();
  for (int n = 0; n < tries; ++n) {
    Coordinates c{}, near{};
    for (std::size_t k = 0; k < 6; ++k) {
      c[k] = within(em1500::laboratory_limits[k]) + (k == 2 ? em1500::neutral_height : 0);
      near[k] = c[k] + within(0.05);
    }
    const Pose truth = pose_from_coordinates(c);
    const Lengths lengths = leg_lengths(platform.geometry, truth);
    const auto right = [&](const Result<Solution>& found) {
      if (!found || found->mode != Mode::home) return false;
      const double error = (found->X_base_top.matrix() - truth.matrix()).cwiseAbs().maxCoeff();
      worst = std::max(worst, error);
      return error < 1e-10;
    };
    cold_right += right(pose_from_lengths(platform, lengths));
    warm_right += right(pose_from_lengths(platform, lengths, pose_from_coordinates(near)));
  }
  fmt::print(
      "\nconvergence to the right pose over {} random poses of the laboratory: cold {} ({:.4f} %), warm {} ({:.4f} %), "
      "worst {:.1e}\n",
      tries, cold_right, 100.0 * cold_right / tries, warm_right, 100.0 * warm_right / tries, worst);
  bench::report_at_least("right pose of random ones, warm", 100.0 * warm_right / tries, "%", 100);
  bench::report_at_least("right pose of random ones, cold", 100.0 * cold_right / tries, "%", 100);
  return cold_right == tries && warm_right == tries;
}

}  // namespace

int main(int argc, char** argv) {
  add("lengths/seed's Eigen form", peer_lengths);
  add("lengths/one pose", our_lengths);
  add("pose warm/Eigen partialPivLu", [] { peer_pose(true); });
  add("pose warm/one", [] { our_pose(true); });
  std::vector<bench::Row> rows;
  for (const auto* const* set = kernel::available(); *set != nullptr; ++set) {
    const kernel::Kernels& kernels = **set;
    add(fmt::format("lengths/batch {}", kernels.name), [&kernels] { our_lengths_batched(kernels); });
    add(fmt::format("pose warm/batch {}", kernels.name), [&kernels] { our_poses_batched(kernels); });
  }
  benchmark::Initialize(&argc, argv);
  if (!bench::quick()) benchmark::RunSpecifiedBenchmarks();

  const kernel::Kernels& best = kernel::best();
  const std::string eigen = "the laboratory's Eigen form", newton = "the same Newton steps with Eigen's partialPivLu";
  rows.push_back({"leg lengths, one pose", bench::side_by_side(count, peer_lengths, our_lengths), 1.4, eigen});
  rows.push_back({fmt::format("leg lengths, batch ({})", best.name),
                  bench::side_by_side(count, peer_lengths, [&] { our_lengths_batched(best); }), 5, eigen});
  rows.push_back({"pose from lengths, warm",
                  bench::side_by_side(
                      count, [] { peer_pose(true); }, [] { our_pose(true); }),
                  1.5, newton});
  rows.push_back({"pose from lengths, cold",
                  bench::side_by_side(
                      count, [] { peer_pose(false); }, [] { our_pose(false); }),
                  1.5, newton});
  rows.push_back({fmt::format("pose from lengths, warm, batch ({})", best.name),
                  bench::side_by_side(
                      count, [] { peer_pose(true); }, [&] { our_poses_batched(best); }),
                  3, newton});
  const bool fast = bench::print(rows);
  const bool right = convergence(bench::quick() ? 5'000 : 200'000);
  return fast && right ? 0 : 1;
}
