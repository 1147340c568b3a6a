// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/device/modbus_hints.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace tandem::generic {
namespace {

constexpr double no_guess = std::numeric_limits<double>::quiet_NaN();
constexpr double smallest_usual = 1e-3, largest_usual = 1e6;  // of floats for which the file expects nothing
constexpr double strange = 1e20;                              // larger ones are no measurements
constexpr std::array<double, 6> factors{10, 100, 1000, 0.1, 0.01, 0.001};

bool has_float_bits(Type type) { return type == Type::float32 || type == Type::float64; }

// The same bits with and without a sign.
Type with_other_sign(Type type) {
  switch (type) {
    case Type::int16:
      return Type::uint16;
    case Type::uint16:
      return Type::int16;
    case Type::int32:
      return Type::uint32;
    case Type::uint32:
      return Type::int32;
    case Type::int64:
      return Type::uint64;
    case Type::uint64:
      return Type::int64;
    default:
      return Type::unknown;
  }
}

}  // namespace

// Single numbers for which something is expected, and floats.
ModbusHints::ModbusHints(const Description&, const ModbusLayout& layout)
    : layout_(layout), watches_(layout.signals.size()) {
  for (std::size_t i = 0; i < watches_.size(); ++i) {
    const Signal& signal = layout.signals[i];
    const bool number = signal.kind == Kind::number || signal.kind == Kind::integer;
    if (!number || signal.count > 1 || signal.hidden || (!signal.expect && !has_float_bits(signal.type)))
      watches_[i].seen = samples;
    watches_[i].guesses = (1u << guess_count) - 1;
  }
}

bool ModbusHints::is_plausible(std::size_t index, double value) const {
  const Signal& signal = layout_.signals[index];
  if (signal.expect) return value >= signal.expect->lowest && value <= signal.expect->highest;
  const double size = std::fabs(value);
  return size >= smallest_usual && size <= largest_usual;
}

double ModbusHints::value_as(std::size_t index, Guess guess, std::span<const std::uint16_t> words,
                             std::size_t offset) const {
  const Signal& signal = layout_.signals[index];
  ModbusSpan span = layout_.spans[index];
  Type type = signal.type;
  double scale = signal.scale;
  if (guess == before || guess == after) {
    if (guess == before ? offset == 0 : offset + span.words >= words.size()) return no_guess;
    offset = guess == before ? offset - 1 : offset + 1;
  } else if (guess <= dcba) {
    const auto order = static_cast<modbus::WordOrder>(guess - abcd);
    if (order == span.order || span.words == 1) return no_guess;
    span.order = order;
  } else if (guess == other_sign) {
    type = with_other_sign(type);
  } else {
    if (has_float_bits(type) && !signal.expect) return no_guess;
    scale *= factors[guess - up_10];
  }
  if (type == Type::unknown) return no_guess;
  const double raw = raw_value(type, span, words.subspan(offset, span.words)).number;
  return raw == 0 ? no_guess : raw * scale + signal.offset;  // a zero fits anywhere and proves nothing
}

void ModbusHints::look(std::size_t index, std::span<const std::uint16_t> words, std::size_t offset) {
  Watch& watch = watches_[index];
  const Signal& signal = layout_.signals[index];
  const ModbusSpan& span = layout_.spans[index];
  const double raw = raw_value(signal.type, span, words.subspan(offset, span.words)).number;
  const double size = std::fabs(raw);
  const bool good = signal.expect ? is_plausible(index, raw * signal.scale + signal.offset)
                                  : raw == 0 || (size > std::numeric_limits<float>::min() && size < strange);
  if (good) {
    // Of a float that was never strange, zeros prove nothing yet.
    watch.seen = samples;
    return;
  }
  for (std::size_t i = 0; i < guess_count; ++i) {
    if ((watch.guesses >> i & 1) == 0) continue;
    const double value = value_as(index, static_cast<Guess>(i), words, offset);
    if (std::isnan(value) || !is_plausible(index, value))
      watch.guesses = static_cast<std::uint16_t>(watch.guesses & ~(1u << i));
  }
  if (++watch.seen == samples) conclude(index, watch.guesses, words, offset);
}

// The first guess counts. An address that is off by one and another order look the same for values of several words:
// then both are said.
void ModbusHints::conclude(std::size_t index, std::uint16_t guesses, std::span<const std::uint16_t> words,
                           std::size_t offset) {
  const Signal& signal = layout_.signals[index];
  const ModbusSpan& span = layout_.spans[index];
  std::string advised;
  for (std::size_t i = 0; i < guess_count; ++i) {
    const auto guess = static_cast<Guess>(i);
    const bool neighbour = guess == before || guess == after;
    if ((guesses >> i & 1) == 0 || (!signal.expect && neighbour)) continue;  // any float would do
    if (!advised.empty() && (guess < abcd || guess > dcba)) break;
    advised += advised.empty() ? "" : "; or ";
    advised += advice(index, guess, value_as(index, guess, words, offset));
    if (!neighbour) break;
  }
  if (advised.empty()) return;
  const double got = raw_value(signal.type, span, words.subspan(offset, span.words)).number;
  const std::string expected = signal.expect
                                   ? fmt::format("{:.6g} to {:.6g}", signal.expect->lowest, signal.expect->highest)
                                   : fmt::format("a {}", name(signal.type));
  notes_.push_back({fmt::format("{}: expected {}, got {:.6g} from the first sample on; {}", signal.name, expected,
                                got * signal.scale + signal.offset, advised),
                    true});
}

std::string ModbusHints::advice(std::size_t index, Guess guess, double value) const {
  const Signal& signal = layout_.signals[index];
  const ModbusSpan& span = layout_.spans[index];
  switch (guess) {
    case before:
    case after:
      return fmt::format(
          "{} holds {:.6g}: is the address off by one (`base:`)?",
          places_text(span.table, guess == before ? span.address - 1u : span.address + 1u, 1, layout_.base), value);
    case abcd:
    case cdab:
    case badc:
    case dcba: {
      const char* const order = modbus::name(static_cast<modbus::WordOrder>(guess - abcd));
      return fmt::format("as {} it is {:.6g}: `order: {}`", order, value, order);
    }
    case other_sign: {
      const char* const type = name(with_other_sign(signal.type));
      return fmt::format("as {} it is {:.6g}: `type: {}`", type, value, type);
    }
    default: {
      const double scale = signal.scale * factors[guess - up_10];
      return fmt::format("with a scale of {:g} it is {:.6g}: `scale: {:g}`", scale, value, scale);
    }
  }
}

}  // namespace tandem::generic
