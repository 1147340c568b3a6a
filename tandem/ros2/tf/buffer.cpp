// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/tf/buffer.hpp"

#include <algorithm>
#include <cmath>

#include "tandem/base/nearest.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::ros2 {
namespace {

constexpr std::size_t longest_frame_id = 255;
constexpr std::size_t senders_per_frame = 4;
constexpr double averaged = 20.0;
constexpr double norm_tolerance = 10e-3;  // of tf2, on the squared norm

std::string_view without_slash(std::string_view name) {
  if (name.starts_with('/')) name.remove_prefix(1);
  return name;
}

bool has_good_length(std::string_view name) { return !name.empty() && name.size() <= longest_frame_id; }

std::string shown(const geometry_msgs::TransformStamped& transform) {
  return printable(transform.child_frame_id, 40) + " in " + printable(transform.header.frame_id, 40);
}

TfRefusal objection(const geometry_msgs::TransformStamped& transform) {
  const std::string_view child = without_slash(transform.child_frame_id);
  const std::string_view parent = without_slash(transform.header.frame_id);
  if (!has_good_length(child) || !has_good_length(parent)) return TfRefusal::name;
  if (child == parent) return TfRefusal::self;
  const auto& [x, y, z] = transform.transform.translation;
  const auto& q = transform.transform.rotation;
  const double norm2 = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
  if (!std::isfinite(x) || !std::isfinite(y) || !std::isfinite(z) || std::isnan(norm2)) return TfRefusal::not_finite;
  const bool finite = std::isfinite(q.x) && std::isfinite(q.y) && std::isfinite(q.z) && std::isfinite(q.w);
  if (!finite) return TfRefusal::not_finite;
  return std::abs(norm2 - 1.0) < norm_tolerance ? TfRefusal::none : TfRefusal::not_unit;
}

TfSample sample_from(const geometry_msgs::TransformStamped& transform, std::uint32_t parent) {
  const auto& p = transform.transform.translation;
  const auto& q = transform.transform.rotation;
  return {
      utc_from(transform.header.stamp), parent, {{p.x, p.y, p.z}, Eigen::Quaterniond(q.w, q.x, q.y, q.z).normalized()}};
}

bool same(const TfSample& a, const TfSample& b) {
  return a.parent == b.parent && a.X_parent_child.translation == b.X_parent_child.translation &&
         a.X_parent_child.rotation.coeffs() == b.X_parent_child.rotation.coeffs();
}

// The plain mean at first, then one that forgets.
void average(double& mean, double value, std::uint64_t count) {
  mean += (value - mean) / std::min(static_cast<double>(count), averaged);
}

}  // namespace

const char* text_of(TfRefusal refusal) {
  switch (refusal) {
    case TfRefusal::none:
      return "taken";
    case TfRefusal::name:
      return "a frame name is empty, longer than 255 bytes or not printable";
    case TfRefusal::self:
      return "the frame is its own parent";
    case TfRefusal::not_finite:
      return "a number is NaN or infinite";
    case TfRefusal::not_unit:
      return "the rotation is not a unit quaternion";
    case TfRefusal::old:
      return "the stamp is older than the buffer";
    case TfRefusal::full:
      return "the maximum number of frames is reached";
  }
  return "?";
}

TfBuffer::TfBuffer(const TfLimits& limits)
    : limits_{.history = std::clamp<Duration>(limits.history, 0ns, 24h * 365),
              .samples_per_frame = std::max<std::size_t>(limits.samples_per_frame, 1),
              .samples = limits.samples,
              .frames = std::max<std::size_t>(limits.frames, 2),
              .senders = std::max<std::size_t>(limits.senders, 1)} {}

const TfBuffer::FrameId* TfBuffer::find(std::string_view name) const {
  const auto found = ids_.find(without_slash(name));
  return found == ids_.end() ? nullptr : &found->second;
}

std::optional<TfBuffer::FrameId> TfBuffer::add(std::string_view name) {
  if (const FrameId* known = find(name)) return *known;
  if (frames_.size() >= limits_.frames) return std::nullopt;
  const auto id = static_cast<FrameId>(frames_.size());
  frames_.emplace_back().name = without_slash(name);
  met_.emplace_back();
  ids_.emplace(frames_.back().name, id);
  return id;
}

TfRefusal TfBuffer::insert(const geometry_msgs::TransformStamped& transform, bool is_static,
                           const TfReception& reception) {
  TfRefusal refusal = objection(transform);
  {
    const std::scoped_lock lock(mutex_);
    if (refusal == TfRefusal::none) refusal = take(transform, is_static, reception);
    TfSender& from = sender(reception);
    from.heard = reception.received;
    if (refusal == TfRefusal::none) {
      ++from.taken;
    } else {
      ++from.refused[static_cast<std::size_t>(refusal)];
      from.last_refusal = refusal;
      from.last_refused = shown(transform);
    }
  }
  if (refusal == TfRefusal::none) changed_.notify_all();
  return refusal;
}

