// SPDX-License-Identifier: Apache-2.0
// The UR3e with its Hand-E as URDF, made from the description: the text of /robot_description.
#pragma once

#include <string>
#include <string_view>

namespace tandem::ur3e {

// Links and joints under the names of ur_description, each behind the prefix, with simple shapes for the eye and for
// collision.
std::string urdf(std::string_view prefix = "");

}  // namespace tandem::ur3e
