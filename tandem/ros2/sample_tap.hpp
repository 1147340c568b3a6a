// SPDX-License-Identifier: Apache-2.0
// A tap on every topic of a context: sees each sample that is published or received here as CDR, and changes nothing.
#pragma once

#include <cstdint>
#include <string>

#include "tandem/base/bytes.hpp"
#include "tandem/base/clock.hpp"
#include "tandem/net/tap.hpp"

namespace tandem::ros2 {

struct TappedTopic {
  std::string topic;                               // full name; "/stewart/pose"
  std::string type;                                // "geometry_msgs/msg/PoseStamped"
  std::string type_hash;                           // RIHS01, may be empty
  net::Direction direction = net::Direction::out;  // out: published here; in: received here
  bool reliable = true;
  bool latched = false;  // transient local
  bool acts = true;      // in: something may move by it
};

class SampleTap {
 public:
  virtual ~SampleTap() = default;
  // When a publisher or subscription is made or ends; may allocate and lock. The handle comes back with each sample.
  virtual std::uint32_t opened(const TappedTopic& topic) = 0;
  virtual void closed(std::uint32_t handle) = 0;
  // With the 4-byte CDR header, in the thread that publishes or receives. Must not block or allocate.
  virtual void passed(std::uint32_t handle, Bytes cdr, UtcTime stamp) noexcept = 0;
};

}  // namespace tandem::ros2
