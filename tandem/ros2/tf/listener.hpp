// SPDX-License-Identifier: Apache-2.0
// Hears /tf and /tf_static and fills a TfBuffer.
#pragma once

#include "tandem/ros2/messages/tf2_msgs.hpp"
#include "tandem/ros2/node.hpp"
#include "tandem/ros2/tf/buffer.hpp"

namespace tandem::ros2 {

// Best effort is requested of /tf, because that is granted by reliable publishers and by those that are not; a lost
// sample is replaced by the next one and bridged by interpolation. Ask for reliable where all publishers are known to
// be, and every sample counts. Static frames are sent once, so they are always heard reliably.
class TfListener {
 public:
  // The clock reports the time of the stamps (a SimClock where time is simulated), for the delay of each frame. The
  // buffer and the clock must live longer.
  TfListener(Node& node, TfBuffer& buffer, const Clock& clock = system_clock(),
             Reliability reliability = Reliability::best_effort);

  // Publishers of /tf and /tf_static that are received.
  std::size_t publishers() const { return moving_.matched() + static_.matched(); }
  // Messages that could not be read.
  std::uint64_t malformed() const { return moving_.malformed() + static_.malformed(); }

 private:
  Subscription moving_;
  Subscription static_;
};

}  // namespace tandem::ros2
