// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/learn/observations.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::generic {

std::string register_text(ModbusTable table, std::uint32_t address) {
  constexpr std::array<char, 4> digits = {'0', '1', '4', '3'};  // coil, discrete, holding, input
  const char digit = digits[static_cast<std::size_t>(table)];
  return fmt::format("{} {} ({}{:0{}})", name(table), address, digit, address + 1, address < 9999 ? 4 : 5);
}

void Observations::add(ModbusTable table, Word first, std::span<const Word> words) {
  if (words.empty() || first + words.size() > modbus::address_count) return;
  const auto count = static_cast<std::uint32_t>(words.size());
  const Key key{table, first, count};
  auto found = stretches_.find(key);
  if (found == stretches_.end()) {
    if (stretches_.size() >= most_stretches) return;
    found = stretches_.emplace(key, Stretch{}).first;
    borders_.insert({table, first});
    borders_.insert({table, first + count});
  }
  Stretch& stretch = found->second;
  if (stretch.seen++ % stretch.stride != 0) return;
  stretch.samples.emplace_back(words.begin(), words.end());
  if (stretch.samples.size() < most_samples) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < stretch.samples.size(); i += 2, ++kept) {
    if (kept != i) stretch.samples[kept] = std::move(stretch.samples[i]);
  }
  stretch.samples.resize(kept);
  stretch.stride *= 2;
}

std::vector<std::uint32_t> Observations::addresses(ModbusTable table) const {
  std::set<std::uint32_t> found;
  for (const auto& [key, stretch] : stretches_) {
    if (std::get<0>(key) != table) continue;
    for (std::uint32_t i = 0; i < std::get<2>(key); ++i) found.insert(std::get<1>(key) + i);
  }
  return {found.begin(), found.end()};
}

const Observations::Stretch* Observations::longest(ModbusTable table, std::uint32_t address, std::uint32_t count,
                                                   std::uint32_t& first) const {
  const Stretch* best = nullptr;
  // No request is longer than 2000 addresses.
  const std::uint32_t lowest = address > 2000 ? address - 2000 : 0;
  for (auto at = stretches_.lower_bound({table, lowest, 0}); at != stretches_.end(); ++at) {
    const auto [its_table, its_first, its_count] = at->first;
    if (its_table != table || its_first > address) break;
    if (its_first + its_count < address + count) continue;
    if (best == nullptr || at->second.samples.size() > best->samples.size()) {
      best = &at->second;
      first = its_first;
    }
  }
  return best;
}

std::vector<Word> Observations::series(ModbusTable table, std::uint32_t address) const {
  std::uint32_t first = 0;
  const Stretch* stretch = longest(table, address, 1, first);
  std::vector<Word> out;
  if (stretch == nullptr) return out;
  for (const auto& sample : stretch->samples) out.push_back(sample[address - first]);
  return out;
}

std::vector<WordPair> Observations::pairs(ModbusTable table, std::uint32_t address) const {
  std::uint32_t first = 0;
  const Stretch* stretch = longest(table, address, 2, first);
  std::vector<WordPair> out;
  if (stretch == nullptr) return out;
  for (const auto& sample : stretch->samples) out.push_back({sample[address - first], sample[address - first + 1]});
  return out;
}

bool Observations::is_asked_pair(ModbusTable table, std::uint32_t address) const {
  return stretches_.contains({table, address, 2});
}

}  // namespace tandem::generic
