// SPDX-License-Identifier: Apache-2.0
// What a replay has to know of a field protocol: where its frames end, what a client may send differently each time,
// and which part of it the device returns. Every protocol states its own rules beside its codec.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tandem/base/bytes.hpp"

namespace tandem::net {

// What this client sends where the recorded one sent something else.
struct Carried {
  std::map<std::uint64_t, std::uint64_t> numbers;  // recorded -> received: invoke ids, transaction ids, request times
  std::array<std::uint8_t, 16> addresses{};        // of the client's packets, as the protocol lays them out
  bool addressed = false;
};

struct FrameRules {
  std::string_view name;  // "Modbus"
  // Bytes of the frame that begins here; 0: not known yet. What is not a frame is one byte. Null: not framed, every
  // byte counts by itself.
  std::size_t (*frame_size)(Bytes start) = nullptr;
  // Whether a device sends this unasked. Null: it sends everything unasked.
  bool (*unasked)(Bytes frame) = nullptr;
  // Zeroes what may differ in a client's frame. Null: nothing may.
  void (*blank)(std::span<std::uint8_t> frame) = nullptr;
  void (*learn)(Bytes recorded, Bytes seen, Carried& carried) = nullptr;
  // Writes it into the device's recorded frame, which may be cut short.
  void (*carry)(std::span<std::uint8_t> frame, Carried& carried) = nullptr;
  // What a client's frame asks, without the values that it writes. Null: its questions are answered in their order
  // alone, and the two below are not needed.
  std::string (*asks)(Bytes frame) = nullptr;
  // The number that a question and its answer have in common.
  std::uint64_t (*pairing)(Bytes frame) = nullptr;
  // Turns a recorded answer to such a question, empty if there was none, into the answer to this very question.
  void (*fit)(Bytes question, std::vector<std::uint8_t>& answer) = nullptr;
};

inline constexpr std::size_t longest_replayed_frame = 1 << 20;  // bytes

// For frame_size: a size that cannot be true counts as one byte that is not a frame.
inline std::size_t frame_or_byte(std::size_t size, std::size_t smallest) {
  return size < smallest || size > longest_replayed_frame ? 1 : size;
}
inline void blank_bytes(std::span<std::uint8_t> frame, std::size_t offset, std::size_t size) {
  if (offset + size <= frame.size()) std::ranges::fill(frame.subspan(offset, size), std::uint8_t{0});
}
// As much of the part as is there.
inline std::string frame_part(Bytes frame, std::size_t offset, std::size_t size) {
  if (offset >= frame.size()) return {};
  const Bytes part = frame.subspan(offset, std::min(size, frame.size() - offset));
  return {part.begin(), part.end()};
}

}  // namespace tandem::net
