// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/ros/topics.hpp"

#include <fmt/format.h>

#include <iterator>

#include "tandem/machines/kit/ros/diagnosis.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::em1500 {
namespace {

using ros2::diagnostic_msgs::DiagnosticStatus;
using ros2::visualization_msgs::Marker;

constexpr Duration markers_period = 100ms;

Marker marker(int id, std::int32_t type, double size, std::size_t points) {
  Marker m;
  m.ns = "em1500";
  m.id = id;
  m.type = type;
  m.pose.orientation.w = 1;
  m.scale = {size, size, size};
  m.color = {0.75F, 0.75F, 0.78F, 1.0F};
  m.points.resize(points);
  return m;
}

// Grey in the middle of the stroke, red at its end.
ros2::std_msgs::ColorRGBA leg_color(double length) {
  const double used = std::min(1.0, std::abs(length - neutral_length) / stroke);
  const auto cold = static_cast<float>(0.75 * (1 - used * used));
  return {0.75F, cold, cold, 1.0F};
}

DiagnosticStatus diagnosis(const State& state, const std::string& part, const std::string& hardware) {
  const bool out_of_stroke = state.stroke_margin < 0;
  DiagnosticStatus status = machines::diagnosis_of(state, part, hardware, out_of_stroke,
                                                   out_of_stroke ? "a leg is beyond its stroke" : "live");
  status.values = {
      {"quality", name(state.quality)},
      {"samples", fmt::format("{}", state.samples)},
      {"skipped", fmt::format("{}", state.skipped)},
      {"rejected", fmt::format("{}", state.rejected)},
      {"last rejection", std::string(state.rejection.view())},
      {"malformed notifications", fmt::format("{}", state.malformed)},
      {"round trip", fmt::format("{:.1f} ms", 1e3 * seconds(state.round_trip))},
      {"samples by", std::string(state.source.view())},
      {"stroke margin", fmt::format("{:.4f} m", state.stroke_margin)},
      {"condition", fmt::format("{:.3f}", state.condition)},
  };
  return status;
}

}  // namespace

std::string_view legs_topic(Profile profile) {
  return profile == Profile::original ? "stewart/legs_em1500" : "stewart/extensions_em1500";
}

Topics::Topics(ros2::Context& context, const Names& names, Profile profile, Clock& clock, const Latest<State>& shared,
               Duration stale_after)
    : node_(context, names.node, names.name_space, clock),
      legs_publisher_(node_.advertise<ros2::std_msgs::Float64MultiArray>(legs_topic(profile))),
      pose_publisher_(node_.advertise<ros2::geometry_msgs::PoseStamped>("stewart/pose")),
      joints_publisher_(node_.advertise<ros2::sensor_msgs::JointState>("stewart/joint_states")),
      markers_publisher_(node_.advertise<ros2::visualization_msgs::MarkerArray>("stewart/markers")),
      tf_(node_),
      diagnostics_(node_, node_.clock(), [&, part = names.node + ": bridge", hardware = names.hardware, stale_after] {
        const State state = machines::state_to_diagnose(shared, clock, 2 * stale_after);
        return std::vector{diagnosis(state, part, hardware)};
      }) {
  const std::string base = names.prefix + base_frame;
  legs_.data.resize(6);
  pose_.header.frame_id = base;
  joints_.header.frame_id = base;
  for (int leg = 1; leg <= 6; ++leg) joints_.name.push_back(fmt::format("leg_{}_joint", leg));
  joints_.position.resize(6);
  transform_.header.frame_id = base;
  transform_.child_frame_id = names.prefix + top_frame;
  markers_.markers = {marker(0, Marker::LINE_LIST, 0.05, 12), marker(1, Marker::SPHERE_LIST, 0.08, 6),
                      marker(2, Marker::LINE_STRIP, 0.04, 7)};
  for (Marker& each : markers_.markers) each.header.frame_id = base;
  markers_.markers[0].colors.resize(12);
  for (std::size_t leg = 0; leg < 6; ++leg) markers_.markers[1].points[leg] = ros2::point_from(geometry().base[leg]);
}

void Topics::publish(const State& state, const Pose& X_base_top, UtcTime received, Instant now) {
  const auto stamp = ros2::message_from(received);
  std::copy(state.displacements.begin(), state.displacements.end(), legs_.data.begin());
  legs_publisher_.publish(legs_);

  pose_.header.stamp = stamp;
  pose_.pose = ros2::message_from(X_base_top);
  pose_publisher_.publish(pose_);

  joints_.header.stamp = stamp;
  std::copy(state.lengths.begin(), state.lengths.end(), joints_.position.begin());
  joints_publisher_.publish(joints_);

  transform_.header.stamp = stamp;
  transform_.transform = ros2::transform_from(X_base_top);
  tf_.send(transform_);

  if (now < next_markers_) return;
  next_markers_ = now + markers_period;
  for (auto& each : markers_.markers) each.header.stamp = stamp;
  fill_markers(state, X_base_top);
  markers_publisher_.publish(markers_);
}

void Topics::fill_markers(const State& state, const Pose& X_base_top) {
  auto& legs = markers_.markers[0];
  auto& plate = markers_.markers[2];
  for (std::size_t leg = 0; leg < 6; ++leg) {
    const auto joint = ros2::point_from(X_base_top * geometry().top[leg]);
    legs.points[2 * leg] = ros2::point_from(geometry().base[leg]);
    legs.points[2 * leg + 1] = joint;
    legs.colors[2 * leg] = legs.colors[2 * leg + 1] = leg_color(state.lengths[leg]);
    plate.points[leg] = joint;
  }
  plate.points[6] = plate.points[0];
}

}  // namespace tandem::em1500
