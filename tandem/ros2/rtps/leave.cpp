// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/rtps/leave.hpp"

#include <array>

namespace tandem::ros2 {
namespace {

constexpr std::uint8_t little = 1;
constexpr Entity reader{0, 1, 0, 0xc7}, writer{0, 1, 0, 0xc2};  // of announcements

std::vector<std::uint8_t> header_of(const ParticipantPrefix& who) {
  std::vector<std::uint8_t> message{'R', 'T', 'P', 'S', 2, 3, 1, 15};
  ByteWriter(message).bytes(who);
  return message;
}

}  // namespace

std::vector<std::uint8_t> leave_of(const ParticipantPrefix& who, std::int64_t sequence) {
  constexpr std::uint8_t with_inline_qos = 2;
  std::vector<std::uint8_t> message = header_of(who);
  ByteWriter out(message);
  out.byte(static_cast<std::uint8_t>(SubmessageKind::data));
  out.byte(little | with_inline_qos);
  out.little(std::uint16_t{4 + 16 + 20 + 8 + 4});
  out.little(std::uint16_t{0});
  out.little(std::uint16_t{16});  // to the inline QoS
  out.bytes(reader);
  out.bytes(writer);
  out.little(static_cast<std::int32_t>(sequence >> 32));
  out.little(static_cast<std::uint32_t>(sequence));
  out.bytes(std::array<std::uint8_t, 4>{0x70, 0, 16, 0});  // key hash: the GUID
  out.bytes(participant_guid(who));
  out.bytes(std::array<std::uint8_t, 8>{0x71, 0, 4, 0, 0, 0, 0, 3});  // status: disposed and unregistered
  out.bytes(std::array<std::uint8_t, 4>{1, 0, 0, 0});                 // end of the list
  return message;
}

std::vector<std::uint8_t> skip_to(const ParticipantPrefix& who, std::int64_t sequence, std::uint32_t count) {
  constexpr std::uint8_t final = 2;  // it needs no answer
  std::vector<std::uint8_t> message = header_of(who);
  ByteWriter out(message);
  out.byte(static_cast<std::uint8_t>(SubmessageKind::heartbeat));
  out.byte(little | final);
  out.little(std::uint16_t{28});
  out.bytes(reader);
  out.bytes(writer);
  for (int i = 0; i < 2; ++i) {  // the first and the last
    out.little(static_cast<std::int32_t>(sequence >> 32));
    out.little(static_cast<std::uint32_t>(sequence));
  }
  out.little(count);
  return message;
}

}  // namespace tandem::ros2
