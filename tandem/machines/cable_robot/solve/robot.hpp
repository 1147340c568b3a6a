// SPDX-License-Identifier: Apache-2.0
// What the questions of `tandem solve` share: which robot, which pose, is it outside. Only for the sources that answer
// them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tandem/machines/cable_robot/geometry/file.hpp"
#include "tandem/machines/query.hpp"

namespace tandem::cable_robot {

// The field "geometry" names a file; without it the default robot. A file once read is kept by its name, so that a
// million lines of questions read it once.
Result<std::shared_ptr<const GeometryFile>> asked_geometry(const machines::query::Json& question);

// The field "pose", seven numbers.
Result<Pose> asked_pose(const machines::query::Json& question, const std::string& name = "pose");

// A cable without length has no direction, and numbers beyond all frames have no digits left.
Result<cables::PerCable> lengths_at(const cables::Robot& robot, const Pose& pose);

// Whether the platform's origin is within the box of the frame's points, or below it for a robot whose home is there;
// words when it is not.
std::optional<std::string> outside(const cables::Robot& robot, const Pose& pose);

inline std::vector<double> listed(const cables::PerCable& values) {
  return {values.data(), values.data() + values.size()};
}
inline std::vector<double> listed(const cables::Wrench& values) { return {values.data(), values.data() + 6}; }

}  // namespace tandem::cable_robot
