// Pose from lengths: Newton where it is fast, and following the lengths from a known pose where it is not safe.
#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "tandem/kinematics/stewart.hpp"

namespace tandem::stewart {
namespace {

constexpr int newton_limit = 12;   // within the strokes of a real platform 3 to 7 steps are enough
constexpr int follow_limit = 400;  // Newton steps in all, when following

// Home's mode ends where the determinant changes its sign. For some lengths a second pose has the same sign, but it is
// turned far from home and nearly singular: for the EM1500 with legs within +-0.4 m by more than 55 degrees and below
// 0.17 of home's determinant (1500 starts for each of 8000 sets of lengths), while home's own mode, there, is well
// conditioned. So beyond the first turn only a large determinant counts as home.
constexpr double near_turn = 0.9;          // rad
constexpr double far_turn = 1.1;           // rad
constexpr double near_determinant = 0.01;  // relative to home's; below it a small error of the legs may cross over
constexpr double far_determinant = 0.25;

kernel::State state_of(const Pose& pose) {
  const Eigen::Vector3d p = pose.translation();
  const Eigen::Quaterniond q(pose.linear());
  return {p.x(), p.y(), p.z(), q.w(), q.x(), q.y(), q.z()};
}

Pose pose_of(const kernel::State& s) {
  Pose pose;
  pose.linear() = Eigen::Quaterniond(s.qw, s.qx, s.qy, s.qz).normalized().toRotationMatrix();
  pose.translation() << s.x, s.y, s.z;
  pose.makeAffine();
  return pose;
}

double residual_of(const Geometry& geometry, const Pose& pose, const Lengths& lengths) {
  const Lengths own = leg_lengths(geometry, pose);
  double worst = 0;
  for (int i = 0; i < 6; ++i) worst = std::max(worst, std::abs(own[i] - lengths[i]));
  return worst;
}

Mode mode_of(const Platform& platform, const Pose& pose, double determinant) {
  // The trace of the rotation from home is 1 + 2 cos(turn).
  static const double near_trace = 1 + 2 * std::cos(near_turn);
  static const double far_trace = 1 + 2 * std::cos(far_turn);
  const double trace = platform.home.linear().cwiseProduct(pose.linear()).sum();
  const bool home =
      (trace > near_trace && determinant > near_determinant) || (trace > far_trace && determinant > far_determinant);
  return home ? Mode::home : Mode::other_possible;
}

// What a Newton run came to, with the determinant relative to home's.
struct Run {
  kernel::State state;
  int iterations = 0;
  bool converged = false;
  double determinant = 0;
};

Run newton(const Platform& platform, const Lengths& lengths, const kernel::State& start, int limit) {
  Run run{start};
  const kernel::Ending ending = kernel::best().pose_one(platform.pivoting, lengths.data(), run.state, limit);
  double product = platform.pivoting.determinant;
  for (const double length : lengths) product *= length;
  run.iterations = ending.iterations;
  run.converged = ending.converged;
  run.determinant = ending.determinant / product;
  return run;
}

// Moves the lengths from those of the start towards the ones asked for, in steps small enough that the pose cannot jump
// to another mode; fails where the way meets a singularity.
Run follow(const Platform& platform, const Lengths& lengths, const Pose& start) {
  const Lengths first = leg_lengths(platform.geometry, start);
  Run here{state_of(start)};
  double done = 0, step = 0.25;
  int spent = 0;
  while (spent < follow_limit && step > 1e-3) {
    const double next = std::min(1.0, done + step);
    Lengths between;
    for (int i = 0; i < 6; ++i) between[i] = first[i] + next * (lengths[i] - first[i]);
    Run there = newton(platform, next == 1.0 ? lengths : between, here.state, 6);
    spent += there.iterations;
    if (!there.converged || there.determinant * (done > 0 ? here.determinant : 1) <= 0) {
      step /= 2;
      continue;
    }
    here = there;
    here.iterations = spent;
    done = next;
    step *= 1.5;
    if (done == 1.0) return here;
  }
  here.converged = false;
  here.iterations = spent;
  return here;
}

Result<void> check(const Lengths& lengths) {
  for (int i = 0; i < 6; ++i) {
    if (!(lengths[i] > 0 && lengths[i] < 1e6))
      return Error{Fault::invalid,
                   fmt::format("length of leg {}: expected a positive number of metres, got {}", i + 1, lengths[i])};
  }
  return {};
}

Solution solution_of(const Platform& platform, const Lengths& lengths, const Run& run) {
  Solution solution;
  solution.X_base_top = pose_of(run.state);
  solution.iterations = run.iterations;
  solution.determinant = run.determinant;
  solution.residual = residual_of(platform.geometry, solution.X_base_top, lengths);
  solution.mode = mode_of(platform, solution.X_base_top, run.determinant);
  return solution;
}

}  // namespace

Result<Solution> pose_from_lengths(const Platform& platform, const Lengths& lengths) {
  return pose_from_lengths(platform, lengths, platform.home);
}

Result<Solution> pose_from_lengths(const Platform& platform, const Lengths& lengths, const Pose& start) {
  if (auto good = check(lengths); !good) return std::move(good).error();
  if (!start.matrix().allFinite())
    return Error{Fault::invalid, "start of the search: expected a pose of finite numbers, got others"};

  const Run direct = newton(platform, lengths, state_of(start), newton_limit);
  if (direct.converged) {
    Solution solution = solution_of(platform, lengths, direct);
    if (solution.mode == Mode::home) return solution;
  }
  // Newton left home's mode or did not arrive; keep to the continuous way if there is one.
  Run followed = follow(platform, lengths, start);
  followed.iterations += direct.iterations;
  if (followed.converged) return solution_of(platform, lengths, followed);
  if (direct.converged) return solution_of(platform, lengths, direct);
  return Error{Fault::not_found,
               fmt::format("lengths {:.6f}: no pose in this mode has them", fmt::join(lengths, ", "))};
}

}  // namespace tandem::stewart
