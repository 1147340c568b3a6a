// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/modbus/framer.hpp"

#include <fmt/format.h>

namespace tandem::modbus {
namespace {

constexpr std::size_t counted_from = 6;  // the length field counts the bytes after itself
constexpr std::size_t header_size = 7;
constexpr std::size_t least_length = 2;  // unit and function
constexpr std::size_t most_length = 1 + longest_pdu;

}  // namespace

std::span<std::uint8_t> Framer::room() {
  if (begin_ == end_) begin_ = end_ = 0;
  if (begin_ > 0 && buffer_.size() - end_ < longest_frame) {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    end_ -= begin_;
    begin_ = 0;
  }
  return std::span(buffer_).subspan(end_);
}

void Framer::received(std::size_t count) { end_ = std::min(end_ + count, buffer_.size()); }

std::size_t Framer::feed(Bytes bytes) {
  const auto into = room();
  const std::size_t count = std::min(bytes.size(), into.size());
  std::copy_n(bytes.begin(), count, into.begin());
  received(count);
  return count;
}

Result<std::optional<Frame>> Framer::next() {
  if (broken_) return Error{Fault::invalid, *broken_};
  ByteReader reader(Bytes(buffer_).subspan(begin_, end_ - begin_));
  Frame frame;
  if (reader.remaining() < 4) return std::optional<Frame>{};
  frame.transaction = reader.big<std::uint16_t>();
  if (const auto protocol = reader.big<std::uint16_t>(); protocol != 0)
    return broken(fmt::format("expected protocol id 0, got {}: this is not Modbus TCP", protocol));
  if (reader.remaining() < 2) return std::optional<Frame>{};
  const std::size_t length = reader.big<std::uint16_t>();
  if (length < least_length || length > most_length)
    return broken(fmt::format("expected a frame length of {1} to {2}, got {0}", length, least_length, most_length));
  if (reader.remaining() < length) return std::optional<Frame>{};
  frame.unit = reader.byte();
  frame.pdu = reader.bytes(length - 1);
  begin_ += counted_from + length;
  return std::optional<Frame>(frame);
}

void Framer::clear() {
  begin_ = end_ = 0;
  broken_.reset();
}

Error Framer::broken(std::string text) {
  broken_ = std::move(text);
  return {Fault::invalid, *broken_};
}

std::size_t begin_frame(std::vector<std::uint8_t>& out, std::uint16_t transaction, std::uint8_t unit) {
  const std::size_t begun_at = out.size();
  ByteWriter writer(out);
  constexpr std::uint16_t protocol = 0, length = 0;
  writer.big(transaction, protocol, length, unit);
  return begun_at;
}

void finish_frame(std::vector<std::uint8_t>& out, std::size_t begun_at) {
  const std::size_t length = out.size() - begun_at - counted_from;
  ByteWriter(out).big_at(begun_at + 4, static_cast<std::uint16_t>(length));
}

}  // namespace tandem::modbus
