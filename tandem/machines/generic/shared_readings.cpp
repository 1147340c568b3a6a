// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/shared_readings.hpp"

#include <algorithm>

namespace tandem::generic {

void SharedReadings::reset(SignalList signals, std::size_t outputs) {
  const std::lock_guard lock(mutex_);
  copy_.signals = std::move(signals);
  copy_.readings.resize(*copy_.signals);
  copy_.written.assign(outputs, std::nullopt);
}

void SharedReadings::put(const Readings& readings, std::span<const std::optional<double>> written, bool wait) {
  std::unique_lock lock(mutex_, std::defer_lock);
  if (wait) {
    lock.lock();
  } else if (!lock.try_lock()) {
    return;
  }
  std::ranges::copy(written, copy_.written.begin());
  const std::vector<Signal>& signals = *copy_.signals;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const Reading& reading = readings.of[i];
    copy_.readings.of[i].received = reading.received;
    // Why it is not good may become another without a change.
    const bool same = copy_.readings.of[i].changes == reading.changes;
    if (same && reading.quality == SignalQuality::good) continue;
    const Signal& signal = signals[i];
    copy_.readings.of[i] = readings.of[i];
    if (signal.kind == Kind::text) {
      copy_.readings.texts[signal.text] = readings.texts[signal.text];
      continue;
    }
    std::copy_n(readings.numbers.begin() + static_cast<std::ptrdiff_t>(signal.first), signal.count,
                copy_.readings.numbers.begin() + static_cast<std::ptrdiff_t>(signal.first));
    std::copy_n(readings.integers.begin() + static_cast<std::ptrdiff_t>(signal.first), signal.count,
                copy_.readings.integers.begin() + static_cast<std::ptrdiff_t>(signal.first));
  }
}

}  // namespace tandem::generic
