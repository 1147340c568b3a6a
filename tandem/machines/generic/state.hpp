// SPDX-License-Identifier: Apache-2.0
// What a described machine knows of itself beside its signals; copied from its thread to others.
#pragma once

#include <cstdint>

#include "tandem/base/quality.hpp"
#include "tandem/base/short_text.hpp"
#include "tandem/machines/generic/device/link.hpp"

namespace tandem::generic {

struct State {
  Quality quality = Quality::invalid;
  ShortText<160> why;  // when not live
  Instant live_at{};   // of the newest believed scan
  std::uint64_t samples = 0, rejected = 0;
  std::uint64_t refused = 0;    // commands
  ShortText<160> last_refusal;  // until the next command that is taken
  bool armed = false;
  std::uint32_t commanded = 0;  // outputs with a command since the last arm
  std::uint64_t beats = 0;
  ShortText<160> ended;  // why outputs ended last, if this machine asked for it
  LinkCounters link;
};

}  // namespace tandem::generic
