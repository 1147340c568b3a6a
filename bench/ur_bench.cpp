// SPDX-License-Identifier: Apache-2.0
// Inverse kinematics of the UR3e: all solutions, checked, beside orocos-kdl's iterative solvers and beside a textbook's
// closed form in one run; batched beside one by one; forward kinematics. Exit code 1 when a ratio or the share found is
// not what it should be.
#include <benchmark/benchmark.h>

#include <kdl/chain.hpp>
#include <kdl/chainfksolverpos_recursive.hpp>
#include <kdl/chainiksolverpos_lma.hpp>
#include <random>
#include <vector>

#include "bench/side_by_side.hpp"
#include "bench/textbook_ur.hpp"
#include "tandem/kinematics/ur/batch.hpp"

using namespace tandem;
using namespace tandem::kinematics::ur;

namespace {

constexpr std::size_t count = 1000;  // no power of two, or the 48 columns would fight for the same cache lines
constexpr std::size_t few = 32;      // poses per window beside the slow peer

KDL::Chain kdl_chain() {
  KDL::Chain chain;
  for (std::size_t i = 0; i < 6; ++i)
    chain.addSegment(
        KDL::Segment(KDL::Joint(KDL::Joint::RotZ), KDL::Frame::DH(ur3e.a[i], ur3e.alpha[i], ur3e.d[i], 0)));
  return chain;
}

KDL::JntArray kdl_joints(const Joints& q) {
  KDL::JntArray out(6);
  out.data = q;
  return out;
}

KDL::Frame kdl_frame(const Pose& X) {
  const auto& r = X.matrix();
  return {KDL::Rotation(r(0, 0), r(0, 1), r(0, 2), r(1, 0), r(1, 1), r(1, 2), r(2, 0), r(2, 1), r(2, 2)),
          KDL::Vector(r(0, 3), r(1, 3), r(2, 3))};
}

struct Samples {
  Samples() : random(41), chain(kdl_chain()), forward_solver(chain), lma(chain), columns(7 * count), out(48 * count) {
    for (std::size_t i = 0; i < count; ++i) {
      Joints q, near;
      for (int k = 0; k < 6; ++k) q[k] = within(3.14), near[k] = q[k] + within(0.1);
      const Pose X = forward(ur3e, q);
      joints.push_back(q);
      poses.push_back(X);
      kdl_q.push_back(kdl_joints(q));
      kdl_near.push_back(kdl_joints(near));
      kdl_poses.push_back(kdl_frame(X));
      const Eigen::Quaterniond r(X.linear());
      const double values[7] = {X(0, 3), X(1, 3), X(2, 3), r.w(), r.x(), r.y(), r.z()};
      for (std::size_t k = 0; k < 7; ++k) columns[k * count + i] = values[k];
    }
    for (std::size_t k = 0; k < 7; ++k) from[k] = {columns.data() + k * count, count};
    for (std::size_t k = 0; k < 48; ++k) to[k] = {out.data() + k * count, count};
  }
  double within(double a) { return std::uniform_real_distribution<double>(-a, a)(random); }

  std::mt19937_64 random;
  KDL::Chain chain;
  KDL::ChainFkSolverPos_recursive forward_solver;
  KDL::ChainIkSolverPos_LMA lma;
  std::vector<Joints> joints;
  std::vector<Pose> poses;
  std::vector<KDL::JntArray> kdl_q, kdl_near;
  std::vector<KDL::Frame> kdl_poses;
  std::vector<double> columns, out;
  PoseColumns from;
  SolutionColumns to;
  std::array<unsigned char, count> found{};
};

Samples& samples() {
  static Samples value;
  return value;
}

void peer_inverse() {
  KDL::JntArray q(6);
  for (std::size_t i = 0; i < few; ++i) {
    int status = samples().lma.CartToJnt(samples().kdl_near[i], samples().kdl_poses[i], q);
    benchmark::DoNotOptimize(status);
  }
}
void our_inverse(std::size_t number) {
  Solutions solutions;
  for (std::size_t i = 0; i < number; ++i) {
    all_solutions(ur3e, samples().poses[i], solutions);
    benchmark::DoNotOptimize(solutions);
  }
}
void textbook_inverse() {
  Joints q[8];
  for (std::size_t i = 0; i < count; ++i) {
    int found = textbook::inverse(ur3e, samples().poses[i], q);
    benchmark::DoNotOptimize(found);
    benchmark::DoNotOptimize(q);
  }
}
void textbook_forward() {
  for (std::size_t i = 0; i < count; ++i) {
    Pose X = textbook::forward(ur3e, samples().joints[i]);
    benchmark::DoNotOptimize(X);
  }
}
void our_inverse_on(const kernel::Kernels& kernels) {
  Solutions solutions;
  for (std::size_t i = 0; i < count; ++i) {
    all_solutions(ur3e, samples().poses[i], solutions, 0, {}, kernels);
    benchmark::DoNotOptimize(solutions);
  }
}
void our_nearest() {
  for (std::size_t i = 0; i < count; ++i) {
    auto q = nearest(ur3e, samples().poses[i], samples().joints[i]);
    benchmark::DoNotOptimize(q);
  }
}
void our_batch(const kernel::Kernels& kernels) {
  all_solutions(ur3e, samples().from, samples().to, samples().found, {}, kernels);
  benchmark::ClobberMemory();
}
void peer_forward() {
  KDL::Frame frame;
  for (std::size_t i = 0; i < count; ++i) {
    samples().forward_solver.JntToCart(samples().kdl_q[i], frame);
    benchmark::DoNotOptimize(frame);
  }
}
void our_forward() {
  for (std::size_t i = 0; i < count; ++i) {
    Pose X = forward(ur3e, samples().joints[i]);
    benchmark::DoNotOptimize(X);
  }
}

template <typename Work>
void add(const std::string& name, Work work) {
  benchmark::RegisterBenchmark(name.c_str(), [work](benchmark::State& state) {
    for (auto _ : state) work();
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(count));
  });
}

