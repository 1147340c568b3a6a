// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/vision/gate.hpp"

#include <algorithm>

namespace tandem::orca {
namespace {

// The camera's clock was put back: after this many frames it is believed.
constexpr int most_bad_times = 3;
constexpr Duration longest_repeat = 250ms;  // of one and the same sonar reading

}  // namespace

const char* name(Verdict verdict) {
  switch (verdict) {
    case Verdict::good:
      return "good";
    case Verdict::begins:
      return "first frame of a chain";
    case Verdict::silent:
      return "no SLAM messages";
    case Verdict::lost:
      return "the SLAM does not track";
    case Verdict::new_map:
      return "the SLAM began a new map";
    case Verdict::no_sonar:
      return "no sonar range";
    case Verdict::no_scale:
      return "the map's scale is unknown";
    case Verdict::not_finite:
      return "the SLAM pose contains NaN or infinity";
    case Verdict::bad_time:
      return "the image's stamp is not newer than the previous one";
    case Verdict::gap:
      return "too much time since the previous image";
    case Verdict::outlier:
      return "outlier: more than the vehicle can move";
  }
  return "?";
}

VisionGate::VisionGate(const VisionOptions& options) : options_(options), scales_(options.scale) {}

void VisionGate::mount(const Pose& X_base_camera) {
  if (options_.X_base_camera.isApprox(X_base_camera)) return;
  options_.X_base_camera = X_base_camera;
  before_.reset();
}

void VisionGate::hear_attitude(const Eigen::Matrix3d& R_map_base, Instant at) {
  if (R_map_base.allFinite()) ups_.add(at, R_map_base.row(2).transpose());
}

// The autopilot repeats a reading until there is another: only one that differs is new. One that stays the same for
// long is taken as given again.
void VisionGate::hear_sonar(double range, const Eigen::Matrix3d& R_map_base, Instant at) {
  const double corrected = range - options_.sonar_offset;
  if (!scales_.hear(corrected, at)) return;
  const bool repeated = !heights_.empty() && range == last_range_ && at - heights_.newest_at() < longest_repeat;
  if (repeated) return;
  last_range_ = range;
  const Instant measured = at - options_.sonar_age;
  const Eigen::Vector3d up = ups_.empty() ? Eigen::Vector3d(R_map_base.row(2).transpose()) : ups_.at(measured);
  if (ups_.empty()) upright_ = up;
  const double height = height_from_sonar(corrected, up, options_.X_base_sonar, options_.sonar_half_angle);
  if (height > 0) heights_.add(measured, height);
}

double VisionGate::camera_range_at(Instant moment) const {
  if (heights_.empty()) return 0;
  return camera_range(heights_.at(moment), ups_.empty() ? upright_ : ups_.at(moment), options_.X_base_camera);
}

VisionGate::Step VisionGate::take(const Sighting& sighting, Instant now) {
  heard_ = now;
  Step step;
  step.verdict = judge(sighting, now, step);
  ++counts_[static_cast<std::size_t>(step.verdict)];
  if (step.verdict != Verdict::good && step.verdict != Verdict::outlier) step.delta.reset();
  conclude(step.verdict);
  return step;
}

Verdict VisionGate::judge(const Sighting& sighting, Instant now, Step& step) {
  if (sighting.tracking != Tracking::ok) return Verdict::lost;
  if (!sighting.X_world_camera.finite()) return Verdict::not_finite;
  const bool other_map = map_ && *map_ != sighting.map;
  map_ = sighting.map;
  if (other_map) before_.reset();
  if (before_ && sighting.stamp <= before_->sighting.stamp && ++bad_times_ < most_bad_times) return Verdict::bad_time;
  bad_times_ = 0;
  scales_.observe(sighting.map, sighting.visual.best(), camera_range_at(sighting.seen()), now);
  step.scale = scales_.scale(sighting.map);
  step.placed = step.scale.known();
  const Pose X_world_camera = pose_from(sighting.X_world_camera);
  step.X_slam_base = orca::X_slam_base(X_world_camera, step.scale.value, options_.X_base_camera);
  Verdict verdict = Verdict::begins;
  if (!scales_.sonar_fresh(now)) {
    verdict = Verdict::no_sonar;
  } else if (!step.scale.known() || now - step.scale.at > options_.longest_hold) {
    verdict = Verdict::no_scale;
  } else if (other_map) {
    verdict = Verdict::new_map;
  } else if (before_ && !sighting.map_changed) {
    verdict = judge_delta(sighting, now, step);
  }
  before_ = Before{sighting, X_world_camera};
  return verdict;
}

Verdict VisionGate::judge_delta(const Sighting& sighting, Instant now, Step& step) {
  const Duration span = sighting.stamp - before_->sighting.stamp;
  if (span <= Duration{}) return Verdict::begins;
  if (span > options_.longest_span) return Verdict::gap;
  step.delta = delta_between(before_->X_world_camera, pose_from(sighting.X_world_camera), step.scale.value,
                             options_.X_base_camera);
  step.delta->span = span;
  step.delta->confidence = confidence_from({.scale_spread = step.scale.spread(),
                                            .points = sighting.visual.points,
                                            .ratio_age = now - step.scale.at,
                                            .longest_hold = options_.longest_hold});
  const bool within =
      step.delta->position.norm() <= options_.most_step && step.delta->rotation.norm() <= options_.most_turn;
  return within ? Verdict::good : Verdict::outlier;  // not within for what is no number, too
}

void VisionGate::conclude(Verdict verdict) {
  verdict_ = verdict;
  if (verdict == Verdict::lost || verdict == Verdict::not_finite || verdict == Verdict::silent) before_.reset();
  if (verdict == Verdict::good) {
    barren_ = 0;
    if (++good_ >= options_.regained_after) source_set_ = 1;
    return;
  }
  if (verdict != Verdict::bad_time) good_ = 0;
  barren_ = std::min(barren_ + 1, options_.given_up_after);
  if (source_set_ != 0 && (blind(verdict) || barren_ >= options_.given_up_after)) source_set_ = 2;
}

void VisionGate::tick(Instant now) {
  if (heard_ != Instant{} && now - heard_ <= options_.longest_silence) return;
  if (verdict_ != Verdict::silent) ++counts_[static_cast<std::size_t>(Verdict::silent)];
  conclude(Verdict::silent);
}

void VisionGate::restart() {
  before_.reset();
  good_ = 0;
  if (source_set_ == 1) source_set_ = 2;
}

void VisionGate::forget() {
  restart();
  scales_.forget();
  map_.reset();
}

Pose MapAnchors::anchor(std::uint32_t map, const Pose& X_map_base, const Pose& X_slam_base) {
  auto* const end = anchors_.begin() + count_;
  auto* known = std::find_if(anchors_.begin(), end, [map](const Anchor& anchor) { return anchor.map == map; });
  if (known != end) return known->X_map_slam;
  const std::size_t place = count_ < anchors_.size() ? count_++ : next_++ % anchors_.size();
  anchors_[place] = {map, X_map_base * X_slam_base.inverse()};
  ++laid_;
  return anchors_[place].X_map_slam;
}

}  // namespace tandem::orca
