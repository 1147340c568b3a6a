// SPDX-License-Identifier: Apache-2.0
// gzip, unpacked into memory.
#pragma once

#include <cstddef>
#include <string>

#include "tandem/base/bytes.hpp"
#include "tandem/base/result.hpp"

namespace tandem {

// Fault::invalid if the bytes are not one gzip member, or if it unpacks to more than `largest` bytes.
Result<std::string> gunzip(Bytes packed, std::size_t largest);

}  // namespace tandem
