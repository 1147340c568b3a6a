// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/ros/topics.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "tandem/machines/kit/ros/diagnosis.hpp"
#include "tandem/ros2/graph/names.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::orca {
namespace {

using ros2::diagnostic_msgs::DiagnosticStatus;
using ros2::geometry_msgs::PoseStamped;
using ros2::orb_slam3_msgs::SlamStatus;
using ros2::sensor_msgs::PointCloud2;

constexpr Duration look_every = 200ms;  // for transforms that others tell
constexpr Duration too_old_to_tell = 2s;

std::string frame_text(std::string_view frame) { return std::string(frame); }

}  // namespace

Topics::Setup Topics::setup_from(const machines::Setup& setup) {
  const machines::Options& options = setup.options;
  Setup ros;
  ros.node = options.text("node");
  if (auto good = ros2::check_node_name(ros.node); !good) throw std::invalid_argument(good.error().text);
  ros.name_space = options.text("namespace");
  if (auto good = ros2::full_namespace(ros.name_space); !good) throw std::invalid_argument(good.error().text);
  ros.hardware = fmt::format("{} at {}", setup.name, setup.device);
  ros.tf = options.flag("tf");
  ros.hear_transforms = options.text("transforms") == "tf";
  ros.mavros = options.text("profile") == "mavros";
  ros.twist_timeout = duration_of(options.number("command_timeout"));
  ros.sticks = {options.number("full_speed"), options.number("full_turn")};
  return ros;
}

JogTopic jog_topic_from(const Topics::Setup& setup) {
  const auto topic = ros2::full_topic_name(own_order_names().twist, setup.name_space, setup.node);
  if (!topic) throw std::invalid_argument(topic.error().text);
  const auto goal = ros2::full_topic_name(own_order_names().goal, setup.name_space, setup.node);
  if (!goal) throw std::invalid_argument(goal.error().text);
  return {*topic, setup.sticks.full_speed, setup.sticks.full_turn, *goal};
}

std::string camera_topic_from(const Topics::Setup& setup) {
  const auto topic = ros2::full_topic_name("image_raw", setup.name_space, setup.node);
  if (!topic) throw std::invalid_argument(topic.error().text);
  return *topic;
}

Topics::Topics(ros2::Context& context, const Setup& setup, Clock& clock, const Latest<State>& shared,
               Commands& commands, const machines::Lines& lines)
    : node_(context, setup.node, setup.name_space, clock),
      clock_(clock),
      shared_(shared),
      commands_(commands),
      setup_(setup),
      ekf_pose_publisher_(node_.advertise<PoseStamped>("ekf_pose")),
      slam_pose_publisher_(node_.advertise<PoseStamped>("slam_pose")),
      slam_delta_publisher_(node_.advertise<PoseStamped>("slam_delta")),
      ekf_status_publisher_(node_.advertise<ros2::orca_msgs::FilterStatus>("ekf_status")),
      bridge_status_publisher_(node_.advertise<ros2::orca_msgs::BridgeStatus>("bridge_status")),
      points_publisher_(node_.advertise<PointCloud2>("map_points/scaled")),
      refusals_(node_, lines),
      reset_client_(node_, "reset_slam"),
      slam_subscription_(node_.subscribe<SlamStatus>(
          "slam_status", ros2::Qos::sensor_data(),
          [this](const SlamStatus& message, const ros2::MessageInfo& info) { hear(message, info); })),
      points_subscription_(
          node_.subscribe<PointCloud2>("map_points", ros2::Qos::sensor_data(),
                                       [this](const PointCloud2& cloud, const ros2::MessageInfo&) { forward(cloud); })),
      orders_heard_(node_, own_order_names(), setup.twist_timeout, commands, questions_, refusals_),
      diagnostics_(node_, node_.clock(), [this, part = setup.node + ": vehicle", hardware = setup.hardware] {
        const State state = machines::state_to_diagnose(shared_, clock_, too_old_to_tell);
        DiagnosticStatus status = diagnosis(state, part, hardware);
        status.values.push_back({"commands refused", fmt::format("{}", refusals_.count())});
        status.values.push_back({"last refusal", refusals_.last()});
        return std::vector{status};
      }) {
  ekf_pose_.header.frame_id = slam_pose_.header.frame_id = frame_text(frames::map);
  slam_delta_.header.frame_id = frame_text(frames::base);
  ekf_status_.header.frame_id = bridge_status_.header.frame_id = frame_text(frames::map);
  base_.header.frame_id = slam_.header.frame_id = frame_text(frames::map);
  base_.child_frame_id = frame_text(frames::base);
  slam_.child_frame_id = frame_text(frames::slam);
  if (setup.hear_transforms) {
    tf_buffer_.emplace();
    tf_listener_.emplace(node_, *tf_buffer_, node_.clock());
  }
  if (setup.tf) {
    tf_.emplace(node_);
    static_tf_.emplace(node_);
    tell_static_frames(setup);
  }
  if (setup.mavros) {
    mavros_.emplace(node_);
    mavros_orders_heard_.emplace(
        node_, mavros_order_names(), setup.twist_timeout, commands, questions_, refusals_,
        [this](const std::vector<mavlink::MissionItemInt>& items) { mavros_->show_mission(items); });
    mavros_commands_heard_.emplace(node_, setup.sticks, setup.twist_timeout, commands, questions_, refusals_);
  }
}

