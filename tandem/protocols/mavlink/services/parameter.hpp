// SPDX-License-Identifier: Apache-2.0
// One setting of an autopilot, and how its value travels in a float.
#pragma once

#include <string>

#include "tandem/protocols/mavlink/codec/constants.hpp"

namespace tandem::mavlink {

enum class ParameterEncoding : std::uint8_t {
  cast,   // the number as a float, as ArduPilot does; whole numbers beyond 2^24 lose digits
  bytes,  // the bits of the integer in the place of the float, as PX4 does
};

struct Parameter {
  std::string name;
  double value = 0;
  ParameterType type = ParameterType::real32;
};

float wire_from_parameter(double value, ParameterType type, ParameterEncoding encoding);
double parameter_from_wire(float wire, ParameterType type, ParameterEncoding encoding);

}  // namespace tandem::mavlink
