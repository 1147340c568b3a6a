// SPDX-License-Identifier: Apache-2.0
// Any bytes as frames of a SLAM: whatever is read becomes a delta of finite numbers within its limits, or none.
#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tandem/machines/orca/ros/messages.hpp"
#include "tandem/machines/orca/vision/gate.hpp"
#include "tandem/ros2/types/cdr.hpp"

namespace {

using namespace tandem;

void require(bool holds) {
  if (!holds) std::abort();
}

}  // namespace

// The first byte says how many bytes each of the messages has that the rest is cut into.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece = 64 + 8 * std::size_t{data[0]};
  Bytes rest(data + 1, size - 1);
  orca::SightingReader reader;
  orca::VisionGate gate;
  Instant now{100s};
  ros2::orb_slam3_msgs::SlamStatus message;
  while (!rest.empty()) {
    const Bytes bytes = rest.first(std::min(piece, rest.size()));
    rest = rest.subspan(bytes.size());
    now += 100ms;
    gate.hear_sonar(3, Eigen::Matrix3d::Identity(), now);
    if (!ros2::decode(bytes, message)) continue;
    const auto sighting = reader.read(message, now, UtcTime(now.time_since_epoch()));
    if (!sighting) {
      require(!sighting.error().text.empty());
      continue;
    }
    require(sighting->visual.range >= 0 && std::isfinite(sighting->visual.range));
    const auto step = gate.take(*sighting, now);
    if (step.verdict == orca::Verdict::good) {
      require(step.delta->position.norm() <= 0.5 && step.delta->rotation.norm() <= 0.53);
      require(step.delta->span > Duration{} && step.delta->confidence >= 0 && step.delta->confidence < 100);
    }
    orca::scale_points(message.tracked_points, 2);
  }
  return 0;
}
