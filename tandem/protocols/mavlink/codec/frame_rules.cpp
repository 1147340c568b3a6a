#include "tandem/protocols/mavlink/codec/frame_rules.hpp"

#include <optional>

#include "tandem/protocols/mavlink/codec/crc.hpp"
#include "tandem/protocols/mavlink/codec/frame.hpp"

namespace tandem::mavlink {
namespace {

// MAVLink: the sequence counts everything said, and TIMESYNC (111) asks with the asker's own time. The device gives
// that time back; it must fit into the payload as it was recorded, whose trailing zeros are not sent.
constexpr std::uint32_t mavlink_time_sync = 111;

struct MavlinkParts {
  std::size_t head = 0, payload = 0;  // bytes
  std::size_t sequence = 0;           // its place
  std::uint32_t message = 0;
};
std::optional<MavlinkParts> mavlink_parts(Bytes frame) {
  if (frame.size() >= 8 && frame[0] == start_v1 && frame.size() >= 8U + frame[1])
    return MavlinkParts{header_v1, frame[1], 2, frame[5]};
  if (frame.size() >= 12 && frame[0] == start_v2 && frame.size() >= 12U + frame[1])
    return MavlinkParts{header_v2, frame[1], 4, frame[7] | frame[8] * 256U | frame[9] * 65536U};
  return std::nullopt;
}
std::size_t mavlink_size(Bytes start) {
  if (start.empty()) return 0;
  if (start[0] == start_v1) return start.size() < 2 ? 0 : 8U + start[1];
  if (start[0] != start_v2) return 1;
  return start.size() < 3 ? 0 : 12U + start[1] + ((start[2] & 1) != 0 ? 13U : 0U);
}
// Messages that begin with the sender's time, by the bytes of it: SYSTEM_TIME, set points, PING, vision, odometry.
std::size_t mavlink_time_bytes(std::uint32_t message) {
  switch (message) {
    case 2:
      return 12;
    case 4:
    case 102:
    case 331:
      return 8;
    case 11011:
    case mavlink_time_sync:
      return 16;
    case 84:
    case 86:
      return 4;
    default:
      return 0;
  }
}
void mavlink_blank(std::span<std::uint8_t> frame) {
  const auto parts = mavlink_parts(frame);
  if (!parts) return;
  frame[parts->sequence] = 0;
  net::blank_bytes(frame, parts->head, std::min(mavlink_time_bytes(parts->message), parts->payload));
  const std::size_t checks = parts->head + parts->payload;
  net::blank_bytes(frame, checks, frame.size() - checks);
}
std::uint64_t mavlink_asked(Bytes frame, const MavlinkParts& parts) {
  std::uint64_t asked = 0;
  for (std::size_t i = 8; i < std::min<std::size_t>(16, parts.payload); ++i)
    asked |= std::uint64_t{frame[parts.head + i]} << (8 * (i - 8));
  return asked;
}
void mavlink_learn(Bytes recorded, Bytes seen, net::Carried& carried) {
  const auto before = mavlink_parts(recorded), after = mavlink_parts(seen);
  if (!before || !after || before->message != mavlink_time_sync || after->message != mavlink_time_sync) return;
  carried.numbers[mavlink_asked(recorded, *before)] = mavlink_asked(seen, *after);
}
void mavlink_carry(std::span<std::uint8_t> frame, net::Carried& carried) {
  const auto parts = mavlink_parts(frame);
  if (!parts || parts->message != mavlink_time_sync || parts->payload <= 8) return;
  const auto known = carried.numbers.find(mavlink_asked(frame, *parts));
  if (known == carried.numbers.end()) return;
  const std::size_t room = std::min<std::size_t>(16, parts->payload) - 8;
  if (room < 8 && known->second >> (8 * room) != 0) return;
  const std::size_t checks = parts->head + parts->payload;
  const Bytes checked = frame.subspan(1, checks - 1);
  const auto crc = static_cast<std::uint16_t>(frame[checks] | frame[checks + 1] * 256U);
  const auto extra = crc_byte_between(crc_add(crc_start, checked), crc);
  if (!extra) return;  // it was damaged when it came, and shall be so again
  for (std::size_t i = 0; i < room; ++i)
    frame[parts->head + 8 + i] = static_cast<std::uint8_t>(known->second >> (8 * i));
  const std::uint16_t again = crc_add(crc_add(crc_start, checked), *extra);
  frame[checks] = static_cast<std::uint8_t>(again);
  frame[checks + 1] = static_cast<std::uint8_t>(again >> 8);
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
