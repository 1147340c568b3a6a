// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/server/symbol_table.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace tandem::ads {
namespace {

constexpr std::uint64_t largest_data_area = 256u << 20;  // bytes
constexpr std::size_t longest_name = 250;                // TwinCAT's own limit is near 255

[[noreturn]] void refuse(std::string_view name, const std::string& why) {
  throw std::invalid_argument(fmt::format("PLC variable {}: {}", name, why));
}

template <typename Memory>
auto part(Memory& memory, const Place& place) {
  const std::uint64_t end = std::uint64_t{place.offset} + place.size;
  using Part = decltype(std::span(memory));
  return end <= memory.size() ? std::span(memory).subspan(place.offset, place.size) : Part{};
}

}  // namespace

SymbolTable::SymbolTable(const Sizes& sizes) {
  memory(Area::memory).resize(sizes.memory);
  memory(Area::inputs).resize(sizes.inputs);
  memory(Area::outputs).resize(sizes.outputs);
}

const PlcSymbol& SymbolTable::add(const std::string& name, const std::string& type, const std::string& comment) {
  const PlcType& data_type = types_.type(type);
  if (by_name_.contains(folded(name))) refuse(name, "declared twice");
  return keep(name, data_type, allocated(data_type), comment);
}

const PlcSymbol& SymbolTable::add_at(const std::string& name, const std::string& type, Area area, std::uint32_t offset,
                                     const std::string& comment) {
  const PlcType& data_type = types_.type(type);
  if (by_name_.contains(folded(name))) refuse(name, "declared twice");
  if (std::uint64_t{offset} + data_type.size > memory(area).size())
    refuse(name, fmt::format("{} bytes at {} do not fit into an area of {} bytes", data_type.size, offset,
                             memory(area).size()));
  return keep(name, data_type, {area, offset, data_type.size}, comment);
}

Place SymbolTable::allocated(const PlcType& type) {
  auto& data = memory(Area::data);
  const std::uint64_t begin = (data.size() + type.alignment - 1) / type.alignment * type.alignment;
  if (begin + type.size > largest_data_area) refuse(type.name, "the data area is full");
  data.resize(begin + type.size);
  return {Area::data, static_cast<std::uint32_t>(begin), type.size};
}

const PlcSymbol& SymbolTable::keep(const std::string& name, const PlcType& type, const Place& place,
                                   const std::string& comment) {
  if (name.empty() || name.size() > longest_name) refuse(name, "a name has 1 to 250 characters");
  symbols_.push_back({name, &type, place, comment, 0, next_id_++});
  by_name_[folded(name)] = symbols_.size() - 1;
  ids_[symbols_.back().id] = symbols_.size() - 1;
  ++revision_;
  return symbols_.back();
}

void SymbolTable::index() {
  by_name_.clear();
  ids_.clear();
  for (std::size_t i = 0; i < symbols_.size(); ++i) {
    by_name_[folded(symbols_[i].name)] = i;
    ids_[symbols_[i].id] = i;
  }
}

bool SymbolTable::remove(std::string_view name) {
  const auto found = by_name_.find(folded(name));
  if (found == by_name_.end()) return false;
  symbols_.erase(symbols_.begin() + static_cast<std::ptrdiff_t>(found->second));
  index();
  raise_version();
  return true;
}

bool SymbolTable::change(std::string_view name, const std::string& type) {
  const auto found = by_name_.find(folded(name));
  if (found == by_name_.end()) return false;
  const PlcType& data_type = types_.type(type);
  PlcSymbol& symbol = symbols_[found->second];
  symbol.type = &data_type;
  symbol.place = allocated(data_type);
  symbol.id = next_id_++;
  index();
  raise_version();
  return true;
}

void SymbolTable::renew() {
  for (PlcSymbol& symbol : symbols_) symbol.id = next_id_++;
  index();
  raise_version();
}

void SymbolTable::raise_version() {
  ++revision_;
  if (++version_ == 0) version_ = 1;
}

std::span<std::uint8_t> SymbolTable::bytes(const Place& place) { return part(memory(place.area), place); }
Bytes SymbolTable::bytes(const Place& place) const { return part(memory(place.area), place); }

Place SymbolTable::checked(std::string_view path, std::size_t size, Kind kind) const {
  const auto variable = find(path);
  if (!variable) refuse(path, "not declared");
  if (variable->place.size != size)
    refuse(path,
           fmt::format("{} has {} bytes and is used as {} bytes", variable->type->name, variable->place.size, size));
  const DataType code = variable->type->code;
  const bool real = code == DataType::real32 || code == DataType::real64;
  const bool scalar = code != DataType::big && variable->type->bounds.empty();
  const bool fits = kind == Kind::structure || (scalar && real == (kind == Kind::real));
  if (!fits) refuse(path, fmt::format("{} is used as another kind of number", variable->type->name));
  return variable->place;
}

}  // namespace tandem::ads
