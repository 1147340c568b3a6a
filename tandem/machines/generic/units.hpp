// SPDX-License-Identifier: Apache-2.0
// Units of a file, as UCUM text, and the SI unit that ROS gets for each.
#pragma once

#include <optional>
#include <string_view>

namespace tandem::generic {

enum class Dimension {
  length,
  angle,
  time,
  mass,
  force,
  torque,
  pressure,
  current,
  voltage,
  power,
  frequency,
  speed,
  angular_speed,
  volume,
  flow,
  temperature,
  ratio,
  none
};

struct Unit {
  std::string_view text;         // "mm/s"
  std::string_view si_text;      // "m/s"
  double scale = 1, offset = 0;  // SI value = value * scale + offset
  Dimension dimension = Dimension::none;
};

// Nothing for what is only a label.
std::optional<Unit> unit_named(std::string_view text);

}  // namespace tandem::generic
