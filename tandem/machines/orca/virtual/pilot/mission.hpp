// SPDX-License-Identifier: Apache-2.0
// A mission as the virtual autopilot flies it: which items it takes, where each leads, and when it is done.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tandem/machines/orca/virtual/pilot/estimator_state.hpp"
#include "tandem/machines/orca/virtual/pilot/origin.hpp"
#include "tandem/protocols/mavlink/codec/constants.hpp"
#include "tandem/protocols/mavlink/messages/mission.hpp"

namespace tandem::orca {

// The items it knows (MAV_CMD).
namespace mission_command {
inline constexpr std::uint16_t waypoint = 16, loiter_unlimited = 17, loiter_turns = 18, loiter_time = 19, go_home = 20,
                               land = 21, delay = 93, wait = 112, yaw = 115, speed = 178;
}

// Whether an item can be flown at all: known commands, global frames, numbers. Item 0 is home and may be anything.
// Items about cameras, servos and the like are taken and passed over, as ArduSub does.
mavlink::MissionResult judge_item(const mavlink::MissionItemInt& item);

// What ArduPilot stores of it and gives back: one frame for altitudes above the sea and one for those above home, and
// no place for a command that has none. Item 0 is home, whatever was sent, once there is one.
mavlink::MissionItemInt kept_item(const mavlink::MissionItemInt& item, const std::optional<GlobalPlace>& home = {});

class MissionFlight {
 public:
  struct Leg {
    std::optional<Eigen::Vector3d> destination;  // m NED; none: where it is
    bool own_place = false, own_depth = false;   // that of the destination is where it was when the leg began
    std::optional<double> yaw;                   // rad
    double hold = 0;                             // s, once there
    bool for_ever = false;
    double speed = 0;  // m/s from here on; 0: as before
  };

  // Items in their order, the first of which is home. Altitudes of relative frames are above `home`.
  void load(std::span<const mavlink::MissionItemInt> items, const GlobalPlace& origin, const GlobalPlace& home);
  // From this item on; 0 counts as 1.
  void start(std::uint16_t item);
  // True when there is nothing to fly.
  bool empty() const { return legs_.size() < 2; }
  bool done() const { return current_ >= legs_.size(); }

  // The leg that is being flown, after this step; none when all are done. `radius` (m) is how near counts as there.
  const Leg* step(const Estimate& estimate, double radius, double dt);
  std::uint16_t current() const { return current_; }
  // An item that was done since the last call.
  std::optional<std::uint16_t> take_reached();

 private:
  Leg& enter(const Estimate& estimate);

  std::vector<Leg> legs_;
  std::uint16_t current_ = 1;
  double held_ = 0;  // s
  bool begun_ = false, there_ = false;
  std::optional<std::uint16_t> reached_;
};

}  // namespace tandem::orca
