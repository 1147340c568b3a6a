// SPDX-License-Identifier: Apache-2.0
// Reads RTPS messages: their submessages, and the fields of those, whose byte order changes from one to the next.
#pragma once

#include <algorithm>
#include <array>
#include <optional>

#include "tandem/base/bytes.hpp"

namespace tandem::ros2 {

inline constexpr std::size_t rtps_header_size = 20;  // "RTPS", version, vendor, the sender's 12 bytes

enum class SubmessageKind : std::uint8_t {
  padding = 0x01,
  ignored = 0x02,  // unknown to RTPS; unlike padding it may reach to the end of the message
  acknack = 0x06,
  heartbeat = 0x07,
  gap = 0x08,
  info_timestamp = 0x09,
  info_source = 0x0c,
  info_destination = 0x0e,
  nack_fragments = 0x12,
  heartbeat_fragments = 0x13,
  data = 0x15,
  data_fragments = 0x16,
  sec_body = 0x30,
  sec_prefix = 0x31,
  sec_postfix = 0x32,
  srtps_prefix = 0x33,
  srtps_postfix = 0x34,
  statistics = 0x80,  // of eProsima
};

struct Submessage {
  SubmessageKind kind{};
  std::uint8_t flags = 0;
  std::size_t start = 0;  // of its header, from the message's first byte
  Bytes body{};
  bool little() const { return (flags & 1) != 0; }
};

// One after the other; none at the end of the message, or where the next one is longer than what is left of it.
class Submessages {
 public:
  explicit Submessages(Bytes message) : in_(message) { in_.skip(rtps_header_size); }

  std::optional<Submessage> next() {
    if (in_.remaining() == 0) return {};
    Submessage next{.start = in_.position()};
    next.kind = static_cast<SubmessageKind>(in_.byte());
    next.flags = in_.byte();
    std::size_t length = next.little() ? in_.little<std::uint16_t>() : in_.big<std::uint16_t>();
    if (!in_.ok() || length > in_.remaining()) {
      broken_ = true;
      return {};
    }
    const bool may_be_empty = next.kind == SubmessageKind::info_timestamp || next.kind == SubmessageKind::padding;
    if (length == 0 && !may_be_empty) length = in_.remaining();
    next.body = in_.bytes(length);
    return next;
  }
  std::size_t remaining() const { return in_.remaining(); }
  bool broken() const { return broken_; }

 private:
  ByteReader in_;
  bool broken_ = false;
};

using ParticipantPrefix = std::array<std::uint8_t, 12>;
using Entity = std::array<std::uint8_t, 4>;  // a reader or a writer of a participant

using Guid = std::array<std::uint8_t, 16>;  // a participant's prefix and one of its entities

inline Guid participant_guid(const ParticipantPrefix& prefix) {
  constexpr Entity participant{0, 0, 1, 0xc1};
  Guid guid{};
  std::ranges::copy(participant, std::ranges::copy(prefix, guid.begin()).out);
  return guid;
}

inline ParticipantPrefix participant_prefix(const Guid& guid) {
  ParticipantPrefix prefix{};
  std::copy_n(guid.begin(), prefix.size(), prefix.begin());
  return prefix;
}

// Whether it is one of those that every participant has: for discovery, liveliness, handshakes.
inline bool is_builtin(const Entity& entity) { return (entity.back() & 0xc0) == 0xc0; }

class RtpsFields {
 public:
  RtpsFields(Bytes bytes, bool little) : in_(bytes), little_(little) {}

  template <Wire T>
  T next() {
    return little_ ? in_.little<T>() : in_.big<T>();
  }
  std::int64_t sequence() {
    const auto high = next<std::int32_t>();
    return (std::int64_t{high} << 32) | next<std::uint32_t>();
  }
  Entity entity() {
    Entity entity{};
    const Bytes bytes = in_.bytes(entity.size());
    std::copy(bytes.begin(), bytes.end(), entity.begin());
    return entity;
  }
  void skip(std::size_t count) { in_.skip(count); }
  // The next bytes as fields of their own.
  RtpsFields part(std::size_t size) { return {in_.bytes(size), little_}; }
  Bytes rest() { return in_.rest(); }

  bool ok() const { return in_.ok(); }
  std::size_t remaining() const { return in_.remaining(); }
  std::size_t position() const { return in_.position(); }

 private:
  ByteReader in_;
  bool little_;
};

}  // namespace tandem::ros2
