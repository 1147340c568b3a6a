// SPDX-License-Identifier: Apache-2.0
// The EM1500's questions for `tandem solve`: legs, pose and reach, a JSON object in and one out.
#pragma once

#include <span>

#include "tandem/machines/machine.hpp"

namespace tandem::em1500 {

std::span<const machines::Query> queries();

}  // namespace tandem::em1500
