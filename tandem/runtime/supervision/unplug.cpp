#include "tandem/runtime/supervision/unplug.hpp"

namespace tandem::runtime {

void Cable::run(machines::VirtualDevice& device, const std::stop_token& stop) {
  while (true) {
    std::stop_source power;
    {
      std::unique_lock lock(mutex_);
      if (!changed_.wait(lock, stop, [this] { return !pulled_; }) || stop.stop_requested()) return;
      power_ = power;
    }
    const std::stop_callback passed_on(stop, [&power] { power.request_stop(); });
    device.run(power.get_token());
  }
}

void Cable::pull() {
  const std::stop_source power = [this] {
    const std::lock_guard lock(mutex_);
    pulled_ = true;
    return power_;
  }();
  power.request_stop();
}

void Cable::plug() {
  {
    const std::lock_guard lock(mutex_);
    pulled_ = false;
  }
  changed_.notify_all();
}

bool Cable::pulled() const {
  const std::lock_guard lock(mutex_);
  return pulled_;
}

}  // namespace tandem::runtime
