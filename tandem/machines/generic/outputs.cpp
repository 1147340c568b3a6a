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

// Raw values within the limits. Of integers they are whole; `lowest` is above `highest` where there is none.
Range raw_limits(const Range& limits, Type type, double scale, double offset) {
  const double a = (limits.lowest - offset) / scale, b = (limits.highest - offset) / scale;
  if (!is_integer(type)) return {std::min(a, b), std::max(a, b)};
  const auto slack = [](double raw) { return rounding * std::max(1.0, std::abs(raw)); };
  return {std::ceil(std::min(a, b) - slack(a)), std::floor(std::max(a, b) + slack(b))};
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

OutputInfo on_device(const OutputInfo& output, Type type) {
  OutputInfo known = output;
  if (known.type == Type::unknown) known.type = type;
  return known;
}

std::optional<std::string> misfit_of_limits(const Declaration& output, Type type, std::string_view type_text) {
  const Output& rules = *output.write;
  if (rules.level != Output::Level::number || output.type == Type::bit) return std::nullopt;
  const auto expected = [&](const std::string& what) {
    return fmt::format("expected limits {}, got {:.9g} to {:.9g}", what, rules.limits.lowest, rules.limits.highest);
  };
  if (type == Type::bit) return fmt::format("expected `level: true` or `pulse` to write {}, got limits", type_text);
  if (!is_integer(type)) return std::nullopt;
  const Range holds = raw_range(type);
  const Range raw = raw_limits(rules.limits, type, output.scale, output.offset);
  const double a = std::round(holds.lowest) * output.scale + output.offset;
  const double b = std::floor(holds.highest) * output.scale + output.offset;
  if (raw.lowest < holds.lowest || raw.highest > holds.highest)
    return expected(fmt::format("within {:.9g} to {:.9g}, which {} with this scale can hold", std::min(a, b),
                                std::max(a, b), type_text));
  if (raw.lowest > raw.highest) return expected(fmt::format("with a value between them that {} can hold", type_text));
  return std::nullopt;
}

bool is_within_limits(const Declaration& output, Type type, double raw) {
  const Output& rules = *output.write;
  if (rules.level != Output::Level::number || output.type == Type::bit) return raw == 0 || raw == 1;
  Range allowed = raw_limits(rules.limits, type, output.scale, output.offset);
  // The limit itself may be rounded, as the value is.
  if (type == Type::float32) allowed = {static_cast<float>(allowed.lowest), static_cast<float>(allowed.highest)};
  const double slack =
      is_integer(type) ? 0 : rounding * std::max({1.0, std::abs(allowed.lowest), std::abs(allowed.highest)});
  return raw >= allowed.lowest - slack && raw <= allowed.highest + slack;
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
