// SPDX-License-Identifier: Apache-2.0
// What time_boot_ms reports: when the autopilot booted, that it booted again, and that two share one address.
#pragma once

#include <cstdint>

#include "tandem/base/clock.hpp"

namespace tandem::mavlink {

enum class BootEvent : std::uint8_t {
  first,
  steady,
  wrapped,      // 49.7 days went by
  rebooted,     // everything from before is over
  two_senders,  // the stamps jump to and fro: two vehicles have one address
};

class BootClock {
 public:
  BootEvent observe(std::uint32_t time_boot_ms, Instant now);

  // When a stamp of the present boot was made, in our time; never later than it came, as far as is known.
  Instant local_from_boot(std::uint32_t time_boot_ms) const;
  bool known() const { return known_; }
  std::uint64_t reboots() const { return reboots_; }

  // Stamps older than the last by this much, or younger than time allows by this much, are jumps.
  static constexpr Duration jump = 2s;

 private:
  bool known_ = false;
  std::uint64_t last_ms_ = 0;  // since boot, beyond 32 bits
  Instant last_at_{};
  Instant booted_{};       // our time, the latest that fits
  Instant last_reboot_{};  // when stamps last jumped back
  int alternations_ = 0;   // jumps to and fro in a row
  bool jumped_back_ = false;
  std::uint64_t reboots_ = 0;
};

}  // namespace tandem::mavlink
