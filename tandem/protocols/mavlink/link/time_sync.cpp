// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/link/time_sync.hpp"

#include <algorithm>

namespace tandem::mavlink {
namespace {

std::int64_t nanoseconds_of(Instant instant) { return instant.time_since_epoch().count(); }

}  // namespace

bool answer_time_sync(const Frame& frame, Instant now, Outlet& outlet) {
  const auto request = frame.as<TimeSync>();
  if (!request || request->tc1 != 0) return false;
  outlet.send(TimeSync{.tc1 = nanoseconds_of(now), .ts1 = request->ts1});
  return true;
}

void TimeSyncClient::poll(Instant now, Outlet& outlet) {
  if (now < next_) return;
  next_ = now + (synced() ? options_.period : options_.first_period);
  asked_[next_asked_] = nanoseconds_of(now);
  next_asked_ = (next_asked_ + 1) % asked_.size();
  outlet.send(TimeSync{.tc1 = 0, .ts1 = nanoseconds_of(now)});
}

bool TimeSyncClient::handle(const Frame& frame, Instant now) {
  const auto answer = frame.as<TimeSync>();
  if (!answer || answer->tc1 == 0) return false;
  if (options_.peer.system != 0 && frame.source != options_.peer) return false;
  const auto asked = std::find(asked_.begin(), asked_.end(), answer->ts1);
  if (answer->ts1 == 0 || asked == asked_.end()) {
    ++counters_.unasked;
    return false;
  }
  *asked = 0;
  const Duration round_trip(nanoseconds_of(now) - answer->ts1);
  // Clocks of 292 years either way are believed, which leaves room for the difference.
  constexpr std::int64_t most = std::int64_t{1} << 61;
  if (round_trip < Duration::zero() || answer->tc1 > most || answer->tc1 < -most) {
    ++counters_.outliers;
    return true;
  }
  last_round_trip_ = round_trip;
  take(answer->tc1 - answer->ts1 - round_trip.count() / 2, round_trip);
  return true;
}

void TimeSyncClient::take(std::int64_t sample, Duration round_trip) {
  if (least_round_trip_ != Duration::max() && round_trip > 2 * least_round_trip_ + 5ms && ++slow_in_a_row_ < 10) {
    ++counters_.slow;
    return;
  }
  const bool slower_way = slow_in_a_row_ >= 10;
  slow_in_a_row_ = 0;
  const std::int64_t error = sample - offset_;
  const Duration allowed = most_error + round_trip / 2;
  if (samples_ > 0 && (error > allowed.count() || error < -allowed.count())) {
    ++counters_.outliers;
    if (++contradictions_ < 5) return;
    ++counters_.restarts;
    samples_ = 0;
    least_round_trip_ = Duration::max();
  }
  contradictions_ = 0;
  least_round_trip_ = slower_way ? round_trip : std::min(least_round_trip_, round_trip);
  ++counters_.answers;
  if (samples_ == 0) {
    offset_ = sample;
  } else if (!synced()) {
    offset_ += error / (samples_ + 1);
  } else {
    offset_ += std::clamp(error / 16, -most_slew.count(), most_slew.count());
  }
  samples_ = std::min(samples_ + 1, enough);
}

}  // namespace tandem::mavlink
