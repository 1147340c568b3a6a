// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/scene.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>

#include "tandem/machines/scene_parts.hpp"

namespace tandem::orca {
namespace {

using machines::Control;
using machines::Shape;
using machines::shifted;

constexpr const char* body_frame = "base_link";
constexpr const char* slam_frame = "slam";
constexpr const char* float_blue = "#1f6fb2";
constexpr const char* frame_dark = "#20262e";
constexpr const char* tube_white = "#e6eaef";
constexpr const char* floor_layer = "sea floor";
constexpr double floor_side = 7;   // m: room for the box of the demo, and small enough for the vehicle to be seen on it
constexpr double clearance = 0.5;  // m, of a set point from floor and surface

double depth() { return -Hull{}.seafloor; }

void add_hull(machines::Scene& scene) {
  const Eigen::Vector3d size = Hull{}.size;
  const auto add_box = [&](const char* name, const char* color, const Eigen::Vector3d& extent, double x, double y,
                           double z) {
    scene.parts.push_back(machines::box({name, body_frame, color}, extent, shifted(x, y, z)));
  };
  const auto add_tube = [&](const char* name, const char* color, double radius, double length, double z) {
    scene.parts.push_back(
        machines::cylinder({name, body_frame, color}, radius, length, shifted(0, 0, z) * turned(0, quarter_turn, 0)));
  };
  const double tube = size.x() * 0.62, radius = size.z() * 0.22, upper = size.z() * 0.12;
  add_tube("electronics", tube_white, radius, tube, upper);
  add_tube("battery", frame_dark, radius * 0.7, tube * 0.8, -size.z() * 0.3);
  scene.parts.push_back(
      machines::sphere({"dome", body_frame, "#9fd3ff", 0.55}, radius, Eigen::Vector3d(tube / 2, 0, upper)));
  scene.parts.push_back(
      machines::sphere({"camera", body_frame, frame_dark}, radius * 0.35, Eigen::Vector3d(0, 0, -size.z() * 0.46)));
  for (const double side : {-1.0, 1.0}) {
    add_box("side", frame_dark, {size.x() * 0.95, 0.012, size.z() * 0.62}, 0, side * size.y() * 0.47, -size.z() * 0.16);
    add_box("float", float_blue, {size.x() * 0.8, size.y() * 0.26, size.z() * 0.2}, 0, side * size.y() * 0.32,
            size.z() * 0.42);
    add_box("lamp", "#f5d76e", {0.03, 0.03, 0.03}, size.x() * 0.44, side * size.y() * 0.3, -size.z() * 0.1);
  }
}

void add_thrusters(machines::Scene& scene) {
  int number = 0;
  for (const Thruster& thruster : thrusters()) {
    const std::string name = fmt::format("thruster {}", ++number);
    const Pose at = machines::aimed(thruster.position, thruster.position + thruster.direction);
    scene.parts.push_back(machines::cylinder({name, body_frame, frame_dark, 0.85}, 0.046, 0.05, at));
    scene.parts.push_back(machines::cylinder({name + " hub", body_frame, "#aab2bd"}, 0.014, 0.07, at));
    for (const double turn : {0.0, quarter_turn})
      scene.parts.push_back(
          machines::box({name + " blade", body_frame, float_blue}, {0.08, 0.012, 0.054}, at * turned(0, 0, turn)));
  }
}

machines::Part flat_square(machines::Place place, double side, double z) {
  machines::Part part = machines::solid(std::move(place), Shape::mesh, {}, Pose::Identity());
  const auto half = static_cast<float>(side / 2), height = static_cast<float>(z);
  part.points = {{-half, -half, height}, {half, -half, height}, {half, half, height}, {-half, half, height}};
  part.triangles = {{0, 1, 2}, {0, 2, 3}};
  return part;
}

// The floor is flat, as the virtual one is; ripples and pebbles show how the vehicle moves over it.
void add_sea(machines::Scene& scene) {
  const auto on_floor = [&](machines::Part part) {
    part.layer = floor_layer;
    scene.parts.push_back(std::move(part));
  };
  on_floor(flat_square({floor_layer, "world", "#b8a27a"}, floor_side, 0.001));
  const int metres = static_cast<int>(floor_side);
  for (int row = 0; row < metres; ++row) {
    const double y = row + 0.5 - floor_side / 2;
    machines::Part ripple = machines::solid({"ripple", "world", "#a18c66"}, Shape::line, {}, Pose::Identity());
    for (int step = 0; step <= 2 * metres; ++step) {
      const double x = 0.5 * step - floor_side / 2;
      ripple.points.push_back({static_cast<float>(x), static_cast<float>(y + 0.2 * std::sin(1.3 * x + y)), 0.01F});
    }
    on_floor(std::move(ripple));
  }
  std::mt19937 random(1);
  const auto uniform = [&random] { return static_cast<double>(random()) / 4294967296.0; };
  for (int i = 0; i < 24; ++i) {
    const double radius = 0.02 + 0.08 * uniform();
    const double x = floor_side * (uniform() - 0.5), y = floor_side * (uniform() - 0.5);
    on_floor(machines::sphere({"pebble", "world", i % 3 == 0 ? "#7d7466" : "#94896f"}, radius,
                              Eigen::Vector3d(x, y, radius * 0.3)));
  }
  machines::Part surface = flat_square({"water surface", "world", "#4fb3e8", 0.16}, floor_side, depth());
  surface.layer = "water surface";
  scene.parts.push_back(std::move(surface));
}

void add_ghosts(machines::Scene& scene) {
  machines::Part ghost = machines::box({"seen by the SLAM", slam_frame, "#ff8f3f", 0.3}, Hull{}.size);
  ghost.layer = "SLAM";
  scene.parts.push_back(std::move(ghost));
  // What the camera sees, down to where it sees nothing any more.
  const Eye eye;
  const double width = eye.width / (2 * eye.focal), reach = 0.5 * depth();
  machines::Part view = machines::solid({"camera view", body_frame, "#ffe08a", 0.12}, Shape::cone,
                                        {width * reach, reach, 0}, shifted(0, 0, -reach / 2));
  view.layer = "camera view";
  view.layer_off = true;
  scene.parts.push_back(std::move(view));
}

void add_jogs(machines::Scene& scene, const JogTopic& jog) {
  struct Key {
    const char *name, *key, *field;
    double sign;
  };
  constexpr Key keys[] = {{"forward", "w", "linear.x", 1},    {"back", "s", "linear.x", -1},
                          {"left", "q", "linear.y", 1},       {"right", "e", "linear.y", -1},
                          {"up", "r", "linear.z", 1},         {"down", "f", "linear.z", -1},
                          {"turn left", "a", "angular.z", 1}, {"turn right", "d", "angular.z", -1}};
  for (const Key& key : keys) {
    const bool turns = key.field[0] == 'a';
    Control control;
    control.name = key.name;
    control.group = "drive";
    control.kind = Control::Kind::jog;
    control.topic = jog.topic;
    control.type = "geometry_msgs/msg/Twist";
    control.field = key.field;
    control.unit = turns ? "rad/s" : "m/s";
    control.high = turns ? jog.full_turn : jog.full_speed;
    control.low = -control.high;
    control.value = 0.5 * key.sign * control.high;
    control.key = key.key;
    scene.controls.push_back(control);
  }
}

// Within the sea that is drawn. The group has the name of the value that reports where the vehicle is: the page's
// sliders are there until touched. Without an orientation it keeps its heading.
void add_set_points(machines::Scene& scene, const std::string& topic) {
  for (int axis = 0; axis < 3; ++axis) {
    const bool up = axis == 2;
    Control control;
    control.name = std::string(1, "xyz"[axis]);
    control.group = "pose";
    control.kind = Control::Kind::slider;
    control.topic = topic;
    control.type = "geometry_msgs/msg/PoseStamped";
    control.field = "pose.position." + control.name;
    control.message = R"({"header":{"frame_id":"map"},"pose":{"orientation":{"x":0,"y":0,"z":0,"w":0}}})";
    control.unit = "m";
    control.low = up ? -depth() + clearance : -floor_side / 2;
    control.high = up ? -clearance : floor_side / 2;
    control.value = control.rest = up ? -depth() / 2 : 0;
    scene.controls.push_back(control);
  }
}

}  // namespace

machines::Scene make_scene(const std::optional<JogTopic>& jog, const std::string& camera_topic) {
  machines::Scene scene;
  scene.frames = {body_frame, slam_frame};
  add_hull(scene);
  add_thrusters(scene);
  add_sea(scene);
  add_ghosts(scene);
  if (jog) add_jogs(scene, *jog);
  if (jog && !jog->goal.empty()) add_set_points(scene, jog->goal);
  scene.beside = {"truth",
                  "Where the virtual submarine really is, with the option `truth`; a real one has no truth. This "
                  "machine has no twin."};
  scene.main_frame = body_frame;
  scene.trails = {body_frame, slam_frame};
  scene.extent = floor_side;
  scene.camera_topic = camera_topic;
  return scene;
}

machines::Picture picture_of(const State& state) {
  if (state.vehicle.frames == 0 || state.vehicle.attitude_at == Instant{}) return {};
  const Pose X_world_map = shifted(0, 0, depth());
  const Pose X_world_base = X_world_map * pose_from(state.vehicle.X_map_base);
  const Pose X_world_slam = state.placed ? X_world_map * pose_from(state.X_map_slam_base) : X_world_base;
  machines::Picture picture;
  picture.seen = true;
  picture.frames = {machines::scene_pose(X_world_base), machines::scene_pose(X_world_slam)};
  return picture;
}

machines::Picture picture_at(const Pose& X_map_base) {
  machines::Picture picture;
  picture.seen = true;
  picture.frames.assign(2, machines::scene_pose(shifted(0, 0, depth()) * X_map_base));
  return picture;
}

}  // namespace tandem::orca
