// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/codec/frame_rules.hpp"

#include <optional>

#include "tandem/protocols/mavlink/codec/crc.hpp"
#include "tandem/protocols/mavlink/codec/frame.hpp"
#include "tandem/protocols/mavlink/messages/setpoints.hpp"
#include "tandem/protocols/mavlink/messages/system.hpp"
#include "tandem/protocols/mavlink/messages/vision.hpp"

namespace tandem::mavlink {
namespace {

// MAVLink: the sequence counts everything said, and TIMESYNC asks with the asker's own time. The device gives that time
// back; it must fit into the payload as it was recorded, whose trailing zeros are not sent.
constexpr std::size_t asked_at = layout<TimeSync>.places[1].offset, asked_size = sizeof(TimeSync::ts1);

std::optional<Frame> frame_of(Bytes bytes) {
  if (bytes.empty() || (bytes[0] != start_v1 && bytes[0] != start_v2)) return std::nullopt;
  if (bytes.size() < (bytes[0] == start_v1 ? header_v1 : header_v2)) return std::nullopt;
  Frame frame;
  read_header(bytes, frame);
  return frame;
}
std::size_t payload_at(const Frame& frame) { return frame.version == Version::v1 ? header_v1 : header_v2; }
std::size_t checksum_at(const Frame& frame) { return payload_at(frame) + frame.payload.size(); }
// With its checksum; a signature may be cut off.
std::optional<Frame> whole_frame_of(Bytes bytes) {
  const auto frame = frame_of(bytes);
  return frame && bytes.size() >= checksum_at(*frame) + crc_size ? frame : std::nullopt;
}
std::size_t mavlink_size(Bytes start) {
  if (start.empty()) return 0;
  if (start[0] != start_v1 && start[0] != start_v2) return 1;
  const auto frame = frame_of(start);
  return frame ? frame->bytes.size() : 0;
}
// Messages that begin with the sender's time, by the bytes of it.
std::size_t time_bytes(std::uint32_t message) {
  switch (message) {
    case SystemTime::wire_id:
      return layout<SystemTime>.full_size;
    case Ping::wire_id:
    case VisionPositionEstimate::wire_id:
    case Odometry::wire_id:
      return 8;
    case VisionPositionDelta::wire_id:
    case TimeSync::wire_id:
      return 16;
    case SetPositionTargetLocalNed::wire_id:
    case SetPositionTargetGlobalInt::wire_id:
      return 4;
    default:
      return 0;
  }
}
void mavlink_blank(std::span<std::uint8_t> bytes) {
  const auto frame = whole_frame_of(bytes);
  if (!frame) return;
  bytes[sequence_at(frame->version)] = 0;
  net::blank_bytes(bytes, payload_at(*frame), std::min(time_bytes(frame->id), frame->payload.size()));
  net::blank_bytes(bytes, checksum_at(*frame), bytes.size() - checksum_at(*frame));
}
std::optional<std::uint64_t> asked_time(Bytes bytes) {
  const auto frame = whole_frame_of(bytes);
  const auto asked = frame ? frame->as<TimeSync>() : std::nullopt;
  return asked ? std::optional(static_cast<std::uint64_t>(asked->ts1)) : std::nullopt;
}
void mavlink_learn(Bytes recorded, Bytes seen, net::Carried& carried) {
  const auto before = asked_time(recorded), after = asked_time(seen);
  if (before && after) carried.numbers[*before] = *after;
}
void mavlink_carry(std::span<std::uint8_t> bytes, net::Carried& carried) {
  const auto asked = asked_time(bytes);
  const auto known = asked ? carried.numbers.find(*asked) : carried.numbers.end();
  if (known == carried.numbers.end()) return;
  const Frame frame = *whole_frame_of(bytes);
  if (frame.payload.size() <= asked_at) return;
  const std::size_t room = std::min(asked_at + asked_size, frame.payload.size()) - asked_at;
  if (room < asked_size && known->second >> (8 * room) != 0) return;
  const std::size_t checks = checksum_at(frame);
  const Bytes checked = Bytes(bytes).subspan(1, checks - 1);
  const auto crc = static_cast<std::uint16_t>(bytes[checks] | bytes[checks + 1] * 256U);
  const auto extra = crc_byte_between(crc_add(crc_start, checked), crc);
  if (!extra) return;  // it was damaged when it came, and shall be so again
  for (std::size_t i = 0; i < room; ++i)
    bytes[payload_at(frame) + asked_at + i] = static_cast<std::uint8_t>(known->second >> (8 * i));
  const std::uint16_t again = crc_add(crc_add(crc_start, checked), *extra);
  bytes[checks] = static_cast<std::uint8_t>(again);
  bytes[checks + 1] = static_cast<std::uint8_t>(again >> 8);
  carried.numbers.erase(known);
}

constexpr net::FrameRules rules{.name = "MAVLink",
                                .frame_size = mavlink_size,
                                .blank = mavlink_blank,
                                .learn = mavlink_learn,
                                .carry = mavlink_carry};

}  // namespace

const net::FrameRules& frame_rules() { return rules; }

}  // namespace tandem::mavlink