// The textbook finds the true angles too, where no singularity is near: a peer that is wrong is no peer.
bool textbook_is_right() {
  int found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    Joints q[8];
    const int number = textbook::inverse(ur3e, samples().poses[i], q);
    bool hit = (textbook::forward(ur3e, samples().joints[i]).matrix() - samples().poses[i].matrix()).norm() < 1e-12;
    double least = 10;
    for (int k = 0; k < number; ++k) {
      double away = 0;
      for (int j = 0; j < 6; ++j)
        away = std::max(away, std::abs(std::remainder(q[k][j] - samples().joints[i][j], 2 * M_PI)));
      least = std::min(least, away);
    }
    found += hit && least < 1e-6;
  }
  fmt::print("\ntextbook: {} of {} poses give back their angles\n", found, count);
  return found >= static_cast<int>(count) * 99 / 100;
}

// How many random poses get back the angles that made them, and the worst error of all solutions by KDL's own chain.
bool all_found(int tries) {
  Samples& s = samples();
  int ours = 0;
  double worst = 0;
  Solutions solutions;
  for (int n = 0; n < tries; ++n) {
    Joints q;
    for (int k = 0; k < 6; ++k) q[k] = s.within(3.14159);
    const Pose X = forward(ur3e, q);
    all_solutions(ur3e, X, solutions, q[5]);
    bool hit = false;
    for (int k = 0; k < solutions.count; ++k) {
      const Joints& solution = solutions.q[static_cast<std::size_t>(k)];
      worst = std::max(worst, (forward(ur3e, solution).matrix() - X.matrix()).cwiseAbs().maxCoeff());
      double away = 0;
      for (int j = 0; j < 6; ++j) away = std::max(away, std::abs(std::remainder(solution[j] - q[j], 2 * M_PI)));
      hit = hit || away < 1e-5;
    }
    ours += hit;
  }
  constexpr int peers = 2000;
  int near = 0, far = 0;
  for (int n = 0; n < peers; ++n) {
    Joints q, seed;
    for (int k = 0; k < 6; ++k) q[k] = s.within(3.14159), seed[k] = s.within(3.14159);
    Joints nearby = q;
    for (int k = 0; k < 6; ++k) nearby[k] += s.within(0.1);
    const KDL::Frame frame = kdl_frame(forward(ur3e, q));
    KDL::JntArray out(6);
    near += s.lma.CartToJnt(kdl_joints(nearby), frame, out) >= 0;
    far += s.lma.CartToJnt(kdl_joints(seed), frame, out) >= 0;
  }
  fmt::print(
      "\nfound: ours {} of {} random poses ({:.4f} %), worst error {:.1e}; KDL LMA {:.1f} % near, {:.1f} % random\n",
      ours, tries, 100.0 * ours / tries, worst, 100.0 * near / peers, 100.0 * far / peers);
  return ours == tries && worst < 1e-9;
}

}  // namespace

int main(int argc, char** argv) {
  add("forward/KDL recursive", peer_forward);
  add("forward/ours", our_forward);
  add("inverse/all 8, one pose", [] { our_inverse(count); });
  add("inverse/nearest", our_nearest);
  for (const auto* const* set = kernel::available(); *set != nullptr; ++set) {
    const kernel::Kernels& kernels = **set;
    add(fmt::format("inverse/all 8, one pose {}", kernels.name), [&kernels] { our_inverse_on(kernels); });
    add(fmt::format("inverse/all 8, batch {}", kernels.name), [&kernels] { our_batch(kernels); });
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();

  const kernel::Kernels& best = kernel::best();
  std::vector<bench::Row> rows;
  rows.push_back({"all 8 solutions, checked: one by KDL LMA from near seeds",
                  bench::side_by_side(
                      few, peer_inverse, [] { our_inverse(few); }, 300),
                  80});
  for (const auto* const* set = kernel::available(); *set != nullptr; ++set)
    rows.push_back({fmt::format("all 8, one pose ({}): textbook, libm, unchecked", (*set)->name),
                    bench::side_by_side(count, textbook_inverse, [&] { our_inverse_on(**set); }), 1.5});
  rows.push_back({fmt::format("all 8 solutions, batch ({}): the same textbook", best.name),
                  bench::side_by_side(count, textbook_inverse, [&] { our_batch(best); }), 7});
  rows.push_back({fmt::format("all 8 solutions, batch ({}): one by one", best.name),
                  bench::side_by_side(
                      count, [] { our_inverse(count); }, [&] { our_batch(best); }),
                  1.5});
  rows.push_back({"forward: KDL recursive", bench::side_by_side(count, peer_forward, our_forward), 6});
  rows.push_back({"forward: textbook, libm", bench::side_by_side(count, textbook_forward, our_forward), 2});
  const bool fast = bench::print(rows);
  const bool right = textbook_is_right() && all_found(1'000'000);
  return fast && right ? 0 : 1;
}
