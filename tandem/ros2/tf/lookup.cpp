// SPDX-License-Identifier: Apache-2.0
// The questions that a TfBuffer answers.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

#include "tandem/base/nearest.hpp"
#include "tandem/ros2/tf/buffer.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::ros2 {
namespace {

// No stamp of ROS is before this, and arithmetic with times far before it overflows.
constexpr UtcTime earliest{std::chrono::seconds{std::numeric_limits<std::int32_t>::min()}};

std::string text_of(UtcTime time) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(time);
  return fmt::format("{}.{:09d}", whole.time_since_epoch().count(), (time - whole).count());
}

// In floating point, because the difference of two far times does not fit.
double seconds_between(UtcTime from, UtcTime to) {
  return seconds(to.time_since_epoch()) - seconds(from.time_since_epoch());
}

unsigned int code(TfErrorCode code) { return static_cast<unsigned int>(code); }

}  // namespace

void TfBuffer::walk(FrameId from, std::optional<UtcTime> time, Walk& out) const {
  out.links.clear();
  out.top = from;
  while (true) {
    const TfHistory& history = frames_[out.top].history;
    out.end = Walk::End::root;
    if (history.empty()) return;
    out.end = Walk::End::gap;
    const std::optional<TfBracket> bracket = time ? history.at(*time) : TfBracket{&history.newest(), &history.newest()};
    if (!bracket) return;
    out.links.push_back({out.top, *bracket});
    out.top = bracket->before->parent;
    out.end = Walk::End::cycle;
    if (out.links.size() > frames_.size()) return;
  }
}

std::optional<TfBuffer::Join> TfBuffer::join(FrameId source, FrameId target, std::optional<UtcTime> time) const {
  walk(source, time, source_walk_);
  walk(target, time, target_walk_);
  ++visit_;
  const auto meet = [&](FrameId frame, std::size_t links) {
    if (met_[frame].visit != visit_) met_[frame] = {visit_, links};
  };
  for (std::size_t i = 0; i < source_walk_.links.size(); ++i) meet(source_walk_.links[i].child, i);
  meet(source_walk_.top, source_walk_.links.size());
  for (std::size_t i = 0; i < target_walk_.links.size(); ++i) {
    const Met& met = met_[target_walk_.links[i].child];
    if (met.visit == visit_) return Join{met.links, i};
  }
  const Met& met = met_[target_walk_.top];
  if (met.visit == visit_) return Join{met.links, target_walk_.links.size()};
  return std::nullopt;
}

UtcTime TfBuffer::newest_common(const Join& join) const {
  std::optional<UtcTime> newest;
  const auto limit = [&](const Walk& walk, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      const TfHistory& history = frames_[walk.links[i].child].history;
      if (!history.is_static()) newest = std::min(newest.value_or(UtcTime::max()), history.newest().stamp);
    }
  };
  limit(source_walk_, join.source_links);
  limit(target_walk_, join.target_links);
  return newest.value_or(UtcTime{});
}

TfPose TfBuffer::compose(const Join& join, UtcTime time) const {
  const auto up = [&](const Walk& walk, std::size_t count) {
    TfPose X;
    for (std::size_t i = 0; i < count; ++i) X = pose_at(walk.links[i].bracket, time) * X;
    return X;
  };
  TfPose X = up(target_walk_, join.target_links).inverse() * up(source_walk_, join.source_links);
  X.rotation.normalize();
  return X;
}

Result<TfBuffer::Answer> TfBuffer::answer(std::string_view target, std::string_view source,
                                          std::optional<UtcTime> time) const {
  const FrameId* to = find(target);
  if (!to) return unknown(target);
  const FrameId* from = find(source);
  if (!from) return unknown(source);
  if (time) time = std::max(*time, earliest);
  if (!time) {
    const std::optional<Join> newest = join(*from, *to, std::nullopt);
    if (!newest) return apart(*to, *from);
    time = newest_common(*newest);
    const TfHistory& own = frames_[*from].history;
    if (*to == *from && !own.empty() && !own.is_static()) time = own.newest().stamp;
  }
  const std::optional<Join> found = join(*from, *to, time);
  if (found) return Answer{*time, compose(*found, *time)};
  std::optional<FrameId> gap;
  for (const Walk* walk : {&target_walk_, &source_walk_}) {
    if (walk->end == Walk::End::gap) gap = walk->top;
  }
  // Samples would only help where there is a way at some time.
  if (gap && join(*from, *to, std::nullopt)) return beyond(*gap, *time);
  return apart(*to, *from);
}

