// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/tf/history.hpp"

#include <algorithm>

namespace tandem::ros2 {

TfPose pose_at(const TfBracket& bracket, UtcTime time) {
  const TfSample& before = *bracket.before;
  const TfSample& after = *bracket.after;
  if (before.stamp == after.stamp || before.parent != after.parent) return before.X_parent_child;
  const double ratio =
      static_cast<double>((time - before.stamp).count()) / static_cast<double>((after.stamp - before.stamp).count());
  const TfPose& from = before.X_parent_child;
  const TfPose& to = after.X_parent_child;
  return {(1.0 - ratio) * from.translation + ratio * to.translation, from.rotation.slerp(ratio, to.rotation)};
}

bool TfHistory::insert(const TfSample& sample, Duration keep, std::size_t most) {
  if (is_static_) {
    samples_.assign(1, sample);
    return true;
  }
  if (samples_.empty() || sample.stamp > newest().stamp) {
    samples_.push_back(sample);
  } else {
    if (sample.stamp < newest().stamp - keep) return false;
    if (sample.stamp < oldest().stamp && samples_.size() >= most) return false;
    const auto place = std::ranges::lower_bound(samples_, sample.stamp, {}, &TfSample::stamp);
    if (place->stamp == sample.stamp) {
      *place = sample;
      return true;
    }
    samples_.insert(place, sample);
  }
  while (samples_.size() > most || oldest().stamp < newest().stamp - keep) samples_.pop_front();
  return true;
}

std::optional<TfBracket> TfHistory::at(UtcTime time) const {
  if (samples_.empty()) return std::nullopt;
  if (is_static_) return TfBracket{&newest(), &newest()};
  const auto later = std::ranges::lower_bound(samples_, time, {}, &TfSample::stamp);
  if (later == samples_.end()) return std::nullopt;
  if (later->stamp == time) return TfBracket{&*later, &*later};
  if (later == samples_.begin()) return std::nullopt;
  return TfBracket{&*std::prev(later), &*later};
}

}  // namespace tandem::ros2
