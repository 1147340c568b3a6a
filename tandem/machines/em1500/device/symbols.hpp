// SPDX-License-Identifier: Apache-2.0
// Which variables of the PLC make a sample.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"
#include "tandem/machines/em1500/description.hpp"

namespace tandem::em1500 {

// Handles; counter and timeout are missing where the PLC's program has no such variable.
struct PlcHandles {
  std::optional<std::uint32_t> pose, counter, timeout;
};

// The bytes of the symbol, whose size was checked before.
inline PlcPose pose_from(Bytes bytes) {
  ByteReader reader(bytes);
  PlcPose pose;
  for (double* axis : {&pose.surge, &pose.sway, &pose.heave, &pose.roll, &pose.pitch, &pose.yaw}) {
    *axis = reader.little<double>();
  }
  return pose;
}

}  // namespace tandem::em1500
