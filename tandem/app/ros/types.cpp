// SPDX-License-Identifier: Apache-2.0
#include "tandem/app/ros/types.hpp"

namespace tandem::app::ros {

Result<FoundType> find_type(Session& session, const ros2::Graph& graph, const std::string& name,
                            const std::string& whole) {
  const TypeLookup lookup{[&]() -> ros2::Node& { return session.node(); },
                          [&](const std::string& text) { session.remark(text); }};
  return find_type(lookup, graph, name, whole);
}

}  // namespace tandem::app::ros
