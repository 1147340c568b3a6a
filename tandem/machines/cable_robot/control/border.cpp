// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/control/border.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tandem/kinematics/cable/border.hpp"
#include "tandem/kinematics/cable/frame.hpp"
#include "tandem/machines/cable_robot/control/reason.hpp"

namespace tandem::cable_robot {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();
constexpr double flat_frame = 1e-6;  // m: a frame thinner than this is no bound along that axis
// A way is looked at in pieces of at most so much, but not in more than this many.
constexpr double piece = 0.01, angular_piece = 0.1;  // m, rad
constexpr int most_pieces = 100;
constexpr int halvings = 24;
constexpr double farthest_border = 1;  // m: no border beyond it is looked for

bool is_pose(const Pose& pose) {
  if (!pose.matrix().allFinite()) return false;
  const Eigen::Matrix3d square = pose.linear().transpose() * pose.linear();
  return (square - Eigen::Matrix3d::Identity()).cwiseAbs().maxCoeff() < 1e-6 && pose.linear().determinant() > 0;
}

// Half of the room that the platform takes along each world axis.
Eigen::Vector3d half_room(const cables::Robot& robot, const Pose& pose) {
  return 0.5 * (pose.linear().cwiseAbs() * robot.design().size);
}

}  // namespace

Border::Border(const cables::Robot& robot, const BorderOptions& options)
    : robot_(robot),
      options_(options),
      least_(cables::PerCable::Constant(robot.cables(), robot.design().tension.least)),
      most_(cables::PerCable::Constant(robot.cables(), robot.design().tension.most)),
      low_(cables::frame_box(robot.design()).low),
      high_(cables::frame_box(robot.design()).high) {
  // A frame that is flat, or that does not hold the platform at home, says nothing along that axis.
  const Eigen::Vector3d half = half_room(robot, robot.home());
  for (int axis = 0; axis < 3; ++axis) {
    const bool flat = high_[axis] - low_[axis] < flat_frame;
    const double home = robot.design().home[axis];
    if (flat || home - half[axis] < low_[axis]) low_[axis] = -unlimited;
    if ((flat && axis < 2) || home + half[axis] > high_[axis]) high_[axis] = unlimited;
  }
  if (options.floor) low_.z() = *options.floor;
}

Look Border::look(const Pose& pose) const {
  Look look;
  if (!is_pose(pose)) {
    look.bound = Bound::numbers;
    return look;
  }
  const Eigen::Vector3d half = half_room(robot_, pose);
  for (int axis = 0; axis < 3; ++axis) {
    const double at = pose.translation()[axis];
    const double beyond = std::max(low_[axis] - (at - half[axis]), at + half[axis] - high_[axis]);
    if (beyond > look.beyond) {
      look.bound = Bound::frame;
      look.beyond = beyond;
      look.axis = axis;
    }
  }
  const cables::Structure structure = cables::structure(robot_, pose);
  const cables::PerCable reserve = (most_.array() > 0).select(options_.reserve, cables::PerCable::Zero(most_.size()));
  const cables::Distribution held = cables::distribute(robot_, structure, cables::weight(robot_, pose),
                                                       least_ + reserve, most_ - reserve, cables::Aim::middle);
  look.margin = held.margin;
  look.cable = held.cable;
  look.at_most = held.at_most;
  if (look.bound == Bound::frame) return look;
  if (const double condition = cables::conditioning(robot_, structure); condition < options_.least_conditioning) {
    look.bound = Bound::conditioning;
    look.beyond = condition;
  } else if (!held.feasible) {
    look.bound = Bound::tension;
  }
  look.inside = look.bound == Bound::none;
  return look;
}

Reason Border::words(const Look& look) const {
  constexpr const char* axes[] = {"x", "y", "z"};
  switch (look.bound) {
    case Bound::none:
      return "inside";
    case Bound::numbers:
      return "invalid pose: it contains NaN or infinity, or the rotation is not a unit quaternion";
    case Bound::frame:
      return reason("the platform would be {:.3f} m outside the frame in {}", look.beyond, axes[look.axis]);
    case Bound::conditioning:
      return reason("too near to a singular pose: conditioning {:.3f}, minimum {:.3f}", look.beyond,
                    options_.least_conditioning);
    case Bound::tension:
      break;
  }
  if (look.cable < 0 || look.cable >= robot_.cables()) return "no tensions hold the platform there";
  if (given_up(look.cable))
    return reason("without cable{} no tensions hold the platform there: {:.2f} N short", look.cable, -look.margin);
  const double bound = look.at_most ? most_[look.cable] - options_.reserve : least_[look.cable] + options_.reserve;
  return reason("cable{} would be {}: {:.2f} N {} {:g} N ({:g} N of it in reserve)", look.cable,
                look.at_most ? "overloaded" : "slack", -look.margin, look.at_most ? "above" : "below", bound,
                options_.reserve);
}

double Border::inside_until(const Pose& from, const Pose& to, Look& at) const {
  at = look(to);
  if (at.bound == Bound::numbers || !is_pose(from)) return 0;
  const double angle = angle_between(Eigen::Quaterniond(from.linear()), Eigen::Quaterniond(to.linear()));
  const double pieces = std::max((to.translation() - from.translation()).norm() / piece, angle / angular_piece);
  const int count = std::clamp(static_cast<int>(std::ceil(std::min(pieces, 1.0 * most_pieces))), 1, most_pieces);
  bool come_in = look(from).inside;
  for (int i = 1; i <= count; ++i) {
    const double share = static_cast<double>(i) / count;
    const Look seen = look(between(from, to, share));
    if (seen.inside) come_in = true;
    if (seen.inside || !come_in) continue;
    double inside = share - 1.0 / count, outside = share;
    at = seen;
    for (int k = 0; k < halvings; ++k) {
      const double middle = 0.5 * (inside + outside);
      const Look between_them = look(between(from, to, middle));
      (between_them.inside ? inside : outside) = middle;
      if (!between_them.inside) at = between_them;
    }
    return inside;
  }
  return come_in ? 1 : 0;
}

double Border::distance(const Pose& pose) const {
  if (!is_pose(pose)) return 0;
  const Eigen::Vector3d half = half_room(robot_, pose), at = pose.translation();
  const double room = std::min((at - half - low_).minCoeff(), (high_ - half - at).minCoeff());
  if (!(room > 0)) return 0;
  return cables::distance_to_border(robot_, pose, {}, {std::min(room, farthest_border), 0, options_.reserve}).distance;
}

void Border::give_up(int i, double least, double reserve) {
  if (i < 0 || i >= robot_.cables()) return;
  least_ = least_.cwiseMin(least);
  most_[i] = 0;
  least_[i] = 0;
  options_.reserve = std::min(options_.reserve, reserve);
}

Pose between(const Pose& from, const Pose& to, double share) {
  const Eigen::Quaterniond first(from.linear());
  const Eigen::Vector3d turn = rotation_vector_from_quaternion(Eigen::Quaterniond(to.linear()) * first.conjugate());
  const Eigen::Quaterniond turned = quaternion_from_rotation_vector(share * turn) * first;
  return pose_from(from.translation() + share * (to.translation() - from.translation()),
                   turned.normalized().toRotationMatrix());
}

}  // namespace tandem::cable_robot