TfRefusal TfBuffer::take(const geometry_msgs::TransformStamped& transform, bool is_static,
                         const TfReception& reception) {
  std::size_t new_names = 0;
  for (const std::string_view name :
       {without_slash(transform.child_frame_id), without_slash(transform.header.frame_id)}) {
    if (find(name)) continue;
    if (printable(name, longest_frame_id) != name) return TfRefusal::name;
    ++new_names;
  }
  if (frames_.size() + new_names > limits_.frames) return TfRefusal::full;
  const FrameId child = *add(transform.child_frame_id);
  const TfSample sample = sample_from(transform, *add(transform.header.frame_id));

  Frame& frame = frames_[child];
  if (frame.facts.count == 0) frame.history = TfHistory(is_static);
  const FrameId parent_before = frame.history.empty() ? sample.parent : frame.history.newest().parent;
  const bool same_value = !frame.history.empty() && same(frame.history.newest(), sample);
  samples_ -= frame.history.size();
  const bool taken = frame.history.insert(sample, limits_.history, limits_.samples_per_frame);
  while (frame.history.size() > 1 && samples_ + frame.history.size() > limits_.samples) frame.history.drop_oldest();
  samples_ += frame.history.size();
  if (!taken) return TfRefusal::old;

  frame.facts.both_topics |= frame.history.is_static() != is_static;
  if (parent_before != sample.parent) {
    ++frame.facts.parent_changes;
    frame.previous_parent = parent_before;
  }
  note_sender(frame, same_value, reception);
  note_times(frame, sample.stamp, reception);
  return TfRefusal::none;
}

void TfBuffer::note_sender(Frame& frame, bool same_value, const TfReception& reception) {
  std::vector<TfFrameSender>& senders = frame.facts.senders;
  const auto known = std::ranges::find(senders, reception.sender, &TfFrameSender::sender);
  const bool is_new = known == senders.end();
  // A sender that took over for good is no contest; one that comes back after another was never gone.
  const bool contested = frame.history.is_static() ? !senders.empty() && known != senders.begin() && !same_value
                                                   : !is_new && known != senders.begin();
  if (contested) frame.facts.contested = reception.received;
  TfFrameSender entry = is_new ? TfFrameSender{.sender = reception.sender} : *known;
  ++entry.count;
  entry.heard = reception.received;
  if (!is_new) senders.erase(known);
  senders.insert(senders.begin(), entry);
  if (senders.size() > senders_per_frame) senders.pop_back();
}

void TfBuffer::note_times(Frame& frame, UtcTime stamp, const TfReception& reception) {
  TfFrame& facts = frame.facts;
  if (facts.count > 0) average(frame.period, seconds(reception.received - facts.heard), facts.count);
  ++facts.count;
  facts.heard = reception.received;
  if (frame.history.is_static() || reception.utc == UtcTime{}) return;
  const Duration delay = reception.utc - stamp;
  average(frame.delay, seconds(delay), ++frame.delays);
  facts.least_delay = std::min(facts.least_delay, delay);
}

TfSender& TfBuffer::sender(const TfReception& reception) {
  if (const auto known = senders_.find(reception.sender); known != senders_.end()) return known->second;
  if (senders_.size() >= limits_.senders) {
    senders_.erase(std::ranges::min_element(senders_, {}, [](const auto& entry) { return entry.second.heard; }));
  }
  TfSender& added = senders_[reception.sender];
  added.gid = reception.sender;
  return added;
}

TfSnapshot TfBuffer::snapshot() const {
  const std::scoped_lock lock(mutex_);
  TfSnapshot snapshot;
  for (const auto& [name, id] : ids_) {
    const Frame& frame = frames_[id];
    TfFrame& facts = snapshot.frames.emplace_back(frame.facts);
    facts.name = name;
    facts.is_static = frame.history.is_static();
    facts.samples = frame.history.size();
    facts.period = duration_of(frame.period);
    facts.delay = duration_of(frame.delay);
    if (facts.parent_changes > 0) facts.previous_parent = frames_[frame.previous_parent].name;
    if (frame.history.empty()) continue;
    facts.parent = frames_[frame.history.newest().parent].name;
    facts.oldest = frame.history.oldest().stamp;
    facts.newest = frame.history.newest().stamp;
  }
  for (const auto& [gid, sender] : senders_) snapshot.senders.push_back(sender);
  return snapshot;
}

void TfBuffer::clear() {
  const std::scoped_lock lock(mutex_);
  for (Frame& frame : frames_) {
    if (frame.history.is_static()) continue;
    samples_ -= frame.history.size();
    frame.history.clear();
    frame.delay = 0.0;
    frame.delays = 0;
    frame.facts.least_delay = Duration::max();
  }
}

}  // namespace tandem::ros2
