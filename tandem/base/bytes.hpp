// SPDX-License-Identifier: Apache-2.0
// Bounds-checked reading and writing of bytes, little- and big-endian.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace tandem {

using Bytes = std::span<const std::uint8_t>;

template <typename T>
concept Wire = (std::integral<T> || std::floating_point<T> || std::is_enum_v<T>)&&!std::same_as<T, bool>;

namespace detail {
template <std::size_t size>
using Word = std::conditional_t<
    size == 1, std::uint8_t,
    std::conditional_t<size == 2, std::uint16_t, std::conditional_t<size == 4, std::uint32_t, std::uint64_t>>>;

template <std::unsigned_integral T>
constexpr T reversed(T value) {
  if constexpr (sizeof(T) == 1) return value;
  if constexpr (sizeof(T) == 2) return __builtin_bswap16(value);
  if constexpr (sizeof(T) == 4) return __builtin_bswap32(value);
  if constexpr (sizeof(T) == 8) return __builtin_bswap64(value);
}
}  // namespace detail

// All of `from` to the beginning of `to`, which has room for it and is elsewhere. Inline for the few bytes of a
// variable, where a call of memcpy costs more than the copy; std::ranges::copy goes byte by byte.
inline void copy_bytes(Bytes from, std::span<std::uint8_t> to) {
  constexpr std::size_t block = 16, most_blocks = 8;
  const std::size_t size = from.size();
  if (size < block || size > block * most_blocks) {
    if (size > 0) std::memcpy(to.data(), from.data(), size);
    return;
  }
  for (std::size_t i = 0; i + block < size; i += block) std::memcpy(to.data() + i, from.data() + i, block);
  std::memcpy(to.data() + size - block, from.data() + size - block, block);
}

// One number in memory that is known to be there; a put gives the place after it.
template <std::unsigned_integral T>
T little_at(const std::uint8_t* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return std::endian::native == std::endian::little ? value : detail::reversed(value);
}
template <std::unsigned_integral T>
T big_at(const std::uint8_t* from) {
  return detail::reversed(little_at<T>(from));
}
template <std::unsigned_integral T>
std::uint8_t* put_little(std::uint8_t* to, T value) {
  if constexpr (std::endian::native != std::endian::little) value = detail::reversed(value);
  std::memcpy(to, &value, sizeof value);
  return to + sizeof value;
}
template <std::unsigned_integral T>
std::uint8_t* put_big(std::uint8_t* to, T value) {
  return put_little(to, detail::reversed(value));
}

// Reads from front to back. A read past the end gives zero and makes ok() false for good, so a
// parser reads all its fields and asks once. Nothing here throws or reads outside the span.
class ByteReader {
 public:
  explicit ByteReader(Bytes bytes) : bytes_(bytes) {}

  template <Wire T>
  T little() {
    return take<T, std::endian::little>();
  }
  template <Wire T>
  T big() {
    return take<T, std::endian::big>();
  }
  std::uint8_t byte() { return little<std::uint8_t>(); }

  // The next `count` bytes, or none at all when fewer are left.
  Bytes bytes(std::size_t count) {
    if (count > remaining()) return fail(), Bytes{};
    const Bytes taken = bytes_.subspan(position_, count);
    position_ += count;
    return taken;
  }
  std::string_view text(std::size_t count) {
    const Bytes taken = bytes(count);
    return {reinterpret_cast<const char*>(taken.data()), taken.size()};
  }
  void skip(std::size_t count) { bytes(count); }
  Bytes rest() { return bytes(remaining()); }

  bool ok() const { return ok_; }
  bool done() const { return ok_ && position_ == bytes_.size(); }
  std::size_t remaining() const { return bytes_.size() - position_; }
  std::size_t position() const { return position_; }
  void fail() {
    ok_ = false;
    position_ = bytes_.size();
  }

 private:
  template <Wire T, std::endian order>
  T take() {
    const Bytes taken = bytes(sizeof(T));
    if (taken.empty()) return T{};
    detail::Word<sizeof(T)> word;
    std::memcpy(&word, taken.data(), sizeof word);
    if constexpr (order != std::endian::native) word = detail::reversed(word);
    return std::bit_cast<T>(word);
  }

  Bytes bytes_;
  std::size_t position_ = 0;
  bool ok_ = true;
};

// Appends to a vector that its owner keeps and clears, so that a warm cycle does not allocate.
class ByteWriter {
 public:
  explicit ByteWriter(std::vector<std::uint8_t>& out) : out_(out) {}

  // Several values grow the vector once.
  template <Wire... T>
  void little(T... values) {
    put<std::endian::little>(values...);
  }
  template <Wire... T>
  void big(T... values) {
    put<std::endian::big>(values...);
  }
  void byte(std::uint8_t value) { out_.push_back(value); }
  void bytes(Bytes bytes) { out_.insert(out_.end(), bytes.begin(), bytes.end()); }
  void text(std::string_view text) { out_.insert(out_.end(), text.begin(), text.end()); }
  void zeros(std::size_t count) { out_.insert(out_.end(), count, 0); }
  // Grows once by `count` zeros, to be filled in place before anything else is written.
  std::span<std::uint8_t> room(std::size_t count) {
    zeros(count);
    return std::span(out_).last(count);
  }

  // Overwrites a field written earlier, for lengths that are known last. The field must be there.
  template <Wire T>
  void little_at(std::size_t position, T value) {
    patch<T, std::endian::little>(position, value);
  }
  template <Wire T>
  void big_at(std::size_t position, T value) {
    patch<T, std::endian::big>(position, value);
  }
  std::size_t size() const { return out_.size(); }

 private:
  template <Wire T, std::endian order>
  static detail::Word<sizeof(T)> word_of(T value) {
    auto word = std::bit_cast<detail::Word<sizeof(T)>>(value);
    if constexpr (order != std::endian::native) word = detail::reversed(word);
    return word;
  }
  template <std::endian order, Wire... T>
  void put(T... values) {
    std::size_t position = out_.size();
    out_.resize(position + (sizeof(T) + ...));
    ((patch<T, order>(position, values), position += sizeof(T)), ...);
  }
  template <Wire T, std::endian order>
  void patch(std::size_t position, T value) {
    const auto word = word_of<T, order>(value);
    std::memcpy(out_.data() + position, &word, sizeof word);
  }

  std::vector<std::uint8_t>& out_;
};

inline Bytes as_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

}  // namespace tandem
