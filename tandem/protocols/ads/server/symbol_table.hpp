// SPDX-License-Identifier: Apache-2.0
// The variables of a virtual PLC: their names, types and addresses, and the memory behind them.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <vector>

#include "tandem/base/bytes.hpp"
#include "tandem/protocols/ads/server/symbol_table_types.hpp"

namespace tandem::ads {

// The process image: %M, variables without an address of their own, %I and %Q.
enum class Area : std::uint8_t { memory, data, inputs, outputs };
inline constexpr std::size_t area_count = 4;

// Bytes in one of the areas.
struct Place {
  Area area = Area::data;
  std::uint32_t offset = 0;
  std::uint32_t size = 0;
  friend bool operator==(const Place&, const Place&) = default;
};

struct PlcSymbol {
  std::string name;  // as declared: "MAIN.stEM1500Pose"
  const PlcType* type = nullptr;
  Place place;
  std::string comment;
  std::uint16_t flags = 0;  // symbol_flag
  std::uint32_t id = 0;     // never used again: a symbol that was changed has another
};

// What a path names: a symbol, or a member or element somewhere inside one.
struct Variable {
  std::string name;  // spelled as declared
  const PlcType* type = nullptr;
  Place place;
  std::string comment;
  std::uint16_t flags = 0;
  std::uint32_t symbol = 0;  // id of the symbol it is in
};

// A variable of known type at a known place, for access without a lookup.
template <typename T>
struct Binding {
  Place place;
};

template <typename T>
concept PlcValue = std::is_trivially_copyable_v<T>;

class SymbolTable {
 public:
  struct Sizes {  // bytes; the data area grows with its variables
    std::uint32_t memory = 128 * 1024;
    std::uint32_t inputs = 64 * 1024;
    std::uint32_t outputs = 64 * 1024;
  };
  SymbolTable() : SymbolTable(Sizes{}) {}
  explicit SymbolTable(const Sizes& sizes);

  PlcTypes& types() { return types_; }
  const PlcTypes& types() const { return types_; }

  // Declares a variable in the data area, or at a byte of another one ("AT %MB0"). Both throw std::invalid_argument
  // for a name that is taken, a type that is not known, or an address outside the area.
  const PlcSymbol& add(const std::string& name, const std::string& type, const std::string& comment = {});
  const PlcSymbol& add_at(const std::string& name, const std::string& type, Area area, std::uint32_t offset,
                          const std::string& comment = {});

  // Online change: all of these raise the version. A variable of another type starts as zeros at another address.
  bool remove(std::string_view name);
  bool change(std::string_view name, const std::string& type);
  // As after a download: every symbol is a new one, although nothing may look different.
  void renew();
  // Ends a phase of declaring: clients see another version from here on.
  void raise_version();

  // By path, in any case: "MAIN.stEM1500Pose", "main.stem1500pose.HEAVE", "MAIN.rx.em1500.eta[3]".
  std::optional<Variable> find(std::string_view path) const;
  bool holds(std::uint32_t symbol_id) const { return ids_.contains(symbol_id); }
  const std::vector<PlcSymbol>& symbols() const { return symbols_; }

  std::uint8_t version() const { return version_; }     // what clients read from group 0xF008; never 0
  std::uint32_t revision() const { return revision_; }  // counts every change of symbols or types

  // The bytes of a place; none when it is not wholly inside its area.
  std::span<std::uint8_t> bytes(const Place& place);
  Bytes bytes(const Place& place) const;
  std::uint32_t size(Area area) const { return static_cast<std::uint32_t>(memory(area).size()); }

  // Throws std::invalid_argument when there is no such variable or T has another size or kind than it.
  template <PlcValue T>
  Binding<T> bind(std::string_view path) const {
    return {checked(path, sizeof(T), kind_of<T>())};
  }
  template <PlcValue T>
  void write(const Binding<T>& binding, const T& value) {
    if (const auto to = bytes(binding.place); to.size() == sizeof(T)) std::memcpy(to.data(), &value, sizeof(T));
  }
  template <PlcValue T>
  T read(const Binding<T>& binding) const {
    T value{};
    if (const auto from = bytes(binding.place); from.size() == sizeof(T)) std::memcpy(&value, from.data(), sizeof(T));
    return value;
  }
  // The same by name, for once in a while.
  template <PlcValue T>
  void write(std::string_view path, const T& value) {
    write(bind<T>(path), value);
  }
  template <PlcValue T>
  T read(std::string_view path) const {
    return read(bind<T>(path));
  }

 private:
  enum class Kind { integer, real, structure };
  template <typename T>
  static constexpr Kind kind_of() {
    if constexpr (std::floating_point<T>) return Kind::real;
    if constexpr (std::integral<T> || std::is_enum_v<T>) return Kind::integer;
    return Kind::structure;
  }
  Place checked(std::string_view path, std::size_t size, Kind kind) const;

  std::vector<std::uint8_t>& memory(Area area) { return areas_[static_cast<std::size_t>(area)]; }
  const std::vector<std::uint8_t>& memory(Area area) const { return areas_[static_cast<std::size_t>(area)]; }
  Place allocated(const PlcType& type);
  const PlcSymbol& keep(const std::string& name, const PlcType& type, const Place& place, const std::string& comment);
  void index();

  PlcTypes types_;
  std::vector<PlcSymbol> symbols_;  // in the order of declaration
  std::unordered_map<std::string, std::size_t> by_name_;
  std::unordered_map<std::uint32_t, std::size_t> ids_;
  std::array<std::vector<std::uint8_t>, area_count> areas_;
  std::uint32_t next_id_ = 1;
  std::uint32_t revision_ = 1;
  std::uint8_t version_ = 1;
};

}  // namespace tandem::ads
