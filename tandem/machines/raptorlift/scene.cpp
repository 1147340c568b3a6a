// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/raptorlift/scene.hpp"

#include <algorithm>
#include <numbers>

#include "tandem/machines/scene_parts.hpp"

namespace tandem::raptorlift {
namespace {

using machines::Control;
using machines::shifted;

constexpr const char* base_frame = "base_link";
constexpr const char* true_frame = "true place";
constexpr const char* truck_yellow = "#f2a31b";
constexpr const char* truck_steel = "#4b5563";
constexpr const char* truck_dark = "#1f2530";
constexpr const char* truck_light = "#c9d1db";
constexpr double fork_clearance = 0.1;  // m above the ground
constexpr double jog_speed = 0.5;       // m/s while a key is held

void add_body(machines::Scene& scene) {
  const auto [length, width, height] = body::chassis;
  const auto add = [&](const char* name, const char* color, const Eigen::Vector3d& size, const Pose& at) {
    scene.parts.push_back(machines::box({name, base_frame, color}, size, at));
  };
  const double top = height / 2;
  add("chassis", truck_yellow, {length, width, height}, Pose::Identity());
  add("skirt", truck_dark, {length * 1.01, width * 0.96, height * 0.3}, shifted(0, 0, -height * 0.36));
  add("counterweight", truck_dark, {length * 0.22, width, height * 0.55}, shifted(-length * 0.39, 0, top * 1.4));
  add("seat", truck_dark, {length * 0.2, width * 0.5, 0.08}, shifted(-length * 0.15, 0, top + 0.08));
  add("seat back", truck_dark, {0.06, width * 0.5, 0.34}, shifted(-length * 0.25, 0, top + 0.24));
  add("dashboard", truck_steel, {0.1, width * 0.7, 0.28}, shifted(length * 0.22, 0, top + 0.14));
  constexpr double guard = 0.85;  // m, of the overhead guard above the chassis
  for (const double x : {-0.36, 0.3}) {
    for (const double y : {-0.45, 0.45}) {
      const Eigen::Vector3d foot(length * x, width * y, top);
      scene.parts.push_back(machines::between({"guard post", base_frame, truck_dark}, machines::Shape::cylinder, 0.018,
                                              foot, foot + Eigen::Vector3d(0, 0, guard)));
    }
  }
  add("guard roof", truck_dark, {length * 0.72, width * 0.96, 0.03}, shifted(-length * 0.03, 0, top + guard));
  scene.parts.push_back(
      machines::cylinder({"lamp", base_frame, "#ff7b1c"}, 0.035, 0.06, shifted(-length * 0.3, 0, top + guard + 0.045)));
}

void add_fork(machines::Scene& scene, const Description& description) {
  const double front = body::chassis[0] / 2, ground = -description.base_height;
  constexpr double mast = 1.2, tine = 0.9;  // m, high and long
  const auto add = [&](const char* name, const char* color, const Eigen::Vector3d& size, double x, double y, double z) {
    scene.parts.push_back(machines::box({name, base_frame, color}, size, shifted(x, y, ground + fork_clearance + z)));
  };
  for (const double side : {-1.0, 1.0}) {
    add("mast", truck_steel, {0.06, 0.05, mast}, front + 0.03, side * 0.22, mast / 2);
    add("tine", truck_light, {tine, 0.1, 0.04}, front + 0.1 + tine / 2, side * 0.2, 0);
    add("tine heel", truck_light, {0.04, 0.1, 0.4}, front + 0.08, side * 0.2, 0.2);
  }
  for (const double z : {0.05, mast - 0.03}) add("mast bar", truck_steel, {0.05, 0.44, 0.06}, front + 0.03, 0, z);
  for (const double z : {0.12, 0.34}) add("carriage", truck_dark, {0.04, 0.56, 0.06}, front + 0.06, 0, z);
}

void add_wheel(machines::Scene& scene, const Description& description, std::size_t axis) {
  const std::string frame(link_names[axis]);
  const double radius = description.geometry.wheel_radius;
  const Pose lying = turned(std::numbers::pi / 2, 0, 0);
  scene.parts.push_back(machines::cylinder({"tyre", frame, "#16191f"}, radius, body::wheel_width, lying));
  scene.parts.push_back(
      machines::cylinder({"rim", frame, truck_light}, radius * 0.55, body::wheel_width * 1.06, lying));
  // Spokes, so that rolling shows.
  for (const double angle : {0.0, std::numbers::pi / 2})
    scene.parts.push_back(machines::box({"spoke", frame, truck_steel},
                                        {radius * 1.6, body::wheel_width * 1.1, radius * 0.16}, turned(0, angle, 0)));
}

Control jog(const JogTopic& jog_topic, const char* name, const char* key, bool turns, double value, double most) {
  Control control;
  control.name = name;
  control.group = "drive";
  control.kind = Control::Kind::jog;
  control.topic = jog_topic.topic;
  control.type = jog_topic.stamped ? "geometry_msgs/msg/TwistStamped" : "geometry_msgs/msg/Twist";
  control.field = std::string(jog_topic.stamped ? "twist." : "") + (turns ? "angular.z" : "linear.x");
  if (jog_topic.stamped) control.message = R"({"header":{"frame_id":"base_link"}})";
  control.unit = turns ? "rad/s" : "m/s";
  control.low = -most;
  control.high = most;
  control.value = std::clamp(value, -most, most);
  control.key = key;
  return control;
}

}  // namespace

machines::Scene make_scene(const Description& description, const std::optional<JogTopic>& jog_topic) {
  machines::Scene scene;
  scene.frames = {base_frame};
  scene.frames.insert(scene.frames.end(), link_names.begin(), link_names.end());
  scene.frames.emplace_back(true_frame);
  add_body(scene);
  add_fork(scene, description);
  for (std::size_t axis = 0; axis < axis_count; ++axis) add_wheel(scene, description, axis);
  const auto [length, width, height] = body::chassis;
  machines::Part ghost =
      machines::box({true_frame, true_frame, "#37c871", 0.35}, {length * 1.04, width * 1.04, height * 1.04});
  ghost.layer = true_frame;
  ghost.layer_off = true;
  scene.parts.push_back(ghost);
  if (jog_topic) {
    const double speed = description.limits.speed, turn = description.limits.turn;
    scene.controls = {jog(*jog_topic, "forward", "w", false, jog_speed, speed),
                      jog(*jog_topic, "back", "s", false, -jog_speed, speed),
                      jog(*jog_topic, "turn left", "a", true, gear_turn, turn),
                      jog(*jog_topic, "turn right", "d", true, -gear_turn, turn)};
  }
  scene.trails = {base_frame};
  scene.beside = {"truth", "Where the virtual truck really is; a real one has no truth. This machine has no twin."};
  scene.main_frame = base_frame;
  scene.extent = 12;
  return scene;
}

machines::Picture picture_of(const State& state, const Description& description) {
  if (state.samples == 0) return {};
  const auto raised = [&](const kinematics::ackermann::PlanarPose& pose) {
    return shifted(pose.x, pose.y, description.base_height) * turned(0, 0, pose.yaw);
  };
  const Pose X_odom_base = raised(state.X_odom_base);
  machines::Picture picture;
  picture.seen = true;
  picture.frames.push_back(machines::scene_pose(X_odom_base));
  const std::array<double, axis_count> angles = {state.wheel_angles[0], state.wheel_angles[1],
                                                 state.measured.rear_right, state.measured.rear_left};
  for (std::size_t axis = 0; axis < axis_count; ++axis) {
    // Behind the traction axle a turn to the left takes a wheel turned to the right.
    const Pose joint = steers(axis) ? turned(0, 0, -angles[axis]) : turned(0, angles[axis], 0);
    const auto [x, y, z] = wheel_place(description, axis);
    picture.frames.push_back(machines::scene_pose(X_odom_base * shifted(x, y, z) * joint));
  }
  picture.frames.push_back(
      machines::scene_pose(state.compared ? raised(state.X_odom_base * state.X_base_true) : X_odom_base));
  return picture;
}

machines::Picture truth_picture_of(const State& state, const Description& description) {
  if (!state.compared) return {};
  State twin = state;
  twin.X_odom_base = state.X_odom_base * state.X_base_true;
  twin.X_base_true = {};
  return picture_of(twin, description);
}

}  // namespace tandem::raptorlift
