// SPDX-License-Identifier: Apache-2.0
#include "tandem/ros2/rtps/samples.hpp"

#include "tandem/ros2/rtps/numbers.hpp"

namespace tandem::ros2 {
namespace {

constexpr std::size_t most_samples = 2048;  // 64 KiB hold fewer with anything in them

bool is_sample(const Submessage& submessage) {
  return submessage.kind == SubmessageKind::data || submessage.kind == SubmessageKind::data_fragments;
}

}  // namespace

ParticipantPrefix source_of(Bytes message) {
  ParticipantPrefix source{};
  std::ranges::copy(message.subspan(8, source.size()), source.begin());
  return source;
}

std::vector<std::vector<std::uint8_t>> by_sample(Bytes message) {
  using enum SubmessageKind;
  std::vector<std::vector<std::uint8_t>> parts;
  if (message.size() < rtps_header_size) return parts;
  Submessages submessages(message);
  Bytes destination, stamp, preamble_destination, preamble_stamp;
  std::size_t start = rtps_header_size;
  bool has_sample = false;
  const auto end_part = [&](std::size_t end) {
    std::vector<std::uint8_t>& part = parts.emplace_back(message.begin(), message.begin() + rtps_header_size);
    ByteWriter(part).bytes(preamble_destination);
    ByteWriter(part).bytes(preamble_stamp);
    ByteWriter(part).bytes(message.subspan(start, end - start));
  };
  while (const std::optional<Submessage> each = submessages.next()) {
    const std::size_t end = message.size() - submessages.remaining();
    const Bytes whole = message.subspan(each->start, end - each->start);
    // A part is put before others: those are of whole words, and their length is theirs alone.
    if (whole.size() % 4 != 0 && submessages.remaining() > 0) return {};
    if (each->kind == srtps_prefix || each->kind == sec_prefix || each->kind == info_source) return {};
    if (is_sample(*each) && has_sample) {
      if (parts.size() == most_samples) return {};
      end_part(each->start);
      start = each->start;
      preamble_destination = destination;
      preamble_stamp = stamp;
    }
    has_sample = has_sample || is_sample(*each);
    if (each->kind == info_destination && whole.size() == 16) destination = whole;
    if (each->kind == info_timestamp) stamp = whole;
  }
  if (submessages.broken() || parts.empty()) return {};
  end_part(message.size());
  return parts;
}

std::optional<StreamMark> stream_mark(Bytes message) {
  constexpr Entity announcer{0, 1, 0, 0xc2};
  std::optional<StreamMark> mark;
  if (message.size() < rtps_header_size) return mark;
  Submessages submessages(message);
  while (const std::optional<Submessage> each = submessages.next()) {
    if (each->kind == SubmessageKind::info_source) return mark;
    if (each->kind != SubmessageKind::heartbeat || heartbeat_fault({each->body, each->little()}) != nullptr) continue;
    RtpsFields in(each->body, each->little());
    in.skip(4);
    if (in.entity() != announcer) continue;
    in.skip(8);
    mark = StreamMark{in.sequence(), 0};
    mark->count = in.next<std::uint32_t>();
  }
  return mark;
}

std::vector<std::uint8_t> gap_instead(Bytes message) {
  if (message.size() < rtps_header_size || ByteReader(message).text(4) != "RTPS") return {};
  constexpr std::uint8_t little = 1;
  constexpr std::uint16_t size_of_gap = 28;
  Submessages submessages(message);
  Bytes destination;
  while (const std::optional<Submessage> each = submessages.next()) {
    if (each->kind == SubmessageKind::info_source) return {};
    if (each->kind == SubmessageKind::info_destination && each->body.size() == 12) {
      destination = message.subspan(each->start, 16);
    }
    if (!is_sample(*each)) continue;
    RtpsFields in(each->body, each->little());
    in.skip(4);
    const Entity reader = in.entity(), writer = in.entity();
    const std::int64_t sequence = in.sequence();
    if (!in.ok() || !is_builtin(writer) || !is_sequence(sequence) || !is_sequence(sequence + 1)) return {};
    std::vector<std::uint8_t> gap(message.begin(), message.begin() + rtps_header_size);
    ByteWriter out(gap);
    out.bytes(destination);
    out.byte(static_cast<std::uint8_t>(SubmessageKind::gap));
    out.byte(little);
    out.little(size_of_gap);
    out.bytes(reader);
    out.bytes(writer);
    for (const std::int64_t number : {sequence, sequence + 1}) {
      out.little(static_cast<std::int32_t>(number >> 32));
      out.little(static_cast<std::uint32_t>(number));
    }
    out.little(std::uint32_t{0});  // and no others behind
    return gap;
  }
  return {};
}

}  // namespace tandem::ros2
