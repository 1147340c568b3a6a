// SPDX-License-Identifier: Apache-2.0
// What becomes of a value that was decoded: its reading and its quality. Shared by the links; allocates nothing once
// texts have their length.
#pragma once

#include <string_view>

#include "tandem/machines/generic/signal.hpp"

namespace tandem::generic {

// What is good of a signal, widened by what rounding may add; without `expect` all finite numbers.
Range plausible_range(const Signal& signal);
// One change, however often it is said.
void set_quality(Reading& reading, SignalQuality quality, std::string_view why);
// Not read, for a reason: bad, and its numbers are NaN from element `first` on.
void judge_failed(const Signal& signal, std::size_t first, std::size_t count, std::string_view why, Readings& readings,
                  std::size_t index);
// Bytes of a string up to its end. What is not UTF-8 is taken as Latin-1, and uncertain.
void judge_text(const Signal& signal, std::string_view bytes, Readings& readings, std::size_t index);
// Stale once the last answer is older than three periods, at least 100 ms.
void judge_age(const Signal& signal, Instant now, std::string_view why, Readings& readings, std::size_t index);

}  // namespace tandem::generic
