// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tandem/protocols/modbus/registers.hpp"
#include "tandem/protocols/modbus/types.hpp"

namespace tandem::modbus {
namespace {

[[noreturn]] void bad_row(const Register& row, const std::string& why) {
  throw std::invalid_argument(fmt::format("register '{}' at {}: {}", row.name, row.address, why));
}

void check_row(const Register& row) {
  if (row.name.empty()) bad_row(row, "missing name");
  if (row.width != 16 && row.width != 32 && row.width != 64)
    bad_row(row, fmt::format("expected a width of 16, 32 or 64, got {}", row.width));
  if (row.encoding == Encoding::floating && row.width == 16) bad_row(row, "floating needs a width of 32 or 64");
  if (row.address + row.words() > address_count) bad_row(row, "beyond address 65535");
  if (!std::isfinite(row.scale) || row.scale == 0)
    bad_row(row, fmt::format("expected a finite scale other than 0, got {}", row.scale));
  if (row.direction != 1 && row.direction != -1)
    bad_row(row, fmt::format("expected a direction of 1 or -1, got {}", row.direction));
  if (!row.range) return;
  const Range& range = *row.range;
  if (!std::isfinite(range.lowest) || !std::isfinite(range.highest) || range.lowest > range.highest)
    bad_row(row, fmt::format("expected a finite range in ascending order, got {} to {}", range.lowest, range.highest));
  Register any = row;
  any.range.reset();
  std::uint16_t words[4] = {};
  for (const double end : {range.lowest, range.highest})
    if (auto fits = encode(any, end, std::span(words, row.words())); !fits)
      bad_row(row, fmt::format("its range does not fit its width: {}", fits.error().text));
}

Error not_in_block(const Register& row, std::size_t first, std::size_t count) {
  return {Fault::invalid, fmt::format("register {}: its {} words from {} are not all within the {} from {}", row.name,
                                      row.words(), row.address, count, first)};
}

// The row's own words, or none when the block does not hold them all.
template <typename Word>
std::span<Word> own_words(const Register& row, const RegisterBlock<Word>& block) {
  if (row.address < block.first) return {};
  const auto offset = static_cast<std::size_t>(row.address - block.first);
  if (offset + row.words() > block.words.size()) return {};
  return block.words.subspan(offset, row.words());
}

}  // namespace

RegisterTable::RegisterTable(std::vector<Register> rows) : rows_(std::move(rows)) {
  std::vector<const Register*> by_address;
  std::vector<std::string_view> names;
  for (const Register& row : rows_) {
    check_row(row);
    by_address.push_back(&row);
    names.push_back(row.name);
  }
  std::ranges::sort(names);
  if (const auto twice = std::ranges::adjacent_find(names); twice != names.end())
    throw std::invalid_argument(fmt::format("register '{}' appears twice", *twice));
  std::ranges::sort(by_address, {}, [](const Register* row) { return row->address; });
  for (std::size_t i = 1; i < by_address.size(); ++i)
    if (by_address[i - 1]->address + by_address[i - 1]->words() > by_address[i]->address)
      bad_row(*by_address[i],
              fmt::format("it overlaps '{}' at {}", by_address[i - 1]->name, by_address[i - 1]->address));
}

const Register* RegisterTable::find(std::string_view name) const {
  const auto found = std::ranges::find(rows_, name, &Register::name);
  return found == rows_.end() ? nullptr : &*found;
}

std::size_t RegisterTable::index(std::string_view name) const {
  const Register* const found = find(name);
  if (found == nullptr) throw std::invalid_argument(fmt::format("unknown register '{}'", name));
  return static_cast<std::size_t>(found - rows_.data());
}

Result<void> RegisterTable::encode(std::size_t row, double value, const RegisterBlock<std::uint16_t>& block) const {
  const auto words = own_words(rows_[row], block);
  if (words.empty()) return not_in_block(rows_[row], block.first, block.words.size());
  return modbus::encode(rows_[row], value, words);
}

Result<bool> RegisterTable::encode_saturated(std::size_t row, double value,
                                             const RegisterBlock<std::uint16_t>& block) const {
  const auto words = own_words(rows_[row], block);
  if (words.empty()) return not_in_block(rows_[row], block.first, block.words.size());
  return modbus::encode_saturated(rows_[row], value, words);
}

Result<double> RegisterTable::decode(std::size_t row, const RegisterBlock<const std::uint16_t>& block) const {
  const auto words = own_words(rows_[row], block);
  if (words.empty()) return not_in_block(rows_[row], block.first, block.words.size());
  return modbus::decode(rows_[row], words);
}

CoilTable::CoilTable(std::uint16_t base, std::vector<std::string> names) : base_(base), names_(std::move(names)) {
  if (base_ + names_.size() > address_count)
    throw std::invalid_argument(fmt::format("{} coils from {} exceed address 65535", names_.size(), base_));
  auto sorted = names_;
  std::ranges::sort(sorted);
  if (!sorted.empty() && sorted.front().empty()) throw std::invalid_argument("a coil has no name");
  if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
    throw std::invalid_argument(fmt::format("coil '{}' appears twice", *twice));
}

std::uint16_t CoilTable::address(std::string_view name) const {
  const auto found = std::ranges::find(names_, name);
  if (found == names_.end()) throw std::invalid_argument(fmt::format("unknown coil '{}'", name));
  return address(static_cast<std::size_t>(found - names_.begin()));
}

}  // namespace tandem::modbus
