// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/companion/path_recorder.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <stdexcept>

#include "tandem/machines/orca/companion/path_picture.hpp"
#include "tandem/machines/orca/description.hpp"
#include "tandem/machines/orca/scene.hpp"
#include "tandem/ros2/messages/nav_msgs.hpp"
#include "tandem/ros2/messages/orb_slam3_msgs.hpp"
#include "tandem/ros2/messages/orca_msgs.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::orca {
namespace {

const ros2::Qos looking = ros2::Qos::looking(ros2::Qos::sensor_data());

using ros2::MessageInfo;
using ros2::geometry_msgs::PoseStamped;
using ros2::nav_msgs::Odometry;
using ros2::orb_slam3_msgs::SlamStatus;
using ros2::orca_msgs::BridgeStatus;

constexpr Duration recorder_poll = 20ms;
constexpr Duration drawn_for = 1s;   // what was received longer ago is not drawn
constexpr double remembered = 1.0;   // s of estimates, to be compared with a truth that comes later
constexpr double same_moment = 0.5;  // s between two estimates with a truth between them

double stamp_seconds(const ros2::builtin_interfaces::Time& stamp) {
  return static_cast<double>(stamp.sec) + 1e-9 * static_cast<double>(stamp.nanosec);
}

std::array<double, 3> place_of(const ros2::geometry_msgs::Pose& pose) {
  return {pose.position.x, pose.position.y, pose.position.z};
}

std::array<double, 4> turn_of(const ros2::geometry_msgs::Pose& pose) {
  return {pose.orientation.x, pose.orientation.y, pose.orientation.z, pose.orientation.w};
}

// Nothing for numbers that are no pose.
std::optional<Pose> checked_pose(const std::array<double, 3>& position, const std::array<double, 4>& turn) {
  const Eigen::Vector3d place(position[0], position[1], position[2]);
  const Eigen::Quaterniond q(turn[3], turn[0], turn[1], turn[2]);
  const double length = q.norm();
  if (!place.allFinite() || !(length > 0.5 && length < 2)) return std::nullopt;
  return tandem::pose_from(place, q.normalized().toRotationMatrix());
}

Eigen::Vector3d vector_of(const std::array<double, 3>& place) { return {place[0], place[1], place[2]}; }

const RecorderOptions& checked_recorder(const RecorderOptions& options) {
  if (options.file.empty()) return options;
  if (auto good = check_path_file(options.file); !good) throw std::invalid_argument(good.error().text);
  return options;
}

}  // namespace

void TruePlace::hear_estimate(const Heard& estimate) {
  if (!estimates_.empty() && estimate.time <= estimates_.back().time) {
    if (estimates_.back().time - estimate.time < remembered) return;
    estimates_.clear();  // the clock was set back
    truth_.reset();
  }
  estimates_.push_back(estimate);
  while (estimate.time - estimates_.front().time > remembered) estimates_.pop_front();
  compare();
}

void TruePlace::hear_truth(const Heard& truth) {
  truth_ = truth;
  compare();
}

// The estimate of the truth's own moment, from the two around it.
void TruePlace::compare() {
  if (!truth_) return;
  const auto after = std::find_if(estimates_.begin(), estimates_.end(),
                                  [&](const Heard& heard) { return heard.time >= truth_->time; });
  if (after == estimates_.begin() || after == estimates_.end()) return;
  const Heard &a = *std::prev(after), &b = *after;
  if (b.time - a.time > same_moment) return;
  const double share = (truth_->time - a.time) / (b.time - a.time);
  const Eigen::Vector3d place =
      a.X_map_base.translation() + share * (b.X_map_base.translation() - a.X_map_base.translation());
  const Eigen::Quaterniond turn =
      Eigen::Quaterniond(a.X_map_base.linear()).slerp(share, Eigen::Quaterniond(b.X_map_base.linear()));
  Pose X_map_true = truth_->X_map_base;
  if (!begins_) begins_ = place - X_map_true.translation();
  X_map_true.translation() += *begins_;
  X_base_true_ = tandem::pose_from(place, turn.toRotationMatrix()).inverse() * X_map_true;
  truth_.reset();
}

std::optional<Pose> TruePlace::X_map_true() const {
  if (!X_base_true_ || estimates_.empty()) return std::nullopt;
  return estimates_.back().X_map_base * *X_base_true_;
}

