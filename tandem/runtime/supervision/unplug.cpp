// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/supervision/unplug.hpp"

#include "tandem/base/stepped_time.hpp"

namespace tandem::runtime {

void Unplug::run(machines::VirtualDevice& device, const std::stop_token& stop) {
  while (true) {
    std::stop_source power;
    if (SteppedTime::takes_part())
      SteppedTime::wait({}, Instant::max(), [&] { return stop.stop_requested() || !pulled(); });
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [this] { return !pulled_; }) || stop.stop_requested()) return;
      power_ = power;
    }
    const std::stop_callback passed_on(stop, [&power] { power.request_stop(); });
    device.run(power.get_token());
  }
}

void Unplug::pull() {
  const std::stop_source power = [this] {
    const std::lock_guard lock(mutex_);
    pulled_ = true;
    return power_;
  }();
  power.request_stop();
}

void Unplug::plug() {
  {
    const std::lock_guard lock(mutex_);
    pulled_ = false;
  }
  changed_.notify_all();
}

bool Unplug::pulled() const {
  const std::lock_guard lock(mutex_);
  return pulled_;
}

}  // namespace tandem::runtime
