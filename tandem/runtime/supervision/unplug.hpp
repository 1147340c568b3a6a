// SPDX-License-Identifier: Apache-2.0
// The cable of a virtual device, which a person may pull to see what happens.
#pragma once

#include <condition_variable>
#include <mutex>
#include <stop_token>

#include "tandem/machines/machine.hpp"

namespace tandem::runtime {

// While it is pulled the device neither moves nor speaks, as without its plug: its sockets stay where they are, and
// there is no answer on them. What it was doing when the cable was pulled it goes on doing, if it is still told to.
class Unplug {
 public:
  // Runs the device whenever it is plugged in, until a stop is requested.
  void run(machines::VirtualDevice& device, const std::stop_token& stop);

  // From any thread.
  void pull();
  void plug();
  bool pulled() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  bool pulled_ = false;
  std::stop_source power_;  // of the present run of the device
};

}  // namespace tandem::runtime
