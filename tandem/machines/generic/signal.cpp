// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/signal.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace tandem::generic {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t no_number = std::numeric_limits<std::size_t>::max();  // of a text

// "[3]", "[1][2]" and "[1,2]": the element that they choose, counted in the order of memory.
std::optional<std::size_t> element_of(const Signal& signal, std::string_view indices) {
  std::size_t element = 0, dimension = 0;
  bool open = false;
  while (!indices.empty()) {
    const char begin = indices.front();
    if (begin != (open ? ',' : '[')) return std::nullopt;
    indices.remove_prefix(1);
    std::int64_t index = 0;
    const auto [end, error] = std::from_chars(indices.data(), indices.data() + indices.size(), index);
    if (error != std::errc()) return std::nullopt;
    indices.remove_prefix(static_cast<std::size_t>(end - indices.data()));
    std::pair<int, std::size_t> bound{0, signal.count};
    if (!signal.bounds.empty()) {
      if (dimension >= signal.bounds.size()) return std::nullopt;
      bound = signal.bounds[dimension];
    } else if (dimension > 0) {
      return std::nullopt;
    }
    if (index < bound.first || static_cast<std::uint64_t>(index - bound.first) >= bound.second) return std::nullopt;
    element = element * bound.second + static_cast<std::size_t>(index - bound.first);
    ++dimension;
    open = indices.empty() || indices.front() != ']';
    if (!open) indices.remove_prefix(1);
  }
  const std::size_t wanted = signal.bounds.empty() ? 1 : signal.bounds.size();
  if (open || dimension != wanted || element >= signal.count) return std::nullopt;
  return element;
}

}  // namespace

const char* name(SignalQuality quality) {
  switch (quality) {
    case SignalQuality::good:
      return "good";
    case SignalQuality::uncertain:
      return "uncertain";
    case SignalQuality::bad:
      return "bad";
    case SignalQuality::stale:
      return "stale";
  }
  return "?";
}

void Readings::resize(const std::vector<Signal>& signals) {
  std::size_t values = 0, text_count = 0;
  for (const Signal& signal : signals) {
    if (signal.kind == Kind::text) {
      text_count = std::max(text_count, signal.text + 1);
    } else {
      values = std::max(values, signal.first + signal.count);
    }
  }
  numbers.assign(values, no_value);
  integers.assign(values, 0);
  texts.assign(text_count, {});
  of.assign(signals.size(), {});
}

std::optional<SignalReference> find_signal(const std::vector<Signal>& signals, std::string_view name) {
  for (std::size_t i = 0; i < signals.size(); ++i) {
    const Signal& signal = signals[i];
    if (!name.starts_with(signal.name)) continue;
    const std::string_view rest = name.substr(signal.name.size());
    if (rest.empty() && signal.kind == Kind::text) return SignalReference{i, 0, -1, no_number};
    if (rest.empty()) return SignalReference{i, 0, -1, signal.first};
    if (rest.front() == '.') {
      for (const auto& [bit, called] : signal.bits) {
        if (rest.substr(1) == called) return SignalReference{i, 0, bit, signal.first};
      }
    } else if (rest.front() == '[' && signal.count > 1) {
      if (const auto element = element_of(signal, rest))
        return SignalReference{i, *element, -1, signal.first + *element};
    }
  }
  return std::nullopt;
}

double value_of(const SignalReference& reference, const Readings& readings) {
  const SignalQuality quality = readings.of[reference.signal].quality;
  if (quality == SignalQuality::bad || quality == SignalQuality::stale) return no_value;
  if (reference.number >= readings.numbers.size()) return no_value;
  if (reference.bit < 0) return readings.numbers[reference.number];
  return static_cast<double>(static_cast<std::uint64_t>(readings.integers[reference.number]) >> reference.bit & 1);
}

}  // namespace tandem::generic
