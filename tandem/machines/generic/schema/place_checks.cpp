// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "tandem/machines/generic/schema/checks.hpp"

namespace tandem::generic {
namespace {

// The bits that a signal takes of one table; of coils 16 for each, so that one count serves all.
struct PlaceSpan {
  const Declaration* declaration = nullptr;
  ModbusTable table{};
  std::uint32_t begin = 0, end = 0;
};

PlaceSpan span_of(const Declaration& declaration) {
  const auto& place = std::get<ModbusPlace>(declaration.at);
  const std::uint32_t first = std::uint32_t{place.address} * 16;
  if (place.bit >= 0) {
    const auto bit = first + static_cast<std::uint32_t>(place.bit);
    return {&declaration, place.table, bit, bit + 1};
  }
  return {&declaration, place.table, first, first + static_cast<std::uint32_t>(modbus_places(declaration)) * 16};
}

bool is_bit_of(const PlaceSpan& bit, const PlaceSpan& whole) {
  return bit.declaration->write && bit.end - bit.begin == 1 && bit.begin >= whole.begin && bit.end <= whole.end;
}

std::string shared_text(const PlaceSpan& a, const PlaceSpan& b, int base) {
  const std::uint32_t begin = std::max(a.begin, b.begin), end = std::min(a.end, b.end);
  ModbusPlace place{a.table, static_cast<std::uint16_t>(begin / 16), -1};
  if (end - begin == 1) place.bit = static_cast<int>(begin % 16);
  return place_text(place, (end + 15) / 16 - begin / 16, base);
}

std::string with_place(const Declaration& declaration, int base) {
  return fmt::format("{} ({})", declaration.name, place_text(declaration.at, modbus_places(declaration), base));
}

void add_note(Description& description, const Declaration& at, const std::string& text) {
  description.notes.push_back(at.place.text() + ": " + text);
}

// Both have something of the same place.
template <typename Shared>
void meet(Description& description, const Declaration& a, const Declaration& b, const Shared& shared, bool same,
          Problems& problems) {
  const bool allowed = (a.alias || b.alias) && !a.write && !b.write;
  if (allowed || problems.full()) return;
  const Declaration& later = std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column) ? b : a;
  const int base = description.base;
  if (a.write && b.write) {
    return problems.add(later.place, fmt::format("{} and {} both write {}: expected one writer for each place",
                                                 with_place(a, base), with_place(b, base), shared()));
  }
  if ((a.write || b.write) && same) {
    const Declaration& output = a.write ? a : b;
    const Declaration& read = a.write ? b : a;
    return add_note(description, output,
                    fmt::format("{} is also read as {}: confirm by default", output.name, read.name));
  }
  problems.add(later.place, fmt::format("{} and {} share {}{}", with_place(a, base), with_place(b, base), shared(),
                                        a.write || b.write ? "" : "; `alias: true` allows it"));
}

void check_modbus(Description& description, Problems& problems) {
  std::vector<PlaceSpan> spans;
  for (const Declaration& each : description.signals) {
    if (!each.hidden) spans.push_back(span_of(each));
  }
  std::stable_sort(spans.begin(), spans.end(), [](const PlaceSpan& a, const PlaceSpan& b) {
    return std::tie(a.table, a.begin) < std::tie(b.table, b.begin);
  });
  for (std::size_t i = 0; i < spans.size(); ++i) {
    for (std::size_t j = i + 1; j < spans.size(); ++j) {
      const PlaceSpan &a = spans[i], &b = spans[j];
      if (b.table != a.table || b.begin >= a.end) break;
      const bool whole = a.begin == b.begin && a.end == b.end;
      // A bit that is written, of a register that is read.
      const bool same = whole || is_bit_of(a, b) || is_bit_of(b, a);
      meet(
          description, *a.declaration, *b.declaration, [&] { return shared_text(a, b, description.base); }, same,
          problems);
    }
  }
  if (!description.heartbeat) return;
  const auto& beat = std::get<ModbusPlace>(*description.heartbeat);
  for (const PlaceSpan& span : spans) {
    const bool same =
        span.table == beat.table && beat.address * 16u < span.end && span.begin < (beat.address + 1) * 16u;
    if (same && span.declaration->write)
      problems.add(span.declaration->place,
                   fmt::format("{} and the heartbeat both write {}: expected one writer for each place",
                               with_place(*span.declaration, description.base), place_text(beat, 1, description.base)));
  }
}

// A PLC knows no upper and lower case: "GVL.aBelt [1, 2]" is "gvl.abelt[1,2]".
std::string plain_symbol(const At& at) {
  std::string plain;
  for (const char c : std::get<AdsPlace>(at).symbol) {
    if (c != ' ') plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  }
  return plain;
}

// "gvl.abelt" holds "gvl.abelt[1].fspeed".
bool holds_symbol(const std::string& whole, const std::string& part) {
  return part.starts_with(whole) &&
         (part.size() == whole.size() || part[whole.size()] == '.' || part[whole.size()] == '[');
}

void check_ads(Description& description, Problems& problems) {
  std::vector<std::pair<std::string, const Declaration*>> places;
  for (const Declaration& each : description.signals) {
    if (!each.hidden) places.emplace_back(plain_symbol(each.at), &each);
  }
  std::stable_sort(places.begin(), places.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = i + 1; j < places.size() && places[j].first.starts_with(places[i].first); ++j) {
      const auto& [symbol, a] = places[i];
      const std::string& other = places[j].first;
      const Declaration* b = places[j].second;
      const bool same = symbol == other;
      if (same || (a->write && b->write && holds_symbol(symbol, other)))
        meet(
            description, *a, *b, [&] { return place_text(b->at, 0, 0); }, same, problems);
    }
  }
  if (!description.heartbeat) return;
  const std::string beat = plain_symbol(*description.heartbeat);
  for (const auto& [symbol, declaration] : places) {
    if (declaration->write && (holds_symbol(symbol, beat) || holds_symbol(beat, symbol)))
      problems.add(declaration->place,
                   fmt::format("{} and the heartbeat both write {}: expected one writer for each place",
                               with_place(*declaration, description.base), place_text(*description.heartbeat, 0, 0)));
  }
}

}  // namespace

void check_places(Description& description, Problems& problems) {
  return description.protocol == Protocol::modbus ? check_modbus(description, problems)
                                                  : check_ads(description, problems);
}

}  // namespace tandem::generic
