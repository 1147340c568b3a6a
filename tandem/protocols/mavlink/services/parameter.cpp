// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/services/parameter.hpp"

#include <bit>
#include <cmath>
#include <limits>

namespace tandem::mavlink {
namespace {

// The nearest whole number that the type holds; zero for what is no number.
template <typename T>
T whole_number(double value) {
  if (!(value == value)) return 0;
  if (value <= static_cast<double>(std::numeric_limits<T>::lowest())) return std::numeric_limits<T>::lowest();
  if (value >= static_cast<double>(std::numeric_limits<T>::max())) return std::numeric_limits<T>::max();
  return static_cast<T>(std::llround(value));
}

}  // namespace

float wire_from_parameter(double value, ParameterType type, ParameterEncoding encoding) {
  if (encoding == ParameterEncoding::cast) return static_cast<float>(value);
  switch (type) {
    case ParameterType::uint8:
      return std::bit_cast<float>(std::uint32_t{whole_number<std::uint8_t>(value)});
    case ParameterType::int8:
      return std::bit_cast<float>(std::uint32_t{static_cast<std::uint8_t>(whole_number<std::int8_t>(value))});
    case ParameterType::uint16:
      return std::bit_cast<float>(std::uint32_t{whole_number<std::uint16_t>(value)});
    case ParameterType::int16:
      return std::bit_cast<float>(std::uint32_t{static_cast<std::uint16_t>(whole_number<std::int16_t>(value))});
    case ParameterType::uint32:
      return std::bit_cast<float>(whole_number<std::uint32_t>(value));
    case ParameterType::int32:
      return std::bit_cast<float>(whole_number<std::int32_t>(value));
    default:
      return static_cast<float>(value);
  }
}

double parameter_from_wire(float wire, ParameterType type, ParameterEncoding encoding) {
  if (encoding == ParameterEncoding::cast) return static_cast<double>(wire);
  const auto bits = std::bit_cast<std::uint32_t>(wire);
  switch (type) {
    case ParameterType::uint8:
      return static_cast<std::uint8_t>(bits);
    case ParameterType::int8:
      return static_cast<std::int8_t>(bits);
    case ParameterType::uint16:
      return static_cast<std::uint16_t>(bits);
    case ParameterType::int16:
      return static_cast<std::int16_t>(bits);
    case ParameterType::uint32:
      return bits;
    case ParameterType::int32:
      return static_cast<std::int32_t>(bits);
    default:
      return static_cast<double>(wire);
  }
}

}  // namespace tandem::mavlink
