// SPDX-License-Identifier: Apache-2.0
// TIMESYNC: how far the other end's clock is from ours.
#pragma once

#include <array>
#include <cstdint>

#include "tandem/base/clock.hpp"
#include "tandem/protocols/mavlink/codec/frame.hpp"
#include "tandem/protocols/mavlink/link/outlet.hpp"
#include "tandem/protocols/mavlink/messages/system.hpp"

namespace tandem::mavlink {

// Answers a request; true when the frame was one.
bool answer_time_sync(const Frame& frame, Instant now, Outlet& outlet);

class TimeSyncClient {
 public:
  struct Options {
    Address peer{};                 // whose answers count; zeros for anyone's
    Duration period = 1s;           // of requests
    Duration first_period = 100ms;  // until synced
  };
  TimeSyncClient() : TimeSyncClient(Options{}) {}
  explicit TimeSyncClient(const Options& options) : options_(options) {}

  void poll(Instant now, Outlet& outlet);
  // True when the frame was an answer to a request of ours.
  bool handle(const Frame& frame, Instant now);

  bool synced() const { return samples_ >= enough; }
  Duration offset() const { return Duration(offset_); }  // their clock minus ours
  Duration round_trip() const { return least_round_trip_; }
  Duration last_round_trip() const { return last_round_trip_; }  // of the last answer, however slow
  Instant local_from_remote(std::int64_t nanoseconds) const { return Instant(Duration(nanoseconds - offset_)); }

  struct Counters {
    std::uint64_t answers = 0;   // used
    std::uint64_t unasked = 0;   // to nothing that we asked
    std::uint64_t slow = 0;      // took so much longer than the fastest that they say little
    std::uint64_t outliers = 0;  // contradict what is known
    std::uint64_t restarts = 0;  // outliers agreed often enough: the other clock did jump
  };
  const Counters& counters() const { return counters_; }

  static constexpr int enough = 10;             // samples until synced
  static constexpr Duration most_slew = 1ms;    // per answer, once synced
  static constexpr Duration most_error = 20ms;  // an answer further away is an outlier

 private:
  void take(std::int64_t sample, Duration round_trip);

  Options options_;
  Instant next_{};
  std::array<std::int64_t, 16> asked_{};  // stamps of requests not answered yet, 0 for none
  std::size_t next_asked_ = 0;
  std::int64_t offset_ = 0;  // ns
  int samples_ = 0;
  int contradictions_ = 0;  // in a row
  int slow_in_a_row_ = 0;
  Duration least_round_trip_ = Duration::max();
  Duration last_round_trip_{};
  Counters counters_;
};

}  // namespace tandem::mavlink
