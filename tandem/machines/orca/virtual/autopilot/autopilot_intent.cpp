// SPDX-License-Identifier: Apache-2.0
// What the virtual autopilot reports of where it is going, and how it is being steered. Units are those of the wire.
#include <array>
#include <cmath>
#include <numbers>

#include "tandem/base/transforms.hpp"
#include "tandem/machines/orca/virtual/autopilot/autopilot.hpp"
#include "tandem/machines/orca/virtual/autopilot/wire.hpp"
#include "tandem/protocols/mavlink/messages/estimator.hpp"
#include "tandem/protocols/mavlink/messages/mission.hpp"
#include "tandem/protocols/mavlink/messages/setpoints.hpp"
#include "tandem/protocols/mavlink/messages/system.hpp"

namespace tandem::orca {

using wire::real;
using wire::whole;

bool Autopilot::send_intent(std::uint32_t id, mavlink::Outlet& outlet) {
  const Eigen::Vector3d& p = estimator_.estimate().position;
  const auto destination = pilot_.destination();
  constexpr std::uint16_t position_only = 0x0DF8;
  switch (id) {
    case mavlink::PositionTargetLocalNed::wire_id:
      if (!destination) return false;
      outlet.send(mavlink::PositionTargetLocalNed{.time_boot_ms = boot_ms(),
                                                  .coordinate_frame = 1,
                                                  .type_mask = position_only,
                                                  .x = real(destination->x()),
                                                  .y = real(destination->y()),
                                                  .z = real(destination->z())});
      return true;
    case mavlink::PositionTargetGlobalInt::wire_id: {
      if (!destination || !origin_) return false;
      const GlobalPlace place = global_from_ned(*origin_, *destination);
      outlet.send(mavlink::PositionTargetGlobalInt{.time_boot_ms = boot_ms(),
                                                   .coordinate_frame = 5,
                                                   .type_mask = position_only,
                                                   .lat_int = place.latitude,
                                                   .lon_int = place.longitude,
                                                   .alt = real(place.altitude)});
      return true;
    }
    case mavlink::AttitudeTarget::wire_id: {
      const Eigen::Quaterniond q(rotation_from_rpy(0, 0, pilot_.heading()));
      outlet.send(mavlink::AttitudeTarget{.time_boot_ms = boot_ms(),
                                          .q = {real(q.w()), real(q.x()), real(q.y()), real(q.z())},
                                          .thrust = real(0.5 + 0.5 * demand_.throttle)});
      return true;
    }
    case mavlink::NavControllerOutput::wire_id: {
      const Eigen::Vector3d way = destination.value_or(p) - p;
      const double bearing = std::atan2(way.y(), way.x()) * 180 / std::numbers::pi;
      outlet.send(mavlink::NavControllerOutput{.nav_bearing = whole<std::int16_t>(bearing),
                                               .target_bearing = whole<std::int16_t>(bearing),
                                               .wp_dist = whole<std::uint16_t>(way.head<2>().norm()),
                                               .alt_error = real(-way.z())});
      return true;
    }
    case mavlink::MissionCurrent::wire_id:
      send_mission(outlet);
      return true;
    case mavlink::MissionItemReached::wire_id:
      outlet.send(mavlink::MissionItemReached{reached_});
      return true;
    case mavlink::NamedValueFloat::wire_id:
      send_named(outlet);
      return true;
    default:
      return false;
  }
}

void Autopilot::send_mission(mavlink::Outlet& outlet) const {
  constexpr std::uint8_t none = 1, not_begun = 2, active = 3, paused = 4, complete = 5;
  constexpr std::uint8_t is_flown = 1, is_not_flown = 2;
  const MissionFlight& mission = pilot_.mission();
  const bool flown = pilot_.mode() == Mode::automatic && pilot_.armed();
  std::uint8_t state = mission.current() > 1 ? paused : not_begun;
  if (flown) state = active;
  if (mission.done()) state = complete;
  if (mission.empty()) state = none;
  const auto total = static_cast<std::uint16_t>(missions_.items().empty() ? 0 : missions_.items().size() - 1);
  outlet.send(mavlink::MissionCurrent{.seq = mission.done() ? reached_ : mission.current(),
                                      .total = total,
                                      .mission_state = state,
                                      .mission_mode = pilot_.mode() == Mode::automatic ? is_flown : is_not_flown});
}

// The pilot's display, as ArduSub fills it.
void Autopilot::send_named(mavlink::Outlet& outlet) const {
  const auto share = [](double pulse) { return real((pulse - 1100) / 800); };
  const std::array named{mavlink::NamedValueFloat{.name = "CamTilt", .value = 1 - share(joystick_.tilt())},
                         mavlink::NamedValueFloat{.name = "CamPan", .value = 0.5F},
                         mavlink::NamedValueFloat{.name = "TetherTrn", .value = 0},
                         mavlink::NamedValueFloat{.name = "Lights1", .value = share(joystick_.lights(0))},
                         mavlink::NamedValueFloat{.name = "Lights2", .value = share(joystick_.lights(1))},
                         mavlink::NamedValueFloat{.name = "PilotGain", .value = real(joystick_.gain())},
                         mavlink::NamedValueFloat{.name = "InputHold", .value = joystick_.holding() ? 1.0F : 0.0F},
                         mavlink::NamedValueFloat{.name = "RollPitch", .value = joystick_.rolls() ? 1.0F : 0.0F}};
  for (mavlink::NamedValueFloat one : named) {
    one.time_boot_ms = boot_ms();
    outlet.send(one);
  }
}

}  // namespace tandem::orca
