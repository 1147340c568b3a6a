// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/solve/robot.hpp"

#include <map>
#include <mutex>

#include "tandem/kinematics/cable/frame.hpp"

namespace tandem::cable_robot {

using namespace machines::query;

Result<std::shared_ptr<const GeometryFile>> asked_geometry(const Json& question) {
  using Kept = std::shared_ptr<const GeometryFile>;
  constexpr std::size_t most_kept = 16;
  static const Kept standard = std::make_shared<GeometryFile>(GeometryFile{cables::Robot::standard(), {}, {}});
  static std::map<std::string, Kept> kept;
  static std::mutex guard;
  if (!question.contains("geometry")) return standard;
  const Json& field = question["geometry"];
  if (!field.is_string()) return wrong(fmt::format("geometry: expected the name of a file, got {}", seen(field)));
  const std::string file = field.get<std::string>();
  const std::lock_guard lock(guard);
  if (const auto found = kept.find(file); found != kept.end()) return found->second;
  auto read = geometry_from_file(file);
  if (!read) return within("geometry", std::move(read).error());
  if (kept.size() >= most_kept) kept.clear();
  return kept.emplace(file, std::make_shared<GeometryFile>(std::move(*read))).first->second;
}

Result<Pose> asked_pose(const Json& question, const std::string& name) {
  if (!question.contains(name))
    return wrong(fmt::format("{}: expected [x, y, z, qx, qy, qz, qw], got no such field", name));
  double numbers[7] = {};
  if (const auto read = read_list(question[name], name, numbers); !read) return read.error();
  return cables::pose_from_numbers(numbers);
}

Result<cables::PerCable> lengths_at(const cables::Robot& robot, const Pose& pose) {
  if (pose.translation().cwiseAbs().maxCoeff() > 1e4)
    return wrong(fmt::format("pose: expected a position within +-10000 m, got ({:g}, {:g}, {:g})",
                             pose.translation().x(), pose.translation().y(), pose.translation().z()));
  cables::PerCable all = cables::lengths(robot, pose);
  for (int i = 0; i < robot.cables(); ++i) {
    if (all[i] < 1e-9) return wrong(fmt::format("pose: cable{} has zero length there", i));
  }
  return all;
}

std::optional<std::string> outside(const cables::Robot& robot, const Pose& pose) {
  const auto [low, high] = cables::frame_box(robot.design());
  constexpr const char* axes[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) {
    const double at = pose.translation()[i];
    if (i == 2 && robot.design().home.z() < low.z() && at <= high.z()) continue;  // hangs below its frame
    if (at < low[i] || at > high[i])
      return fmt::format("the platform is outside the frame: {} = {:g} m, expected {:g} to {:g} m", axes[i], at, low[i],
                         high[i]);
  }
  return std::nullopt;
}

}  // namespace tandem::cable_robot