Error TfBuffer::unknown(std::string_view name) const {
  const std::string wanted = printable(name, 64);
  std::vector<std::pair<std::size_t, std::string_view>> known;
  for (const Frame& frame : frames_) known.emplace_back(edit_distance(wanted, frame.name), frame.name);
  std::ranges::sort(known);
  std::vector<std::string_view> nearest;
  for (std::size_t i = 0; i < std::min<std::size_t>(known.size(), 3); ++i) nearest.push_back(known[i].second);
  const std::string hint = nearest.empty() ? "no frame is known" : fmt::format("nearest: {}", fmt::join(nearest, ", "));
  return {Fault::not_found, fmt::format("unknown frame \"{}\" ({} frames; {})", wanted, frames_.size(), hint),
          code(TfErrorCode::lookup)};
}

Error TfBuffer::apart(FrameId target, FrameId source) const {
  for (const Walk* walk : {&source_walk_, &target_walk_}) {
    if (walk->end != Walk::End::cycle) continue;
    std::string loop = frames_[walk->top].name;
    for (auto link = walk->links.rbegin(); link->child != walk->top; ++link) {
      loop = frames_[link->child].name + " -> " + loop;
    }
    return {Fault::invalid, fmt::format("frames form a loop: {} -> {}", frames_[walk->top].name, loop),
            code(TfErrorCode::cycle)};
  }
  return {Fault::not_found,
          fmt::format("{} and {} are in different trees: {} has root {}, {} has root {}", frames_[target].name,
                      frames_[source].name, frames_[target].name, frames_[target_walk_.top].name, frames_[source].name,
                      frames_[source_walk_.top].name),
          code(TfErrorCode::connectivity)};
}

Error TfBuffer::beyond(FrameId child, UtcTime time) const {
  const TfHistory& history = frames_[child].history;
  const UtcTime oldest = history.oldest().stamp;
  const UtcTime newest = history.newest().stamp;
  const bool future = time > newest;
  return {Fault::unsupported,
          fmt::format("{} in {} at {} is {:.6f} s {} the buffer: {} samples from {} to {}", frames_[child].name,
                      frames_[history.newest().parent].name, text_of(time),
                      future ? seconds_between(newest, time) : seconds_between(time, oldest),
                      future ? "later than" : "before", history.size(), text_of(oldest), text_of(newest)),
          code(TfErrorCode::extrapolation)};
}

Result<geometry_msgs::TransformStamped> TfBuffer::lookup(std::string_view target, std::string_view source,
                                                         std::optional<UtcTime> time) const {
  const std::scoped_lock lock(mutex_);
  return stamped(target, source, answer(target, source, time));
}

Result<Pose> TfBuffer::pose(std::string_view target, std::string_view source, std::optional<UtcTime> time) const {
  const std::scoped_lock lock(mutex_);
  const Result<Answer> found = answer(target, source, time);
  if (!found) return found.error();
  Pose X_target_source = Pose::Identity();
  X_target_source.translation() = found->X_target_source.translation;
  X_target_source.linear() = found->X_target_source.rotation.toRotationMatrix();
  return X_target_source;
}

bool TfBuffer::can(std::string_view target, std::string_view source, std::optional<UtcTime> time) const {
  const std::scoped_lock lock(mutex_);
  return answer(target, source, time).ok();
}

Result<geometry_msgs::TransformStamped> TfBuffer::wait(std::string_view target, std::string_view source,
                                                       std::optional<UtcTime> time, Duration timeout) const {
  const auto end = std::chrono::steady_clock::now() + std::clamp<Duration>(timeout, 0ns, 24h * 365);
  std::unique_lock lock(mutex_);
  while (true) {
    const Result<Answer> found = answer(target, source, time);
    if (found) return stamped(target, source, found);
    if (changed_.wait_until(lock, end) == std::cv_status::no_timeout) continue;
    const Result<Answer> last = answer(target, source, time);
    if (last) return stamped(target, source, last);
    Error error = within(fmt::format("not within {:.3f} s", seconds(timeout)), last.error());
    error.fault = Fault::timeout;
    return error;
  }
}

Result<geometry_msgs::TransformStamped> TfBuffer::stamped(std::string_view target, std::string_view source,
                                                          const Result<Answer>& answer) const {
  if (!answer) return answer.error();
  const auto& [translation, rotation] = answer->X_target_source;
  return geometry_msgs::TransformStamped{header(answer->stamp, frames_[*find(target)].name),
                                         frames_[*find(source)].name,
                                         {vector3_from(translation), message_from(rotation)}};
}

}  // namespace tandem::ros2
