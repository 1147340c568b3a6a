// SPDX-License-Identifier: Apache-2.0
// The readings of a machine for other threads: a copy that its thread renews after each scan.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "tandem/machines/generic/signal.hpp"

namespace tandem::generic {

using SignalList = std::shared_ptr<const std::vector<Signal>>;

class SharedReadings {
 public:
  struct Copy {
    SignalList signals;  // null: none are known yet
    Readings readings;
    std::vector<std::optional<double>> written;  // of each output: what the device took last
  };

  // Other signals from here on.
  void reset(SignalList signals, std::size_t outputs);
  // Of the machine's thread. Never waits and never allocates once warm: while someone copies, the next call makes up
  // for it. `wait` is for calls outside of cycles.
  void put(const Readings& readings, std::span<const std::optional<double>> written, bool wait = false);

  Copy get() const {
    const std::lock_guard lock(mutex_);
    return copy_;
  }
  // Looks at it in place; soon over, since the machine's thread goes on without sharing meanwhile.
  template <typename Look>
  auto look(Look look) const {
    const std::lock_guard lock(mutex_);
    return look(copy_);
  }
  SignalList signals() const {
    const std::lock_guard lock(mutex_);
    return copy_.signals;
  }

 private:
  mutable std::mutex mutex_;
  Copy copy_;  // guarded
};

}  // namespace tandem::generic
