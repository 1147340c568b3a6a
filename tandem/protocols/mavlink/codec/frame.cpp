// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/codec/frame.hpp"

namespace tandem::mavlink {
namespace {

std::uint8_t payload_byte(Bytes payload, std::int16_t offset) {
  if (offset < 0 || static_cast<std::size_t>(offset) >= payload.size()) return 0;
  return payload[static_cast<std::size_t>(offset)];
}

// Bytes up to the last that is not zero, at least one; eight at a time, since many messages end in long runs of zeros.
std::size_t without_zeros(const std::uint8_t* payload, std::size_t size) {
  while (size > 8) {
    std::uint64_t last = 0;
    std::memcpy(&last, payload + size - 8, 8);
    if (last != 0) return size - static_cast<std::size_t>(std::countl_zero(last)) / 8;
    size -= 8;
  }
  while (size > 1 && payload[size - 1] == 0) --size;
  return size;
}

}  // namespace

Address Frame::target() const {
  if (info == nullptr) return {};
  return {payload_byte(payload, info->target_system), payload_byte(payload, info->target_component)};
}

// One whose own component is 0 answers for all components of its system.
bool Frame::meant_for(const Address& own) const {
  const Address named = target();
  return (named.system == 0 || named.system == own.system) &&
         (named.component == 0 || own.component == 0 || named.component == own.component);
}

Bytes finish_frame(FrameBuffer& buffer, const Header& header, const MessageInfo& info) {
  std::uint8_t* const data = buffer.data.data();
  std::size_t begin = header_v2;
  std::size_t size = info.base_size;
  buffer.size = 0;
  if (header.version == Version::v1) {
    if (info.id > 255) return {};
    begin = header_v1;
    data[0] = start_v1;
    data[2] = header.sequence;
    data[3] = header.source.system;
    data[4] = header.source.component;
    data[5] = static_cast<std::uint8_t>(info.id);
  } else {
    size = without_zeros(data + begin, info.full_size);
    data[0] = start_v2;
    data[2] = header.will_be_signed ? incompatible_signed : 0;
    data[3] = 0;
    data[4] = header.sequence;
    data[5] = header.source.system;
    data[6] = header.source.component;
    data[7] = static_cast<std::uint8_t>(info.id);
    data[8] = static_cast<std::uint8_t>(info.id >> 8);
    data[9] = static_cast<std::uint8_t>(info.id >> 16);
  }
  data[1] = static_cast<std::uint8_t>(size);
  const std::size_t end = begin + size;
  const std::uint16_t crc = crc_add(crc_add(crc_start, Bytes(data + 1, end - 1)), info.crc_extra);
  data[end] = static_cast<std::uint8_t>(crc);
  data[end + 1] = static_cast<std::uint8_t>(crc >> 8);
  buffer.size = end + crc_size;
  return buffer.bytes();
}

void read_header(Bytes bytes, Frame& frame) {
  const std::size_t length = bytes[1];
  if (bytes[0] == start_v2) {
    frame.version = Version::v2;
    frame.incompatible = bytes[2];
    frame.compatible = bytes[3];
    frame.sequence = bytes[4];
    frame.source = {bytes[5], bytes[6]};
    frame.id = static_cast<std::uint32_t>(bytes[7] | (bytes[8] << 8) | (bytes[9] << 16));
  } else {
    frame.version = Version::v1;
    frame.incompatible = 0;
    frame.compatible = 0;
    frame.sequence = bytes[2];
    frame.source = {bytes[3], bytes[4]};
    frame.id = bytes[5];
  }
  const std::size_t header = bytes[0] == start_v2 ? header_v2 : header_v1;
  const std::size_t sign = (frame.incompatible & incompatible_signed) != 0 ? signature_size : 0;
  const std::size_t size = header + length + crc_size + sign;
  frame.bytes = {bytes.data(), size};  // not looked at before all of it is there
  frame.payload = {bytes.data() + header, length};
  frame.signature = {bytes.data() + size - sign, sign};
}

}  // namespace tandem::mavlink
