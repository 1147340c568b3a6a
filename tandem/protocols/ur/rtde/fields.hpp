// SPDX-License-Identifier: Apache-2.0
// The variables of RTDE: name, type and place in `Variables`. One table for client and server.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "tandem/protocols/ur/variables.hpp"

namespace tandem::ur {

enum class Type : std::uint8_t {
  boolean,
  uint8,
  uint32,
  uint64,
  int32,
  real,
  vector3,
  vector6,
  integers6,
  unsigned6,
};

const char* name(Type type);  // "VECTOR6D", as on the wire
std::optional<Type> type_named(std::string_view name);
std::size_t size_of(Type type);       // bytes on the wire, which is also that in memory
std::size_t element_size(Type type);  // bytes of one number in it

// What a write to an input concerns, for the owner of the controller.
enum class Concern : std::uint8_t {
  none = 0,
  speed_slider = 1,
  standard_digital = 2,
  configurable_digital = 4,
  tool_digital = 8,
  standard_analog = 16,
  registers = 32,
  force_torque = 64,
};
using Concerns = std::uint8_t;
constexpr bool has(Concerns concerns, Concern concern) { return (concerns & static_cast<Concerns>(concern)) != 0; }

struct Field {
  std::string name;
  Type type{};
  std::uint32_t offset = 0;  // in Variables, bytes
  bool output = false;       // may be asked for
  bool input = false;        // may be written
  Concern concern = Concern::none;
};

// All of them, in the order of UR's documents.
std::span<const Field> fields();
// The place in fields() of the variable with this name, exactly as it is written.
std::optional<std::size_t> field_named(std::string_view name);

}  // namespace tandem::ur
