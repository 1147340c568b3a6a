// SPDX-License-Identifier: Apache-2.0
// One MAVLink frame: its header, a view of its payload, and how to make and read one.
#pragma once

#include <array>
#include <optional>

#include "tandem/protocols/mavlink/codec/payload.hpp"

namespace tandem::mavlink {

enum class Version : std::uint8_t { v1 = 1, v2 = 2 };

inline constexpr std::uint8_t start_v1 = 0xFE;
inline constexpr std::uint8_t start_v2 = 0xFD;
inline constexpr std::size_t header_v1 = 6;   // bytes, start included
inline constexpr std::size_t header_v2 = 10;  // the same
inline constexpr std::size_t crc_size = 2;
constexpr std::size_t sequence_at(Version version) { return version == Version::v1 ? 2 : 4; }
inline constexpr std::size_t signature_size = 13;  // link id, 48 bits of time, 48 bits of signature
inline constexpr std::size_t longest_payload = 255;
inline constexpr std::size_t longest_frame = header_v2 + longest_payload + crc_size + signature_size;
inline constexpr std::uint8_t incompatible_signed = 0x01;

// Who sends or is meant. Zero means all, where a target is meant.
struct Address {
  std::uint8_t system = 0;
  std::uint8_t component = 0;
  friend bool operator==(const Address&, const Address&) = default;
};

// A frame as it was received; the views hold until its source receives the next one.
struct Frame {
  Version version = Version::v2;
  std::uint8_t incompatible = 0;
  std::uint8_t compatible = 0;
  std::uint8_t sequence = 0;
  Address source;
  std::uint32_t id = 0;
  const MessageInfo* info = nullptr;  // null when the message is not known
  bool verified = false;              // the checksum holds; without `info` that cannot be known
  std::uint16_t checksum = 0;
  Bytes payload;    // as on the wire, so trailing zeros may be missing
  Bytes signature;  // 13 bytes, or none
  Bytes bytes;      // all of it, for those who pass it on

  bool is_signed() const { return !signature.empty(); }
  template <Message M>
  bool is() const {
    return id == M::wire_id;
  }
  // The message, if it is this one.
  template <Message M>
  std::optional<M> as() const {
    if (!is<M>()) return std::nullopt;
    return read_payload<M>(payload);
  }
  // Whom the message names; zeros when it names no one.
  Address target() const;
  // It names us, or all, or no one.
  bool meant_for(const Address& own) const;
};

// Header fields, and where payload and signature are; `bytes` holds the whole header.
void read_header(Bytes bytes, Frame& frame);

// Room for one frame that is being made.
struct FrameBuffer {
  std::array<std::uint8_t, longest_frame> data{};
  std::size_t size = 0;
  Bytes bytes() const { return {data.data(), size}; }
};

struct Header {
  Version version = Version::v2;
  std::uint8_t sequence = 0;
  Address source;
  bool will_be_signed = false;  // the 13 bytes are appended by who signs
};

// The header in front of and the checksum behind a payload that is in the buffer already, at header_v1 or
// header_v2. Cuts trailing zeros (version 2) or extensions (version 1). No bytes when version 1 cannot say it.
Bytes finish_frame(FrameBuffer& buffer, const Header& header, const MessageInfo& info);

template <Message M>
Bytes encode(FrameBuffer& buffer, const Header& header, const M& message) {
  std::uint8_t* const payload = buffer.data.data() + (header.version == Version::v2 ? header_v2 : header_v1);
  write_payload(message, std::span<std::uint8_t, layout<M>.full_size>(payload, layout<M>.full_size));
  return finish_frame(buffer, header, info<M>);
}

}  // namespace tandem::mavlink
