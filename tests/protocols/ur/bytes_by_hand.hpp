// SPDX-License-Identifier: Apache-2.0
// Packets put together by hand, independently of the encoders under test.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tandem::ur::test {

using Packet = std::vector<std::uint8_t>;

// "00 04 56 01"
inline Packet hex(std::string_view text) {
  Packet bytes;
  int half = -1;
  for (const char c : text) {
    const int digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
    if (digit < 0) continue;
    if (half < 0) {
      half = digit;
    } else {
      bytes.push_back(static_cast<std::uint8_t>(half * 16 + digit));
      half = -1;
    }
  }
  return bytes;
}

// Big-endian, most significant byte first, by shifts.
class Hand {
 public:
  Hand& u8(unsigned value) {
    bytes.push_back(static_cast<std::uint8_t>(value));
    return *this;
  }
  Hand& u16(unsigned value) { return u8(value >> 8).u8(value & 0xff); }
  Hand& u32(std::uint32_t value) { return u16(value >> 16).u16(value & 0xffff); }
  Hand& u64(std::uint64_t value) {
    return u32(static_cast<std::uint32_t>(value >> 32)).u32(static_cast<std::uint32_t>(value));
  }
  Hand& real(double value) {
    std::uint64_t word = 0;
    std::memcpy(&word, &value, sizeof word);
    return u64(word);
  }
  Hand& real32(float value) {
    std::uint32_t word = 0;
    std::memcpy(&word, &value, sizeof word);
    return u32(word);
  }
  Hand& text(std::string_view text) {
    bytes.insert(bytes.end(), text.begin(), text.end());
    return *this;
  }
  Hand& add(const Packet& packet) {
    bytes.insert(bytes.end(), packet.begin(), packet.end());
    return *this;
  }

  Packet bytes;
};

// An RTDE packet of this kind with this body.
inline Packet package(char kind, const Packet& body = {}) {
  return Hand().u16(static_cast<unsigned>(body.size() + 3)).u8(static_cast<unsigned char>(kind)).add(body).bytes;
}

inline Packet text_bytes(std::string_view text) { return Hand().text(text).bytes; }

// A packet of the primary port.
inline Packet primary_packet(unsigned kind, const Packet& body) {
  return Hand().u32(static_cast<std::uint32_t>(body.size() + 5)).u8(kind).add(body).bytes;
}

inline double real_at(const Packet& packet, std::size_t offset) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < 8; ++i) word = word << 8 | packet.at(offset + i);
  double value = 0;
  std::memcpy(&value, &word, sizeof value);
  return value;
}

inline unsigned u16_at(const Packet& packet, std::size_t offset) {
  return static_cast<unsigned>(packet.at(offset)) << 8 | packet.at(offset + 1);
}

// The RTDE packets of a stream, cut by their lengths.
inline std::vector<Packet> rtde_packets(const Packet& stream) {
  std::vector<Packet> packets;
  for (std::size_t at = 0; at + 3 <= stream.size();) {
    const std::size_t size = u16_at(stream, at);
    if (size < 3 || at + size > stream.size()) break;
    packets.emplace_back(stream.begin() + static_cast<std::ptrdiff_t>(at),
                         stream.begin() + static_cast<std::ptrdiff_t>(at + size));
    at += size;
  }
  return packets;
}

}  // namespace tandem::ur::test
