// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include "tandem/protocols/mavlink/services/mission_client.hpp"

namespace tandem::mavlink {
namespace {

// Local frames count in 1e-4 m, all others in 1e-7 degrees.
double mission_scale(std::uint8_t frame) {
  const bool local = frame == 1 || frame == 4 || frame == 7 || frame == 8 || frame == 9 || (frame >= 12 && frame <= 21);
  return local ? 1e4 : 1e7;
}

std::int32_t mission_integer(double value) {
  if (!(value == value)) return 0;
  constexpr double most = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::llround(std::fmin(std::fmax(value, -most), most)));
}

}  // namespace

MissionItemInt mission_item_int_from(const MissionItem& item) {
  const double scale = mission_scale(item.frame);
  return {.target_system = item.target_system,
          .target_component = item.target_component,
          .seq = item.seq,
          .frame = item.frame,
          .command = item.command,
          .current = item.current,
          .autocontinue = item.autocontinue,
          .param1 = item.param1,
          .param2 = item.param2,
          .param3 = item.param3,
          .param4 = item.param4,
          .x = mission_integer(static_cast<double>(item.x) * scale),
          .y = mission_integer(static_cast<double>(item.y) * scale),
          .z = item.z,
          .mission_type = item.mission_type};
}

MissionItem mission_item_from(const MissionItemInt& item) {
  const double scale = mission_scale(item.frame);
  return {.target_system = item.target_system,
          .target_component = item.target_component,
          .seq = item.seq,
          .frame = item.frame,
          .command = item.command,
          .current = item.current,
          .autocontinue = item.autocontinue,
          .param1 = item.param1,
          .param2 = item.param2,
          .param3 = item.param3,
          .param4 = item.param4,
          .x = static_cast<float>(item.x / scale),
          .y = static_cast<float>(item.y / scale),
          .z = item.z,
          .mission_type = item.mission_type};
}

}  // namespace tandem::mavlink
