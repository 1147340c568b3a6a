// SPDX-License-Identifier: Apache-2.0
// Numbers in bytes, and streams that are cut into packets: for the decoders of this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace tandem::prove::checker {

using Piece = std::span<const std::uint8_t>;

// Zero behind the end.
template <typename T>
T little(Piece bytes, std::size_t at) {
  T value{};
  if (at + sizeof(T) <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof(T));
  return value;
}
template <typename T>
T big(Piece bytes, std::size_t at) {
  std::uint8_t turned[sizeof(T)] = {};
  if (at + sizeof(T) <= bytes.size())
    for (std::size_t i = 0; i < sizeof(T); ++i) turned[i] = bytes[at + sizeof(T) - 1 - i];
  T value;
  std::memcpy(&value, turned, sizeof(T));
  return value;
}

// One direction of a connection. `size_of(bytes)` gives the length of the packet that begins there, 0 while that is
// not known yet, or a negative number for what is no packet: then nothing more is read of this direction.
class Stream {
 public:
  template <typename SizeOf, typename Take>
  bool add(Piece bytes, SizeOf size_of, Take take) {
    if (lost_) return false;
    waiting_.insert(waiting_.end(), bytes.begin(), bytes.end());
    std::size_t at = 0;
    while (true) {
      const Piece rest = Piece(waiting_).subspan(at);
      const long size = rest.empty() ? 0 : size_of(rest);
      if (size < 0) return lost_ = true, true;
      if (size == 0 || rest.size() < static_cast<std::size_t>(size)) break;
      take(rest.first(static_cast<std::size_t>(size)));
      at += static_cast<std::size_t>(size);
    }
    waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(at));
    return false;
  }

 private:
  std::vector<std::uint8_t> waiting_;
  bool lost_ = false;
};

}  // namespace tandem::prove::checker
