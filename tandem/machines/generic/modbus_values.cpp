// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>

#include "tandem/machines/generic/modbus_layout.hpp"

namespace tandem::generic {
namespace {

using modbus::WordOrder;

template <typename T>
RawValue raw_integer_of(T value) {
  return {static_cast<double>(value), static_cast<std::int64_t>(value)};
}

RawValue raw_float_of(double value) {
  constexpr double most = 9e18;
  return {value, std::isfinite(value) ? static_cast<std::int64_t>(std::clamp(value, -most, most)) : 0};
}

struct WireEncoding {
  modbus::Encoding encoding;
  int width;
};

WireEncoding wire_encoding(Type type) {
  using enum modbus::Encoding;
  switch (type) {
    case Type::uint16:
      return {unsigned_integer, 16};
    case Type::int32:
      return {signed_integer, 32};
    case Type::uint32:
      return {unsigned_integer, 32};
    case Type::int64:
      return {signed_integer, 64};
    case Type::uint64:
      return {unsigned_integer, 64};
    case Type::float32:
      return {floating, 32};
    case Type::float64:
      return {floating, 64};
    default:
      return {signed_integer, 16};
  }
}

bool swaps_bytes(WordOrder order) { return order == WordOrder::badc || order == WordOrder::dcba; }

}  // namespace

RawValue raw_value(Type type, const ModbusSpan& span, std::span<const std::uint16_t> words) {
  if (type == Type::bit) {
    const int shift = std::max(span.bit, 0);
    const unsigned word = swaps_bytes(span.order) ? (words[0] << 8 | words[0] >> 8) & 0xffffu : words[0];
    return raw_integer_of(span.bit < 0 ? word != 0 : word >> shift & 1);
  }
  const std::uint64_t bits = modbus::joined(span.order, words);
  switch (type) {
    case Type::int8:
      return raw_integer_of(static_cast<std::int8_t>(bits));
    case Type::uint8:
      return raw_integer_of(static_cast<std::uint8_t>(bits));
    case Type::int16:
      return raw_integer_of(static_cast<std::int16_t>(bits));
    case Type::uint16:
      return raw_integer_of(static_cast<std::uint16_t>(bits));
    case Type::int32:
      return raw_integer_of(static_cast<std::int32_t>(bits));
    case Type::uint32:
      return raw_integer_of(static_cast<std::uint32_t>(bits));
    case Type::int64:
      return raw_integer_of(static_cast<std::int64_t>(bits));
    case Type::uint64:
      return raw_integer_of(bits);
    case Type::float32:
      return raw_float_of(std::bit_cast<float>(static_cast<std::uint32_t>(bits)));
    case Type::float64:
      return raw_float_of(std::bit_cast<double>(bits));
    default:
      return {};
  }
}

bool put_raw_value(Type type, const ModbusSpan& span, double number, std::span<std::uint16_t> words) {
  if (std::isnan(number) && type != Type::float32 && type != Type::float64) number = 0;
  if (type == Type::bit) {
    const bool on = number != 0;
    if (span.bit < 0) {
      words[0] = on;
      return false;
    }
    const int place = swaps_bytes(span.order) ? span.bit ^ 8 : span.bit;
    const unsigned mask = 1u << place;
    words[0] = static_cast<std::uint16_t>(on ? words[0] | mask : words[0] & ~mask);
    return false;
  }
  if (std::isnan(number)) {
    const bool wide = type == Type::float64;
    const auto bits = wide ? std::bit_cast<std::uint64_t>(number)
                           : std::uint64_t{std::bit_cast<std::uint32_t>(static_cast<float>(number))};
    modbus::split(span.order, bits, words);
    return false;
  }
  const auto [encoding, width] = wire_encoding(type);
  modbus::Register entry;
  entry.width = width;
  entry.order = span.order;
  entry.encoding = encoding;
  if (type == Type::int8) entry.range = {-128, 127};
  if (type == Type::uint8) entry.range = {0, 255};
  const auto put = modbus::encode_saturated(entry, number, words);
  return put && *put;
}

std::size_t text_bytes(const ModbusSpan& span, std::span<const std::uint16_t> words, std::span<char> into) {
  const bool swapped = swaps_bytes(span.order);
  std::size_t size = 0;
  for (const std::uint16_t word : words) {
    const auto high = static_cast<char>(word >> 8), low = static_cast<char>(word & 0xff);
    for (const char letter : {swapped ? low : high, swapped ? high : low}) {
      if (letter == 0 || size == into.size()) return size;
      into[size++] = letter;
    }
  }
  return size;
}

void put_text_bytes(const ModbusSpan& span, std::string_view text, std::span<std::uint16_t> words) {
  const auto at = [text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  for (std::size_t i = 0; i < words.size(); ++i) {
    const unsigned first = at(2 * i), second = at(2 * i + 1);
    words[i] = static_cast<std::uint16_t>(swaps_bytes(span.order) ? second << 8 | first : first << 8 | second);
  }
}

}  // namespace tandem::generic
