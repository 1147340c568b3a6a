// SPDX-License-Identifier: Apache-2.0
// Which commands on a topic are believed, and how the topic is received.
#pragma once

#include <fmt/format.h>

#include <string>

#include "tandem/ros2/qos.hpp"
#include "tandem/ros2/types/conversions.hpp"

namespace tandem::ros2 {

struct CommandRules {
  Duration longest_silence = 500ms;  // of the publisher that owns the topic; then another one may take it
  // Of the stamp against ROS time; a zero stamp is not judged.
  Duration oldest_stamp = 500ms;
  Duration newest_stamp = 100ms;  // into the future
  bool judges_stamp = true;
  bool exclusive = true;  // one publisher at a time
  bool every = false;     // a command may be sent only once, so none may be lost; else the newest is all that counts
  int depth = 10;         // with `every`: of a burst
};

// Best effort matches every publisher; a reliable subscription does not.
inline Qos qos_of(const CommandRules& rules) {
  Qos qos = rules.every ? Qos::standard(rules.depth) : Qos::sensor_data();
  if (!rules.exclusive) return qos;
  qos.ownership = Ownership::exclusive;
  qos.owner_silence = rules.longest_silence;
  return qos;
}

// Why a stamped command is not believed; "" when it is.
inline std::string stamp_trouble(const builtin_interfaces::Time& stamp, UtcTime now, const CommandRules& rules) {
  if (!rules.judges_stamp || (stamp.sec == 0 && stamp.nanosec == 0)) return "";
  const Duration age = now - utc_from(stamp);
  if (age > rules.oldest_stamp) {
    return fmt::format("its stamp is {:.3f} s old; the maximum is {:.3f} s", seconds(age), seconds(rules.oldest_stamp));
  }
  if (age < -rules.newest_stamp) return fmt::format("its stamp is {:.3f} s in the future", -seconds(age));
  return "";
}

}  // namespace tandem::ros2
