// SPDX-License-Identifier: Apache-2.0
// CRC-32 as zlib, Ethernet and MCAP use it: polynomial 0x04C11DB7, reflected.
#pragma once

#include <cstdint>

#include "tandem/base/bytes.hpp"

namespace tandem {

// Of these bytes, or of all before and these: crc32(b, crc32(a)) is the one of a and b together.
std::uint32_t crc32(Bytes bytes, std::uint32_t before = 0);

}  // namespace tandem