PathRecorder::PathRecorder(ros2::Context& context, const RecorderOptions& options, Clock& clock)
    : options_(checked_recorder(options)),
      clock_(clock),
      node_(context, options.node, options.name_space),
      subscriptions_{
          node_.subscribe<Odometry>(truth_topic, looking,
                                    [this](const Odometry& message, const MessageInfo&) {
                                      truths_.post({stamp_seconds(message.header.stamp), place_of(message.pose.pose), 0,
                                                    turn_of(message.pose.pose)});
                                    }),
          node_.subscribe<PoseStamped>("ekf_pose", looking,
                                       [this](const PoseStamped& message, const MessageInfo&) {
                                         if (!aiding_.load(std::memory_order_relaxed)) return;
                                         estimates_.post({stamp_seconds(message.header.stamp), place_of(message.pose),
                                                          0, turn_of(message.pose)});
                                       }),
          node_.subscribe<BridgeStatus>("bridge_status", looking,
                                        [this](const BridgeStatus& message, const MessageInfo&) {
                                          aiding_.store((message.flags & BridgeStatus::WAIT_EKF) == 0,
                                                        std::memory_order_relaxed);
                                        }),
          node_.subscribe<SlamStatus>("slam_status", looking, [this](const SlamStatus& message, const MessageInfo&) {
            if (message.tracking_state != static_cast<int>(Tracking::ok)) return;
            sightings_.post({stamp_seconds(message.header.stamp), place_of(message.pose), message.map_id});
          })} {}

void PathRecorder::run(std::stop_token stop) {
  Instant next_write = clock_.now() + options_.write_every;
  while (!stop.stop_requested()) {
    listen();
    if (clock_.now() >= next_write) {
      write();
      next_write = clock_.now() + options_.write_every;
    }
    clock_.sleep_until(clock_.now() + recorder_poll);
  }
  listen();
  write();
}

void PathRecorder::listen() {
  const auto since = [this](double time) {
    if (!began_) began_ = time;
    return time - *began_;
  };
  if (const auto truth = truths_.take()) {
    log_.truth.add({since(truth->time), vector_of(truth->position)});
    const Eigen::Vector3d here = vector_of(truth->position);
    if (last_truth_ && offset_ && here.allFinite()) compared_.travelled += (here - *last_truth_).norm();
    if (here.allFinite()) last_truth_ = here;
    if (const auto pose = checked_pose(truth->position, truth->orientation)) place_.hear_truth({truth->time, *pose});
  }
  if (const auto sighting = sightings_.take())
    log_.slam.add({since(sighting->time), vector_of(sighting->position), sighting->map});
  if (const auto estimate = estimates_.take()) {
    log_.estimate.add({since(estimate->time), vector_of(estimate->position)});
    compare();
    if (const auto pose = checked_pose(estimate->position, estimate->orientation)) {
      place_.hear_estimate({estimate->time, *pose});
      draw();
    }
  }
}

void PathRecorder::draw() {
  const auto X_map_true = place_.X_map_true();
  if (!X_map_true) return;
  const Eigen::Vector3d place = X_map_true->translation();
  const Eigen::Quaterniond q(X_map_true->linear());
  drawn_.put({{place.x(), place.y(), place.z()}, {q.x(), q.y(), q.z(), q.w()}, clock_.now()});
}

machines::Picture PathRecorder::truth_picture() const {
  const auto drawn = drawn_.get();
  if (!drawn || clock_.now() - drawn->at > drawn_for) return {};
  const auto X_map_true = checked_pose(drawn->position, drawn->orientation);
  return X_map_true ? picture_at(*X_map_true) : machines::Picture{};
}

// At the last instant that both paths know.
void PathRecorder::compare() {
  if (log_.truth.points().empty() || log_.estimate.points().empty()) return;
  const double time = std::min(log_.truth.points().back().time, log_.estimate.points().back().time);
  const auto truth = log_.truth.at(time), estimate = log_.estimate.at(time);
  if (!truth || !estimate) return;
  const Eigen::Vector3d apart = *estimate - *truth;
  if (!offset_) offset_ = apart;
  compared_.error = (apart - *offset_).norm();
  compared_.known = true;
  shared_.put(compared_);
}

void PathRecorder::write() {
  if (options_.file.empty()) return;
  const auto written = write_paths(log_, options_.file);
  trouble_.put(written ? ShortText<160>{} : ShortText<160>(written.error().text));
}

std::vector<machines::Value> PathRecorder::values() const {
  std::vector<machines::Value> values;
  if (const PathError now = error(); now.known) {
    values.push_back({"error, travelled", "m", {now.error, now.travelled}, ""});
  }
  if (const auto trouble = trouble_.get(); trouble && !trouble->empty())
    values.push_back({"paths", "", {}, std::string(trouble->view())});
  return values;
}

}  // namespace tandem::orca
