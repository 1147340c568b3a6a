#include "tandem/machines/ur3e/arm_plan.hpp"

#include <fmt/format.h>

#include "tandem/machines/ur3e/description.hpp"

namespace tandem::ur3e {
namespace {

using kinematics::trajectory::ArcOrientation;
using kinematics::trajectory::Corner;
using kinematics::trajectory::Pace;
using kinematics::trajectory::Path;

Pose pose_of(const Six& pose) { return TCP6D::from_metres_radians(pose).pose(); }

Result<void> add(Path& path, const command::MoveJoints& m) {
  return path.move_joints(Joint6D::from_radians(m.q).vector(), Pace{m.v, m.a, m.t}, m.r);
}
Result<void> add(Path& path, const command::MoveLine& m) {
  return path.move_line(pose_of(m.pose), Pace{m.v, m.a, m.t}, m.r);
}
Result<void> add(Path& path, const command::MoveProcess& m) {
  const Corner corner{pose_of(m.pose), m.r};
  return path.move_process(std::span(&corner, 1), Pace{m.v, m.a, 0});
}
Result<void> add(Path& path, const command::MoveCircle& m) {
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
