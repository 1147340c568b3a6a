// SPDX-License-Identifier: Apache-2.0
// What the bridge does with the SLAM's frames.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "tandem/machines/orca/control/machine.hpp"
#include "tandem/machines/orca/ros/topics.hpp"
#include "tandem/machines/orca/vision/output.hpp"

namespace tandem::orca {
namespace {

constexpr Duration source_retry = 1s;

}  // namespace

void Machine::see(Instant now) {
  transforms_known_ = !ros_ || ros_->transforms_known();
  if (ros_ && ros_->X_base_camera()) gate_.mount(*ros_->X_base_camera());
  const Vehicle& vehicle = autopilot_->vehicle();
  if (vehicle.attitude_at != Instant{})
    gate_.hear_attitude(pose_from(vehicle.X_map_base).linear(), vehicle.attitude_at);
  const auto sighting = commands_.sightings.take();
  if (!sighting) return gate_.tick(now);
  ++state_.frames;
  state_.tracking = sighting->tracking;
  state_.map = sighting->map;
  state_.visual = sighting->visual;
  const VisionGate::Step step = gate_.take(*sighting, now);
  state_.verdict = step.verdict;
  if (step.verdict == Verdict::outlier) ++state_.outliers;
  if (step.placed) {
    state_.scale = step.scale.value;
    state_.scale_spread = step.scale.spread();
    state_.scale_known = true;
  }
  place(*sighting, step, now);
  if (step.verdict == Verdict::good) tell_vision(*sighting, step, now);
  if (ros_ && sighting->tracking == Tracking::ok) {
    shared_.put(state_);
    ros_->publish_vision(state_, UtcTime(sighting->stamp));
  }
}

void Machine::place(const Sighting& sighting, const VisionGate::Step& step, Instant now) {
  state_.moved = step.delta.has_value();
  if (step.delta) state_.X_before_now = plain_from(step.delta->X_before_now);
  const Vehicle& vehicle = autopilot_->vehicle();
  state_.placed = step.placed && vehicle.attitude_at != Instant{} && now - vehicle.attitude_at <= stale_after_ &&
                  autopilot_->attitude_trusted(now);
  if (!state_.placed) return;
  const Pose X_map_slam = anchors_.anchor(sighting.map, pose_from(vehicle.X_map_base), step.X_slam_base);
  state_.X_map_slam = plain_from(X_map_slam);
  state_.X_map_slam_base = plain_from(X_map_slam * step.X_slam_base);
}

void Machine::tell_vision(const Sighting& sighting, const VisionGate::Step& step, Instant now) {
  if (!transforms_known_ || autopilot_->doubled(now)) return;
  if (autopilot_->presence(now) != mavlink::Presence::live) return;
  if (message_ != VisionMessage::delta && !state_.placed) return;
  const std::uint64_t stamp = autopilot_->autopilot_microseconds(sighting.seen());
  bool left = false;
  switch (message_) {
    case VisionMessage::delta:
      left = link_->send(delta_message(*step.delta, stamp));
      break;
    case VisionMessage::estimate:
      left = link_->send(estimate_message(pose_from(state_.X_map_slam_base), stamp, anchors_.laid()));
      break;
    case VisionMessage::odometry:
      left = link_->send(odometry_message(pose_from(state_.X_map_slam_base), *step.delta, stamp, anchors_.laid()));
      break;
  }
  if (!left) return;
  ++state_.sent;
  state_.confidence = step.delta->confidence;
  state_.latency = clock_.now() - sighting.received;
}

void Machine::tell_sources(Instant now) {
  const int wanted = gate_.source_set();
  if (!switch_sources_ || wanted == 0) return;
  if (source_command_ != 0) {
    const mavlink::CommandOutcome outcome = autopilot_->commands().outcome(source_command_);
    if (!outcome.finished() && outcome.status != mavlink::CommandStatus::unknown) return;
    source_command_ = 0;
    if (outcome.status == mavlink::CommandStatus::accepted)
      state_.source_set = source_asked_;
    else
      source_next_ = now + source_retry;
  }
  if (wanted == state_.source_set || now < source_next_) return;
  source_asked_ = wanted;
  source_command_ = autopilot_->commands().start(
      mavlink::command_to(autopilot_options_.vehicle, mavlink::command::ekf_source_set, static_cast<float>(wanted)));
}

std::uint16_t Machine::wait_flags(Instant now) const {
  std::uint16_t flags = 0;
  if (!transforms_known_) flags |= waits::transforms;
  if (!gate_.scales().sonar_fresh(now)) flags |= waits::sonar;
  if (!autopilot_->aiding(now)) flags |= waits::ekf;
  if (gate_.verdict() == Verdict::silent || state_.tracking != Tracking::ok) flags |= waits::slam;
  if (state_.verdict == Verdict::outlier) flags |= waits::outlier;
  return flags;
}

ShortText<160> Machine::waiting_for(Instant now) const {
  if (!transforms_known_) return "waiting for the transform from base_link to camera_link";
  if (!gate_.scales().sonar_fresh(now)) {
    const Vehicle& vehicle = autopilot_->vehicle();
    if (vehicle.sonar_at == Instant{}) return "waiting for the sonar: no RANGEFINDER yet";
    return short_text<160>("waiting for the sonar: last range {:.2f} m, {:.1f} s ago", vehicle.sonar,
                           seconds(now - vehicle.sonar_at));
  }
  const Verdict verdict = gate_.verdict();
  if (blind(verdict)) return short_text<160>("waiting for the SLAM: {}", name(verdict));
  if (!autopilot_->vehicle().has_origin && autopilot_options_.origin && !autopilot_->aiding(now))
    return "waiting for the EKF: the vehicle has no origin yet";
  if (!autopilot_->aiding(now) && !autopilot_->vehicle().advice.empty())
    return short_text<160>("waiting for the EKF: {}", autopilot_->vehicle().advice.view());
  if (!autopilot_->aiding(now)) {
    return short_text<160>("waiting for the EKF: it does not use vision yet (flags {}, {} frames sent)",
                           autopilot_->vehicle().ekf_flags, state_.sent);
  }
  return "";
}

}  // namespace tandem::orca
