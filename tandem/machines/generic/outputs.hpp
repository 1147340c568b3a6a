// SPDX-License-Identifier: Apache-2.0
// The outputs of a description: what may be asked of each, judged alike wherever a command comes in.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/result.hpp"
#include "tandem/machines/generic/description.hpp"

namespace tandem::generic {

struct OutputInfo {
  std::string name, unit;
  std::size_t declaration = 0;  // of Description::signals
  Output rules;
  Type type = Type::unknown;
  bool bit = false;              // 0 or 1
  bool integer = false;          // on ROS: Int64
  double scale = 1, offset = 0;  // value = raw * scale + offset
  // SI value = value * si_scale + si_offset, as on ROS.
  double si_scale = 1, si_offset = 0;
  std::string si_unit;

  double from_si(double value) const { return (value - si_offset) / si_scale; }
  double to_si(double value) const { return value * si_scale + si_offset; }
  // Of one raw value, in the unit; 0 where the wire has floating point.
  double raw_step() const;
  // The value that the wire can carry nearest to one inside the limits, and inside them as well.
  double on_wire(double value) const;
};

inline constexpr double shortest_set_point = 5;  // s that a command has to last, or the page jogs the output

// In the order of the file.
std::vector<OutputInfo> outputs_of(const Description& description);

// The output as this device has it: a file for ADS may leave its type to the PLC.
OutputInfo on_device(const OutputInfo& output, Type type);

// Why the limits of an output cannot be kept by a device that has it as this type; nothing when they can.
std::optional<std::string> misfit_of_limits(const Declaration& output, Type type, std::string_view type_text);
// Whether a raw value, as rounded for the wire, is one that the output may have.
bool is_within_limits(const Declaration& output, Type type, double raw);

// The value as it will be taken, or why it is refused: it is never clamped. What is beyond a limit by no more than the
// rounding of a conversion is the limit.
Result<double> accepted(const OutputInfo& output, double value);

// "12.5 %", "on"
std::string value_text(const OutputInfo& output, double value);

}  // namespace tandem::generic
