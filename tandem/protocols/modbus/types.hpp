// SPDX-License-Identifier: Apache-2.0
// Modbus: function codes, exception codes, limits, and the values that travel. All fields are big-endian on the wire.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "tandem/base/bytes.hpp"

namespace tandem::modbus {

inline constexpr std::uint16_t tcp_port = 502;
inline constexpr std::uint16_t coil_on = 0xFF00;        // of function 5; off is 0
inline constexpr std::uint8_t identification_mei = 14;  // of function 43

enum class Function : std::uint8_t {
  read_coils = 1,
  read_discrete_inputs = 2,
  read_holding_registers = 3,
  read_input_registers = 4,
  write_coil = 5,
  write_register = 6,
  read_exception_status = 7,
  write_coils = 15,
  write_registers = 16,
  report_server_id = 17,
  mask_write_register = 22,
  read_write_registers = 23,
  device_identification = 43,  // with MEI type 14
};
const char* name(Function function);  // "read coils"

enum class ExceptionCode : std::uint8_t {
  illegal_function = 1,
  illegal_address = 2,
  illegal_value = 3,
  device_failure = 4,
  acknowledge = 5,
  busy = 6,
  negative_acknowledge = 7,
  parity_error = 8,
  gateway_path = 10,
  gateway_target = 11,
};
const char* name(ExceptionCode code);  // "illegal address"

// What one request may ask for.
inline constexpr std::size_t most_bits_read = 2000;
inline constexpr std::size_t most_registers_read = 125;
inline constexpr std::size_t most_coils_written = 1968;
inline constexpr std::size_t most_registers_written = 123;
inline constexpr std::size_t most_registers_exchanged = 121;  // written by function 23
inline constexpr std::size_t longest_pdu = 253;               // bytes: function and data
inline constexpr std::size_t longest_frame = 260;             // bytes: seven in front, and the PDU
inline constexpr std::size_t address_count = 65536;           // of every table

// A list that is kept in place, so that no request or answer ever allocates. What does not fit is left out.
template <typename T, std::size_t capacity>
class Inline {
 public:
  Inline() = default;
  explicit Inline(std::span<const T> values) : size_(std::min(values.size(), capacity)) {
    std::copy_n(values.begin(), size_, values_.begin());
  }
  std::size_t size() const { return size_; }
  void resize(std::size_t size) { size_ = std::min(size, capacity); }
  void push_back(T value) {
    if (size_ < capacity) values_[size_++] = value;
  }
  T operator[](std::size_t i) const { return values_[i]; }
  T& operator[](std::size_t i) { return values_[i]; }
  std::span<const T> span() const { return {values_.data(), size_}; }
  std::span<T> span() { return {values_.data(), size_}; }
  friend bool operator==(const Inline& a, const Inline& b) { return std::ranges::equal(a.span(), b.span()); }

 private:
  std::array<T, capacity> values_{};
  std::size_t size_ = 0;
};

using Registers = Inline<std::uint16_t, most_registers_read>;
using Octets = Inline<std::uint8_t, longest_pdu>;

// Coils or discrete inputs, packed as they travel: the first one is the lowest bit of the first byte.
class Bits {
 public:
  Bits() = default;
  // All false.
  explicit Bits(std::size_t count) : count_(std::min(count, most_bits_read)) {}
  explicit Bits(std::span<const bool> values);
  // The first `count` bits of bytes as they came; fewer when the bytes do not hold as many.
  Bits(Bytes packed, std::size_t count);

  std::size_t size() const { return count_; }
  bool operator[](std::size_t i) const { return ((bytes_[i / 8] >> (i % 8)) & 1) != 0; }
  void assign(std::size_t i, bool value);
  Bytes packed() const { return Bytes(bytes_).first((count_ + 7) / 8); }
  friend bool operator==(const Bits& a, const Bits& b) {
    return a.count_ == b.count_ && std::ranges::equal(a.packed(), b.packed());
  }

 private:
  std::array<std::uint8_t, most_bits_read / 8> bytes_{};  // bits past the last one are zero
  std::size_t count_ = 0;
};

}  // namespace tandem::modbus
