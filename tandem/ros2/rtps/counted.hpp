// SPDX-License-Identifier: Apache-2.0
// Texts, octets and sequences in RTPS that begin with their size: whether the bytes that they count are there.
#pragma once

#include <algorithm>

#include "tandem/ros2/rtps/fields.hpp"

namespace tandem::ros2 {

// A text or octets. They end at a multiple of four, except the last, which may end with what contains it.
inline std::optional<Bytes> take_counted(RtpsFields& in) {
  const std::size_t size = in.next<std::uint32_t>();
  if (!in.ok() || size > in.remaining()) return {};
  const Bytes taken = in.part(size).rest();
  in.skip(std::min((4 - size % 4) % 4, in.remaining()));
  return taken;
}

inline bool skip_counted(RtpsFields& in) { return take_counted(in).has_value(); }

// The size of a sequence, if this many elements of at least `smallest` bytes can follow.
inline std::optional<std::size_t> take_count(RtpsFields& in, std::size_t smallest) {
  const std::size_t count = in.next<std::uint32_t>();
  if (!in.ok() || count > in.remaining() / smallest) return {};
  return count;
}

// A sequence whose elements consist of `in_each` texts or octets.
inline bool skip_many_counted(RtpsFields& in, std::size_t in_each) {
  const std::optional<std::size_t> count = take_count(in, 4 * in_each);
  if (!count) return false;
  for (std::size_t i = 0; i < *count * in_each; ++i) {
    if (!skip_counted(in)) return false;
  }
  return true;
}

}  // namespace tandem::ros2
