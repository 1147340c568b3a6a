// SPDX-License-Identifier: Apache-2.0
// How far a sample may be believed.
#pragma once

namespace tandem {

enum class Quality : unsigned char {
  invalid,  // not finite, implausible, or the device says so; never passed on
  stale,    // once good, too old now
  live,
};

const char* name(Quality quality);

}  // namespace tandem
