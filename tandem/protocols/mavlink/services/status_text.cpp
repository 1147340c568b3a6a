// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/services/status_text.hpp"

#include <algorithm>
#include <bit>

namespace tandem::mavlink {

std::optional<StatusLine> StatusTextReader::handle(const Frame& frame, Instant now) {
  const auto message = frame.as<StatusText>();
  if (!message) return std::nullopt;
  if (message->id == 0) return StatusLine{frame.source, message->severity, std::string(message->text.view())};
  if (message->chunk_seq >= most_chunks) return std::nullopt;

  std::optional<StatusLine> pushed_out;
  Partial& partial = place_for(frame.source, message->id, pushed_out);
  partial.severity = message->severity;
  partial.heard = now;
  partial.seen |= 1u << message->chunk_seq;
  partial.chunks[message->chunk_seq] = message->text;
  if (message->text.view().size() < chunk_size || message->chunk_seq + 1u == most_chunks)
    partial.last = message->chunk_seq;
  const auto whole = partial.last ? (2u << *partial.last) - 1 : 0;
  if (partial.last && (partial.seen & whole) == whole) {
    StatusLine line = line_of(partial);
    partial = {};
    return line;
  }
  return pushed_out;
}

// The oldest makes room, and what it has is given.
StatusTextReader::Partial& StatusTextReader::place_for(const Address& source, std::uint16_t id,
                                                       std::optional<StatusLine>& pushed_out) {
  for (Partial& partial : partials_)
    if (partial.id == id && partial.source == source) return partial;
  Partial& place = *std::min_element(partials_.begin(), partials_.end(), [](const Partial& a, const Partial& b) {
    return a.id == 0 || b.id == 0 ? a.id == 0 && b.id != 0 : a.heard < b.heard;
  });
  if (place.id != 0) pushed_out = line_of(place);
  place = {};
  place.source = source;
  place.id = id;
  return place;
}

std::optional<StatusLine> StatusTextReader::overdue(Instant now) {
  for (Partial& partial : partials_) {
    if (partial.id == 0 || now - partial.heard < patience) continue;
    StatusLine line = line_of(partial);
    partial = {};
    return line;
  }
  return std::nullopt;
}

StatusLine StatusTextReader::line_of(const Partial& partial) {
  StatusLine line{partial.source, partial.severity, {}, partial.last.has_value()};
  const auto known = static_cast<std::size_t>(std::bit_width(partial.seen));  // chunks up to the last that came
  for (std::size_t i = 0; i < known; ++i) {
    if ((partial.seen >> i & 1u) != 0) {
      line.text += partial.chunks[i].view();
    } else {
      line.text += "[...]";
      line.complete = false;
    }
  }
  if (!partial.last) line.text += "[...]";
  return line;
}

void send_status_text(std::string_view text, std::uint8_t severity, std::uint16_t id, Outlet& outlet) {
  constexpr std::size_t size = StatusTextReader::chunk_size;
  if (text.size() <= size) {
    outlet.send(StatusText{.severity = severity, .text = text});
    return;
  }
  // A text that ends with a full chunk has an empty one behind it, which reports that it ended.
  const std::size_t chunks = std::min(text.size() / size + 1, StatusTextReader::most_chunks);
  for (std::size_t i = 0; i < chunks; ++i)
    outlet.send(StatusText{.severity = severity,
                           .text = text.substr(i * size, size),
                           .id = id,
                           .chunk_seq = static_cast<std::uint8_t>(i)});
}

}  // namespace tandem::mavlink
