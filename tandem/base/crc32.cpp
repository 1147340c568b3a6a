// SPDX-License-Identifier: Apache-2.0
#include "tandem/base/crc32.hpp"

#include <libdeflate.h>

namespace tandem {

std::uint32_t crc32(Bytes bytes, std::uint32_t before) {
  return bytes.empty() ? before : libdeflate_crc32(before, bytes.data(), bytes.size());
}

}  // namespace tandem