// Where the SLAM's world lies, and the camera's own axes; and the mounting of camera and sonar, unless others tell it.
void Topics::tell_static_frames(const Setup& setup) {
  const UtcTime now = node_.clock().utc();
  std::vector frames_published{ros2::transform_stamped(now, frames::slam, frames::world, X_slam_world()),
                               ros2::transform_stamped(now, frames::link, frames::camera, X_link_camera())};
  if (!setup.hear_transforms) {
    frames_published.push_back(ros2::transform_stamped(now, frames::base, frames::link, X_base_link()));
    frames_published.push_back(ros2::transform_stamped(now, frames::base, frames::ping, X_base_ping()));
  }
  static_tf_->send(frames_published);
}

bool Topics::transforms_known() {
  if (!setup_.hear_transforms || X_base_camera_) return true;
  const Instant now = clock_.now();
  if (now < next_look_) return false;
  next_look_ = now + look_every;
  const auto X = tf_buffer_->pose(frames::base, frames::link);
  if (X) X_base_camera_ = *X * X_link_camera();
  return X.ok();
}

void Topics::publish_vehicle(const State& state, Instant received) {
  const Stamp stamp = ros2::message_from(node_.clock().utc() - (clock_.now() - received));
  // Without a position there is no pose: a depth alone is in `mavros` and in the status.
  if (state.vehicle.estimates_position) {
    ekf_pose_.header.stamp = stamp;
    fill(ekf_pose_.pose, state.vehicle.X_map_base);
    ekf_pose_publisher_.publish(ekf_pose_);
    fill(base_, state.vehicle.X_map_base, stamp);
    if (tf_) tf_->send(base_);
  }
  if (state.vehicle.ekf_at != Instant{} && clock_.now() - state.vehicle.ekf_at <= ekf_memory) {
    fill(ekf_status_, state.vehicle, stamp);
    ekf_status_publisher_.publish(ekf_status_);
  }
  fill(bridge_status_, state, stamp);
  bridge_status_publisher_.publish(bridge_status_);
  if (mavros_) mavros_->publish(state, stamp, clock_.now());
}

void Topics::publish_vision(const State& state, UtcTime time) {
  const Stamp stamp = ros2::message_from(time);
  if (state.moved) {
    slam_delta_.header.stamp = stamp;
    fill(slam_delta_.pose, state.X_before_now);
    slam_delta_publisher_.publish(slam_delta_);
  }
  if (!state.placed) return;
  slam_pose_.header.stamp = stamp;
  fill(slam_pose_.pose, state.X_map_slam_base);
  slam_pose_publisher_.publish(slam_pose_);
  fill(slam_, state.X_map_slam, stamp);
  if (tf_) tf_->send(slam_);
}

void Topics::hear(const SlamStatus& message, const ros2::MessageInfo& info) {
  const auto sighting = reader_.read(message, info.received, node_.clock().utc());
  if (!sighting) return refusals_.add("slam_status", sighting.error().text);
  commands_.sightings.post(*sighting);
  commands_.bell.ring();
}

void Topics::forward(const PointCloud2& cloud) {
  const State state = shared_.get().value_or(State{});
  if (!state.scale_known) return;
  cloud_ = cloud;
  if (scale_points(cloud_, state.scale)) points_publisher_.publish(cloud_);
}

// No one waits for the answer: a SLAM that restarts says so by its frames.
void Topics::reset_slam() {
  reset_client_.call({}, {.timeout = 5s}, [this](const Result<ros2::std_srvs::Empty::Response>& answer) {
    if (!answer) refusals_.add("reset_slam", answer.error().text);
  });
}

void Topics::say(std::uint8_t severity, std::string_view text) {
  auto level = severity <= 4 ? ros2::LogLevel::warn : ros2::LogLevel::info;
  if (severity <= 3) level = ros2::LogLevel::error;
  node_.log(level, fmt::format("autopilot: {}", text));
  if (mavros_) mavros_->say(severity, text, ros2::message_from(node_.clock().utc()));
}

}  // namespace tandem::orca
