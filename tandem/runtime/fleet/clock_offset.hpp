// SPDX-License-Identifier: Apache-2.0
// How far the clock of another host is from ours, from exchanges of four stamps, as NTP does it.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>

#include "tandem/base/result.hpp"

namespace tandem::runtime {

// UTC in ns. Ours are taken so that `answered - asked` is monotonic time.
struct ClockExchange {
  std::int64_t asked = 0;     // by our clock
  std::int64_t received = 0;  // by theirs
  std::int64_t sent = 0;      // by theirs
  std::int64_t answered = 0;  // by ours
};

struct ClockOffset {
  double offset = 0;       // their clock minus ours, s
  double uncertainty = 0;  // half the round trip: the offset is within this, however unequal both ways are, s
  double round_trip = 0;   // without the time in the other program, s
  int exchanges = 0;       // that this was chosen from
};

// Keeps the exchange with the shortest round trip of the newest few: its two ways can differ least.
class OffsetMeter {
 public:
  // False: stamps that cannot be, which are not counted.
  bool add(const ClockExchange& exchange);
  std::optional<ClockOffset> offset() const;

 private:
  static constexpr std::size_t kept = 32;  // so that a clock which drifts is followed
  std::deque<ClockOffset> newest_;
};

// {"received": ns, "sent": ns}, the answer of /tandem/clock. Any text may come.
Result<ClockExchange> exchange_from_json(std::string_view text);

}  // namespace tandem::runtime
