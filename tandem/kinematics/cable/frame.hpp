// SPDX-License-Identifier: Apache-2.0
// The room within a cable robot's frame.
#pragma once

#include "tandem/kinematics/cable/robot.hpp"

namespace tandem::cables {

struct FrameBox {
  Eigen::Vector3d low, high;  // m, world
};

// About all points at which cables leave the frame; of one cable at least.
inline FrameBox frame_box(const Design& design) {
  FrameBox box{design.cables.front().frame, design.cables.front().frame};
  for (const Cable& cable : design.cables) {
    box.low = box.low.cwiseMin(cable.frame);
    box.high = box.high.cwiseMax(cable.frame);
  }
  return box;
}

}  // namespace tandem::cables
