// SPDX-License-Identifier: Apache-2.0
// Mutates a MAVLink stream and mends the checksums, so that what is mutated gets past them. One target includes it.
#pragma once

#include <algorithm>

#include "tandem/protocols/mavlink/codec/dialect.hpp"
#include "tandem/protocols/mavlink/codec/frame.hpp"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t max_size);

// Every frame that has room for its checksum gets the right one; of a message that is not known, that for crc_extra 0.
inline void mend_checksums(std::uint8_t* data, std::size_t size) {
  using namespace tandem;
  using namespace tandem::mavlink;
  for (std::size_t at = 1; at + header_v1 < size;) {
    const bool v2 = data[at] == start_v2;
    const std::size_t header = v2 ? header_v2 : header_v1;
    const std::size_t crc_at = at + header + data[at + 1];
    if ((!v2 && data[at] != start_v1) || crc_at + crc_size > size) {
      ++at;
      continue;
    }
    const auto id =
        static_cast<std::uint32_t>(v2 ? data[at + 7] | (data[at + 8] << 8) | (data[at + 9] << 16) : data[at + 5]);
    const MessageInfo* const info = all_messages().find(id);
    const std::uint8_t extra = info != nullptr ? info->crc_extra : 0;
    const std::uint16_t crc = crc_add(crc_add(crc_start, Bytes(data + at + 1, crc_at - at - 1)), extra);
    data[crc_at] = static_cast<std::uint8_t>(crc);
    data[crc_at + 1] = static_cast<std::uint8_t>(crc >> 8);
    at = crc_at + crc_size + (v2 && (data[at + 2] & incompatible_signed) != 0 ? signature_size : 0);
  }
}

// One time in four the checksums stay as they are, so that frames which fail are seen too.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t max_size,
                                               unsigned int seed) {
  const std::size_t mutated = LLVMFuzzerMutate(data, size, max_size);
  if (seed % 4 != 0) mend_checksums(data, mutated);
  return mutated;
}
