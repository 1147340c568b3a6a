#include "tandem/runtime/field_protocol.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

#include "tandem/protocols/mavlink/crc.hpp"

namespace tandem::runtime {
namespace {

constexpr std::size_t longest_frame = 1 << 20;

std::size_t whole_or_byte(std::size_t size, std::size_t least) {
  return size < least || size > longest_frame ? 1 : size;
}

template <typename T, std::endian order>
T wire_number(Bytes frame, std::size_t offset) {
  ByteReader reader(frame);
  reader.skip(offset);
  return order == std::endian::big ? reader.big<T>() : reader.little<T>();
}

void blank_bytes(std::span<std::uint8_t> frame, std::size_t offset, std::size_t size) {
  if (offset + size <= frame.size()) std::memset(frame.data() + offset, 0, size);
}

bool always_asked(Bytes) { return false; }

std::string text_of(Bytes frame, std::size_t offset, std::size_t size) {
  if (offset >= frame.size()) return {};
  const Bytes part = frame.subspan(offset, std::min(size, frame.size() - offset));
  return {part.begin(), part.end()};
}

// Modbus TCP: transaction, protocol, length of what follows; the device gives the transaction back.
std::size_t modbus_size(Bytes start) {
  if (start.size() < 6) return 0;
  if (start[2] != 0 || start[3] != 0) return 1;
  return whole_or_byte(6U + wire_number<std::uint16_t, std::endian::big>(start, 4), 8);
}
void modbus_blank(std::span<std::uint8_t> frame) { blank_bytes(frame, 0, 2); }
void modbus_learn(Bytes recorded, Bytes seen, Carried& carried) {
  if (recorded.size() < 2 || seen.size() < 2) return;
  carried.numbers[wire_number<std::uint16_t, std::endian::big>(recorded, 0)] =
      wire_number<std::uint16_t, std::endian::big>(seen, 0);
}
void modbus_carry(std::span<std::uint8_t> frame, Carried& carried) {
  if (frame.size() < 2) return;
  const auto known = carried.numbers.find(wire_number<std::uint16_t, std::endian::big>(frame, 0));
  if (known == carried.numbers.end()) return;
  frame[0] = static_cast<std::uint8_t>(known->second >> 8);
  frame[1] = static_cast<std::uint8_t>(known->second);
}

// Unit and function, then address and count; what is written does not count.
constexpr std::size_t modbus_unit = 6, modbus_function = 7;
std::string modbus_asks(Bytes frame) {
  std::size_t size = frame.size();
  if (frame.size() > modbus_function) {
    const std::uint8_t function = frame[modbus_function];
    if (function == 5 || function == 6) size = 4;
    if (function == 15 || function == 16) size = 6;
    if (function == 23) size = 10;
  }
  return text_of(frame, modbus_unit, size);
}
std::uint64_t modbus_pairing(Bytes frame) { return wire_number<std::uint16_t, std::endian::big>(frame, 0); }
// A device gives a single write back whole, and the head of one of many.
void modbus_fit(Bytes question, std::vector<std::uint8_t>& answer) {
  if (question.size() < 12) return;
  const std::uint8_t function = question[modbus_function];
  const bool one = function == 5 || function == 6, many = function == 15 || function == 16;
  const bool refused = answer.size() > modbus_function && answer[modbus_function] != function;
  if (refused || !(one || many)) return;
  answer.assign(question.begin(), question.begin() + 12);
  answer[4] = 0;
  answer[5] = 6;
}

// ADS: reserved 2, length 4, then target 8, source 8, command 2, flags 2, length 4, error 4, invoke id 4. Addresses
// come from those of the network, and the device gives all but the command's own data back.
constexpr std::size_t ams_target = 6, ams_source = 14, ams_command = 22, ams_invoke = 34, ams_end = 38;
constexpr std::uint16_t ams_write = 3, ams_notification = 8, ams_read_write = 9;

std::size_t ads_size(Bytes start) {
  if (start.size() < 6) return 0;
  return whole_or_byte(std::size_t{6} + wire_number<std::uint32_t, std::endian::little>(start, 2), ams_end);
}
bool ads_unasked(Bytes frame) {
  return frame.size() >= ams_end &&
         wire_number<std::uint16_t, std::endian::little>(frame, ams_command) == ams_notification;
}
void ads_blank(std::span<std::uint8_t> frame) {
  blank_bytes(frame, ams_target, 16);
  blank_bytes(frame, ams_invoke, 4);
}
void ads_learn(Bytes recorded, Bytes seen, Carried& carried) {
  if (recorded.size() < ams_end || seen.size() < ams_end) return;
  std::memcpy(carried.addresses.data(), seen.data() + ams_target, 16);
  carried.addressed = true;
  carried.numbers[wire_number<std::uint32_t, std::endian::little>(recorded, ams_invoke)] =
      wire_number<std::uint32_t, std::endian::little>(seen, ams_invoke);
}
void ads_carry(std::span<std::uint8_t> frame, Carried& carried) {
  if (frame.size() < ams_end) return;
  if (carried.addressed) {
    std::memcpy(frame.data() + ams_target, carried.addresses.data() + 8, 8);
    std::memcpy(frame.data() + ams_source, carried.addresses.data(), 8);
  }
  const auto known = carried.numbers.find(wire_number<std::uint32_t, std::endian::little>(frame, ams_invoke));
  if (known == carried.numbers.end() || ads_unasked(frame)) return;
  for (std::size_t i = 0; i < 4; ++i) frame[ams_invoke + i] = static_cast<std::uint8_t>(known->second >> (8 * i));
  carried.numbers.erase(known);
}

// Port, command and its data: of a write only where to, of a sum of writes only the list of where to.
std::string ads_asks(Bytes frame) {
  constexpr std::size_t where = 12, head = 16;  // bytes: of a write, and of a read and write in one
  constexpr std::uint32_t sum_write = 0xF081;
  if (frame.size() < ams_end) return text_of(frame, 0, frame.size());
  std::size_t size = frame.size();
  const auto command = wire_number<std::uint16_t, std::endian::little>(frame, ams_command);
  if (command == ams_write) size = where;
  if (command == ams_read_write && wire_number<std::uint32_t, std::endian::little>(frame, ams_end) == sum_write)
    size = head + where * std::size_t{wire_number<std::uint32_t, std::endian::little>(frame, ams_end + 4)};
  return text_of(frame, ams_target + 6, 2) + text_of(frame, ams_command, 2) + text_of(frame, ams_end, size);
}
std::uint64_t ads_pairing(Bytes frame) {
  return ads_unasked(frame) ? ~std::uint64_t{0} : wire_number<std::uint32_t, std::endian::little>(frame, ams_invoke);
}
// A write to where nothing was written is done as well: the head, and no error.
void ads_fit(Bytes question, std::vector<std::uint8_t>& answer) {
  if (!answer.empty() || question.size() < ams_end || question[ams_command] != ams_write) return;
  constexpr std::size_t ams_length = 2, ams_flags = 24, ams_data_length = 26, result = 4;
  answer.assign(question.begin(), question.begin() + ams_end);
  answer.resize(ams_end + result, 0);
  std::swap_ranges(answer.begin() + ams_target, answer.begin() + ams_source, answer.begin() + ams_source);
  blank_bytes(answer, ams_length, 4);
  blank_bytes(answer, ams_data_length, 4);
  answer[ams_length] = static_cast<std::uint8_t>(answer.size() - 6);
  answer[ams_data_length] = result;
  answer[ams_flags] |= 1;
}

// MAVLink: the sequence counts everything said, and TIMESYNC (111) asks with the asker's own time. The device gives
// that time back; it must fit into the payload as it was recorded, whose trailing zeros are not sent.
constexpr std::uint32_t mavlink_time_sync = 111;

struct MavlinkParts {
  std::size_t head = 0, payload = 0;  // bytes
  std::size_t sequence = 0;           // its place
  std::uint32_t message = 0;
};
std::optional<MavlinkParts> mavlink_parts(Bytes frame) {
  if (frame.size() >= 8 && frame[0] == 0xFE && frame.size() >= 8U + frame[1])
    return MavlinkParts{6, frame[1], 2, frame[5]};
  if (frame.size() >= 12 && frame[0] == 0xFD && frame.size() >= 12U + frame[1])
    return MavlinkParts{10, frame[1], 4, frame[7] | frame[8] * 256U | frame[9] * 65536U};
  return std::nullopt;
}
std::size_t mavlink_size(Bytes start) {
  if (start.empty()) return 0;
  if (start[0] == 0xFE) return start.size() < 2 ? 0 : 8U + start[1];
  if (start[0] != 0xFD) return 1;
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
  blank_bytes(frame, parts->head, std::min(mavlink_time_bytes(parts->message), parts->payload));
  const std::size_t checks = parts->head + parts->payload;
  blank_bytes(frame, checks, frame.size() - checks);
}
std::uint64_t mavlink_asked(Bytes frame, const MavlinkParts& parts) {
  std::uint64_t asked = 0;
  for (std::size_t i = 8; i < std::min<std::size_t>(16, parts.payload); ++i)
    asked |= std::uint64_t{frame[parts.head + i]} << (8 * (i - 8));
  return asked;
}
void mavlink_learn(Bytes recorded, Bytes seen, Carried& carried) {
  const auto before = mavlink_parts(recorded), after = mavlink_parts(seen);
  if (!before || !after || before->message != mavlink_time_sync || after->message != mavlink_time_sync) return;
  carried.numbers[mavlink_asked(recorded, *before)] = mavlink_asked(seen, *after);
}
void mavlink_carry(std::span<std::uint8_t> frame, Carried& carried) {
  const auto parts = mavlink_parts(frame);
  if (!parts || parts->message != mavlink_time_sync || parts->payload <= 8) return;
  const auto known = carried.numbers.find(mavlink_asked(frame, *parts));
  if (known == carried.numbers.end()) return;
  const std::size_t room = std::min<std::size_t>(16, parts->payload) - 8;
  if (room < 8 && known->second >> (8 * room) != 0) return;
  const std::size_t checks = parts->head + parts->payload;
  const Bytes checked = frame.subspan(1, checks - 1);
  const auto crc = static_cast<std::uint16_t>(frame[checks] | frame[checks + 1] * 256U);
  const auto extra = mavlink::crc_byte_between(mavlink::crc_add(mavlink::crc_start, checked), crc);
  if (!extra) return;  // it was damaged when it came, and shall be so again
  for (std::size_t i = 0; i < room; ++i)
    frame[parts->head + 8 + i] = static_cast<std::uint8_t>(known->second >> (8 * i));
  const std::uint16_t again = mavlink::crc_add(mavlink::crc_add(mavlink::crc_start, checked), *extra);
  frame[checks] = static_cast<std::uint8_t>(again);
  frame[checks + 1] = static_cast<std::uint8_t>(again >> 8);
  carried.numbers.erase(known);
}

// RTDE: length 2, kind 1. Data packages and texts come unasked.
std::size_t rtde_size(Bytes start) {
  return start.size() < 2 ? 0 : whole_or_byte(wire_number<std::uint16_t, std::endian::big>(start, 0), 3);
}
bool rtde_unasked(Bytes frame) { return frame.size() >= 3 && (frame[2] == 'U' || frame[2] == 'M'); }

// Dashboard and gripper: a line asks, a line answers, "ack" without an end confirms. The dashboard greets unasked.
constexpr std::size_t longest_recorded_line = 4096;  // bytes; more than either takes

bool line_starts(Bytes frame, std::string_view words) {
  return frame.size() >= words.size() && std::equal(words.begin(), words.end(), frame.begin());
}
std::size_t line_size(Bytes start) {
  constexpr std::string_view confirms = "ack";
  if (line_starts(start, confirms)) return start.size() > 3 && start[3] == '\n' ? 4 : 3;
  const Bytes part = start.first(std::min(start.size(), longest_recorded_line));
  const auto end = std::ranges::find(part, std::uint8_t{'\n'});
  if (end != part.end()) return static_cast<std::size_t>(end - part.begin()) + 1;
  return part.size() == longest_recorded_line ? longest_recorded_line : 0;
}
bool line_unasked(Bytes frame) { return line_starts(frame, "Connected:"); }
// The line; of what is set in the gripper only which variables, not their values.
std::string line_asks(Bytes frame) {
  std::string line = text_of(frame, 0, frame.size());
  if (line_starts(frame, "SET ")) std::erase_if(line, [](char c) { return c >= '0' && c <= '9'; });
  while (!line.empty() && (line.back() == '\n' || line.back() == '\r')) line.pop_back();
  return line;
}
// Nothing numbers them: the first question has the first answer.
std::uint64_t line_pairing(Bytes frame) { return line_unasked(frame) ? 1 : 0; }
void line_fit(Bytes question, std::vector<std::uint8_t>& answer) {
  if (answer.empty() && line_starts(question, "SET ")) answer = {'a', 'c', 'k'};
}

constexpr FieldProtocol modbus_protocol{"Modbus",     modbus_size, always_asked,   modbus_blank, modbus_learn,
                                        modbus_carry, modbus_asks, modbus_pairing, modbus_fit};
constexpr FieldProtocol ads_protocol{"ADS",     ads_size, ads_unasked, ads_blank, ads_learn,
                                     ads_carry, ads_asks, ads_pairing, ads_fit};
constexpr FieldProtocol mavlink_protocol{"MAVLink", mavlink_size, nullptr, mavlink_blank, mavlink_learn, mavlink_carry};
constexpr FieldProtocol rtde_protocol{"RTDE", rtde_size, rtde_unasked, nullptr, nullptr, nullptr};
constexpr FieldProtocol packets_protocol{"primary", nullptr, nullptr, nullptr, nullptr, nullptr};
constexpr FieldProtocol lines_protocol{"lines", line_size, line_unasked, nullptr, nullptr,
                                       nullptr, line_asks, line_pairing, line_fit};

constexpr std::array field_port_table = {
    FieldPort{"ads", "", 48898, ads_protocol},
    FieldPort{"modbus", "", 502, modbus_protocol},
    FieldPort{"mavlink", "", 14551, mavlink_protocol},
    FieldPort{"rtde", "", 30004, rtde_protocol},
    FieldPort{"rtde", "dashboard", 29999, lines_protocol},
    FieldPort{"rtde", "gripper", 63352, lines_protocol},
    FieldPort{"rtde", "primary", 30001, packets_protocol},
    FieldPort{"rtde", "realtime", 30003, packets_protocol},
    FieldPort{"rtde", "secondary", 30002, packets_protocol},
};

}  // namespace

std::span<const FieldPort> field_ports() { return field_port_table; }

}  // namespace tandem::runtime
