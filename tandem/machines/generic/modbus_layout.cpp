// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/modbus_layout.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "tandem/machines/generic/expression.hpp"
#include "tandem/machines/generic/units.hpp"
#include "tandem/protocols/modbus/types.hpp"

namespace tandem::generic {
namespace {

[[noreturn]] void refuse_place(const Declaration& declaration, const std::string& why) {
  throw std::invalid_argument(fmt::format("{}: {}", declaration.name, why));
}

Type type_on(const ModbusPlace& place, Type given) {
  if (has_bits(place.table) || place.bit >= 0) return Type::bit;
  return given == Type::unknown ? Type::int16 : given;
}

bool has_fraction(Type type) { return type == Type::float32 || type == Type::float64; }

Kind kind_of(const Declaration& declaration, Type type) {
  if (type == Type::text) return Kind::text;
  if (type == Type::bit) return Kind::bit;
  if (!declaration.names.empty()) return Kind::enumeration;
  if (!declaration.bits.empty()) return Kind::bit_field;
  const bool scaled = declaration.scale != 1 || declaration.offset != 0 || !declaration.unit.empty();
  return scaled || has_fraction(type) ? Kind::number : Kind::integer;
}

// Bound joints, and what `enable` looks at.
bool is_needed(const Description& description, const std::string& signal, const std::vector<std::string>& enable) {
  const auto is_it = [&signal](const std::string& used) {
    return used == signal || (used.starts_with(signal) && (used[signal.size()] == '.' || used[signal.size()] == '['));
  };
  if (std::ranges::any_of(enable, is_it)) return true;
  if (!description.robot) return false;
  return std::ranges::any_of(description.robot->joints,
                             [&](const Joint& joint) { return joint.position == signal || joint.velocity == signal; });
}

std::vector<std::string> used_by_enable(const Description& description) {
  if (description.enable.empty()) return {};
  const auto parsed = Expression::parse(description.enable);
  return parsed ? parsed->names() : std::vector<std::string>();
}

std::uint16_t words_of(const Declaration& declaration, Type type) {
  if (type == Type::bit) return 1;
  const std::size_t bytes = type == Type::text ? declaration.text_length : bytes_of(type);
  const std::size_t words = std::max<std::size_t>(1, (bytes + 1) / 2);
  if (words > modbus::most_registers_read)
    refuse_place(declaration, fmt::format("expected a string of at most {} bytes, got {}",
                                          2 * modbus::most_registers_read, declaration.text_length));
  return static_cast<std::uint16_t>(words);
}

void set_unit(Signal& signal, const std::string& unit) {
  signal.unit = unit;
  const auto known = unit_named(unit);
  if (!known) return;
  signal.si_scale = known->scale;
  signal.si_offset = known->offset;
}

class LayoutMaker {
 public:
  explicit LayoutMaker(const Description& description)
      : description_(description), enable_(used_by_enable(description)) {}

  ModbusLayout make() {
    layout_.base = description_.base;
    for (std::size_t i = 0; i < description_.signals.size(); ++i) add_declared(i);
    for (std::size_t i = 0; i < description_.signals.size(); ++i) add_read_back(i);
    return std::move(layout_);
  }

 private:
  void add_declared(std::size_t i) {
    const Declaration& declaration = description_.signals[i];
    Signal signal;
    signal.name = declaration.name;
    signal.count = declaration.count;
    if (signal.count > 1) signal.bounds = {{0, signal.count}};
    signal.expect = declaration.expect;
    signal.critical = declaration.critical.value_or(is_needed(description_, declaration.name, enable_));
    signal.optional = declaration.optional;
    signal.hidden = declaration.hidden;
    add(std::move(signal), i, place_of(declaration, declaration.at));
  }

  // Where an output is read back: as its own type, without being judged.
  void add_read_back(std::size_t i) {
    const Declaration& declaration = description_.signals[i];
    if (!declaration.write || !declaration.write->confirm || *declaration.write->confirm == declaration.at) return;
    if (description_.find(declaration.name + ".confirm") != nullptr) return;
    Signal signal;
    signal.name = declaration.name + ".confirm";
    signal.hidden = true;
    add(std::move(signal), i, place_of(declaration, *declaration.write->confirm));
  }

  static const ModbusPlace& place_of(const Declaration& declaration, const At& at) {
    const auto* place = std::get_if<ModbusPlace>(&at);
    if (place == nullptr) refuse_place(declaration, "expected a place on Modbus, got an ADS symbol");
    return *place;
  }

  void add(Signal signal, std::size_t i, const ModbusPlace& place) {
    const Declaration& declaration = description_.signals[i];
    signal.declaration = i;
    signal.type = type_on(place, declaration.type);
    signal.kind = kind_of(declaration, signal.type);
    signal.scale = declaration.scale;
    signal.offset = declaration.offset;
    set_unit(signal, declaration.unit);
    signal.names = declaration.names;
    signal.bits = declaration.bits;
    signal.period = declaration.every.value_or(description_.cycle);
    const ModbusSpan span{place.table, place.address, words_of(declaration, signal.type), place.bit, declaration.order};
    const std::size_t end = span.address + signal.count * span.words;
    if (end > modbus::address_count)
      refuse_place(declaration, fmt::format("expected places up to {} {}, got {}", generic::name(span.table),
                                            modbus::address_count - 1, end - 1));
    if (signal.kind == Kind::text) {
      signal.text = texts_++;
    } else {
      signal.first = numbers_;
      numbers_ += signal.count;
    }
    layout_.signals.push_back(std::move(signal));
    layout_.spans.push_back(span);
  }

  const Description& description_;
  std::vector<std::string> enable_;
  ModbusLayout layout_;
  std::size_t numbers_ = 0, texts_ = 0;
};

}  // namespace

const char* name(ModbusTable table) {
  switch (table) {
    case ModbusTable::coil:
      return "coil";
    case ModbusTable::discrete:
      return "discrete";
    case ModbusTable::holding:
      return "holding";
    case ModbusTable::input:
      return "input";
  }
  return "unknown";
}

bool has_bits(ModbusTable table) { return table == ModbusTable::coil || table == ModbusTable::discrete; }

std::string places_text(ModbusTable table, std::uint32_t address, std::size_t words, int base) {
  if (base == 40001)
    return place_text(ModbusPlace{table, static_cast<std::uint16_t>(address), -1}, std::max<std::size_t>(words, 1),
                      base);
  address += static_cast<std::uint32_t>(base);
  if (words <= 1) return fmt::format("{} {}", name(table), address);
  return fmt::format("{} {}..{}", name(table), address, address + words - 1);
}

ModbusLayout modbus_layout(const Description& description) { return LayoutMaker(description).make(); }

}  // namespace tandem::generic
