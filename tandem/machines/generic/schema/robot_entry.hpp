// SPDX-License-Identifier: Apache-2.0
// `robot:` the URDF and which signals are its joints.
#pragma once

#include "tandem/machines/generic/description.hpp"
#include "tandem/machines/generic/schema/keys.hpp"

namespace tandem::generic {

// The names and numbers alone; no file is read.
Robot read_robot(const yaml::Node& node, const std::string& owner, Problems& problems);

// Joints of the URDF, their units and limits, and what follows of them: bound signals are critical and, on the virtual
// device, joints.
void check_robot(Description& description, const yaml::Node& node, Problems& problems);

}  // namespace tandem::generic
