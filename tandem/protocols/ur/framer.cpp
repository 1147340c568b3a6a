// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/framer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tandem::ur {

std::span<std::uint8_t> InputBuffer::room(std::size_t size) {
  if (begin_ == end_) begin_ = end_ = 0;
  if (end_ + size > storage_.size() && begin_ > 0) {
    std::memmove(storage_.data(), storage_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ + size > storage_.size()) storage_.resize(end_ + size);
  return std::span(storage_).subspan(end_);
}

void InputBuffer::feed(Bytes bytes) {
  if (bytes.empty()) return;
  std::memcpy(room(bytes.size()).data(), bytes.data(), bytes.size());
  received(bytes.size());
}

Result<std::optional<Bytes>> Framer::next() {
  ByteReader reader(buffer_.bytes());
  // A negative length reads as one above every limit.
  const std::size_t size = length_ == Length::two_bytes ? reader.big<std::uint16_t>() : reader.big<std::uint32_t>();
  if (!reader.ok()) return std::optional<Bytes>{};
  if (size < smallest_ || size > longest_)
    return Error{Fault::invalid,
                 fmt::format("packet length: expected {} to {} bytes, got {}", smallest_, longest_, size)};
  if (buffer_.bytes().size() < size) return std::optional<Bytes>{};
  const Bytes packet = buffer_.bytes().first(size);
  buffer_.used(size);
  return std::optional(packet);
}

Result<std::optional<std::string_view>> LineFramer::next() {
  const Bytes bytes = buffer_.bytes();
  const auto end = std::ranges::find(bytes, std::uint8_t{'\n'});
  const auto size = static_cast<std::size_t>(end - bytes.begin());
  if (size > longest_)
    return Error{Fault::invalid, fmt::format("line: expected at most {} characters, got {}", longest_, size)};
  if (end == bytes.end()) return std::optional<std::string_view>{};
  std::string_view line(reinterpret_cast<const char*>(bytes.data()), size);
  buffer_.used(size + 1);
  while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return std::optional(line);
}

std::string_view LineFramer::pending() const {
  const Bytes bytes = buffer_.bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace tandem::ur
