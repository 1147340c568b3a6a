// SPDX-License-Identifier: Apache-2.0
// The types of one run of `tandem ros`.
#pragma once

#include <string>

#include "tandem/app/ros/session.hpp"
#include "tandem/app/ros/type_lookup.hpp"

namespace tandem::app::ros {

// As find_type of type_lookup.hpp; the session's node asks, and remarks go to standard error.
Result<FoundType> find_type(Session& session, const ros2::Graph& graph, const std::string& name,
                            const std::string& whole = "");

}  // namespace tandem::app::ros
