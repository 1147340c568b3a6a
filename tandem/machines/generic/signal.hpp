// SPDX-License-Identifier: Apache-2.0
// Signals as they are read: each value of a description at its place on the device, and what was read of it last.
// A link makes the list (of an ADS structure one signal for each member) and fills the readings in place.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/clock.hpp"
#include "tandem/base/short_text.hpp"
#include "tandem/machines/generic/description.hpp"

namespace tandem::generic {

// As in OPC UA, and stale for what was not read in time.
enum class SignalQuality : std::uint8_t { good, uncertain, bad, stale };
const char* name(SignalQuality quality);

// What people and ROS are shown.
enum class Kind : std::uint8_t {
  number,       // Float64; with count > 1 Float64MultiArray
  integer,      // no scale, no unit: Int64 or UInt64
  bit,          // Bool
  enumeration,  // Int32 and its text
  bit_field,    // one Bool for each named bit
  text,
};

struct Signal {
  std::string name;             // "pressure", "belts[1].fSpeed"
  std::size_t declaration = 0;  // of Description::signals
  Kind kind = Kind::number;
  Type type = Type::int16;
  std::size_t first = 0, count = 1;                   // of Readings::numbers and ::integers
  std::size_t text = 0;                               // of Readings::texts, for Kind::text
  std::vector<std::pair<int, std::size_t>> bounds{};  // of an array: first index and count of each dimension
  double scale = 1, offset = 0;
  std::string unit{};
  double si_scale = 1, si_offset = 0;  // SI value = value * si_scale + si_offset, as published
  std::optional<Range> expect{};
  Names names{};
  BitNames bits{};
  std::optional<std::vector<double>> invalid{};  // raw, of a member of a structure; none: those of its declaration
  std::optional<double> deadband{};              // the same
  double period = 0.05;                          // s, between two readings
  bool critical = false, optional = false, hidden = false;
};

inline const std::vector<double>& invalid_values(const Signal& signal, const Declaration& declaration) {
  return signal.invalid ? *signal.invalid : declaration.invalid;
}

struct Reading {
  SignalQuality quality = SignalQuality::stale;
  Instant received{};                   // of the newest answer; the epoch: none yet
  std::uint32_t changes = 0;            // raised whenever value or quality became another
  ShortText<120> why = "not read yet";  // when not good
};

struct Readings {
  std::vector<double> numbers;         // in the unit of the file; NaN where quality is bad
  std::vector<std::int64_t> integers;  // raw, before the scale; of uint64 its bits
  std::vector<std::string> texts;      // UTF-8
  std::vector<Reading> of;             // one for each signal

  void resize(const std::vector<Signal>& signals);  // everything is stale afterwards
};

// The leaf names of what an expression or an option can refer to: "pressure", "belts[1].fSpeed", and of a bit field
// "safety.door_closed" (its bit). Nothing when there is no such signal.
struct SignalReference {
  std::size_t signal = 0;
  std::size_t element = 0;
  int bit = -1;            // of a bit field; -1: the value
  std::size_t number = 0;  // of Readings::numbers and ::integers
};
std::optional<SignalReference> find_signal(const std::vector<Signal>& signals, std::string_view name);
// NaN when it is bad, stale or a text; an uncertain value counts.
double value_of(const SignalReference& reference, const Readings& readings);

}  // namespace tandem::generic
