// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/ur3e/scene.hpp"

#include <fmt/format.h>

#include "tandem/machines/scene_parts.hpp"
#include "tandem/machines/ur3e/description.hpp"
#include "tandem/machines/ur3e/virtual/model.hpp"

namespace tandem::ur3e {
namespace {

using machines::Control;
using machines::shifted;

constexpr const char* cube_frame = "cube";
constexpr const char* arm_grey = "#c3c9d2";
constexpr const char* arm_blue = "#6fa8dc";
constexpr const char* hand_dark = "#2d323c";
constexpr double lid = 0.82;  // of a tube's radius: the blue covers of its joints
constexpr const char* float_list = "std_msgs/msg/Float64MultiArray";

const Pose& X_world_base() {
  static const Pose value = kinematics::ur::base_link_from_base();
  return value;
}

// A tube, and covers on the joints at its ends where it runs across them.
void add_tube(machines::Scene& scene, const Tube& tube) {
  const bool on_base = tube.link == frames::base_link_inertia;
  const bool on_hand = tube.link == hand::link;
  std::string frame(on_hand ? link_names[5] : tube.link);
  if (on_base) frame = "world";
  const std::string name(tube.link);
  scene.parts.push_back(machines::between({name, frame, on_hand ? hand_dark : arm_grey}, machines::Shape::capsule,
                                          tube.radius, tube.from, tube.to));
  const bool across_joints = tube.link == link_names[1] || tube.link == link_names[2];
  if (!across_joints || tube.from.x() == tube.to.x()) return;
  for (const Eigen::Vector3d& end : {tube.from, tube.to}) {
    scene.parts.push_back(machines::cylinder({name + " cover", frame, arm_blue}, lid * tube.radius, 2.04 * tube.radius,
                                             shifted(end.x(), end.y(), end.z())));
  }
}

void add_fingers(machines::Scene& scene) {
  for (std::size_t side = 0; side < 2; ++side) {
    const std::string frame(hand::finger_links[side]);
    const double away = side == 0 ? 1 : -1;
    scene.frames.push_back(frame);
    scene.parts.push_back(machines::box(
        {frame, frame, hand_dark}, {hand::finger_thickness, hand::finger_width, hand::reach - hand::finger_root},
        shifted(away * hand::finger_thickness / 2, 0, (hand::finger_root + hand::reach) / 2)));
    scene.parts.push_back(machines::box({frame + " pad", frame, "#8f98a6"},
                                        {0.002, hand::finger_width, 2 * (hand::reach - hand::grip_reach)},
                                        shifted(away * 0.0005, 0, hand::grip_reach)));
  }
}

Control float_control(const std::string& topic, std::string name, Control::Kind kind) {
  Control control;
  control.name = std::move(name);
  control.kind = kind;
  control.topic = topic;
  control.type = float_list;
  return control;
}

void add_jogs(machines::Scene& scene, const JogTopics& topics) {
  constexpr std::string_view plus_keys = "qwerty", minus_keys = "asdfgh";
  for (std::size_t joint = 0; joint < 6; ++joint) {
    for (const double sign : {1.0, -1.0}) {
      Control control =
          float_control(topics.joints, fmt::format("{} {}", kinematics::ur::joint_names[joint], sign > 0 ? "+" : "-"),
                        Control::Kind::jog);
      control.group = "joint speeds";
      control.field = fmt::format("data.{}", joint);
      control.message = R"({"data":[0,0,0,0,0,0]})";
      control.unit = "rad/s";
      control.low = -fastest_jog;
      control.high = fastest_jog;
      control.value = sign * jog_speed;
      control.key = std::string(1, (sign > 0 ? plus_keys : minus_keys)[joint]);
      scene.controls.push_back(control);
    }
  }
  if (topics.hand.empty()) return;
  for (const bool open : {true, false}) {
    Control control =
        float_control(topics.hand, open ? "open the gripper" : "close the gripper", Control::Kind::button);
    control.field = "data.0";
    control.message = R"({"data":[0]})";
    control.unit = "m";
    control.low = 0;
    control.high = hand::finger_stroke;
    control.value = open ? hand::finger_stroke : 0;
    control.key = open ? "o" : "c";
    scene.controls.push_back(control);
  }
}

// The group has the name of the value that reports where the joints are: the page's sliders are there until touched.
void add_set_points(machines::Scene& scene, const std::string& topic) {
  for (std::size_t joint = 0; joint < 6; ++joint) {
    const bool elbow = joint_names[joint] == "elbow_joint";
    Control control = float_control(topic, std::string(kinematics::ur::joint_names[joint]), Control::Kind::slider);
    control.group = "joints";
    control.field = fmt::format("data.{}", joint);
    control.message = R"({"data":[0,0,0,0,0,0]})";
    control.unit = "rad";
    control.low = elbow ? -elbow_planning_limit : arm_model.lowest[joint];
    control.high = elbow ? elbow_planning_limit : arm_model.highest[joint];
    control.value = control.rest = home()[static_cast<Eigen::Index>(joint)];
    scene.controls.push_back(control);
  }
}

}  // namespace

machines::Scene make_scene(const SceneOptions& options) {
  machines::Scene scene;
  scene.frames.assign(link_names.begin(), link_names.end());
  scene.parts.push_back(
      machines::box({"table", "world", "#b59a74"}, {table_side, table_side, 0.03}, shifted(0, 0, -0.016)));
  scene.parts.push_back(machines::cylinder({"foot", "world", arm_grey}, 0.064, 0.03, shifted(0, 0, 0.015)));
  for (const Tube& tube : tubes())
    if (options.has_hand || tube.link != hand::link) add_tube(scene, tube);
  scene.parts.push_back(
      machines::cylinder({"flange", std::string(link_names[5]), "#e8ebef"}, 0.0315, 0.008, shifted(0, 0, -0.004)));
  if (options.has_hand) add_fingers(scene);
  if (options.has_task) {
    scene.frames.emplace_back(cube_frame);
    scene.parts.push_back(machines::box({"cube", cube_frame, "#d64545"}, Eigen::Vector3d::Constant(cube_side)));
  }
  if (options.jog) add_jogs(scene, *options.jog);
  if (options.jog && !options.jog->places.empty()) add_set_points(scene, options.jog->places);
  scene.beside = {"target", "The pose that the arm's controller aims at. This machine has no twin."};
  scene.main_frame = link_names[5];
  scene.trails = {scene.main_frame};
  scene.extent = 1.5;
  return scene;
}

machines::Picture picture_of(const State& state, const SceneOptions& options) {
  if (state.samples == 0) return {};
  machines::Picture picture;
  picture.seen = true;
  Pose X_world_link = X_world_base();
  for (std::size_t i = 0; i < 6; ++i) {
    X_world_link = X_world_link * link_frame(i) * turned(0, 0, state.controller.actual_q[i]);
    picture.frames.push_back(machines::scene_pose(X_world_link));
  }
  const Pose& X_world_tool = X_world_link;  // tool0
  if (options.has_hand) {
    const double finger = state.hand.known ? state.hand.finger : hand::finger_stroke;
    for (const double away : {1.0, -1.0})
      picture.frames.push_back(machines::scene_pose(X_world_tool * shifted(away * finger, 0, 0)));
  }
  if (!options.has_task) return picture;
  // Held it is between the pads; else where the task last put it.
  const Pose held = X_world_tool * shifted(0, 0, hand::grip_reach);
  const Pose put = X_world_base() * shifted(state.cube[0], state.cube[1], state.cube[2]);
  picture.frames.push_back(machines::scene_pose(state.hand.object ? held : put));
  return picture;
}

machines::Picture target_picture_of(const State& state, const SceneOptions& options) {
  if (!state.targeted) return {};
  State wanted = state;
  wanted.controller.actual_q = state.controller.target_q;
  return picture_of(wanted, options);
}

std::optional<Offset> target_offset(const State& state) {
  if (!state.targeted || state.samples == 0) return std::nullopt;
  const Pose X_flange_tcp = TCP6D::from_metres_radians(state.controller.tcp_offset).pose();
  const auto X_base_tcp = [&](const Six& q) {
    return kinematics::ur::forward(arm_model, Joint6D::from_radians(q).vector()) * X_flange_tcp;
  };
  const Pose actual = X_base_tcp(state.controller.actual_q), wanted = X_base_tcp(state.controller.target_q);
  const Eigen::Quaterniond turn(actual.linear().transpose() * wanted.linear());
  return Offset{(wanted.translation() - actual.translation()).norm(),
                Eigen::Quaterniond::Identity().angularDistance(turn)};
}

}  // namespace tandem::ur3e
