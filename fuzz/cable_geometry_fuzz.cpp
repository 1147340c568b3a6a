// SPDX-License-Identifier: Apache-2.0
// Any bytes as a geometry file: a robot whose numbers can be used, or an error.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "tandem/machines/cable_robot/geometry/file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tandem;
  const auto geometry =
      cable_robot::geometry_from_text(std::string_view(reinterpret_cast<const char*>(data), size), "fuzz.yaml");
  if (!geometry) {
    if (geometry.error().text.empty()) std::abort();
    return 0;
  }
  const cables::Robot& robot = geometry->robot;
  if (robot.cables() < cables::fewest_cables || robot.cables() > cables::most_cables) std::abort();
  if (!cables::lengths(robot, robot.home()).allFinite()) std::abort();
  if (!cables::structure(robot, robot.home()).allFinite()) std::abort();
  if (!cables::weight(robot, robot.home()).allFinite()) std::abort();
  return 0;
}
