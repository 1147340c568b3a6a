// The UR3e with its Hand-E as URDF, made from the description: the text of /robot_description.
#pragma once

#include <string>

namespace tandem::ur3e {

// Links and joints under the names of ur_description, simple shapes for the eye and for collision.
std::string urdf();

}  // namespace tandem::ur3e
