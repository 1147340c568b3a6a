// SPDX-License-Identifier: Apache-2.0
// What holds for every machine's scene and picture, whatever the machine.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tandem/machines/scene_parts.hpp"

namespace tandem::machines {

inline bool finite(const ScenePose& pose) {
  const auto good = [](double number) { return std::isfinite(number); };
  double norm = 0;
  for (const double q : pose.orientation) norm += q * q;
  return std::all_of(pose.position.begin(), pose.position.end(), good) && std::abs(norm - 1) < 1e-9;
}

inline bool is_color(const std::string& text) {
  return text.size() == 7 && text[0] == '#' && text.find_first_not_of("0123456789abcdef", 1) == std::string::npos;
}

inline bool known_frame(const Scene& scene, const std::string& frame) {
  return frame == "world" || std::count(scene.frames.begin(), scene.frames.end(), frame) == 1;
}

inline void check_part(const Scene& scene, const Part& part) {
  CAPTURE(part.name);
  CHECK(known_frame(scene, part.frame));
  CHECK(is_color(part.color));
  CHECK(finite(part.at));
  CHECK((part.opacity > 0 && part.opacity <= 1));
  CHECK(std::all_of(part.size.begin(), part.size.end(), [](double s) { return std::isfinite(s) && s >= 0; }));
  const bool pointed = part.shape == Shape::mesh || part.shape == Shape::line || part.shape == Shape::cloud;
  CHECK(pointed == !part.points.empty());
  CHECK((part.shape == Shape::mesh) == !part.triangles.empty());
  if (!pointed) CHECK(part.size[0] > 0);
  bool whole = true;
  for (const auto& point : part.points)
    whole = whole && std::all_of(point.begin(), point.end(), [](float c) { return std::isfinite(c); });
  for (const auto& triangle : part.triangles) {
    whole = whole && triangle[0] != triangle[1] && triangle[1] != triangle[2] && triangle[2] != triangle[0];
    for (const std::uint32_t index : triangle) whole = whole && index < part.points.size();
  }
  CHECK(whole);
  CHECK(part.triangles.size() < 20000);
}

inline void check_control(const Control& control) {
  CAPTURE(control.name);
  CHECK(!control.name.empty());
  CHECK(control.topic.substr(0, 1) == "/");
  CHECK(control.type.find("/msg/") != std::string::npos);
  CHECK((!control.field.empty() || control.kind == Control::Kind::button));
  CHECK(control.message.substr(0, 1) == "{");
  CHECK(control.low <= control.high);
  CHECK((control.value >= control.low && control.value <= control.high));
  CHECK((control.rest >= control.low && control.rest <= control.high));
}

// The scene is whole in itself.
inline void check_scene(const Scene& scene) {
  CHECK(!scene.frames.empty());
  CHECK(!scene.parts.empty());
  CHECK(known_frame(scene, scene.main_frame));
  CHECK(scene.extent > 0);
  for (const std::string& frame : scene.frames) CHECK((frame != "world" && known_frame(scene, frame)));
  for (const std::string& frame : scene.trails) CHECK(known_frame(scene, frame));
  for (const Part& part : scene.parts) check_part(scene, part);
  for (const Tie& tie : scene.ties) {
    CAPTURE(tie.name);
    CHECK((known_frame(scene, tie.from) && known_frame(scene, tie.to)));
    CHECK(is_color(tie.color));
    CHECK(tie.radius > 0);
    CHECK((tie.scalar >= -1 && tie.scalar < static_cast<int>(scene.scalars.size())));
  }
  for (const Scalar& scalar : scene.scalars) CHECK(scalar.low < scalar.high);
  for (const Control& control : scene.controls) {
    check_control(control);
    const auto same_key = [&](const Control& other) { return !other.key.empty() && other.key == control.key; };
    CHECK(std::count_if(scene.controls.begin(), scene.controls.end(), same_key) <= 1);
  }
}

// The picture is one of that scene.
inline void check_picture(const Scene& scene, const Picture& picture) {
  CHECK(picture.seen);
  CHECK(picture.frames.size() == scene.frames.size());
  CHECK(picture.scalars.size() == scene.scalars.size());
  CHECK(std::all_of(picture.frames.begin(), picture.frames.end(), finite));
}

// Where a frame of the scene is in the picture.
inline Pose frame_of(const Scene& scene, const Picture& picture, const std::string& frame) {
  if (frame == "world") return Pose::Identity();
  const auto found = std::find(scene.frames.begin(), scene.frames.end(), frame);
  REQUIRE(found != scene.frames.end());
  return pose_of(picture.frames.at(static_cast<std::size_t>(found - scene.frames.begin())));
}

inline double length_of(const Scene& scene, const Picture& picture, const Tie& tie) {
  const Eigen::Vector3d from = frame_of(scene, picture, tie.from) * Eigen::Vector3d::Map(tie.from_point.data());
  const Eigen::Vector3d to = frame_of(scene, picture, tie.to) * Eigen::Vector3d::Map(tie.to_point.data());
  return (to - from).norm();
}

}  // namespace tandem::machines
