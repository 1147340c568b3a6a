// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/modbus/registers.hpp"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>

namespace tandem::modbus {
namespace {

struct OrderName {
  WordOrder order;
  const char* text;
};
constexpr std::array order_names{OrderName{WordOrder::abcd, "abcd"}, OrderName{WordOrder::cdab, "cdab"},
                                 OrderName{WordOrder::badc, "badc"}, OrderName{WordOrder::dcba, "dcba"}};

bool low_word_first(WordOrder order) { return order == WordOrder::cdab || order == WordOrder::dcba; }
bool bytes_swapped(WordOrder order) { return order == WordOrder::badc || order == WordOrder::dcba; }

// The lowest and highest raw value. Those of 64-bit integers are the nearest doubles inside.
Range raw_limits(const Register& entry) {
  if (entry.encoding == Encoding::floating) {
    const double most =
        entry.width == 32 ? double{std::numeric_limits<float>::max()} : std::numeric_limits<double>::max();
    return {-most, most};
  }
  const bool is_signed = entry.encoding == Encoding::signed_integer;
  const double top = std::ldexp(1.0, is_signed ? entry.width - 1 : entry.width);
  return {is_signed ? -top : 0.0, entry.width < 64 ? top - 1 : std::nextafter(top, 0)};
}

double factor(const Register& entry) { return entry.scale * entry.direction; }

// The bits of a raw value that is known to fit, in the lowest `width` of them.
std::uint64_t bits_of(const Register& entry, double raw) {
  if (entry.encoding == Encoding::floating)
    return entry.width == 32 ? std::bit_cast<std::uint32_t>(static_cast<float>(raw))
                             : std::bit_cast<std::uint64_t>(raw);
  const double whole = std::round(raw);
  if (entry.encoding == Encoding::unsigned_integer) return static_cast<std::uint64_t>(whole);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(whole));
}

double raw_of(const Register& entry, std::uint64_t bits) {
  if (entry.encoding == Encoding::floating)
    return entry.width == 32 ? double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))}
                             : std::bit_cast<double>(bits);
  if (entry.encoding == Encoding::unsigned_integer) return static_cast<double>(bits);
  const int unused = 64 - entry.width;
  return static_cast<double>(static_cast<std::int64_t>(bits << unused) >> unused);
}

Result<void> right_size(const Register& entry, std::size_t seen) {
  if (seen == entry.words()) return {};
  return Error{Fault::invalid, fmt::format("register {}: expected {} words, got {}", entry.name, entry.words(), seen)};
}

Error outside(const Register& entry, double value) {
  const Range range = limits(entry);
  return {Fault::invalid, fmt::format("register {}: {} {} is outside {} to {}", entry.name, value, entry.unit,
                                      range.lowest, range.highest)};
}

// How far from a value of the range its nearest raw value may lie: a good half step, or what floating leaves out.
double rounding(const Register& entry, const Range& range) {
  const double reach = std::fmax(std::fabs(range.lowest), std::fabs(range.highest));
  if (entry.encoding != Encoding::floating) return 0.51 / std::fabs(factor(entry)) + 1e-15 * reach;
  return (entry.width == 32 ? 1e-7 : 1e-15) * reach;
}

// A finite value to the nearest raw one. True when that is at a limit and the value was beyond it.
bool saturated(const Register& entry, double value, double& raw) {
  bool beyond = false;
  if (entry.range) {
    const double inside = std::fmin(std::fmax(value, entry.range->lowest), entry.range->highest);
    beyond = inside != value;
    value = inside;
  }
  raw = value * factor(entry);
  if (entry.encoding != Encoding::floating) raw = std::round(raw);
  const Range fits = raw_limits(entry);
  if (raw >= fits.lowest && raw <= fits.highest) return beyond;
  raw = std::fmin(std::fmax(raw, fits.lowest), fits.highest);
  return true;
}

}  // namespace

const char* name(WordOrder order) {
  for (const auto& each : order_names)
    if (each.order == order) return each.text;
  return "unknown";
}

std::optional<WordOrder> word_order(std::string_view text) {
  for (const auto& each : order_names)
    if (each.text == text) return each.order;
  return std::nullopt;
}

std::uint64_t joined(WordOrder order, std::span<const std::uint16_t> words) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::uint16_t word = words[low_word_first(order) ? words.size() - 1 - i : i];
    if (bytes_swapped(order)) word = static_cast<std::uint16_t>((word << 8) | (word >> 8));
    bits = bits << 16 | word;
  }
  return bits;
}

void split(WordOrder order, std::uint64_t bits, std::span<std::uint16_t> words) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    auto word = static_cast<std::uint16_t>(bits >> (16 * i));  // lowest first
    if (bytes_swapped(order)) word = static_cast<std::uint16_t>((word << 8) | (word >> 8));
    words[low_word_first(order) ? i : words.size() - 1 - i] = word;
  }
}

Range limits(const Register& entry) {
  const Range raw = raw_limits(entry);
  const double a = raw.lowest / factor(entry);
  const double b = raw.highest / factor(entry);
  Range range{std::fmin(a, b), std::fmax(a, b)};
  if (entry.range)
    range = {std::fmax(range.lowest, entry.range->lowest), std::fmin(range.highest, entry.range->highest)};
  return range;
}

Result<void> encode(const Register& entry, double value, std::span<std::uint16_t> words) {
  if (auto size = right_size(entry, words.size()); !size) return size;
  double raw = 0;
  if (!std::isfinite(value) || saturated(entry, value, raw)) return outside(entry, value);
  split(entry.order, bits_of(entry, raw), words);
  return {};
}

Result<bool> encode_saturated(const Register& entry, double value, std::span<std::uint16_t> words) {
  if (auto size = right_size(entry, words.size()); !size) return std::move(size).error();
  if (std::isnan(value)) return outside(entry, value);
  double raw = 0;
  const bool beyond = saturated(entry, value, raw);
  split(entry.order, bits_of(entry, raw), words);
  return beyond;
}

Result<double> decode(const Register& entry, std::span<const std::uint16_t> words) {
  if (auto size = right_size(entry, words.size()); !size) return std::move(size).error();
  const double value = raw_of(entry, joined(entry.order, words)) / factor(entry);
  const double slack = entry.range ? rounding(entry, *entry.range) : 0;
  const bool inside = !entry.range || (value >= entry.range->lowest - slack && value <= entry.range->highest + slack);
  if (!std::isfinite(value) || !inside) return outside(entry, value);
  return value == 0 ? 0.0 : value;  // a flipped zero is none
}

}  // namespace tandem::modbus
