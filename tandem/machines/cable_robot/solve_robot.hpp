// Which robot a question of `tandem solve` is about. Only for the sources that answer them.
#pragma once

#include <memory>

#include "tandem/machines/cable_robot/geometry_file.hpp"
#include "tandem/machines/query.hpp"

namespace tandem::cable_robot {

// The field "geometry" names a file; without it the default robot. A file once read is kept by its name, so that a
// million lines of questions read it once.
Result<std::shared_ptr<const GeometryFile>> asked_geometry(const machines::query::Json& question);

// The field "pose", seven numbers.
Result<Pose> asked_pose(const machines::query::Json& question, const std::string& name = "pose");

}  // namespace tandem::cable_robot
