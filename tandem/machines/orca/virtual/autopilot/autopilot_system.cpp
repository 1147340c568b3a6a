// SPDX-License-Identifier: Apache-2.0
// What the virtual autopilot reports about itself: power, time, outputs, version. Units are those of the wire.
#include <algorithm>
#include <cmath>

#include "tandem/machines/orca/virtual/autopilot/autopilot.hpp"
#include "tandem/machines/orca/virtual/autopilot/parameters.hpp"
#include "tandem/machines/orca/virtual/autopilot/wire.hpp"
#include "tandem/protocols/mavlink/messages/mission.hpp"
#include "tandem/protocols/mavlink/messages/state.hpp"
#include "tandem/protocols/mavlink/messages/system.hpp"

namespace tandem::orca {
namespace {

constexpr std::uint16_t rc_rest = 1500;  // us

}  // namespace

using wire::real;
using wire::whole;

double Autopilot::charge() const {
  const double capacity = std::max(1.0, value_of(parameters_, "BATT_CAPACITY")) * 3.6;  // As
  return std::clamp(100 * (1 - consumed_ / capacity), 0.0, 100.0);
}

void Autopilot::send_status(mavlink::Outlet& outlet) const {
  // Gyro, accelerometer, compass, pressure, sonar, rates, attitude, yaw, motors, estimator, battery; and what depends.
  constexpr std::uint32_t always =
      0x1 | 0x2 | 0x4 | 0x8 | 0x100 | 0x400 | 0x800 | 0x1000 | 0x8000 | 0x200000 | 0x2000000;
  // Healthy while it is not breached, present or not: there is none.
  constexpr std::uint32_t fence = 0x100000;
  constexpr std::uint32_t vision = 0x80, depth = 0x2000, place = 0x4000, estimator = 0x200000, battery = 0x2000000,
                          arming = 0x10000000;
  const Mode mode = pilot_.mode();
  const bool holds = mode != Mode::manual && mode != Mode::stabilize && mode != Mode::acro;
  const std::uint32_t present = always | vision | depth | place | arming;
  std::uint32_t healthy = present | fence;
  if (!estimator_.estimate().attitude_good) healthy &= ~estimator;
  if (!estimator_.estimate().position_good) healthy &= ~vision;
  if (failsafe_.battery_low()) healthy &= ~battery;
  if (!unready().empty()) healthy &= ~arming;
  outlet.send(mavlink::SysStatus{.onboard_control_sensors_present = present,
                                 .onboard_control_sensors_enabled = holds ? present : present & ~(depth | place),
                                 .onboard_control_sensors_health = healthy,
                                 .load = 150,
                                 .voltage_battery = whole<std::uint16_t>(voltage() * 1e3),
                                 .current_battery = whole<std::int16_t>(current_ * 100),
                                 .battery_remaining = whole<std::int8_t>(charge())});
}

bool Autopilot::send_power(std::uint32_t id, mavlink::Outlet& outlet) {
  switch (id) {
    case mavlink::SysStatus::wire_id:
      send_status(outlet);
      return true;
    case mavlink::BatteryStatus::wire_id: {
      constexpr std::uint8_t ok = 1, low = 2;
      mavlink::BatteryStatus message{.type = 1,
                                     .temperature = 0x7fff,
                                     .current_battery = whole<std::int16_t>(current_ * 100),
                                     .current_consumed = whole<std::int32_t>(consumed_ / 3.6),
                                     .energy_consumed = -1,
                                     .battery_remaining = whole<std::int8_t>(charge()),
                                     .charge_state = failsafe_.battery_low() ? low : ok};
      message.voltages.fill(0xffff);
      message.voltages[0] = whole<std::uint16_t>(voltage() * 1e3);
      outlet.send(message);
      return true;
    }
    case mavlink::PowerStatus::wire_id:
      outlet.send(mavlink::PowerStatus{5000, 0, 0});
      return true;
    case mavlink::Hwstatus::wire_id:
      outlet.send(mavlink::Hwstatus{5000, 0});
      return true;
    default:
      return false;
  }
}

bool Autopilot::send_system(std::uint32_t id, mavlink::Outlet& outlet) {
  switch (id) {
    case mavlink::Heartbeat::wire_id:
      send_heartbeat(outlet);
      return true;
    case mavlink::SystemTime::wire_id: {
      const auto unix = std::chrono::duration_cast<std::chrono::microseconds>(utc_.time_since_epoch()).count();
      outlet.send(mavlink::SystemTime{static_cast<std::uint64_t>(std::max<std::int64_t>(0, unix)), boot_ms()});
      return true;
    }
    case mavlink::Meminfo::wire_id:
      outlet.send(mavlink::Meminfo{0, 0xffff, 131072});
      return true;
    case mavlink::ExtendedSysState::wire_id:
      outlet.send(mavlink::ExtendedSysState{});  // a submarine neither flies nor lands
      return true;
    case mavlink::ServoOutputRaw::wire_id:
      send_servos(outlet);
      return true;
    case mavlink::RcChannels::wire_id:
      send_channels(outlet);
      return true;
    case mavlink::AutopilotVersion::wire_id:
      send_version(outlet);
      return true;
    default:
      return false;
  }
}

// Thrusters, then camera tilt on output 8 and lights on 9 and 10.
void Autopilot::send_servos(mavlink::Outlet& outlet) const {
  const auto pulse = [&](std::size_t i) {
    if (i < pulses_.size()) return whole<std::uint16_t>(pulses_[i]);
    if (servos_[i] != 0) return servos_[i];
    if (i == rc_tilt) return whole<std::uint16_t>(joystick_.tilt());
    return i == rc_lights1 || i == rc_lights2 ? whole<std::uint16_t>(joystick_.lights(i - rc_lights1))
                                              : std::uint16_t{0};
  };
  outlet.send(mavlink::ServoOutputRaw{.time_usec = boot_ms() * 1000,
                                      .servo1_raw = pulse(0),
                                      .servo2_raw = pulse(1),
                                      .servo3_raw = pulse(2),
                                      .servo4_raw = pulse(3),
                                      .servo5_raw = pulse(4),
                                      .servo6_raw = pulse(5),
                                      .servo7_raw = pulse(6),
                                      .servo8_raw = pulse(7),
                                      .servo9_raw = pulse(8),
                                      .servo10_raw = pulse(9),
                                      .servo11_raw = pulse(10),
                                      .servo12_raw = pulse(11),
                                      .servo13_raw = pulse(12),
                                      .servo14_raw = pulse(13),
                                      .servo15_raw = pulse(14),
                                      .servo16_raw = pulse(15)});
}

void Autopilot::send_channels(mavlink::Outlet& outlet) const {
  const auto pulse = [&](std::size_t i) { return i < rc_unused && channels_[i] == 0 ? rc_rest : channels_[i]; };
  outlet.send(mavlink::RcChannels{.time_boot_ms = boot_ms(),
                                  .chancount = 16,
                                  .chan1_raw = pulse(0),
                                  .chan2_raw = pulse(1),
                                  .chan3_raw = pulse(2),
                                  .chan4_raw = pulse(3),
                                  .chan5_raw = pulse(4),
                                  .chan6_raw = pulse(5),
                                  .chan7_raw = pulse(6),
                                  .chan8_raw = pulse(7),
                                  .chan9_raw = pulse(8),
                                  .chan10_raw = pulse(9),
                                  .chan11_raw = pulse(10),
                                  .chan12_raw = pulse(11),
                                  .chan13_raw = pulse(12),
                                  .chan14_raw = pulse(13),
                                  .chan15_raw = pulse(14),
                                  .chan16_raw = pulse(15),
                                  .rssi = 255});
}

void Autopilot::send_version(mavlink::Outlet& outlet) const {
  // Missions as floats and whole numbers, parameters as floats, commands with whole numbers, set points for attitudes
  // and in local and global frames, an end of everything, MAVLink 2, whole parameters as the floats next to them.
  constexpr std::uint64_t capabilities = 0x1 | 0x2 | 0x4 | 0x8 | 0x40 | 0x80 | 0x100 | 0x800 | 0x2000 | 0x20000;
  constexpr std::uint32_t version = 4u << 24 | 5u << 16 | 0u << 8 | 255u;
  outlet.send(mavlink::AutopilotVersion{.capabilities = capabilities,
                                        .flight_sw_version = version,
                                        .middleware_sw_version = version,
                                        .flight_custom_version = {'t', 'a', 'n', 'd', 'e', 'm', 0, 0},
                                        .uid = 0x0c0ffee0 + static_cast<std::uint64_t>(vehicle_system)});
}

bool Autopilot::send_home(mavlink::Outlet& outlet) const {
  if (!home_ || !origin_) return false;
  const Eigen::Vector3d ned = ned_from_global(*origin_, *home_);
  outlet.send(mavlink::HomePosition{.latitude = home_->latitude,
                                    .longitude = home_->longitude,
                                    .altitude = whole<std::int32_t>(home_->altitude * 1e3),
                                    .x = real(ned.x()),
                                    .y = real(ned.y()),
                                    .z = real(ned.z()),
                                    .q = {1, 0, 0, 0}});
  return true;
}

}  // namespace tandem::orca
