// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/mavlink/codec/parser.hpp"

#include <algorithm>
#include <cstring>

namespace tandem::mavlink {
namespace {

bool is_start(std::uint8_t byte) { return byte == start_v1 || byte == start_v2; }

}  // namespace

Parser::Parser(const Options& options)
    : dialect_(options.dialect != nullptr ? options.dialect : &all_messages()),
      pass_unknown_(options.pass_unknown),
      pass_unreadable_(options.pass_unreadable) {}

std::span<std::uint8_t> Parser::room() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  return std::span(buffer_).subspan(end_);
}

void Parser::received(std::size_t count) {
  count = std::min(count, buffer_.size() - end_);
  end_ += count;
  counters_.bytes += count;
}

std::size_t Parser::feed(Bytes bytes) {
  const std::span<std::uint8_t> free = room();
  const std::size_t count = std::min(free.size(), bytes.size());
  if (count > 0) std::memcpy(free.data(), bytes.data(), count);
  received(count);
  return count;
}

void Parser::clear() {
  begin_ = 0;
  end_ = 0;
}

std::optional<Frame> Parser::find(bool last) {
  Frame frame;
  while (begin_ != end_) {
    const Bytes bytes(buffer_.data() + begin_, end_ - begin_);
    switch (look(bytes, last, frame)) {
      case Step::frame:
        begin_ += frame.bytes.size();
        ++counters_.frames;
        return frame;
      case Step::skip_frame:
        begin_ += frame.bytes.size();
        break;
      case Step::skip_byte:
        ++begin_;
        ++counters_.skipped;
        break;
      case Step::more:
        return std::nullopt;
    }
  }
  return std::nullopt;
}

Parser::Step Parser::look(Bytes bytes, bool last, Frame& frame) {
  if (!is_start(bytes[0])) return Step::skip_byte;
  const std::size_t header = bytes[0] == start_v2 ? header_v2 : header_v1;
  if (bytes.size() >= header) read_header(bytes, frame);
  if (bytes.size() < header || bytes.size() < frame.bytes.size()) {
    if (!last) return Step::more;
    ++counters_.cut_short;
    return Step::skip_byte;
  }
  return judge(bytes, frame.bytes.size(), last, frame);
}

Parser::Step Parser::judge(Bytes bytes, std::size_t size, bool last, Frame& frame) {
  const std::uint8_t* const crc_at = frame.payload.data() + frame.payload.size();
  frame.checksum = static_cast<std::uint16_t>(crc_at[0] | (crc_at[1] << 8));
  frame.info = dialect_->find(frame.id);
  const std::size_t covered = static_cast<std::size_t>(crc_at - bytes.data()) - 1;
  const std::uint16_t crc = crc_add(crc_start, bytes.subspan(1, covered));
  const bool strange = (frame.incompatible & ~incompatible_signed) != 0;
  frame.verified = frame.info != nullptr && crc_add(crc, frame.info->crc_extra) == frame.checksum;
  if (frame.verified && !strange) return Step::frame;
  if (frame.verified) {
    ++counters_.unknown_flags;
    return unreadable(frame);
  }
  // No definition says that it is whole. If some crc_extra would, and the next frame or the end of all bytes follows
  // right behind, then it is, and what its payload looks like is no one's frame.
  bool whole = crc_byte_between(crc, frame.checksum).has_value();
  if (whole && bytes.size() == size && !last) return Step::more;
  whole = whole && (bytes.size() == size || is_start(bytes[size]));
  if (frame.info != nullptr || !whole) {
    ++counters_.bad_checksum;
    if (!whole) return Step::skip_byte;
    ++counters_.other_definition;
    counters_.last_other_definition = frame.id;
    return unreadable(frame);
  }
  if (strange) {
    ++counters_.unknown_flags;
    return unreadable(frame);
  }
  ++counters_.unknown_message;
  counters_.last_unknown = frame.id;
  return pass_unknown_ ? Step::frame : Step::skip_frame;
}

Parser::Step Parser::unreadable(Frame& frame) const {
  frame.verified = false;
  return pass_unreadable_ ? Step::frame : Step::skip_frame;
}

}  // namespace tandem::mavlink
