// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/signal_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::generic {
namespace {

std::string set_bits(const Signal& signal, std::int64_t raw) {
  std::string text;
  for (const auto& [bit, name] : signal.bits) {
    if (((static_cast<std::uint64_t>(raw) >> bit) & 1) == 0) continue;
    text += (text.empty() ? "" : ", ") + name;
  }
  return text.empty() ? "none" : text;
}

std::string number_text(const Signal& signal, std::size_t at, const Readings& readings) {
  const std::int64_t raw = readings.integers[at];
  switch (signal.kind) {
    case Kind::bit:
      return readings.numbers[at] != 0 ? "on" : "off";
    case Kind::enumeration: {
      std::string room;
      return std::string(enumeration_text(signal, raw, room));
    }
    case Kind::bit_field:
      return set_bits(signal, raw);
    case Kind::integer:
      return signal.type == Type::uint64 ? fmt::format("{}", static_cast<std::uint64_t>(raw)) : fmt::format("{}", raw);
    case Kind::number:
    case Kind::text:
      break;
  }
  return fmt::format("{:.6g}", readings.numbers[at]);
}

}  // namespace

std::string_view enumeration_text(const Signal& signal, std::int64_t raw, std::string& room) {
  const auto named = std::ranges::find(signal.names, raw, &std::pair<std::int64_t, std::string>::first);
  if (named != signal.names.end()) return named->second;
  room = fmt::format("{}", raw);
  return room;
}

std::vector<std::string> element_names(const Signal& signal) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < signal.count; ++i) {
    if (signal.bounds.empty()) {
      names.push_back(fmt::format("[{}]", i));
      continue;
    }
    std::string indices;
    std::size_t rest = i;
    for (std::size_t d = signal.bounds.size(); d-- > 0;) {
      const auto& [first, count] = signal.bounds[d];
      const auto index = first + static_cast<int>(rest % std::max<std::size_t>(count, 1));
      indices = fmt::format("{}{}{}", index, indices.empty() ? "" : ",", indices);
      rest /= std::max<std::size_t>(count, 1);
    }
    names.push_back("[" + indices + "]");
  }
  return names;
}

std::string signal_text(const Signal& signal, std::size_t index, const Readings& readings) {
  const Reading& reading = readings.of[index];
  if (reading.quality == SignalQuality::bad || reading.quality == SignalQuality::stale)
    return fmt::format("{}{}{}", name(reading.quality), reading.why.empty() ? "" : ": ", reading.why.view());
  std::string text;
  if (signal.kind == Kind::text) {
    text = readings.texts[signal.text];
  } else if (signal.count == 1) {
    text = number_text(signal, signal.first, readings);
  } else {
    for (std::size_t i = 0; i < signal.count; ++i)
      text += (i == 0 ? "[" : ", ") + number_text(signal, signal.first + i, readings);
    text += "]";
  }
  if (!signal.unit.empty()) text += " " + signal.unit;
  if (reading.quality == SignalQuality::uncertain) text += fmt::format(" (uncertain: {})", reading.why.view());
  return text;
}

}  // namespace tandem::generic
