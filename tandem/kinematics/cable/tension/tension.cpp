// SPDX-License-Identifier: Apache-2.0
// The steps, for any number of cables; those marked * are all that two degrees of redundancy need:
//  1* scale: moments over robot.scale(), so that the rows of the structure compare;
//  2* space: rows made orthogonal one by one give the solution of least norm and an orthonormal basis of the null
//  space; 3* start: the solution nearest to the aim (least: 0, middle: the middle of the ranges). Within the ranges it
//  is the
//     optimum: the closed form, as the fast exit;
//  4* nearest: with two degrees every range is a strip of the plane, and the optimum is the point of their common
//     polygon nearest to the start (or the centre of its area); with one an interval; with more a dual active set.
//     The analytic centre takes Newton's steps from there;
//  5* check: clamp, and compare the wrench. The answer is within the ranges, and what it exerts is what was wanted;
//  6  else bounded least squares: the nearest wrench, the cable at fault, how much wider the ranges had to be.
// Every loop has a bound; nothing allocates.
#include "tandem/kinematics/cable/tension/tension.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tandem/kinematics/cable/tension/polygon.hpp"
#include "tandem/kinematics/cable/tension/problem.hpp"

namespace tandem::cables {
namespace {

using tension::Approach;
using tension::Problem;
using tension::Space;

struct Ranges {
  const double *least, *most;
  int step;  // 0: one range for all cables
};

// False for numbers that are not finite and for ranges that are none.
template <int Room>
bool fill(Problem<Room>& problem, const Robot& robot, const Structure& structure, const Wrench& outer,
          const Ranges& ranges) {
  const int cables = static_cast<int>(structure.cols());
  const double lever = robot.scale() > 0 ? 1 / robot.scale() : 1;
  const double factor[6] = {1, 1, 1, lever, lever, lever};
  const double* const from = structure.data();
  double sums[6] = {}, highest = 0;
  problem.cables = cables;
  for (int i = 0; i < cables; ++i) {
    for (int r = 0; r < 6; ++r) {
      problem.rows[r][i] = factor[r] * from[6 * i + r];
      sums[r] += std::abs(problem.rows[r][i]);
    }
    const double least = ranges.least[i * ranges.step], most = ranges.most[i * ranges.step];
    if (!(least <= most && std::isfinite(least) && std::isfinite(most))) return false;
    problem.least[i] = least;
    problem.most[i] = most;
    highest = std::max({highest, std::abs(least), std::abs(most)});
  }
  for (int i = cables; i < Room; ++i) {
    for (int r = 0; r < 6; ++r) problem.rows[r][i] = 0;
    problem.least[i] = problem.most[i] = 0;
  }
  double largest = 0, wanted = 0;
  for (int r = 0; r < 6; ++r) {
    problem.wanted[r] = -factor[r] * outer[r];
    if (!std::isfinite(sums[r]) || !std::isfinite(problem.wanted[r])) return false;
    largest = std::max(largest, sums[r]);
    wanted = std::max(wanted, std::abs(problem.wanted[r]));
  }
  problem.tension_noise = 1e-12 * highest;
  problem.wrench_noise = 1e-10 * std::max(wanted, largest * highest);
  return std::max({wanted, largest, highest}) < 1e60;  // squares and products stay finite
}

// The solution nearest to the middle of the ranges, or to 0.
template <int Room>
void start_from(const Problem<Room>& problem, const Space<Room>& space, Aim aim, double* start) {
  std::copy_n(space.particular, Room, start);
  if (aim == Aim::least) return;
  alignas(16) double middle[Room];
  for (int i = 0; i < Room; ++i) middle[i] = 0.5 * (problem.least[i] + problem.most[i]);
  for (int k = 0; k < space.freedom; ++k)
    tension::add<Room>(start, tension::dot<Room>(space.basis[k], middle), space.basis[k]);
}

template <int Room>
bool within(const Problem<Room>& problem, const double* tensions) {
  bool all = true;
  for (int i = 0; i < Room; ++i) all = all & (tensions[i] >= problem.least[i]) & (tensions[i] <= problem.most[i]);
  return all;
}

// Adds what brings `start` into the ranges. False when nothing does.
template <int Room>
bool bring_within(const Problem<Room>& problem, const Space<Room>& space, Aim aim, double* start) {
  using namespace tension;
  if (aim == Aim::analytic_centre) {
    if (!bring_within(problem, space, Aim::middle, start)) return false;
    go_to_centre(problem, space, start);
    return true;
  }
  const bool barycentre = aim == Aim::barycentre && (space.freedom == 1 || space.freedom == 2);
  if (!barycentre && within(problem, start)) return true;
  if (space.freedom == 0) return true;  // the check will tell
  const double* const second = space.basis[space.freedom == 1 ? 0 : 1];
  const Strips strips{problem.cables, space.basis[0],       second, start, problem.least,
                      problem.most,   problem.tension_noise};
  if (space.freedom == 1) {
    double from, to;
    if (!interval(strips, from, to)) return false;
    add<Room>(start, barycentre ? 0.5 * (from + to) : std::clamp(0.0, from, to), space.basis[0]);
    return true;
  }
  if (space.freedom == 2) {
    Point point;
    if (!(barycentre && centre_of_area(strips, point)) && !nearest_point(strips, point)) return false;
    add<Room>(start, point.u, space.basis[0]);
    add<Room>(start, point.v, space.basis[1]);
    return true;
  }
  alignas(16) double found[Room];
  if (!nearest_by_active_set(problem, space, start, found)) return false;
  std::copy_n(found, Room, start);
  return true;
}

template <int Room>
void set_margin(const Problem<Room>& problem, Distribution& distribution) {
  double margin = std::numeric_limits<double>::infinity();
  for (int i = 0; i < problem.cables; ++i) {
    if (!(problem.least[i] < problem.most[i])) continue;  // no choice, no margin
    const double t = distribution.tensions[i], below = t - problem.least[i], above = problem.most[i] - t;
    if (!(std::min(below, above) < margin)) continue;
    margin = std::min(below, above);
    distribution.cable = i;
    distribution.at_most = above < below;
  }
  distribution.margin = distribution.cable < 0 ? 0 : margin;
}

template <int Room>
void give_up(const Problem<Room>& problem, const Robot& robot, const Wrench& outer, const Approach<Room>& approach,
             Distribution& distribution) {
  const double lever = robot.scale() > 0 ? robot.scale() : 1;
  const double factor[6] = {1, 1, 1, lever, lever, lever};
  for (int i = 0; i < problem.cables; ++i) distribution.tensions[i] = approach.tensions[i];
  for (int r = 0; r < 6; ++r) distribution.nearest[r] = outer[r] + factor[r] * approach.missing[r];
  distribution.margin = -approach.widening;
  distribution.cable = approach.cable;
  distribution.at_most = approach.at_most;
}

template <int Room>
void clamp(const Problem<Room>& problem, const double* tensions, double* within_ranges) {
  for (int i = 0; i < Room; ++i) within_ranges[i] = std::min(std::max(tensions[i], problem.least[i]), problem.most[i]);
}

template <int Room>
bool is_held(const Problem<Room>& problem, const double* tensions) {
  double missing[6];
  shortfall(problem, tensions, missing);
  return tension::norm_of(missing) <= problem.wrench_noise;
}

// A wrench that tensions within the ranges exert but for the noise, tensions in ranges that much wider exert exactly.
template <int Room>
bool is_surely_not_held(const Problem<Room>& problem, const Space<Room>& space, const double* start) {
  const double wider = problem.wrench_noise * space.compliance + problem.tension_noise;
  if (space.freedom != 2 || !(wider < 1e60)) return false;
  double least[Room], most[Room];
  for (int i = 0; i < problem.cables; ++i) least[i] = problem.least[i] - wider, most[i] = problem.most[i] + wider;
  tension::Point point;
  return !nearest_point({problem.cables, space.basis[0], space.basis[1], start, least, most, problem.tension_noise},
                        point);
}

template <int Room>
bool has_solution(const Robot& robot, const Structure& structure, const Wrench& outer, const Ranges& ranges) {
  Problem<Room> problem;
  if (!fill(problem, robot, structure, outer, ranges)) return false;
  Space<Room> space;
  solve_space(problem, space);
  alignas(16) double start[Room], tensions[Room], within_ranges[Room];
  start_from(problem, space, Aim::middle, start);
  std::copy_n(start, Room, tensions);
  const bool found = space.in_range && bring_within(problem, space, Aim::middle, tensions);
  clamp(problem, tensions, within_ranges);
  if (found && is_held(problem, within_ranges)) return true;
  if (space.in_range && is_surely_not_held(problem, space, start)) return false;
  Approach<Room> approach;
  come_near(problem, within_ranges, approach);
  return approach.distance <= problem.wrench_noise;
}

template <int Room>
void solve(const Robot& robot, const Structure& structure, const Wrench& outer, const Ranges& ranges, Aim aim,
           Distribution& distribution) {
  Problem<Room> problem;
  if (!fill(problem, robot, structure, outer, ranges)) return;
  Space<Room> space;
  solve_space(problem, space);
  alignas(16) double tensions[Room], within_ranges[Room];
  start_from(problem, space, aim, tensions);
  distribution.feasible = space.in_range && bring_within(problem, space, aim, tensions);
  clamp(problem, tensions, within_ranges);
  distribution.feasible = distribution.feasible && is_held(problem, within_ranges);
  if (!distribution.feasible) {
    Approach<Room> approach;
    come_near(problem, within_ranges, approach);
    if (!(approach.distance <= problem.wrench_noise)) return give_up(problem, robot, outer, approach, distribution);
    std::copy_n(approach.tensions, Room, within_ranges);  // on the very border of what is feasible
    distribution.feasible = true;
  }
  for (int i = 0; i < problem.cables; ++i) distribution.tensions[i] = within_ranges[i];
  distribution.nearest = outer;
  set_margin(problem, distribution);
}

Distribution distribute_within(const Robot& robot, const Structure& structure, const Wrench& outer,
                               const Ranges& ranges, Aim aim) {
  Distribution distribution;
  distribution.tensions.setZero(structure.cols());
  distribution.margin = -std::numeric_limits<double>::infinity();
  if (structure.cols() <= 8)
    solve<8>(robot, structure, outer, ranges, aim, distribution);
  else
    solve<16>(robot, structure, outer, ranges, aim, distribution);
  return distribution;
}

}  // namespace

const char* name(Aim aim) {
  switch (aim) {
    case Aim::middle:
      return "middle";
    case Aim::least:
      return "least";
    case Aim::barycentre:
      return "barycentre";
    case Aim::analytic_centre:
      return "analytic_centre";
  }
  return "unknown";
}

Distribution distribute(const Robot& robot, const Structure& structure, const Wrench& outer, Aim aim) {
  return distribute(robot, structure, outer, robot.design().tension, aim);
}

Distribution distribute(const Robot& robot, const Structure& structure, const Wrench& outer, const TensionRange& range,
                        Aim aim) {
  return distribute_within(robot, structure, outer, {&range.least, &range.most, 0}, aim);
}

Distribution distribute(const Robot& robot, const Structure& structure, const Wrench& outer, const PerCable& least,
                        const PerCable& most, Aim aim) {
  const Ranges ranges{least.data(), most.data(), 1};
  if (least.size() == structure.cols() && most.size() == structure.cols())
    return distribute_within(robot, structure, outer, ranges, aim);
  const double none = std::numeric_limits<double>::quiet_NaN();
  return distribute_within(robot, structure, outer, {&none, &none, 0}, aim);
}

bool is_feasible(const Robot& robot, const Structure& structure, const Wrench& outer) {
  return is_feasible(robot, structure, outer, robot.design().tension);
}

bool is_feasible(const Robot& robot, const Structure& structure, const Wrench& outer, const TensionRange& range) {
  const Ranges ranges{&range.least, &range.most, 0};
  return structure.cols() <= 8 ? has_solution<8>(robot, structure, outer, ranges)
                               : has_solution<16>(robot, structure, outer, ranges);
}

}  // namespace tandem::cables
