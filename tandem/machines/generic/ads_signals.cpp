// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/ads_signals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "tandem/base/nearest.hpp"
#include "tandem/machines/generic/outputs.hpp"
#include "tandem/machines/generic/units.hpp"

namespace tandem::generic {
namespace {

const Declaration::Member* member_of(const Declaration& declaration, std::string_view path) {
  if (path.empty()) return nullptr;
  const std::string_view last = path.substr(path.rfind('.') + 1);
  const Declaration::Member* found = nullptr;
  for (const auto& [name, member] : declaration.members) {
    if (ads::same_name(name, path)) return &member;  // "stAxis.fPos" before "fPos"
    if (ads::same_name(name, last)) found = &member;
  }
  return found;
}

bool is_whole(Type type) { return type >= Type::int8 && type <= Type::uint64; }

Kind kind_of(const Signal& signal) {
  if (signal.type == Type::text) return Kind::text;
  if (signal.type == Type::bit) return Kind::bit;
  if (is_whole(signal.type) && !signal.bits.empty()) return Kind::bit_field;
  if (is_whole(signal.type) && !signal.names.empty()) return Kind::enumeration;
  const bool bare = signal.scale == 1 && signal.offset == 0 && signal.unit.empty();
  return is_whole(signal.type) && bare ? Kind::integer : Kind::number;
}

// What the file says of this member, or of all of them.
Signal signal_of(const Description& description, std::size_t declaration, const PlcValue& value) {
  const Declaration& from = description.signals[declaration];
  Signal signal;
  signal.name = from.name + value.path;
  signal.declaration = declaration;
  signal.type = value.type;
  signal.count = value.count;
  signal.bounds = value.bounds;
  signal.scale = from.scale;
  signal.offset = from.offset;
  signal.unit = from.unit;
  signal.expect = from.expect;
  signal.names = from.names;
  signal.bits = from.bits;
  signal.period = from.every.value_or(description.cycle);
  signal.critical = from.critical.value_or(false);
  signal.optional = from.optional;
  signal.hidden = from.hidden;
  if (const Declaration::Member* member = member_of(from, value.member)) {
    if (!member->unit.empty()) signal.unit = member->unit;
    if (!member->names.empty()) signal.names = member->names;
    if (!member->bits.empty()) signal.bits = member->bits;
    if (member->expect) signal.expect = member->expect;
    signal.invalid = member->invalid;
    signal.deadband = member->deadband;
    signal.critical = member->critical.value_or(signal.critical);
    signal.scale = member->scale.value_or(signal.scale);
    signal.offset = member->offset.value_or(signal.offset);
  }
  if (!is_whole(value.type)) {
    signal.names.clear();
    signal.bits.clear();
  }
  if (value.type == Type::text || value.type == Type::bit) {
    signal.unit.clear();
    signal.scale = 1;
    signal.offset = 0;
  }
  if (const auto unit = unit_named(signal.unit)) {
    signal.si_scale = unit->scale;
    signal.si_offset = unit->offset;
  }
  signal.kind = kind_of(signal);
  return signal;
}

void keep(Signal signal, const AdsField& field, AdsSignals& to) {
  if (signal.kind == Kind::text) {
    signal.text = to.texts++;
    signal.first = signal.count = 0;
  } else {
    signal.first = to.numbers;
    to.numbers += signal.count;
  }
  to.signals.push_back(std::move(signal));
  to.fields.push_back(field);
}

Error too_many(const Declaration& declaration) {
  return {Fault::invalid,
          fmt::format("{}: expected at most {} signals of one device, got more", declaration.name, most_signals)};
}

std::string described(const PlcLayout& layout) {
  return fmt::format("{} ({} byte{})", printable(layout.plc_type), layout.size, layout.size == 1 ? "" : "s");
}

std::string expected_type(const Declaration& declaration) {
  if (declaration.type == Type::text)
    return fmt::format("string {} ({} bytes)", declaration.text_length, declaration.text_length + 1);
  const std::size_t size = bytes_of(declaration.type);
  return fmt::format("{} ({} byte{})", name(declaration.type), size, size == 1 ? "" : "s");
}

std::optional<std::string> misfit_of_output(const Declaration& declaration, const PlcLayout& layout) {
  const bool one = layout.values.size() == 1 && layout.values[0].bounds.empty();
  if (!declaration.write) return std::nullopt;
  if (one && layout.values[0].type != Type::text)
    return misfit_of_limits(declaration, layout.values[0].type, printable(layout.plc_type));
  return fmt::format("expected one number or BOOL to write, got {}", described(layout));
}

template <typename T>
T number_at(const std::uint8_t* from) {
  if constexpr (std::is_same_v<T, float>) return std::bit_cast<float>(little_at<std::uint32_t>(from));
  if constexpr (std::is_same_v<T, double>) return std::bit_cast<double>(little_at<std::uint64_t>(from));
  if constexpr (std::is_integral_v<T>) return static_cast<T>(little_at<std::make_unsigned_t<T>>(from));
}

// Calls `use` with a value of the type's own C++ type.
template <typename Use>
auto with_type(Type type, const Use& use) {
  switch (type) {
    case Type::int8:
      return use(std::int8_t{});
    case Type::int16:
      return use(std::int16_t{});
    case Type::uint16:
      return use(std::uint16_t{});
    case Type::int32:
      return use(std::int32_t{});
    case Type::uint32:
      return use(std::uint32_t{});
    case Type::int64:
      return use(std::int64_t{});
    case Type::uint64:
      return use(std::uint64_t{});
    case Type::float32:
      return use(float{});
    case Type::float64:
      return use(double{});
    case Type::bit:
    case Type::uint8:
    case Type::unknown:
    case Type::text:
      break;
  }
  return use(std::uint8_t{});
}

}  // namespace

Result<void> add_signals(const Description& description, std::size_t declaration, PlcLayout layout, AdsSignals& to) {
  const Declaration& from = description.signals[declaration];
  const std::size_t item = to.items.size();
  const std::size_t first = to.signals.size();
  for (const PlcValue& value : layout.values) {
    const Signal whole = signal_of(description, declaration, value);
    const AdsField field{item, value.offset, value.stride, value.type, value.text_length};
    const bool array = !value.bounds.empty();
    const bool numbers = value.count > 1 && (whole.kind == Kind::number || whole.kind == Kind::integer);
    // An array of numbers is one signal; of what has no array on ROS, each element.
    if (!array || numbers) {
      if (to.signals.size() >= most_signals) return too_many(from);
      keep(whole, field, to);
      continue;
    }
    for (std::size_t i = 0; i < value.count; ++i) {
      if (to.signals.size() >= most_signals) return too_many(from);
      Signal element = whole;
      element.name += index_text(value.bounds, i);
      element.count = 1;
      element.bounds.clear();
      AdsField place = field;
      place.offset += static_cast<std::uint32_t>(i * value.stride);
      keep(std::move(element), place, to);
    }
  }
  to.items.push_back(
      {declaration, std::get<AdsPlace>(from.at).symbol, std::move(layout), first, to.signals.size() - first});
  return {};
}

void add_missing(const Description& description, std::size_t declaration, AdsSignals& to) {
  const Declaration& from = description.signals[declaration];
  PlcValue value;
  value.type = from.type == Type::unknown ? Type::float64 : from.type;
  keep(signal_of(description, declaration, value), {to.items.size(), 0, 0, value.type, from.text_length}, to);
  to.items.push_back({declaration, std::get<AdsPlace>(from.at).symbol, {}, to.signals.size() - 1, 1});
}

std::optional<std::string> misfit(const Declaration& declaration, const PlcLayout& layout,
                                  const PlcTypeTable& declared) {
  const auto other = [&](const std::string& expected) {
    return fmt::format("expected {}, got {}", expected, described(layout));
  };
  if (declaration.type != Type::unknown && declaration.plc_type.empty()) {
    const bool plain = layout.values.size() == 1 && layout.values[0].bounds.empty() && layout.values[0].path.empty();
    if (!plain || layout.values[0].type != declaration.type) return other(expected_type(declaration));
    if (declaration.type == Type::text && layout.values[0].text_length != declaration.text_length)
      return other(expected_type(declaration));
  }
  if (!declaration.plc_type.empty()) {
    const auto expected = layout_of(declaration.plc_type, declared);
    // INT for an enumeration, BYTE for USINT: numbers go by their bytes.
    const bool number = expected && expected->values.size() == 1 && expected->values[0].path.empty() &&
                        expected->values[0].bounds.empty();
    if (number)
      return difference(*expected, layout) ? std::optional(other(described(*expected)))
                                           : misfit_of_output(declaration, layout);
    if (!same_plc_type(declaration.plc_type, layout.plc_type))
      return other(expected ? described(*expected) : printable(declaration.plc_type));
    // Without a declaration of the structure its name is all there is to compare.
    if (expected)
      if (const auto differs = difference(*expected, layout)) return fmt::format("{}: {}", layout.plc_type, *differs);
  }
  return misfit_of_output(declaration, layout);
}

RawNumber raw_number(Type type, const std::uint8_t* from) {
  if (type == Type::bit) return {*from != 0 ? 1.0 : 0.0, *from != 0 ? 1 : 0};
  return with_type(type, [from]<typename T>(T) {
    const T number = number_at<T>(from);
    if constexpr (std::is_integral_v<T>)
      return RawNumber{static_cast<double>(number), static_cast<std::int64_t>(number)};
    return RawNumber{static_cast<double>(number), 0};
  });
}

bool put_raw(Type type, double raw, std::uint8_t* to) {
  if (!std::isfinite(raw)) return false;
  if (type == Type::bit) {
    if (raw != 0 && raw != 1) return false;
    *to = raw != 0;
    return true;
  }
  return with_type(type, [raw, to]<typename T>(T) {
    if constexpr (std::is_integral_v<T>) {
      const double rounded = std::round(raw);
      // The first number above what fits is a power of two, exact in a double.
      const double above = std::ldexp(1.0, std::numeric_limits<T>::digits);
      if (rounded < static_cast<double>(std::numeric_limits<T>::lowest()) || rounded >= above) return false;
      put_little(to, static_cast<std::make_unsigned_t<T>>(static_cast<T>(rounded)));
    } else if constexpr (std::is_same_v<T, float>) {
      if (std::abs(raw) > static_cast<double>(std::numeric_limits<float>::max())) return false;
      put_little(to, std::bit_cast<std::uint32_t>(static_cast<float>(raw)));
    } else {
      put_little(to, std::bit_cast<std::uint64_t>(raw));
    }
    return true;
  });
}

double saturated(Type type, double raw) {
  if (type == Type::bit) return raw != 0 ? 1 : 0;
  return with_type(type, [raw]<typename T>(T) {
    const auto lowest = static_cast<double>(std::numeric_limits<T>::lowest());
    auto highest = static_cast<double>(std::numeric_limits<T>::max());
    // Of 64 bits the largest integer is none in a double.
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) highest = std::nextafter(highest, 0.0);
    return std::clamp(raw, lowest, highest);
  });
}

}  // namespace tandem::generic
