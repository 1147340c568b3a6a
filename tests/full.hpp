// SPDX-License-Identifier: Apache-2.0
// A sample normally; the full number with TANDEM_FULL=1, as ./test --full sets it.
#pragma once

#include <cstdlib>

namespace tandem {

inline int count(int sample, int full) { return std::getenv("TANDEM_FULL") != nullptr ? full : sample; }

}  // namespace tandem
