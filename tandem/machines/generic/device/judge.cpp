// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/device/judge.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "tandem/base/utf8.hpp"
#include "tandem/machines/generic/device/link.hpp"

namespace tandem::generic {
namespace {

constexpr double no_number_value = std::numeric_limits<double>::quiet_NaN();
constexpr double range_slack = 1e-9;  // of the larger end of a range, as scales like 0.1 are not exact

bool is_float_type(Type type) { return type == Type::float32 || type == Type::float64; }

// 0x8000 and -32768 are the same int16.
bool same_bits(Type type, double invalid, std::int64_t raw) {
  if (std::floor(invalid) != invalid || std::fabs(invalid) >= 9e18) return false;
  const std::size_t bits = std::min<std::size_t>(64, 8 * std::max<std::size_t>(1, bytes_of(type)));
  const auto difference =
      static_cast<std::uint64_t>(static_cast<std::int64_t>(invalid)) ^ static_cast<std::uint64_t>(raw);
  return difference << (64 - bits) == 0;
}

bool means_no_value(const Signal& signal, const Declaration& declaration, double raw, std::int64_t raw_integer) {
  return std::ranges::any_of(invalid_values(signal, declaration), [&](double invalid) {
    return raw == invalid || (!is_float_type(signal.type) && same_bits(signal.type, invalid, raw_integer));
  });
}

bool has_name(const Signal& signal, std::int64_t raw) {
  return std::ranges::any_of(signal.names, [raw](const auto& named) { return named.first == raw; });
}

// Of an array the worst of its elements, once the last of them was judged.
void settle_array(const Signal& signal, std::size_t element, SignalQuality quality, std::string_view why,
                  Readings& readings, std::size_t index) {
  Reading& reading = readings.of[index];
  if (signal.count == 1 || quality == SignalQuality::bad) return set_quality(reading, quality, why);
  if (element + 1 < signal.count) return;
  for (std::size_t i = signal.first; i < signal.first + signal.count; ++i) {
    if (std::isnan(readings.numbers[i])) return;
    if (signal.names.empty() || has_name(signal, readings.integers[i])) continue;
    quality = SignalQuality::uncertain;
    why = "an element has no name";
  }
  set_quality(reading, quality, why);
}

}  // namespace

Range plausible_range(const Signal& signal) {
  constexpr double most = std::numeric_limits<double>::max();
  if (!signal.expect) return {-most, most};
  const auto [lowest, highest] = *signal.expect;
  const double slack = range_slack * std::fmax(std::fabs(lowest), std::fabs(highest));
  return {lowest - slack, highest + slack};
}

void set_quality(Reading& reading, SignalQuality quality, std::string_view why) {
  if (reading.quality != quality) {
    reading.quality = quality;
    ++reading.changes;
  } else if (quality == SignalQuality::good || reading.why.view() == why) {
    return;
  }
  reading.why = why;
}

void judge_number(const Signal& signal, const Declaration& declaration, std::size_t element, double raw,
                  std::int64_t raw_integer, Readings& readings, std::size_t index) {
  const std::size_t at = signal.first + element;
  double value = raw * signal.scale + signal.offset;
  if (value == 0) value = 0;  // a negative zero is none
  ShortText<120> why;
  SignalQuality quality = SignalQuality::good;
  if (!std::isfinite(value)) {
    quality = SignalQuality::bad;
    why = short_text<120>("expected a number, got {}", raw);
  } else if (!invalid_values(signal, declaration).empty() && means_no_value(signal, declaration, raw, raw_integer)) {
    quality = SignalQuality::bad;
    why = short_text<120>("no value: the device reports {} (invalid)", raw);
  } else if (const Range range = plausible_range(signal); value < range.lowest || value > range.highest) {
    quality = SignalQuality::bad;
    why = short_text<120>("expected {:.6g} to {:.6g}{}{}, got {:.6g}", signal.expect->lowest, signal.expect->highest,
                          signal.unit.empty() ? "" : " ", signal.unit, value);
  } else if (!signal.names.empty() && !has_name(signal, raw_integer)) {
    quality = SignalQuality::uncertain;
    why = short_text<120>("{} has no name", raw_integer);
  }
  if (quality == SignalQuality::bad) value = no_number_value;
  double& number = readings.numbers[at];
  const bool same = number == value || (std::isnan(number) && std::isnan(value));
  if (!same || readings.integers[at] != raw_integer) ++readings.of[index].changes;
  number = value;
  readings.integers[at] = raw_integer;
  settle_array(signal, element, quality, why, readings, index);
}

void judge_failed(const Signal& signal, std::size_t first, std::size_t count, std::string_view why, Readings& readings,
                  std::size_t index) {
  if (signal.kind != Kind::text) {
    for (std::size_t i = first; i < first + count; ++i) readings.numbers[signal.first + i] = no_number_value;
  }
  set_quality(readings.of[index], SignalQuality::bad, why);
}

void judge_text(const Signal& signal, std::string_view bytes, Readings& readings, std::size_t index) {
  std::string& text = readings.texts[signal.text];
  const bool valid = is_utf8(bytes);
  std::string latin;
  if (!valid) {
    for (const char letter : bytes) append_utf8(latin, static_cast<unsigned char>(letter));
    bytes = latin;
  }
  if (text != bytes) {
    text = bytes;
    ++readings.of[index].changes;
  }
  set_quality(readings.of[index], valid ? SignalQuality::good : SignalQuality::uncertain,
              valid ? "" : "not UTF-8: shown as Latin-1");
}

void judge_age(const Signal& signal, Instant now, std::string_view why, Readings& readings, std::size_t index) {
  Reading& reading = readings.of[index];
  if (reading.quality == SignalQuality::bad) return;
  const Duration limit = std::max<Duration>(100ms, duration_of(3 * signal.period));
  if (reading.quality == SignalQuality::stale || now - reading.received > limit)
    set_quality(reading, SignalQuality::stale, why);
}

}  // namespace tandem::generic
