// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/scene.hpp"

#include <fmt/format.h>

#include <cmath>

#include "tandem/kinematics/cable/frame.hpp"
#include "tandem/machines/scene_parts.hpp"

namespace tandem::cable_robot {
namespace {

using machines::Control;

constexpr const char* platform_frame = "platform";
constexpr const char* desired_frame = "desired";
constexpr const char* true_frame = "true place";

// The twelve edges of the box about the frame's points, and a pulley at each of these.
void add_frame(machines::Scene& scene, const cables::Robot& robot, double unit) {
  const cables::FrameBox box = cables::frame_box(robot.design());
  const auto corner = [&](unsigned at) {
    return Eigen::Vector3d((at & 1U) != 0 ? box.high.x() : box.low.x(), (at & 2U) != 0 ? box.high.y() : box.low.y(),
                           (at & 4U) != 0 ? box.high.z() : box.low.z());
  };
  for (unsigned at = 0; at < 8; ++at) {
    for (unsigned axis = 1; axis < 8; axis *= 2) {
      const Eigen::Vector3d from = corner(at), to = corner(at | axis);
      if ((at & axis) != 0 || (to - from).norm() < 1e-6) continue;
      scene.parts.push_back(
          machines::between({"frame", "world", "#5b6472"}, machines::Shape::capsule, 0.012 * unit, from, to));
    }
  }
  for (int i = 0; i < robot.cables(); ++i) {
    scene.parts.push_back(
        machines::sphere({fmt::format("pulley {}", i + 1), "world", "#d9a441"}, 0.022 * unit, robot.cable(i).frame));
  }
}

void add_platform(machines::Scene& scene, const cables::Robot& robot, double unit) {
  const Eigen::Vector3d& size = robot.design().size;
  scene.parts.push_back(machines::box({"platform", platform_frame, "#e07b39"}, size));
  for (int i = 0; i < robot.cables(); ++i) {
    scene.parts.push_back(machines::sphere({fmt::format("eye {}", i + 1), platform_frame, "#2b303a"}, 0.009 * unit,
                                           robot.cable(i).platform));
  }
  machines::Part desired = machines::box({"desired pose", desired_frame, "#e07b39", 0.25}, size);
  desired.layer = "desired pose";
  scene.parts.push_back(desired);
  machines::Part truth = machines::box({true_frame, true_frame, "#37c871", 0.35}, 1.04 * size);
  truth.layer = true_frame;
  truth.layer_off = true;
  scene.parts.push_back(truth);
}

void add_cable(machines::Scene& scene, const cables::Robot& robot, int i, double unit) {
  const cables::TensionRange& range = robot.design().tension;
  machines::Tie tie;
  tie.name = fmt::format("cable {}", i + 1);
  tie.to = platform_frame;
  tie.from_point = machines::scene_point(robot.cable(i).frame);
  tie.to_point = machines::scene_point(robot.cable(i).platform);
  tie.radius = 0.004 * unit;
  tie.scalar = i;
  scene.scalars.push_back({tie.name + " tension", "N", range.least, range.most});
  scene.ties.push_back(tie);
}

std::string pose_message(const PoseTopic& topic) {
  const char* const level = R"("orientation":{"x":0,"y":0,"z":0,"w":1})";
  if (!topic.stamped) return fmt::format("{{{}}}", level);
  return fmt::format(R"({{"header":{{"frame_id":"{}"}},"pose":{{{}}}}})", topic.frame, level);
}

void add_sliders(machines::Scene& scene, const Border& border, const PoseTopic& topic) {
  const Eigen::Vector3d reach = reach_about_home(border);
  const Eigen::Vector3d home = border.robot().home().translation();
  if (reach.minCoeff() <= 0) return;
  for (int axis = 0; axis < 3; ++axis) {
    Control control;
    control.name = std::string(1, "xyz"[axis]);
    control.group = "desired pose";
    control.kind = Control::Kind::slider;
    control.topic = topic.topic;
    control.type = topic.stamped ? "geometry_msgs/msg/PoseStamped" : "geometry_msgs/msg/Pose";
    control.field = fmt::format("{}position.{}", topic.stamped ? "pose." : "", control.name);
    control.message = pose_message(topic);
    control.unit = "m";
    control.low = home[axis] - reach[axis];
    control.high = home[axis] + reach[axis];
    control.value = control.rest = home[axis];
    scene.controls.push_back(control);
  }
}

machines::ScenePose scene_pose_of(const PoseNumbers& n) { return {{n[0], n[1], n[2]}, {n[3], n[4], n[5], n[6]}}; }

// Where the platform really is now, when the estimate is as far off as at the last look.
machines::ScenePose true_pose_of(const State& state) {
  const Pose X_platform_true = pose_of(state.compared_pose).inverse() * pose_of(state.truth);
  return machines::scene_pose(pose_of(state.pose) * X_platform_true);
}

}  // namespace

Eigen::Vector3d reach_about_home(const Border& border) {
  const cables::Robot& robot = border.robot();
  const cables::FrameBox box = cables::frame_box(robot.design());
  const Eigen::Vector3d half = (box.high - box.low) / 2;
  const auto fits = [&](double share) {
    // Corners, and the middles of edges and faces.
    for (int at = 0; at < 27; ++at) {
      Pose pose = robot.home();
      const Eigen::Vector3d step = Eigen::Vector3i(at % 3 - 1, at / 3 % 3 - 1, at / 9 - 1).cast<double>();
      pose.translation() += share * step.cwiseProduct(half);
      if (!border.look(pose).inside) return false;
    }
    return true;
  };
  double good = 0, bad = 1;
  for (int halving = 0; halving < 12; ++halving) {
    const double middle = (good + bad) / 2;
    (fits(middle) ? good : bad) = middle;
  }
  return 0.95 * good * half;
}

machines::Scene make_scene(const Border& border, const std::optional<PoseTopic>& topic) {
  const cables::Robot& robot = border.robot();
  const cables::FrameBox box = cables::frame_box(robot.design());
  const double unit = (box.high - box.low).maxCoeff();
  machines::Scene scene;
  scene.frames = {platform_frame, desired_frame, true_frame};
  add_frame(scene, robot, unit);
  add_platform(scene, robot, unit);
  for (int i = 0; i < robot.cables(); ++i) add_cable(scene, robot, i, unit);
  if (topic) add_sliders(scene, border, *topic);
  scene.trails = {platform_frame};
  scene.beside = {"truth", "Where the virtual platform really is; a real one has no truth. This machine has no twin."};
  scene.main_frame = platform_frame;
  scene.extent = 2 * unit;
  return scene;
}

machines::Picture picture_of(const State& state) {
  if (state.samples == 0 || !state.pose_known) return {};
  const bool elsewhere = state.has_target || state.set_velocity != std::array<double, 6>{};
  const PoseNumbers& wanted = state.has_target ? state.target : state.set_point;
  machines::Picture picture;
  picture.seen = true;
  picture.frames = {scene_pose_of(state.pose), scene_pose_of(elsewhere ? wanted : state.pose),
                    state.compared ? true_pose_of(state) : scene_pose_of(state.pose)};
  picture.scalars.assign(state.tensions.begin(), state.tensions.begin() + state.cables);
  return picture;
}

machines::Picture truth_picture_of(const State& state) {
  machines::Picture picture = state.compared ? picture_of(state) : machines::Picture{};
  if (picture.seen) picture.frames.front() = picture.frames.back();
  return picture;
}

}  // namespace tandem::cable_robot
