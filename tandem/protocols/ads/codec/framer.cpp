// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ads/codec/framer.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tandem::ads {
namespace {

bool known(TcpCommand command) {
  switch (command) {
    case TcpCommand::ams:
    case TcpCommand::port_close:
    case TcpCommand::port_connect:
    case TcpCommand::router_note:
    case TcpCommand::local_net_id:
      return true;
  }
  return false;
}

}  // namespace

Framer::Framer(std::size_t longest) : longest_(longest) {}

std::span<std::uint8_t> Framer::room(std::size_t count) {
  if (begin_ == end_) begin_ = end_ = 0;
  if (buffer_.size() - end_ < count && begin_ > 0) {
    std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_),
              buffer_.begin() + static_cast<std::ptrdiff_t>(end_), buffer_.begin());
    end_ -= begin_;
    begin_ = 0;
  }
  if (buffer_.size() - end_ < count) buffer_.resize(std::max(end_ + count, 2 * buffer_.size()));
  return {buffer_.data() + end_, buffer_.size() - end_};
}

void Framer::received(std::size_t count) { end_ = std::min(end_ + count, buffer_.size()); }

void Framer::feed(Bytes bytes) {
  std::copy(bytes.begin(), bytes.end(), room(bytes.size()).begin());
  received(bytes.size());
}

Result<std::optional<Frame>> Framer::next() {
  if (broken_) return Error{Fault::invalid, *broken_};
  ByteReader reader(Bytes(buffer_).subspan(begin_, end_ - begin_));
  if (reader.remaining() < tcp_header_size) return std::optional<Frame>{};

  Frame frame;
  frame.command = reader.little<TcpCommand>();
  const auto length = reader.little<std::uint32_t>();
  if (!known(frame.command))
    return broken(fmt::format("unknown AMS/TCP command 0x{:04X}", static_cast<unsigned>(frame.command)));
  if (length > longest_)
    return broken(fmt::format("AMS/TCP length {} is above the limit of {} bytes", length, longest_));
  const bool ams = frame.command == TcpCommand::ams;
  if (ams && length < AmsHeader::size)
    return broken(fmt::format("AMS/TCP length {} is too short for an AMS header of 32 bytes", length));
  if (ams && reader.remaining() >= AmsHeader::size) {
    frame.header = take_header(reader);
    if (frame.header.length != length - AmsHeader::size)
      return broken(fmt::format("AMS length {} contradicts AMS/TCP length {}", frame.header.length, length));
  }
  if (end_ - begin_ < tcp_header_size + length) return std::optional<Frame>{};
  frame.payload = reader.bytes(ams ? frame.header.length : length);
  begin_ += tcp_header_size + length;
  return std::optional<Frame>(frame);
}

void Framer::continue_in(std::vector<std::uint8_t>& spare) {
  const Bytes left = Bytes(buffer_).subspan(begin_, end_ - begin_);
  if (spare.size() < left.size()) spare.resize(left.size());
  copy_bytes(left, spare);
  buffer_.swap(spare);
  begin_ = 0;
  end_ = left.size();
}

void Framer::clear() {
  begin_ = end_ = 0;
  broken_.reset();
}

Error Framer::broken(std::string text) {
  broken_ = std::move(text);
  return {Fault::invalid, *broken_};
}

}  // namespace tandem::ads
