// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/cable_robot/ros/markers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <iterator>

#include "tandem/kinematics/cable/frame.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::cable_robot {
namespace {

using ros2::std_msgs::ColorRGBA;
using ros2::visualization_msgs::Marker;

constexpr double drawn = 0.55;  // of each dash of a slack cable

Marker shape(Markers::Shape id, std::int32_t type, const std::string& frame, double size, const ColorRGBA& color) {
  Marker marker;
  marker.header.frame_id = frame;
  marker.ns = "cable_robot";
  marker.id = static_cast<std::int32_t>(id);
  marker.type = type;
  marker.pose.orientation.w = 1;
  marker.scale = {size, size, size};
  marker.color = color;
  return marker;
}

// The box about all points of the frame, as twelve edges.
void draw_frame(const cables::Robot& robot, Marker& marker) {
  const cables::FrameBox box = cables::frame_box(robot.design());
  const auto corner = [&](unsigned at) {
    return ros2::point_from({(at & 1U) != 0 ? box.high.x() : box.low.x(), (at & 2U) != 0 ? box.high.y() : box.low.y(),
                             (at & 4U) != 0 ? box.high.z() : box.low.z()});
  };
  for (unsigned at = 0; at < 8; ++at) {
    for (unsigned axis = 1; axis < 8; axis *= 2) {
      if ((at & axis) != 0) continue;
      marker.points.push_back(corner(at));
      marker.points.push_back(corner(at | axis));
    }
  }
}

double widest(const cables::Robot& robot) {
  double most = 0;
  for (int i = 0; i < robot.cables(); ++i)
    most = std::max(most, (robot.cable(i).frame - robot.cable(0).frame).cwiseAbs().maxCoeff());
  return most;
}

}  // namespace

ColorRGBA tension_color(double tension, const cables::TensionRange& range) {
  const double share = std::clamp((tension - range.least) / (range.most - range.least), 0.0, 1.0);
  const auto up = [](double value) { return static_cast<float>(std::clamp(value, 0.0, 1.0)); };
  return {up(2 * share - 1), up(1 - std::abs(2 * share - 1)), up(1 - 2 * share), 1.0F};
}

Markers::Markers(const cables::Robot& robot, const std::string& frame) : robot_(robot) {
  const double unit = widest(robot);
  const ColorRGBA grey{0.6F, 0.6F, 0.62F, 1.0F}, dark{0.25F, 0.25F, 0.28F, 1.0F}, white{1.0F, 1.0F, 1.0F, 1.0F};
  auto& all = array_.markers;
  all = {shape(frame_edges, Marker::LINE_LIST, frame, 0.01 * unit, grey),
         shape(anchors, Marker::SPHERE_LIST, frame, 0.03 * unit, dark),
         shape(platform, Marker::CUBE, frame, 1, {0.85F, 0.55F, 0.15F, 0.9F}),
         shape(cable_lines, Marker::LINE_LIST, frame, 0.005 * unit, white),
         shape(desired, Marker::CUBE, frame, 1, {0.85F, 0.55F, 0.15F, 0.25F}),
         shape(words, Marker::TEXT_VIEW_FACING, frame, 0.05 * unit, white)};
  draw_frame(robot_, all[frame_edges]);
  for (int i = 0; i < robot_.cables(); ++i) all[anchors].points.push_back(ros2::point_from(robot_.cable(i).frame));
  const Eigen::Vector3d& size = robot_.design().size;
  all[platform].scale = all[desired].scale = {size.x(), size.y(), size.z()};
  const std::size_t points = 2 * dashes * static_cast<std::size_t>(robot_.cables());
  all[cable_lines].points.resize(points);
  all[cable_lines].colors.resize(points);
  all[words].text.reserve(300);
}

const ros2::visualization_msgs::MarkerArray& Markers::update(const State& state, const Stamp& stamp) {
  auto& all = array_.markers;
  for (Marker& marker : all) marker.header.stamp = stamp;
  const Pose X_world_platform = pose_of(state.pose);
  fill(all[platform].pose, state.pose);
  all[platform].action = state.pose_known ? Marker::ADD : Marker::DELETE;
  all[cable_lines].action = all[platform].action;
  for (int i = 0; i < robot_.cables(); ++i) draw_cable(i, X_world_platform, state);
  fill(all[desired].pose, state.has_target ? state.target : state.set_point);
  const bool elsewhere = state.has_target || state.set_velocity != std::array<double, 6>{};
  all[desired].action = elsewhere ? Marker::ADD : Marker::DELETE;
  fill(all[words].pose, state.pose);
  all[words].pose.position.z += 0.75 * robot_.design().size.z() + 0.05 * all[words].scale.z;
  all[words].text.clear();
  fmt::format_to(std::back_inserter(all[words].text), "{}, margin {:.1f} N", name(state.activity), state.margin);
  if (state.slack != 0) fmt::format_to(std::back_inserter(all[words].text), ", {} slack", std::popcount(state.slack));
  if (!state.refusal.empty()) fmt::format_to(std::back_inserter(all[words].text), "\n{}", state.refusal.view());
  return array_;
}

void Markers::draw_cable(int i, const Pose& X_world_platform, const State& state) {
  auto& lines = array_.markers[cable_lines];
  const Eigen::Vector3d from = robot_.cable(i).frame, to = X_world_platform * robot_.cable(i).platform;
  const auto at = static_cast<std::size_t>(i);
  const bool slack = ((state.slack >> i) & 1) != 0;
  const ColorRGBA color = tension_color(state.tensions[at], robot_.design().tension);
  for (std::size_t dash = 0; dash < dashes; ++dash) {
    const double begin = static_cast<double>(dash) / dashes;
    const double end = begin + (slack ? drawn : 1.0) / dashes;
    const std::size_t point = 2 * (at * dashes + dash);
    lines.points[point] = ros2::point_from(from + begin * (to - from));
    lines.points[point + 1] = ros2::point_from(from + end * (to - from));
    lines.colors[point] = lines.colors[point + 1] = color;
  }
}

}  // namespace tandem::cable_robot
