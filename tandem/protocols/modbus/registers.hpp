// SPDX-License-Identifier: Apache-2.0
// Register tables: what each register means, in one place, for the client and for the virtual device alike.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/result.hpp"

namespace tandem::modbus {

// How the bytes of a value lie in its registers; A is the most significant byte of a 32-bit value. Registers themselves
// travel with their high byte first. 64-bit values follow the same pattern; of 16-bit ones only the bytes can be
// swapped.
enum class WordOrder : std::uint8_t {
  abcd,  // high word first
  cdab,  // low word first
  badc,  // high word first, bytes swapped in each
  dcba,  // low word first, bytes swapped in each
};
const char* name(WordOrder order);
std::optional<WordOrder> word_order(std::string_view name);

// A value's bits out of its one to four words, and into them.
std::uint64_t joined(WordOrder order, std::span<const std::uint16_t> words);
void split(WordOrder order, std::uint64_t bits, std::span<std::uint16_t> words);

enum class Encoding : std::uint8_t { signed_integer, unsigned_integer, floating };

struct Range {
  double lowest = 0;
  double highest = 0;
};

// One row. raw = value * scale * direction, rounded half away from zero unless floating.
struct Register {
  std::string name;
  std::uint16_t address = 0;  // of its first word
  int width = 16;             // bits: 16, 32 or 64
  WordOrder order = WordOrder::abcd;
  Encoding encoding = Encoding::signed_integer;
  double scale = 1;
  int direction = 1;                // -1: the device counts the other way round
  std::string unit = {};            // of the value, for people
  std::optional<Range> range = {};  // of the value, in that unit; without one, whatever fits the width

  std::size_t words() const { return static_cast<std::size_t>(width) / 16; }
};

// What can be written: the range, and what fits the width, whichever is narrower.
Range limits(const Register& entry);

// The value's words, exactly entry.words() of them. Fault::invalid, and no word touched, for what is not finite or
// outside the limits; the error names the register, its range and the value.
Result<void> encode(const Register& entry, double value, std::span<std::uint16_t> words);
// The same, but what is outside goes to the nearest limit; true when it did. NaN is refused all the same.
Result<bool> encode_saturated(const Register& entry, double value, std::span<std::uint16_t> words);
// Fault::invalid for what is not finite or outside the range.
Result<double> decode(const Register& entry, std::span<const std::uint16_t> words);

// A stretch of registers as one request carries it.
template <typename Word>
struct RegisterBlock {
  std::uint16_t first = 0;  // address of words[0]
  std::span<Word> words;
};

class RegisterTable {
 public:
  RegisterTable() = default;
  // Throws std::invalid_argument, naming the rows, for names that come twice or are empty, addresses that overlap or
  // pass 65535, widths that are none, scales that are zero or not finite, and ranges that are empty or do not fit.
  explicit RegisterTable(std::vector<Register> rows);

  const std::vector<Register>& rows() const { return rows_; }
  const Register* find(std::string_view name) const;
  // Its place among the rows, for access without a search. Throws std::invalid_argument when there is no such row.
  std::size_t index(std::string_view name) const;

  // Into or out of a block that holds the row; Fault::invalid when it does not, otherwise as above.
  Result<void> encode(std::size_t row, double value, const RegisterBlock<std::uint16_t>& block) const;
  Result<bool> encode_saturated(std::size_t row, double value, const RegisterBlock<std::uint16_t>& block) const;
  Result<double> decode(std::size_t row, const RegisterBlock<const std::uint16_t>& block) const;

 private:
  std::vector<Register> rows_;
};

// Named coils that count from a base address.
class CoilTable {
 public:
  CoilTable() = default;
  // Throws std::invalid_argument for names that come twice or are empty, and for addresses past 65535.
  CoilTable(std::uint16_t base, std::vector<std::string> names);

  std::uint16_t base() const { return base_; }
  std::size_t size() const { return names_.size(); }
  const std::string& name(std::size_t coil) const { return names_[coil]; }
  std::uint16_t address(std::size_t coil) const { return static_cast<std::uint16_t>(base_ + coil); }
  // Throws std::invalid_argument when there is no such coil.
  std::uint16_t address(std::string_view name) const;

 private:
  std::uint16_t base_ = 0;
  std::vector<std::string> names_;
};

}  // namespace tandem::modbus
