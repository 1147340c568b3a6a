// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/pilot/mission.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace tandem::orca {
namespace {

using mavlink::MissionItemInt;
using mavlink::MissionResult;

constexpr double longest_hold = 3600;  // s
constexpr double surfaced = 0.1;       // m under water, where an item that lands ends

// In a mission MAV_FRAME_MISSION, the frame of items without a place, counts as an absolute one.
constexpr std::uint8_t mission_frame = 2;
bool absolute_altitude(std::uint8_t frame) { return is_absolute_frame(frame) || frame == mission_frame; }
bool leads_somewhere(std::uint16_t command) {
  return command == mission_command::waypoint || command == mission_command::loiter_unlimited ||
         command == mission_command::loiter_turns || command == mission_command::loiter_time ||
         command == mission_command::land;
}

// Jumps, homes, regions of interest, mounts, servos, relays, cameras, grippers: nothing that moves this body.
constexpr std::array<std::uint16_t, 17> passed_commands{92,  114, 177, 179, 181, 182, 183, 184, 195,
                                                        197, 201, 203, 204, 205, 206, 211, 222};
bool passed_over(std::uint16_t command) {
  return std::find(passed_commands.begin(), passed_commands.end(), command) != passed_commands.end();
}

// To set home, and to look at a place.
bool names_a_place(std::uint16_t command) { return command == 179 || command == 195 || command == 201; }
// Its x, y and z are settings of a camera.
bool uses_place_fields(std::uint16_t command) { return command == 203; }

double hold_of(const MissionItemInt& item) {
  const double asked = static_cast<double>(item.param1);
  return asked > 0 ? std::min(asked, longest_hold) : 0;  // what is no number holds nothing
}

MissionFlight::Leg leg_of(const MissionItemInt& item, const GlobalPlace& origin, const GlobalPlace& home) {
  MissionFlight::Leg leg;
  if (passed_over(item.command)) return leg;
  if (leads_somewhere(item.command)) {
    const double below = absolute_altitude(item.frame) ? 0 : home.altitude;
    leg.destination = ned_from_global(origin, {item.x, item.y, below + static_cast<double>(item.z)});
    leg.own_place = item.x == 0 && item.y == 0;
    if (item.command == mission_command::land) leg.destination->z() = surfaced;
  } else if (item.command == mission_command::go_home) {
    leg.destination = ned_from_global(origin, home);
    leg.own_depth = true;
    return leg;
  }
  if (item.command == mission_command::loiter_unlimited) leg.for_ever = true;
  if (item.command == mission_command::yaw) {
    leg.yaw = static_cast<double>(item.param1) * std::numbers::pi / 180;
  } else if (item.command == mission_command::speed) {
    leg.speed = static_cast<double>(item.param2);
  } else if (item.command != mission_command::loiter_turns && item.command != mission_command::land) {
    leg.hold = hold_of(item);
  }
  return leg;
}

}  // namespace

MissionResult judge_item(const MissionItemInt& item) {
  if (item.seq == 0) return MissionResult::accepted;
  if (item.command == mission_command::delay || item.command == mission_command::wait ||
      item.command == mission_command::go_home || passed_over(item.command))
    return MissionResult::accepted;
  if (item.command == mission_command::yaw)
    return std::isfinite(item.param1) ? MissionResult::accepted : MissionResult::invalid;
  if (item.command == mission_command::speed)
    return item.param2 > 0 && item.param2 <= 5 ? MissionResult::accepted : MissionResult::invalid;
  if (!leads_somewhere(item.command)) return MissionResult::unsupported;
  if (!absolute_altitude(item.frame) && !is_relative_frame(item.frame)) return MissionResult::unsupported_frame;
  if (!std::isfinite(item.z) || !is_place(item.x, item.y)) return MissionResult::invalid;
  return MissionResult::accepted;
}

MissionItemInt kept_item(const MissionItemInt& item, const std::optional<GlobalPlace>& home) {
  constexpr std::uint8_t global = 0, global_relative = 3;
  MissionItemInt kept = item;
  kept.autocontinue = 1;
  if (item.seq == 0 && home) {
    kept.command = mission_command::waypoint;
    kept.x = home->latitude;
    kept.y = home->longitude;
    kept.z = static_cast<float>(home->altitude);
  }
  const bool placed = item.seq == 0 || leads_somewhere(item.command) || names_a_place(item.command);
  kept.frame = item.seq != 0 && placed && is_relative_frame(item.frame) ? global_relative : global;
  if (!placed && !uses_place_fields(item.command)) {
    kept.x = kept.y = 0;
    kept.z = 0;
  }
  return kept;
}

void MissionFlight::load(std::span<const MissionItemInt> items, const GlobalPlace& origin, const GlobalPlace& home) {
  legs_.clear();
  for (const MissionItemInt& item : items) legs_.push_back(leg_of(item, origin, home));
  start(1);
}

void MissionFlight::start(std::uint16_t item) {
  current_ = std::max<std::uint16_t>(1, item);
  held_ = 0;
  begun_ = there_ = false;
}

MissionFlight::Leg& MissionFlight::enter(const Estimate& estimate) {
  Leg& leg = legs_[current_];
  if (!begun_ && leg.destination) {
    if (leg.own_place) leg.destination->head<2>() = estimate.position.head<2>();
    if (leg.own_depth) leg.destination->z() = estimate.position.z();
  }
  begun_ = true;
  return leg;
}

const MissionFlight::Leg* MissionFlight::step(const Estimate& estimate, double radius, double dt) {
  if (done()) return nullptr;
  const Leg& leg = enter(estimate);
  there_ = there_ || !leg.destination || (*leg.destination - estimate.position).norm() <= radius;
  if (!there_) return &leg;
  held_ += dt;
  if (leg.for_ever || held_ < leg.hold) return &leg;
  reached_ = current_;
  start(static_cast<std::uint16_t>(current_ + 1));
  return done() ? nullptr : &enter(estimate);
}

std::optional<std::uint16_t> MissionFlight::take_reached() {
  const auto taken = reached_;
  reached_.reset();
  return taken;
}

}  // namespace tandem::orca
