// SPDX-License-Identifier: Apache-2.0
// SHA-256 of bytes.
#pragma once

#include <array>
#include <string>

#include "tandem/base/bytes.hpp"

namespace tandem {

std::array<std::uint8_t, 32> sha256(Bytes bytes);

// Lower-case hexadecimal, two digits a byte.
std::string hex(Bytes bytes);

}  // namespace tandem
