// SPDX-License-Identifier: Apache-2.0
// The RaptorLift as a URDF, for /robot_description and for everything that draws it. Each joint is named as on the
// wire, and a positive angle is drawn as the truck holds its wheels: the rear joints turn about 0 0 -1.
#pragma once

#include <string>
#include <string_view>

#include "tandem/machines/raptorlift/description.hpp"

namespace tandem::raptorlift {

// `inserted` goes in before the closing tag, `prefix` before the name of every link and joint.
std::string urdf(const Description& description, std::string_view inserted = {}, std::string_view prefix = {});

}  // namespace tandem::raptorlift
