// SPDX-License-Identifier: Apache-2.0
// How a replay takes recorded bytes of this protocol apart and fits them to another client.
#pragma once

#include "tandem/net/frame_rules.hpp"

namespace tandem::mavlink {

const net::FrameRules& frame_rules();

}  // namespace tandem::mavlink
