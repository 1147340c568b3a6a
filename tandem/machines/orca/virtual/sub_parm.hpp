// SPDX-License-Identifier: Apache-2.0
// sub.parm: the settings of a real ArduSub that flies the Orca's body in its own simulation.
#pragma once

#include <string_view>

namespace tandem::orca {

std::string_view sub_parameters();

}  // namespace tandem::orca
