// SPDX-License-Identifier: Apache-2.0
#include "tandem/kinematics/cable/design.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tandem/base/linear.hpp"

namespace tandem::cables {
namespace {

constexpr double farthest = 1e4;   // m; a cable beyond it is a slip of units
constexpr double together = 1e-6;  // m; points nearer than this are one
constexpr double flat = 1e-4;      // of the largest singular value: rounded numbers in a file leave this much

Error bad_design(std::string text) { return {Fault::invalid, std::move(text)}; }

std::string place(const Eigen::Vector3d& p) { return fmt::format("({:.4g}, {:.4g}, {:.4g})", p.x(), p.y(), p.z()); }

bool sound_point(const Eigen::Vector3d& p) { return p.allFinite() && p.cwiseAbs().maxCoeff() <= farthest; }

Result<void> check_points(const Design& design) {
  const auto count = static_cast<int>(design.cables.size());
  if (count < fewest_cables || count > most_cables)
    return bad_design(fmt::format("cables: expected {} to {}, got {}", fewest_cables, most_cables, count));
  if (!sound_point(design.home))
    return bad_design(fmt::format("home: expected a place in m, got {}", place(design.home)));
  for (int i = 0; i < count; ++i)
    if (auto good = check_cable(design, i); !good) return good;
  return {};
}

Result<void> check_positive(double value, const char* what, double most) {
  if (value > 0 && value <= most) return {};
  return bad_design(fmt::format("{}: expected a number above 0 and up to {:g}, got {:g}", what, most, value));
}

Result<void> check_inertia(const Eigen::Matrix3d& inertia) {
  if (!inertia.allFinite()) return bad_design("inertia: expected finite numbers, got others");
  if ((inertia - inertia.transpose()).norm() > 1e-9 * inertia.norm())
    return bad_design("inertia: expected a symmetric matrix, got another");
  const Eigen::Vector3d along = eigenvalues(inertia);
  if (!(along[0] > 0) || along[2] > 1e12)
    return bad_design(fmt::format("inertia: expected three positive moments, got {} along its axes", place(along)));
  // A body that lies flat in a plane has the sum of two equal to the third; none has less.
  if (along[0] + along[1] < along[2] * (1 - 1e-6))
    return bad_design(
        fmt::format("inertia: impossible moments {}: the largest exceeds the sum of the others", place(along)));
  return {};
}

Eigen::Matrix<double, 6, Eigen::Dynamic> even_structure(const Robot& robot, const Eigen::Vector3d& position) {
  Structure all = structure(robot, pose_from(position, Eigen::Matrix3d::Identity()));
  all.bottomRows<3>() /= robot.scale();
  return all;
}

int rank_of(const Eigen::Matrix<double, 6, 1>& values) {
  int rank = 0;
  while (rank < 6 && values[rank] > flat * values[0]) ++rank;
  return rank;
}

std::string direction(const Eigen::Vector3d& d) {
  constexpr const char* axes[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i)
    if (std::abs(d[i]) > 0.999) return axes[i];
  return place(d);
}

std::string turn_name(const Eigen::Vector3d& axis) {
  constexpr const char* turns[] = {"roll", "pitch", "yaw"};
  for (int i = 0; i < 3; ++i)
    if (std::abs(axis[i]) > 0.999) return turns[i];
  return "the turn about " + place(axis);
}

// In words: which motion this is, and why no cable resists it. `twist` has the turn times robot.scale().
std::string free_motion(const Robot& robot, const Eigen::Matrix<double, 6, 1>& twist) {
  const Eigen::Vector3d shift = twist.head<3>(), turn = twist.tail<3>() / robot.scale();
  if (twist.tail<3>().norm() < 1e-3)
    return fmt::format("no cable resists the shift along {0}: every cable is at right angles to it",
                       direction(shift.normalized()));
  const Eigen::Vector3d axis = turn.normalized();
  const Eigen::Vector3d foot = robot.design().home + turn.cross(shift) / turn.squaredNorm();
  const double lead = turn.dot(shift) / turn.squaredNorm();  // m of shift for each rad
  if (std::abs(lead) < 1e-3 * robot.scale())
    return fmt::format(
        "no cable resists {}: the line of every cable meets the axis along {} through {} or is parallel to it, so that "
        "no pull has a moment about it",
        turn_name(axis), direction(axis), place(foot));
  return fmt::format(
      "no cable resists {} joined with a shift along the axis of {:.4g} m per rad: a pull's component along the axis "
      "at {} and its moment about it always have this ratio",
      turn_name(axis), lead, place(foot));
}

// The free motion to report: a plain one along or about an axis where there is such, else the one resisted least.
Eigen::Matrix<double, 6, 1> least_resisted(const Eigen::Matrix<double, 6, Eigen::Dynamic>& even,
                                           const Eigen::Matrix<double, 6, 1>& weakest) {
  const double size = even.norm();
  for (int k = 5; k >= 0; --k)
    if (even.row(k).norm() < flat * size) return Eigen::Matrix<double, 6, 1>::Unit(k);
  return weakest;
}

}  // namespace

Result<void> check_cable(const Design& design, int index) {
  const Cable& cable = design.cables[static_cast<std::size_t>(index)];
  for (const auto& [what, point] : {std::pair("frame", cable.frame), std::pair("platform", cable.platform)}) {
    if (!sound_point(point))
      return bad_design(fmt::format("cable{}, {} point: expected numbers in m within +-{:g}, got {}", index, what,
                                    farthest, place(point)));
  }
  if ((cable.frame - design.home - cable.platform).norm() < together)
    return bad_design(
        fmt::format("cable{}: has no length at home, where both its ends are at {}", index, place(cable.frame)));
  for (int k = 0; k < index; ++k) {
    const Cable& other = design.cables[static_cast<std::size_t>(k)];
    if ((cable.frame - other.frame).norm() < together && (cable.platform - other.platform).norm() < together)
      return bad_design(fmt::format("cable{} and cable{}: coincident, both from {} to {}; expected points that differ",
                                    k, index, place(cable.frame), place(cable.platform)));
  }
  return {};
}

Result<void> check_design(const Design& design) {
  if (auto good = check_points(design); !good) return good;
  if (auto good = check_positive(design.mass, "mass in kg", 1e7); !good) return good;
  if (!sound_point(design.centre))
    return bad_design(fmt::format("centre of mass: expected a place in m, got {}", place(design.centre)));
  if (auto good = check_inertia(design.inertia); !good) return good;
  for (int i = 0; i < 3; ++i)
    if (auto good = check_positive(design.size[i], "size of the platform in m", farthest); !good) return good;
  if (auto good = check_positive(design.stiffness, "stiffness in N", 1e12); !good) return good;
  const TensionRange& range = design.tension;
  if (!(range.least >= 0 && range.least < range.most && range.most <= 1e9))
    return bad_design(
        fmt::format("tensions: expected 0 <= least < most in N, got least {:g}, most {:g}", range.least, range.most));
  return {};
}

Result<void> check_rank(const Robot& robot) {
  if (robot.scale() < together)
    return bad_design("rank 3 of 6: no cable resists a turn, since all hold the platform in one point, its origin");
  const double step = 0.1 * lengths(robot, robot.home()).minCoeff();
  const Eigen::Vector3d& home = robot.design().home;
  const Eigen::Vector3d around[] = {{0, 0, 0},     {step, 0, 0}, {-step, 0, 0}, {0, step, 0},
                                    {0, -step, 0}, {0, 0, step}, {0, 0, -step}, Eigen::Vector3d::Constant(step / 2)};
  int best = 0;
  for (const Eigen::Vector3d& offset : around) {
    best = std::max(best, rank_of(singular_values(even_structure(robot, home + offset).transpose()).values));
    if (best == 6) return {};
  }
  const auto even = even_structure(robot, home);
  const Singular held = singular_values(even.transpose());
  const std::string more =
      best < 5 ? fmt::format(", and {} more motion{} free", 5 - best, best < 4 ? "s are" : " is") : "";
  return bad_design(fmt::format("rank {} of 6 at home and at the level poses around it: {}{}", best,
                                free_motion(robot, least_resisted(even, held.directions.col(5))), more));
}

}  // namespace tandem::cables
