// SPDX-License-Identifier: Apache-2.0
// Protocol Buffers on the wire: tags, varints, fixed numbers and lengths, and nothing more.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tandem::sparkplug {

enum class WireType : std::uint8_t { varint = 0, fixed64 = 1, length = 2, fixed32 = 5 };

class WireWriter {
 public:
  explicit WireWriter(std::string& out) : out_(out) {}
  void varint(unsigned field, std::uint64_t value) { tag(field, WireType::varint), raw(value); }
  void bytes(unsigned field, std::string_view value) {
    tag(field, WireType::length), raw(value.size());
    out_ += value;
  }
  void float32(unsigned field, float value) {
    tag(field, WireType::fixed32), fixed(std::bit_cast<std::uint32_t>(value));
  }
  void float64(unsigned field, double value) {
    tag(field, WireType::fixed64), fixed(std::bit_cast<std::uint64_t>(value));
  }

 private:
  void tag(unsigned field, WireType type) { raw(std::uint64_t{field} << 3U | static_cast<unsigned>(type)); }
  void raw(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7U) out_ += static_cast<char>(value | 0x80U);
    out_ += static_cast<char>(value);
  }
  template <typename Bits>
  void fixed(Bits bits) {
    for (std::size_t i = 0; i < sizeof bits; ++i) out_ += static_cast<char>(bits >> (8 * i) & 0xff);
  }

  std::string& out_;
};

struct WireField {
  std::uint64_t number = 0;
  WireType type = WireType::varint;
  std::uint64_t bits = 0;  // of a varint or a fixed number
  std::string_view bytes;  // of a length; lives as long as what is read
};

// One field after the other. Nothing is allocated; lengths are checked against what is there.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : left_(bytes) {}

  // None at the end and after an error.
  std::optional<WireField> next() {
    if (left_.empty() || failed_) return std::nullopt;
    const auto tag = varint();
    if (!tag || (*tag >> 3U) == 0 || (*tag >> 3U) > 536870911) return fail();
    WireField field;
    field.number = *tag >> 3U;
    switch (*tag & 7U) {
      case 0: {
        const auto value = varint();
        if (!value) return fail();
        field.bits = *value;
        break;
      }
      case 1:
        field.type = WireType::fixed64;
        if (!fixed(8, field.bits)) return fail();
        break;
      case 2: {
        field.type = WireType::length;
        const auto size = varint();
        if (!size || *size > left_.size()) return fail();
        field.bytes = left_.substr(0, static_cast<std::size_t>(*size));
        left_.remove_prefix(static_cast<std::size_t>(*size));
        break;
      }
      case 5:
        field.type = WireType::fixed32;
        if (!fixed(4, field.bits)) return fail();
        break;
      default:  // groups, which nobody sends any more
        return fail();
    }
    return field;
  }
  bool failed() const { return failed_; }

 private:
  std::nullopt_t fail() {
    failed_ = true;
    return std::nullopt;
  }
  std::optional<std::uint64_t> varint() {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < 10; ++i) {
      if (left_.empty()) return std::nullopt;
      const auto byte = static_cast<unsigned char>(left_.front());
      left_.remove_prefix(1);
      if (i == 9 && byte > 1) return std::nullopt;  // more than 64 bits
      value |= std::uint64_t{byte & 0x7fU} << (7 * i);
      if (byte < 0x80) return value;
    }
    return std::nullopt;
  }
  bool fixed(std::size_t size, std::uint64_t& bits) {
    if (left_.size() < size) return false;
    for (std::size_t i = 0; i < size; ++i) bits |= std::uint64_t{static_cast<unsigned char>(left_[i])} << (8 * i);
    left_.remove_prefix(size);
    return true;
  }

  std::string_view left_;
  bool failed_ = false;
};

}  // namespace tandem::sparkplug
