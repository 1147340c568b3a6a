// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tandem/machines/generic/units.hpp"

namespace tandem::generic {
namespace {

constexpr double rounding = 1e-9;  // of a limit: what a conversion from SI may be off

bool is_integer(Type type) {
  return type != Type::unknown && type != Type::bit && type != Type::float32 && type != Type::float64 &&
         type != Type::text;
}

bool is_unsigned(Type type) {
  return type == Type::uint8 || type == Type::uint16 || type == Type::uint32 || type == Type::uint64;
}

// Raw values that the type holds; of 64 bits those that a double tells apart from their neighbours at the ends.
Range raw_range(Type type) {
  const int bits = 8 * static_cast<int>(bytes_of(type));
  if (is_unsigned(type)) return {0, std::nextafter(std::ldexp(1.0, bits), 0) - (bits < 53 ? 0.5 : 0)};
  return {-std::ldexp(1.0, bits - 1), std::nextafter(std::ldexp(1.0, bits - 1), 0) - (bits < 53 ? 0.5 : 0)};
}

bool is_bit(const Declaration& signal) {
  if (signal.write->level != Output::Level::number || signal.type == Type::bit) return true;
  const auto* place = std::get_if<ModbusPlace>(&signal.at);
  return place != nullptr && (place->bit >= 0 || place->table == ModbusTable::coil);
}

OutputInfo info_of(const Declaration& signal, std::size_t index) {
  OutputInfo info;
  info.name = signal.name;
  info.unit = signal.unit;
  info.declaration = index;
  info.rules = *signal.write;
  info.type = signal.type;
  info.bit = is_bit(signal);
  if (info.bit) {
    info.rules.limits = {0, 1};
    info.rules.rate.reset();
    if (info.rules.level == Output::Level::number) info.rules.level = Output::Level::level;
    return info;
  }
  info.scale = signal.scale;
  info.offset = signal.offset;
  info.integer = is_integer(signal.type) && signal.scale == 1 && signal.offset == 0 && signal.unit.empty();
  info.si_unit = signal.unit;
  if (const auto unit = unit_named(signal.unit)) {
    info.si_scale = unit->scale;
    info.si_offset = unit->offset;
    info.si_unit = unit->si_text;
  }
  return info;
}

}  // namespace

double OutputInfo::raw_step() const { return bit ? 1 : is_integer(type) ? std::abs(scale) : 0; }

double OutputInfo::on_wire(double value) const {
  if (bit) return value != 0 ? 1 : 0;
  if (type == Type::float32) {
    // Float32 may round past a limit.
    const auto near = [&](double raw) { return static_cast<double>(static_cast<float>(raw)) * scale + offset; };
    const double raw = (value - offset) / scale;
    const double rounded = near(raw);
    if (rounded > rules.limits.highest || rounded < rules.limits.lowest) return value;
    return rounded;
  }
  if (!is_integer(type)) return value;
  double raw = std::round((value - offset) / scale);
  const double up = scale > 0 ? 1 : -1;
  const double slack = rounding * std::max(1.0, std::abs(value));
  if (raw * scale + offset > rules.limits.highest + slack) raw -= up;
  if (raw * scale + offset < rules.limits.lowest - slack) raw += up;
  return std::clamp(raw * scale + offset, rules.limits.lowest, rules.limits.highest);
}

std::vector<OutputInfo> outputs_of(const Description& description) {
  std::vector<OutputInfo> outputs;
  for (std::size_t i = 0; i < description.signals.size(); ++i) {
    if (description.signals[i].write) outputs.push_back(info_of(description.signals[i], i));
  }
  return outputs;
}

Result<double> accepted(const OutputInfo& output, double value) {
  const auto refuse = [&](std::string expected) {
    return Error{Fault::invalid, fmt::format("{}: expected {}, got {:.9g}", output.name, expected, value)};
  };
  if (!std::isfinite(value)) return refuse("a finite number");
  if (output.bit) {
    if (value != 0 && value != 1) return refuse("0 or 1");
    return value;
  }
  const auto [low, high] = output.rules.limits;
  const double slack = rounding * std::max({1.0, std::abs(low), std::abs(high)});
  if (!(value >= low - slack && value <= high + slack))
    return refuse(fmt::format("{:.9g} to {:.9g}{}{}", low, high, output.unit.empty() ? "" : " ", output.unit));
  const double inside = std::clamp(value, low, high);
  if (is_integer(output.type)) {
    const double raw = (inside - output.offset) / output.scale;
    const Range fits = raw_range(output.type);
    if (raw < fits.lowest - 0.5 || raw > fits.highest + 0.5)
      return refuse(fmt::format("what fits {}", name(output.type)));
  }
  return inside;
}

std::string value_text(const OutputInfo& output, double value) {
  if (output.bit) return value != 0 ? "on" : "off";
  return fmt::format("{:.6g}{}{}", value, output.unit.empty() ? "" : " ", output.unit);
}

}  // namespace tandem::generic
