// SPDX-License-Identifier: Apache-2.0
// Deadlines of tests.
#pragma once

#include "tandem/base/clock.hpp"

namespace tandem {

inline Instant in(Duration duration) { return now() + duration; }
// Generous, for machines under load: reached only when a test fails.
inline Instant soon(Duration duration = 20s) { return in(duration); }

}  // namespace tandem
