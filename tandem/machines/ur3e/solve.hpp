// SPDX-License-Identifier: Apache-2.0
// The UR3e's questions for `tandem solve`: fk, ik and all_ik, a JSON object in and one out.
#pragma once

#include <span>

#include "tandem/machines/machine.hpp"

namespace tandem::ur3e {

std::span<const machines::Query> queries();

}  // namespace tandem::ur3e
