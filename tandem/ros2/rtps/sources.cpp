// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/rtps/sources.hpp"

namespace tandem::ros2 {

std::vector<std::vector<std::uint8_t>> by_source(Bytes message) {
  using enum SubmessageKind;
  constexpr std::size_t source_size = 20;  // unused, version, vendor, prefix
  std::vector<std::vector<std::uint8_t>> parts;
  if (message.size() < rtps_header_size) return parts;
  Submessages submessages(message);
  std::size_t start = rtps_header_size;
  Bytes header = message.first(rtps_header_size), destination;
  Bytes destination_before;
  const auto end_part = [&](std::size_t end) {
    std::vector<std::uint8_t>& part = parts.emplace_back(header.begin(), header.end());
    ByteWriter(part).bytes(destination_before);
    ByteWriter(part).bytes(message.subspan(start, end - start));
  };
  std::vector<std::uint8_t> next_header;
  while (const std::optional<Submessage> each = submessages.next()) {
    const std::size_t end = message.size() - submessages.remaining();
    if (each->kind == srtps_prefix || each->kind == sec_prefix) return {};
    if (each->kind == info_destination) destination = message.subspan(each->start, end - each->start);
    if (each->kind != info_source) continue;
    if (each->body.size() != source_size || parts.size() == 64) return {};
    end_part(each->start);
    start = end;
    destination_before = destination;
    next_header.assign({'R', 'T', 'P', 'S'});
    ByteWriter(next_header).bytes(each->body.subspan(4));
    header = next_header;
  }
  if (submessages.broken() || parts.empty()) return {};
  end_part(message.size());
  return parts;
}

}  // namespace tandem::ros2
