// SPDX-License-Identifier: Apache-2.0
// Files that a description names: paths count from its folder.
#pragma once

#include <string>

#include "tandem/base/result.hpp"

namespace tandem::generic {

// `path` as it is reached when it is named in `file`.
std::string beside(const std::string& path, const std::string& file);

// At most `most` bytes of a file; a longer one is an error.
Result<std::string> read_text(const std::string& path, std::size_t most);

}  // namespace tandem::generic
