// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/pose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "tandem/base/linear.hpp"
#include "tandem/kinematics/cable/frame.hpp"

namespace tandem::cables {
namespace {

using Six = Eigen::Matrix<double, 6, 6>;

constexpr int most_steps = 60;
constexpr double longest_turn = 0.7;  // rad in one step
constexpr double settled = 1e-12;     // of the mean length: a step this short ends the search
constexpr double accepted = 0.01;     // of the mean length: a residual that still counts as a pose

// What is wanted, in units in which a turn counts like the shift of the platform's points.
struct Aimed {
  const Robot& robot;
  std::span<const Pulley> pulleys;
  PerCable lengths;
  PerCable weights;  // 1, or 0 for a cable that does not count
  double mean = 1;   // m

  PerCable misses(const Pose& pose) const {
    const PerCable now = pulleys.empty() ? cables::lengths(robot, pose) : cables::lengths(robot, pulleys, pose);
    return (now - lengths).cwiseProduct(weights);
  }
  Structure slopes(const Pose& pose) const {
    Structure all = pulleys.empty() ? structure(robot, pose) : structure(robot, pulleys, pose);
    all.bottomRows<3>() /= robot.scale();
    return all * weights.asDiagonal();
  }
  double rms(double squares) const { return std::sqrt(squares / std::max(1.0, weights.sum())); }
};

Aimed aimed_at(const Robot& robot, const PerCable& lengths, std::span<const Pulley> pulleys) {
  return {robot, pulleys, lengths, PerCable::Ones(lengths.size()), lengths.mean()};
}

Pose stepped(const Robot& robot, const Pose& pose, const Twist& step) {
  Pose there = pose;
  there.translation() += step.head<3>();
  const Eigen::Vector3d turn = step.tail<3>() / robot.scale();
  const Eigen::Quaterniond turned = quaternion_from_rotation_vector(turn) * Eigen::Quaterniond(pose.linear());
  there.linear() = turned.normalized().toRotationMatrix();
  return there;
}

// The step to take for this damping, no longer than may be trusted.
Twist step_for(const Aimed& aim, const Six& normal, const Twist& slope, double damping) {
  Six damped = normal;
  damped.diagonal().array() += damping;
  Twist step = solve_positive(damped, slope);
  const double turn = step.tail<3>().norm() / aim.robot.scale(), shift = step.head<3>().norm();
  const double reach = std::max(turn / longest_turn, shift / aim.mean);
  if (reach > 1) step /= reach;
  return step;
}

PoseFit fit_from(const Aimed& aim, const Pose& start) {
  PoseFit fit;
  fit.pose = start;
  PerCable misses = aim.misses(start);
  double squares = misses.squaredNorm(), damping = 0;
  const double short_step = settled * aim.mean;
  while (fit.iterations < most_steps && !fit.converged) {
    const Structure slopes = aim.slopes(fit.pose);
    const Six normal = squared(slopes);
    const Twist slope = wrench_of(slopes, misses);  // lengths shrink along the structure, so this points downhill
    const double floor = 1e-9 * normal.trace();
    if (damping < floor) damping = 1e-3 * floor;  // keeps singular poses solvable, and costs no accuracy
    bool nearer = false;
    while (!nearer && fit.iterations < most_steps) {
      ++fit.iterations;
      const Twist step = step_for(aim, normal, slope, damping);
      if (!step.allFinite()) break;
      const double length = step.norm();
      const Pose there = stepped(aim.robot, fit.pose, step);
      const PerCable new_misses = aim.misses(there);
      const double new_squares = new_misses.squaredNorm();
      nearer = new_squares < squares;
      if (nearer) {
        fit.pose = there;
        misses = new_misses;
        squares = new_squares;
        damping /= 16;
      } else {
        damping = std::max(damping, floor) * 16;
      }
      if (length < short_step) {
        fit.converged = true;
        break;
      }
    }
    if (!nearer) break;
  }
  fit.residual = aim.rms(squares);
  return fit;
}

constexpr double exact = 1e-6;  // of the mean length: surely the pose, and no other minimum

bool fits(const Aimed& aim, const PoseFit& fit, double share) {
  return fit.converged && fit.residual <= share * aim.mean;
}

// Other starts than home: turned about all axes, at the middle and nearer to some corners of the frame.
Pose start_number(const Robot& robot, int i) {
  constexpr double turns[][3] = {{0, 0, 0.8},  {0, 0, -0.8}, {0.8, 0, 0},  {-0.8, 0, 0}, {0, 0.8, 0},
                                 {0, -0.8, 0}, {0, 0, 1.6},  {0, 0, -1.6}, {0, 0, 3.14}, {1.6, 0, 0},
                                 {-1.6, 0, 0}, {0, 1.6, 0},  {0, -1.6, 0}, {3.14, 0, 0}, {0, 3.14, 0},
                                 {1, 1, 1},    {-1, 1, -1},  {1, -1, -1},  {-1, -1, 1}};
  constexpr int count = std::size(turns);
  const auto [low, high] = frame_box(robot.design());
  constexpr double places[][3] = {{0, 0, 0}, {1, 1, 0}, {-1, 1, 0}, {1, -1, 0}, {-1, -1, 0}};
  const auto& place = places[(i / count) % 5];
  const auto& turn = turns[i % count];
  const Eigen::Vector3d offset(place[0], place[1], place[2]);
  return pose_from(robot.design().home + 0.25 * offset.cwiseProduct(high - low),
                   quaternion_from_rotation_vector({turn[0], turn[1], turn[2]}).toRotationMatrix());
}
constexpr int further_starts = 19 * 5;

// The best of the start and, until one fits well enough, of the others.
PoseFit fit_from_anywhere(const Aimed& aim, const Pose& start, int others, double enough) {
  PoseFit best = fit_from(aim, start);
  for (int i = -1; i < others && !fits(aim, best, enough); ++i) {
    PoseFit next = fit_from(aim, i < 0 ? aim.robot.home() : start_number(aim.robot, i));
    const int spent = best.iterations + next.iterations;
    if (next.residual < best.residual) best = next;
    best.iterations = spent;
  }
  return best;
}

Result<void> check_request(const Robot& robot, const PerCable& lengths, std::span<const Pulley> pulleys) {
  if (!pulleys.empty() && static_cast<int>(pulleys.size()) != robot.cables())
    return Error{Fault::invalid,
                 fmt::format("pulleys: expected {}, one for each cable, got {}", robot.cables(), pulleys.size())};
  if (lengths.size() != robot.cables())
    return Error{Fault::invalid,
                 fmt::format("lengths: expected {}, one for each cable, got {}", robot.cables(), lengths.size())};
  for (int i = 0; i < robot.cables(); ++i)
    if (!(lengths[i] > 0 && lengths[i] < 1e6))
      return Error{Fault::invalid,
                   fmt::format("length of cable{}: expected a positive number of metres, got {}", i, lengths[i])};
  return {};
}

// Which single cable spoils the fit, in words: without it the others fit far better, and without no other.
std::string culprit(const Aimed& aim, const PoseFit& all) {
  const int count = aim.robot.cables();
  if (count < 8) return {};  // seven without one are six, and six fit nearly anything
  int found = -1;
  PoseFit found_fit;
  double best = all.residual, second = all.residual;
  for (int i = 0; i < count; ++i) {
    Aimed without = aim;
    without.weights[i] = 0;
    const PoseFit fit = fit_from_anywhere(without, all.pose, 6, 1e-4);
    if (fit.residual < best) {
      second = best;
      best = fit.residual;
      found = i;
      found_fit = fit;
    } else {
      second = std::min(second, fit.residual);
    }
  }
  if (found < 0 || best > 0.1 * all.residual || second < 3 * best) return {};
  const double needed = cables::lengths(aim.robot, found_fit.pose)[found];
  return fmt::format("; without cable{0} they fit to {1:.2g} m, and it would have to be {2:.6g} m long, got {3:.6g} m",
                     found, found_fit.residual, needed, aim.lengths[found]);
}

Result<PoseFit> accepted_or_why(const Aimed& aim, const PoseFit& fit) {
  if (fits(aim, fit, accepted)) return fit;
  return Error{Fault::not_found, fmt::format("lengths: no pose was found; the nearest deviates by {:.3g} m{}",
                                             fit.residual, culprit(aim, fit))};
}

}  // namespace

PoseFit fit_pose(const Robot& robot, const PerCable& lengths, const Pose& start, std::span<const Pulley> pulleys) {
  PoseFit none;
  none.pose = start;
  const bool countable = pulleys.empty() || static_cast<int>(pulleys.size()) == robot.cables();
  if (lengths.size() != robot.cables() || !countable || !lengths.allFinite() || !start.matrix().allFinite())
    return none;
  return fit_from(aimed_at(robot, lengths, pulleys), start);
}

Result<PoseFit> pose_from_lengths(const Robot& robot, const PerCable& lengths, std::span<const Pulley> pulleys) {
  if (auto good = check_request(robot, lengths, pulleys); !good) return std::move(good).error();
  const Aimed aim = aimed_at(robot, lengths, pulleys);
  return accepted_or_why(aim, fit_from_anywhere(aim, robot.home(), further_starts, exact));
}

Result<PoseFit> pose_from_lengths(const Robot& robot, const PerCable& lengths, const Pose& start,
                                  std::span<const Pulley> pulleys) {
  if (auto good = check_request(robot, lengths, pulleys); !good) return std::move(good).error();
  if (!start.matrix().allFinite())
    return Error{Fault::invalid, "start of the search: expected a pose of finite numbers, got others"};
  const Aimed aim = aimed_at(robot, lengths, pulleys);
  return accepted_or_why(aim, fit_from_anywhere(aim, start, further_starts, accepted));
}

}  // namespace tandem::cables
