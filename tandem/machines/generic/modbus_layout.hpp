// SPDX-License-Identifier: Apache-2.0
// Where each signal of a description is on a Modbus device, and which requests read them all. The link and the virtual
// device both use it, so that they cannot differ.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tandem/machines/generic/description.hpp"
#include "tandem/machines/generic/signal.hpp"

namespace tandem::generic {

const char* name(ModbusTable table);  // "holding"
bool has_bits(ModbusTable table);     // coils and discrete inputs
// As a file with this base says them: "holding 10..11", "coil 3", "40011-40012". The address is that on the wire.
std::string places_text(ModbusTable table, std::uint32_t address, std::size_t words, int base = 0);

// The place of a signal. A word is a register, or one coil or discrete input.
struct ModbusSpan {
  ModbusTable table = ModbusTable::holding;
  std::uint16_t address = 0;  // of the first value
  std::uint16_t words = 1;    // of one value; values of an array follow each other
  int bit = -1;               // of a register; -1: all of it
  modbus::WordOrder order = modbus::WordOrder::abcd;

  std::uint32_t of(std::size_t element) const { return static_cast<std::uint32_t>(address + element * words); }
};

struct ModbusLayout {
  // One for each declaration, in their order; then, where the description has none, hidden ones NAME.confirm: where an
  // output is read back, if that is not where it is written. Those have the output's declaration.
  std::vector<Signal> signals;
  std::vector<ModbusSpan> spans;  // of each signal
  int base = 0;                   // of the file, for texts
};

// Throws std::invalid_argument for places that pass 65535 and for texts that no request can carry.
ModbusLayout modbus_layout(const Description& description);

// What a value is on the wire, before scale and offset.
struct RawValue {
  double number = 0;
  std::int64_t integer = 0;  // of floats rounded toward 0, of uint64 its bits
};
// `words` are those of one value: of bits one word, whose bit `bit` counts.
RawValue raw_value(Type type, const ModbusSpan& span, std::span<const std::uint16_t> words);
// True when `number` is beyond what the type holds, and the nearest that it does hold was put. NaN is 0. Of a bit in a
// register the other bits stay.
bool put_raw_value(Type type, const ModbusSpan& span, double number, std::span<std::uint16_t> words);
// Characters of a text as they lie in registers, up to the first zero; fills at most `into`.
std::size_t text_bytes(const ModbusSpan& span, std::span<const std::uint16_t> words, std::span<char> into);
void put_text_bytes(const ModbusSpan& span, std::string_view text, std::span<std::uint16_t> words);

// One value, which no request may cut.
struct ReadPiece {
  std::size_t signal = 0, element = 0;
  ModbusTable table = ModbusTable::holding;
  std::uint16_t address = 0, words = 1;
  double period = 0;  // s

  std::uint32_t end() const { return std::uint32_t{address} + words; }
};
// All values, in the order in which requests take them: by table, period and address.
std::vector<ReadPiece> read_pieces(const ModbusLayout& layout);

// What a device is known to allow; begins as the file says and is learned from its exceptions.
struct ReadRules {
  enum class Piece : std::uint8_t { together, apart, absent };  // apart: a request of its own

  int holes = 16;                                            // words without a signal, between two values
  std::array<std::uint16_t, 4> words{2000, 2000, 125, 125};  // most of one request, by table
  std::vector<Piece> pieces;                                 // one for each
  std::vector<bool> cut;                                     // no request goes on from the piece before

  ReadRules() = default;
  ReadRules(const Limits& limits, std::size_t piece_count);
};

// One request: pieces `first` to `first + count - 1`.
struct ReadBlock {
  ModbusTable table = ModbusTable::holding;
  std::uint16_t address = 0, words = 0;
  double period = 0;  // s
  std::size_t first = 0, count = 0;
};
// Every piece that is not absent is in exactly one block, whole.
std::vector<ReadBlock> read_blocks(std::span<const ReadPiece> pieces, const ReadRules& rules);
// The block of these pieces alone.
ReadBlock block_of(std::span<const ReadPiece> pieces, std::size_t first, std::size_t count);

}  // namespace tandem::generic
