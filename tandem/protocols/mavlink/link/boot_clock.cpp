// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/link/boot_clock.hpp"

#include <algorithm>

namespace tandem::mavlink {
namespace {

constexpr std::uint64_t boot_wrap = std::uint64_t{1} << 32;
constexpr Duration alternation_within = 10s;

Duration boot_span(std::uint64_t ms) { return std::chrono::milliseconds(static_cast<std::int64_t>(ms)); }

}  // namespace

BootEvent BootClock::observe(std::uint32_t time_boot_ms, Instant now) {
  // The number beyond 32 bits that is nearest to what it should be by now.
  const std::uint64_t high = last_ms_ & ~(boot_wrap - 1);
  std::uint64_t ms = high + time_boot_ms;
  BootEvent event = BootEvent::steady;
  if (known_) {
    const auto elapsed = static_cast<std::uint64_t>(std::max<std::int64_t>(0, milliseconds(now - last_at_)));
    const std::uint64_t expected = last_ms_ + elapsed;
    if (ms + boot_wrap / 2 < expected) {
      ms += boot_wrap;
      event = BootEvent::wrapped;
    }
    const bool back = boot_span(ms) + jump < boot_span(last_ms_);
    const bool forth = boot_span(ms) > boot_span(expected) + jump && booted_ + boot_span(ms) > now + jump;
    if (back || forth) {
      const bool other_way = back != jumped_back_;
      alternations_ = other_way && now - last_reboot_ < alternation_within ? alternations_ + 1 : 0;
      jumped_back_ = back;
      last_reboot_ = now;
      ++reboots_;
      event = alternations_ >= 2 ? BootEvent::two_senders : BootEvent::rebooted;
      ms = time_boot_ms;
    }
  } else {
    event = BootEvent::first;
  }
  const Instant booted = now - boot_span(ms);
  const bool anew = event == BootEvent::first || event == BootEvent::rebooted || event == BootEvent::two_senders;
  // Delays only ever make it look later; a slow drift of the other clock is followed.
  booted_ = anew ? booted : std::min(booted, booted_ + (now - last_at_) / 10'000);
  known_ = true;
  last_ms_ = std::max(ms, anew ? 0 : last_ms_);
  last_at_ = now;
  return event;
}

Instant BootClock::local_from_boot(std::uint32_t time_boot_ms) const {
  std::uint64_t ms = (last_ms_ & ~(boot_wrap - 1)) + time_boot_ms;
  if (ms > last_ms_ + boot_wrap / 2 && ms >= boot_wrap) ms -= boot_wrap;
  return booted_ + boot_span(ms);
}

}  // namespace tandem::mavlink
