// SPDX-License-Identifier: Apache-2.0
// What the UR3e looks like: base, links as tubes along their frames, Hand-E with two fingers, table, and the cube that
// its task carries.
#pragma once

#include <optional>
#include <string>

#include "tandem/machines/scene.hpp"
#include "tandem/machines/ur3e/state.hpp"

namespace tandem::ur3e {

// Where a person's jogs and set points go, as full names; all carry std_msgs/msg/Float64MultiArray.
struct JogTopics {
  std::string joints;    // six speeds, rad/s
  std::string hand;      // of each finger, m; empty: there is no hand
  std::string places{};  // six angles, rad; empty: no set points
};

struct SceneOptions {
  bool has_hand = true;
  bool has_task = false;  // then there is a cube
  std::optional<JogTopics> jog;
};

inline constexpr double jog_speed = 0.3;    // rad/s while a key is held
inline constexpr double fastest_jog = 1.0;  // rad/s, of what may be asked for
// A set point is one gentle move, whatever the way; it may be stopped by eye.
inline constexpr double set_point_speed = 0.5;         // rad/s, of the fastest joint
inline constexpr double set_point_acceleration = 1.0;  // rad/s^2

// The world is base_link, its z = 0 the table's surface. Frames: the six links, then the fingers, then the cube; what
// is not there has no frame.
machines::Scene make_scene(const SceneOptions& options);

// Nothing before the first sample.
machines::Picture picture_of(const State& state, const SceneOptions& options);
// The arm as its controller wants it; nothing unless the controller reports.
machines::Picture target_picture_of(const State& state, const SceneOptions& options);

// From where the tool centre point is to where the controller wants it; nothing unless it reports.
struct Offset {
  double distance = 0;  // m
  double angle = 0;     // rad
};
std::optional<Offset> target_offset(const State& state);

}  // namespace tandem::ur3e
