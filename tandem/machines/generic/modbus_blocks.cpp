// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include "tandem/machines/generic/modbus_layout.hpp"
#include "tandem/protocols/modbus/types.hpp"

namespace tandem::generic {
namespace {

std::size_t table_index(ModbusTable table) { return static_cast<std::size_t>(table); }

}  // namespace

std::vector<ReadPiece> read_pieces(const ModbusLayout& layout) {
  std::vector<ReadPiece> pieces;
  for (std::size_t i = 0; i < layout.signals.size(); ++i) {
    const ModbusSpan& span = layout.spans[i];
    for (std::size_t element = 0; element < layout.signals[i].count; ++element)
      pieces.push_back(
          {i, element, span.table, static_cast<std::uint16_t>(span.of(element)), span.words, layout.signals[i].period});
  }
  const auto order = [](const ReadPiece& piece) {
    return std::tuple(piece.table, piece.period, piece.address, piece.words, piece.signal);
  };
  std::ranges::sort(pieces, {}, order);
  return pieces;
}

ReadRules::ReadRules(const Limits& limits, std::size_t piece_count)
    : holes(limits.holes), pieces(piece_count, Piece::together), cut(piece_count, false) {
  const auto most = static_cast<std::uint16_t>(std::clamp<std::size_t>(limits.words, 1, modbus::most_registers_read));
  words[table_index(ModbusTable::holding)] = words[table_index(ModbusTable::input)] = most;
}

ReadBlock block_of(std::span<const ReadPiece> pieces, std::size_t first, std::size_t count) {
  const ReadPiece& begin = pieces[first];
  std::uint32_t end = begin.end();
  for (const ReadPiece& piece : pieces.subspan(first, count)) end = std::max(end, piece.end());
  return {begin.table, begin.address, static_cast<std::uint16_t>(end - begin.address), begin.period, first, count};
}

std::vector<ReadBlock> read_blocks(std::span<const ReadPiece> pieces, const ReadRules& rules) {
  std::vector<ReadBlock> blocks;
  bool joins = false;  // the next piece may go into the last block
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const ReadPiece& piece = pieces[i];
    if (rules.pieces[i] == ReadRules::Piece::together && joins && !rules.cut[i]) {
      ReadBlock& last = blocks.back();
      const std::uint32_t end = std::uint32_t{last.address} + last.words;
      const std::uint32_t joined = std::max(end, piece.end()) - last.address;
      if (last.table == piece.table && last.period == piece.period &&
          piece.address <= end + static_cast<std::uint32_t>(rules.holes) &&
          joined <= rules.words[table_index(piece.table)]) {
        last.words = static_cast<std::uint16_t>(joined);
        ++last.count;
        continue;
      }
    }
    joins = rules.pieces[i] == ReadRules::Piece::together;
    if (rules.pieces[i] != ReadRules::Piece::absent) blocks.push_back(block_of(pieces, i, 1));
  }
  return blocks;
}

}  // namespace tandem::generic
