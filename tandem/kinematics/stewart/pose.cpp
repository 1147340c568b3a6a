// SPDX-License-Identifier: Apache-2.0
// Pose from lengths: Newton where it is fast, and following the lengths from a known pose where it is not safe.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/base/linear.hpp"
#include "tandem/kinematics/stewart/mode.hpp"
#include "tandem/kinematics/stewart/stewart.hpp"

namespace tandem::stewart {
namespace {

constexpr int newton_limit = 40;  // 3 to 7 are enough on the strokes of a real platform, near a singularity each halves
constexpr int follow_limit = 400;  // Newton steps in all, when following

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

double turn_from_home(const Platform& platform, const Pose& pose) {
  // The trace of the rotation from home is 1 + 2 cos(turn).
  const double trace = platform.home.linear().cwiseProduct(pose.linear()).sum();
  return std::acos(std::clamp((trace - 1) / 2, -1.0, 1.0));
}

Pose moved(const Pose& pose, const Twist& twist) {
  Pose there = pose;
  there.translation() += twist.head<3>();
  there.linear() = quaternion_from_rotation_vector(twist.tail<3>()).toRotationMatrix() * pose.linear();
  return there;
}

// Whether a pose beyond the singularity has the same lengths. Such twins lie on either side of it along the motions
// that the legs hold least, about as far beyond it as this pose is in front.
bool has_twin(const Platform& platform, const Lengths& lengths, const Pose& pose, double determinant) {
  const Singular held = singular_values(jacobian(platform.geometry, pose));
  constexpr double small = 1e-4;
  for (const int weak : {5, 4}) {
    const Twist motion = held.directions.col(weak);
    const double slope = (relative_determinant(platform, moved(pose, small * motion)) - determinant) / small;
    const double distance = slope == 0 ? 0 : -determinant / slope;
    if (!(std::abs(distance) < 4)) continue;
    for (const double reach : {2.0, 1.5, 3.0, 4.0}) {
      const Run run = newton(platform, lengths, state_of(moved(pose, reach * distance * motion)), newton_limit);
      if (!run.converged) continue;
      const Pose twin = pose_of(run.state);
      if ((twin.matrix() - pose.matrix()).norm() > 1e-6 && turn_from_home(platform, twin) < far_turn) return true;
    }
  }
  return false;
}

Mode mode_of(const Platform& platform, const Lengths& lengths, const Pose& pose, double determinant) {
  const double turn = turn_from_home(platform, pose);
  const bool home =
      (turn < near_turn && determinant > near_determinant) || (turn < far_turn && determinant > far_determinant);
  if (!home) return Mode::other_possible;
  if (determinant > alone_determinant) return Mode::home;
  return has_twin(platform, lengths, pose, determinant) ? Mode::other_possible : Mode::home;
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
  solution.mode = mode_of(platform, lengths, solution.X_base_top, run.determinant);
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
  if (direct.converged && direct.determinant > near_determinant) return solution_of(platform, lengths, direct);
  // Newton left home's mode or did not arrive; keep to the continuous way if there is one.
  Run followed = follow(platform, lengths, start);
  followed.iterations += direct.iterations;
  if (followed.converged) return solution_of(platform, lengths, followed);
  if (direct.converged) return solution_of(platform, lengths, direct);
  return Error{Fault::not_found,
               fmt::format("lengths {:.6f}: no pose in this mode has them", fmt::join(lengths, ", "))};
}

}  // namespace tandem::stewart
