// SPDX-License-Identifier: Apache-2.0
// Words for writing a scene: parts on frames, from poses as the kinematics has them.
#pragma once

#include <Eigen/Geometry>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tandem/base/transforms.hpp"
#include "tandem/machines/scene.hpp"

namespace tandem::machines {

inline std::array<double, 3> scene_point(const Eigen::Vector3d& point) { return {point.x(), point.y(), point.z()}; }

inline ScenePose scene_pose(const Eigen::Vector3d& position, const Eigen::Quaterniond& q) {
  return {scene_point(position), {q.x(), q.y(), q.z(), q.w()}};
}

inline ScenePose scene_pose(const Pose& pose) {
  return scene_pose(pose.translation(), Eigen::Quaterniond(pose.linear()).normalized());
}

inline Pose pose_of(const ScenePose& pose) {
  const auto& [x, y, z, w] = pose.orientation;
  return pose_from({pose.position[0], pose.position[1], pose.position[2]},
                   Eigen::Quaterniond(w, x, y, z).normalized().toRotationMatrix());
}

inline Pose shifted(double x, double y, double z) { return Pose(Eigen::Translation3d(x, y, z)); }

// The frame in `from` whose z looks at `to`.
inline Pose aimed(const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  const Eigen::Vector3d along = to - from;
  const bool apart = along.squaredNorm() > 1e-18;
  return pose_from(from, apart ? rotation_from_z(along) : Eigen::Matrix3d::Identity());
}

// Where a part stands and what colour it has; the rest is its shape.
struct Place {
  std::string name;
  std::string frame = "world";
  std::string color = "#8a94a6";
  double opacity = 1;
};

inline Part solid(Place place, Shape shape, const std::array<double, 3>& size, const Pose& at) {
  Part part;
  part.name = std::move(place.name);
  part.frame = std::move(place.frame);
  part.color = std::move(place.color);
  part.opacity = place.opacity;
  part.shape = shape;
  part.size = size;
  part.at = scene_pose(at);
  return part;
}

inline Part box(Place place, const Eigen::Vector3d& size, const Pose& at = Pose::Identity()) {
  return solid(std::move(place), Shape::box, scene_point(size), at);
}

inline Part cylinder(Place place, double radius, double length, const Pose& at = Pose::Identity()) {
  return solid(std::move(place), Shape::cylinder, {radius, length, 0}, at);
}

inline Part sphere(Place place, double radius, const Eigen::Vector3d& at = Eigen::Vector3d::Zero()) {
  return solid(std::move(place), Shape::sphere, {radius, 0, 0}, shifted(at.x(), at.y(), at.z()));
}

// A straight piece between two points of its frame.
inline Part between(Place place, Shape shape, double radius, const Eigen::Vector3d& from, const Eigen::Vector3d& to) {
  Pose at = aimed(from, to);
  at.translation() = (from + to) / 2;
  return solid(std::move(place), shape, {radius, (to - from).norm(), 0}, at);
}

// An upright prism over a convex outline in the x-y plane, counter-clockwise seen from above.
inline Part prism(Place place, std::span<const Eigen::Vector2d> outline, double bottom, double top) {
  Part part = solid(std::move(place), Shape::mesh, {}, Pose::Identity());
  const auto count = static_cast<std::uint32_t>(outline.size());
  for (const double z : {bottom, top}) {
    for (const Eigen::Vector2d& p : outline) {
      part.points.push_back({static_cast<float>(p.x()), static_cast<float>(p.y()), static_cast<float>(z)});
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t next = (i + 1) % count;
    part.triangles.push_back({i, next, count + next});
    part.triangles.push_back({i, count + next, count + i});
    if (i == 0 || next == 0) continue;
    part.triangles.push_back({0, next, i});
    part.triangles.push_back({count, count + i, count + next});
  }
  return part;
}

}  // namespace tandem::machines
