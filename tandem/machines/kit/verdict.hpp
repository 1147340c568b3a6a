// SPDX-License-Identifier: Apache-2.0
// Whether a sample is believed.
#pragma once

#include "tandem/base/quality.hpp"
#include "tandem/base/short_text.hpp"

namespace tandem::machines {

struct Verdict {
  Quality quality = Quality::live;
  ShortText<160> why;  // when not live
};

}  // namespace tandem::machines
