// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tandem/machines/generic/device/judge.hpp"
#include "tandem/machines/generic/device/modbus_link.hpp"

namespace tandem::generic {

ModbusLink::Decoder ModbusLink::decoder_of(const ReadPiece& piece) const {
  const Signal& signal = layout_.signals[piece.signal];
  Decoder decoder;
  decoder.signal = static_cast<std::uint32_t>(piece.signal);
  decoder.element = static_cast<std::uint32_t>(piece.element);
  decoder.number = static_cast<std::uint32_t>(signal.first + piece.element);
  decoder.span = layout_.spans[piece.signal];
  decoder.type = signal.type;
  decoder.kind = signal.kind;
  decoder.watched = hints_.is_watching(piece.signal);
  decoder.plain = signal.count == 1 && signal.kind != Kind::text && signal.names.empty() &&
                  description_->signals[signal.declaration].invalid.empty();
  decoder.scale = signal.scale;
  decoder.offset = signal.offset;
  const Range range = plausible_range(signal);
  decoder.lowest = range.lowest;
  decoder.highest = range.highest;
  return decoder;
}

void ModbusLink::decode(const ReadBlock& block, const modbus::Answer& answer, Round& round) {
  const Instant heard = now();
  answered_ = heard;
  const Instant received = round.at(heard);
  if (round.scan.readable == Instant{}) round.scan.readable = received;
  if (const auto* read = std::get_if<modbus::RegistersRead>(&answer))
    return decode_words(block, read->values.span(), round, received);
  const auto* bits = std::get_if<modbus::BitsRead>(&answer);
  if (bits == nullptr) return;
  for (std::size_t i = 0; i < block.words; ++i) bit_words_[i] = bits->values[i] ? 1 : 0;
  decode_words(block, std::span(bit_words_).first(block.words), round, received);
}

// Most values are plain numbers that stay good: for them nothing is looked up. The rest is for judge_number.
void ModbusLink::decode_words(const ReadBlock& block, std::span<const std::uint16_t> words, Round& round,
                              Instant received) {
  Readings& readings = *round.readings;
  const std::span pieces = plan_.pieces_of(block);
  const std::span decoders = std::span(decoders_).subspan(block.first, block.count);
  for (std::size_t i = 0; i < decoders.size(); ++i) {
    Decoder& decoder = decoders[i];
    const std::size_t offset = static_cast<std::size_t>(pieces[i].address - block.address);
    const auto own = words.subspan(offset, decoder.span.words);
    Reading& reading = readings.of[decoder.signal];
    reading.received = received;
    if (decoder.watched) {
      hints_.look(decoder.signal, words, offset);
      decoder.watched = hints_.is_watching(decoder.signal);
    }
    if (decoder.kind == Kind::text) {
      decode_text(decoder, own, readings);
      continue;
    }
    const RawValue raw = raw_value(decoder.type, decoder.span, own);
    const double value = raw.number * decoder.scale + decoder.offset;
    if (decoder.plain && reading.quality == SignalQuality::good && value >= decoder.lowest &&
        value <= decoder.highest) {
      double& number = readings.numbers[decoder.number];
      std::int64_t& integer = readings.integers[decoder.number];
      reading.changes += number != value || integer != raw.integer;
      number = value == 0 ? 0 : value;
      integer = raw.integer;
      continue;
    }
    const Signal& signal = layout_.signals[decoder.signal];
    judge_number(signal, description_->signals[signal.declaration], decoder.element, raw.number, raw.integer, readings,
                 decoder.signal);
  }
  round.scan.answered += static_cast<std::uint32_t>(block.count);
}

void ModbusLink::decode_text(const Decoder& decoder, std::span<const std::uint16_t> words, Readings& readings) {
  std::array<char, 2 * modbus::most_registers_read> letters;
  const std::size_t size = text_bytes(decoder.span, words, letters);
  judge_text(layout_.signals[decoder.signal], std::string_view(letters.data(), size), readings, decoder.signal);
}

}  // namespace tandem::generic
