// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/diagnostics.hpp"

#include "tandem/ros2/types/conversions.hpp"

namespace tandem::ros2 {

Diagnostics::Diagnostics(Node& node, const Clock& clock, Statuses statuses, Duration period)
    : publisher_(node.advertise<diagnostic_msgs::DiagnosticArray>("/diagnostics")),
      clock_(clock),
      statuses_(std::move(statuses)),
      period_(period),
      thread_([this](const std::stop_token& stop) { run(stop); }) {}

void Diagnostics::run(const std::stop_token& stop) {
  diagnostic_msgs::DiagnosticArray array;
  while (!stop.stop_requested()) {
    array.header = header(clock_.utc(), "");
    array.status = statuses_();
    publisher_.publish(array);
    std::unique_lock lock(mutex_);
    signal_.wait_for(lock, stop, period_, [] { return false; });
  }
}

}  // namespace tandem::ros2
