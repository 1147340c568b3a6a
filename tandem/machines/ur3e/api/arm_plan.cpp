// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/api/arm_plan.hpp"

#include <fmt/format.h>

#include "tandem/kinematics/ur/inverse.hpp"
#include "tandem/machines/ur3e/description.hpp"

namespace tandem::ur3e {
namespace {

using kinematics::trajectory::ArcOrientation;
using kinematics::trajectory::Corner;
using kinematics::trajectory::Pace;
using kinematics::trajectory::Path;

Pose pose_of(const Six& pose) { return TCP6D::from_metres_radians(pose).pose(); }

// Whether the arm reaches the target at all, before a point on the way is found to be too fast for a joint.
Result<void> reachable(const Path& path, const Pose& X_base_tcp) {
  const auto found = kinematics::ur::nearest(arm_model, X_base_tcp, path.end(), path.arm().X_flange_tcp);
  if (found) return {};
  const Eigen::Vector3d at = X_base_tcp.translation();
  return within(fmt::format("the target, {:.3f} m from the base at ({:.3f}, {:.3f}, {:.3f}) m, is out of reach",
                            at.norm(), at.x(), at.y(), at.z()),
                found.error());
}

Result<void> add(Path& path, const command::MoveJoints& m) {
  return path.move_joints(Joint6D::from_radians(m.q).vector(), Pace{m.v, m.a, m.t}, m.r);
}
Result<void> add(Path& path, const command::MoveLine& m) {
  if (auto can = reachable(path, pose_of(m.pose)); !can) return can;
  return path.move_line(pose_of(m.pose), Pace{m.v, m.a, m.t}, m.r);
}
Result<void> add(Path& path, const command::MoveProcess& m) {
  if (auto can = reachable(path, pose_of(m.pose)); !can) return can;
  const Corner corner{pose_of(m.pose), m.r};
  return path.move_process(std::span(&corner, 1), Pace{m.v, m.a, 0});
}
Result<void> add(Path& path, const command::MoveCircle& m) {
  if (auto can = reachable(path, pose_of(m.to)); !can) return can;
  return path.move_circle(pose_of(m.via), pose_of(m.to), Pace{m.v, m.a, 0}, m.r,
                          m.fixed_orientation ? ArcOrientation::fixed : ArcOrientation::free);
}

Result<void> add(Path& path, const command::MovePath& moves) {
  for (std::size_t i = 0; i < moves.points.size(); ++i) {
    auto added = std::visit([&](const auto& move) { return add(path, move); }, moves.points[i]);
    if (!added) return within(fmt::format("way-point {}", i + 1), std::move(added).error());
  }
  return {};
}

template <typename Other>
Result<void> add(Path&, const Other&) {
  return Error{Fault::unsupported, "not a move that can be planned"};
}

}  // namespace

Result<Path> plan(const command::Any& command, const Joint6D& from, const TCP6D& tcp_offset) {
  Path path({&arm_model, tcp_offset.pose()}, from.vector());
  auto added = std::visit([&](const auto& value) { return add(path, value); }, command);
  if (!added) return within(command::name(command), std::move(added).error());
  return path;
}

}  // namespace tandem::ur3e
