// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/device/gate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tandem/base/short_text.hpp"
#include "tandem/machines/em1500/pose_map.hpp"

namespace tandem::em1500 {
namespace {

// After this many samples in a row that agree, it is the truth: the PLC's clock was set back, or the platform was
// re-homed.
constexpr int stamps_to_believe = 2;  // where no counter tells a new sample from an old one
constexpr int replays_to_give_up = 100;
constexpr int steps_to_believe = 5;
// The two clocks may drift apart by this much and a late sample still be distinguished from a slow clock.
constexpr double clock_drift = 1e-3;

template <typename... Args>
Verdict refuse(Quality quality, fmt::format_string<Args...> format, Args&&... args) {
  return {{quality, short_text<160>(format, std::forward<Args>(args)...)}};
}

constexpr Verdict live{};

// True when the counter, which wraps around, has moved forward.
bool counts_on(std::int32_t from, std::int32_t to) {
  const std::uint32_t ahead = static_cast<std::uint32_t>(to) - static_cast<std::uint32_t>(from);
  return ahead != 0 && ahead < 0x8000'0000u;
}

}  // namespace

void Gate::forget() { *this = Gate(limits_); }

Verdict Gate::judge(const PlcSample& sample) {
  if (const auto trouble = implausible(sample.pose); !trouble.empty()) {
    candidate_.reset();
    doubted_ = true;
    return {{Quality::invalid, trouble.view()}};
  }
  Verdict verdict = judge_time(sample);
  if (verdict.quality == Quality::live) verdict = judge_feed(sample);
  if (verdict.quality == Quality::live) verdict = judge_step(sample);
  if (verdict.quality == Quality::live) {
    last_ = sample;
    doubted_ = false;
  }
  return verdict;
}

// A clock that was set back goes on from there, and the feed with it: a counter that counts on shows at once that the
// sample is new. A frozen PLC repeats its last stamp, and a replay brings the counter's old values too.
bool Gate::set_back(const PlcSample& sample) {
  const bool counted = counter_ && sample.rx_counter;
  const bool replayed = counted && !counts_on(*counter_, *sample.rx_counter);
  if (counted && !replayed) return true;
  const bool repeated =
      sample.stamp == previous_stamp_ || std::ranges::find(believed_, sample.stamp) != believed_.end();
  backward_ = repeated || replayed ? 0 : backward_ + 1;
  replays_ = replayed && !repeated ? replays_ + 1 : 0;
  return backward_ >= stamps_to_believe;
}

bool Gate::lost_track() const { return replays_ >= replays_to_give_up; }

Verdict Gate::judge_time(const PlcSample& sample) {
  if (sample.stamp <= newest_stamp_) {
    const bool believed = set_back(sample);
    previous_stamp_ = sample.stamp;
    if (!believed) {
      return refuse(Quality::invalid, "the PLC's stamp went back by {:.3f} s: an old or repeated sample",
                    seconds(newest_stamp_ - sample.stamp));
    }
    offset_.reset();
  }
  backward_ = replays_ = 0;
  newest_stamp_ = previous_stamp_ = sample.stamp;
  believed_[next_believed_++ % believed_.size()] = sample.stamp;

  const Duration distance = sample.received.time_since_epoch() - sample.stamp.time_since_epoch();
  if (offset_) *offset_ += duration_of(clock_drift * seconds(sample.received - offset_at_));
  if (!offset_ || distance < *offset_) offset_ = distance;
  offset_at_ = sample.received;
  const Duration age = distance - *offset_;
  if (age > limits_.stale) {
    return refuse(Quality::stale, "the sample is {:.0f} ms too old (limit {:.0f} ms)", 1e3 * seconds(age),
                  1e3 * seconds(limits_.stale));
  }
  return live;
}

Verdict Gate::judge_feed(const PlcSample& sample) {
  if (sample.timed_out.value_or(false)) {
    return {{Quality::stale, "MAIN.bTimout is set: the PLC has had no data from the platform for 500 ms"}};
  }
  if (!sample.rx_counter) return live;
  if (counter_ != sample.rx_counter) {
    // The first value says nothing yet: the feed may have died long ago.
    if (counter_) counter_moved_ = sample.received;
    if (!counter_seen_) counter_seen_ = sample.received;
    counter_ = sample.rx_counter;
  }
  if (!counter_moved_) {
    return {{Quality::stale, "MAIN.nRxCounter has not changed yet: the pose may be stale"},
            sample.received - *counter_seen_ <= limits_.frozen};
  }
  const Duration still = sample.received - *counter_moved_;
  if (still <= limits_.frozen) return live;
  return refuse(Quality::stale, "MAIN.nRxCounter has been {} for {:.1f} s: the platform's own link is down", *counter_,
                seconds(still));
}

Verdict Gate::judge_step(const PlcSample& sample) {
  Verdict verdict = live;
  if (last_ ? steps_to(*last_, sample, verdict) : !doubted_) {
    candidates_ = 0;
    return live;
  }
  if (!last_) verdict = {{Quality::invalid, "after invalid values, several consecutive samples must agree"}};
  Verdict ignored;
  candidates_ = candidate_ && steps_to(*candidate_, sample, ignored) ? candidates_ + 1 : 1;
  candidate_ = sample;
  if (candidates_ < steps_to_believe) return verdict;
  candidates_ = 0;
  return live;
}

bool Gate::steps_to(const PlcSample& from, const PlcSample& to, Verdict& verdict) const {
  // Of the two clocks the one that went further: the PLC's may have been set back, and samples may come in a burst.
  const double dt = std::max({1e-3, seconds(to.stamp - from.stamp), seconds(to.received - from.received)});
  const auto before = axes(from.pose);
  const auto after = axes(to.pose);
  for (std::size_t axis = 0; axis < after.size(); ++axis) {
    const double step = std::abs(after[axis] - before[axis]);
    const double limit = axis < 3 ? limits_.max_speed : limits_.max_turn;
    if (step > limit * dt) {
      verdict = refuse(Quality::invalid, "{} jumped by {:.3f} {} in {:.0f} ms (limit {:.3f})", axis_names[axis], step,
                       axis < 3 ? "m" : "rad", 1e3 * dt, limit * dt);
      return false;
    }
  }
  return true;
}

}  // namespace tandem::em1500
