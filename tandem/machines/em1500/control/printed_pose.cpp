// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/em1500/control/printed_pose.hpp"

#include <fmt/format.h>

#include <iterator>

namespace tandem::em1500 {

std::string printed_pose(const State& state) {
  if (state.samples == 0) return "";
  const auto& pose = state.pose;
  std::string text = "----- ROS2 ADS Bridge -----\n";
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "Surge:  {:g}\nSway:   {:g}\nHeave:  {:g}   (raw PLC: {:g})\n", pose[0], pose[1], pose[2],
                 state.raw.heave);
  fmt::format_to(out, "Roll:   {:g}\nPitch:  {:g}\nYaw:    {:g}\nCylinder Stroke:\n", pose[3], pose[4], pose[5]);
  for (std::size_t i = 0; i < 6; ++i) fmt::format_to(out, "  qi{} = {:g}\n", i + 1, state.displacements[i]);
  text += "Units:  m, rad\n";
  return text;
}

}  // namespace tandem::em1500
