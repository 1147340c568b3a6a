// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/robot/urdf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/machines/generic/robot/mesh.hpp"
#include "tandem/machines/generic/text_file.hpp"

namespace tandem::generic {
namespace {

constexpr std::size_t most_urdf_bytes = 1 << 20;
constexpr std::size_t most_triangles_of_all = 400'000;

double finite_or_zero(double value) { return std::isfinite(value) ? value : 0; }

Pose moved(const UrdfJoint& joint, double position) {
  Pose pose = Pose::Identity();
  if (joint.type == UrdfJoint::Type::prismatic) pose.translation() = joint.axis * position;
  if (joint.type == UrdfJoint::Type::revolute || joint.type == UrdfJoint::Type::continuous)
    pose.linear() = Eigen::AngleAxisd(position, joint.axis).toRotationMatrix();
  return pose;
}

}  // namespace

const char* name(UrdfJoint::Type type) {
  switch (type) {
    case UrdfJoint::Type::fixed:
      return "fixed";
    case UrdfJoint::Type::prismatic:
      return "prismatic";
    case UrdfJoint::Type::revolute:
      return "revolute";
    case UrdfJoint::Type::continuous:
      return "continuous";
  }
  return "?";
}

const UrdfJoint* Urdf::find_joint(std::string_view called) const {
  for (const UrdfJoint& joint : joints) {
    if (joint.name == called) return &joint;
  }
  return nullptr;
}

Result<Urdf> urdf_from_file(const std::string& file) {
  auto text = read_text(file, most_urdf_bytes);
  if (!text) return std::move(text).error();
  auto urdf = urdf_from_text(*text, file);
  if (!urdf) return urdf;
  std::size_t triangles = 0;
  for (UrdfLink& link : urdf->links) {
    for (UrdfVisual& visual : link.visuals) {
      if (visual.mesh.empty()) continue;
      auto mesh = mesh_from_file(visual.mesh);
      if (!mesh) return Error{mesh.error().fault, fmt::format("{}:{}: {}", file, link.line, mesh.error().text)};
      triangles += mesh->triangles.size();
      if (triangles > most_triangles_of_all)
        return Error{Fault::invalid, fmt::format("{}: expected at most {} triangles in all meshes, got more", file,
                                                 most_triangles_of_all)};
      for (auto& point : mesh->points) {
        for (std::size_t i = 0; i < 3; ++i) point[i] = static_cast<float>(point[i] * visual.scale[i]);
      }
      visual.points = std::move(mesh->points);
      visual.triangles = std::move(mesh->triangles);
    }
  }
  return urdf;
}

std::vector<double> complete_positions(const Urdf& urdf, std::span<const double> positions) {
  std::vector<double> all(urdf.joints.size(), 0);
  for (std::size_t i = 0; i < urdf.joints.size() && i < positions.size(); ++i) {
    if (urdf.joints[i].moves()) all[i] = finite_or_zero(positions[i]);
  }
  // A mimic joint follows one that follows none.
  for (std::size_t i = 0; i < urdf.joints.size(); ++i) {
    if (const auto& mimic = urdf.joints[i].mimic)
      all[i] = finite_or_zero(all[mimic->joint] * mimic->multiplier + mimic->offset);
  }
  return all;
}

std::vector<Pose> link_poses(const Urdf& urdf, std::span<const double> positions) {
  const std::vector<double> all = complete_positions(urdf, positions);
  std::vector<Pose> poses(urdf.links.size(), Pose::Identity());
  for (const std::size_t index : urdf.order) {
    const UrdfJoint& joint = urdf.joints[index];
    poses[joint.child] = poses[joint.parent] * joint.at * moved(joint, all[index]);
  }
  return poses;
}

}  // namespace tandem::generic
