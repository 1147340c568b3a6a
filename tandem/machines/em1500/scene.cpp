// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "tandem/machines/scene_parts.hpp"

namespace tandem::em1500 {
namespace {

constexpr const char* steel = "#aeb6c2";
constexpr const char* dark_steel = "#4a5364";
constexpr const char* plate_color = "#2f6fd0";
constexpr double plate_thickness = 0.06;  // m
constexpr double joint_radius = 0.06;     // m
constexpr double rod_left_out = 0.12;     // m of rod that a leg shows when it is shortest

// The joints of one plate, `margin` metres wider all round, as an outline from above.
std::vector<Eigen::Vector2d> outline_of(const std::array<Eigen::Vector3d, 6>& joints, double margin) {
  std::vector<Eigen::Vector2d> outline;
  outline.reserve(joints.size());
  for (const Eigen::Vector3d& joint : joints) {
    outline.emplace_back(joint.head<2>() * (1 + margin / joint.head<2>().norm()));
  }
  std::sort(outline.begin(), outline.end(), [](const Eigen::Vector2d& a, const Eigen::Vector2d& b) {
    return std::atan2(a.y(), a.x()) < std::atan2(b.y(), b.x());
  });
  return outline;
}

std::string leg_name(std::size_t leg) { return fmt::format("leg {}", leg + 1); }

void add_plates(machines::Scene& scene) {
  using namespace machines;
  const double base_joint = geometry().base[0].z();
  scene.parts.push_back(prism({"base", "world", dark_steel}, outline_of(geometry().base, 0.16), 0, base_joint / 2));
  scene.parts.push_back(prism({"plate", "platform", plate_color}, outline_of(geometry().top, 0.12), joint_radius / 2,
                              joint_radius / 2 + plate_thickness));
  // Which way is forward.
  const double nose = geometry().top[0].x();
  scene.parts.push_back(
      solid({"front", "platform", "#f0b429"}, Shape::cone, {0.09, 0.22, 0},
            shifted(nose - 0.15, 0, joint_radius / 2 + plate_thickness + 0.02) * turned(0, std::numbers::pi / 2, 0)));
}

void add_leg(machines::Scene& scene, std::size_t leg) {
  using namespace machines;
  const double body = strokes().shortest - rod_left_out;
  const Eigen::Vector3d& foot = geometry().base[leg];
  const Eigen::Vector3d& head = geometry().top[leg];
  scene.frames.push_back(leg_name(leg));
  scene.scalars.push_back({leg_name(leg) + " displacement", "m", -stroke, stroke});
  scene.parts.push_back(
      cylinder({leg_name(leg) + " cylinder", leg_name(leg), dark_steel}, 0.055, body, shifted(0, 0, body / 2)));
  scene.parts.push_back(
      cylinder({leg_name(leg) + " gland", leg_name(leg), "#20262f"}, 0.062, 0.05, shifted(0, 0, body - 0.025)));
  scene.parts.push_back(sphere({leg_name(leg) + " foot", "world", steel}, joint_radius, foot));
  scene.parts.push_back(sphere({leg_name(leg) + " head", "platform", steel}, joint_radius, head));
  Tie rod;
  rod.name = leg_name(leg) + " rod";
  rod.to = "platform";
  rod.from_point = scene_point(foot);
  rod.to_point = scene_point(head);
  rod.radius = 0.03;
  rod.color = steel;
  rod.scalar = static_cast<int>(leg);
  scene.ties.push_back(rod);
}

}  // namespace

machines::Scene make_scene() {
  machines::Scene scene;
  scene.frames = {"platform"};
  add_plates(scene);
  for (std::size_t leg = 0; leg < 6; ++leg) add_leg(scene, leg);
  scene.beside = {"twin", "A simulation that follows the leg lengths on the machine's topic."};
  scene.main_frame = "platform";
  scene.trails = {"platform"};
  scene.extent = 4;
  return scene;
}

machines::Picture picture_of(const Pose& X_base_top) {
  machines::Picture picture;
  picture.seen = true;
  picture.frames.push_back(machines::scene_pose(X_base_top));
  for (std::size_t leg = 0; leg < 6; ++leg) {
    const Eigen::Vector3d& foot = geometry().base[leg];
    const Eigen::Vector3d head = X_base_top * geometry().top[leg];
    picture.frames.push_back(machines::scene_pose(machines::aimed(foot, head)));
    picture.scalars.push_back((head - foot).norm() - platform().home_lengths[leg]);
  }
  return picture;
}

machines::Picture picture_of(const State& state, RotationOrder order) {
  if (state.samples == 0) return {};
  return picture_of(stewart::pose_from_coordinates(state.pose, order));
}

}  // namespace tandem::em1500
