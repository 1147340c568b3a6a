// What the virtual autopilot tells about itself: power, time, outputs, version. Units are those of the wire.
#include <algorithm>
#include <cmath>

#include "tandem/machines/orca/virtual_autopilot.hpp"
#include "tandem/machines/orca/virtual_autopilot_wire.hpp"
#include "tandem/machines/orca/virtual_parameters.hpp"
#include "tandem/protocols/mavlink/messages/mission.hpp"
#include "tandem/protocols/mavlink/messages/state.hpp"
#include "tandem/protocols/mavlink/messages/system.hpp"

namespace tandem::orca {

using wire::real;
using wire::whole;

bool Autopilot::send_power(std::uint32_t id, mavlink::Outlet& outlet) {
  const double volts = voltage();
  const double capacity = std::max(1.0, value_of(parameters_, "BATT_CAPACITY")) * 3.6;  // As
  const double left = std::clamp(100 * (1 - consumed_ / capacity), 0.0, 100.0);
  switch (id) {
    case mavlink::SysStatus::wire_id: {
      constexpr std::uint32_t sensors =
          0x1 | 0x2 | 0x4 | 0x8 | 0x100 | 0x400 | 0x800 | 0x1000 | 0x2000 | 0x8000 | 0x200000 | 0x2000000 | 0x10000000;
      constexpr std::uint32_t attitude = 0x200000, arming = 0x10000000, vision = 0x80, place = 0x4000;
      const Estimate& estimate = estimator_.estimate();
      std::uint32_t healthy = sensors | vision | place;
      if (!estimate.attitude_good) healthy &= ~(attitude | arming);
      if (!estimate.position_good) healthy &= ~(vision | place);
      outlet.send(mavlink::SysStatus{.onboard_control_sensors_present = sensors | vision | place,
                                     .onboard_control_sensors_enabled = sensors | vision | place,
                                     .onboard_control_sensors_health = healthy,
                                     .load = 150,
                                     .voltage_battery = whole<std::uint16_t>(volts * 1e3),
                                     .current_battery = whole<std::int16_t>(current_ * 100),
                                     .battery_remaining = whole<std::int8_t>(left)});
      return true;
    }
    case mavlink::BatteryStatus::wire_id: {
      mavlink::BatteryStatus message{.type = 1,
                                     .temperature = 0x7fff,
                                     .current_battery = whole<std::int16_t>(current_ * 100),
                                     .current_consumed = whole<std::int32_t>(consumed_ / 3.6),
                                     .energy_consumed = -1,
                                     .battery_remaining = whole<std::int8_t>(left)};
      message.voltages.fill(0xffff);
      message.voltages[0] = whole<std::uint16_t>(volts * 1e3);
      outlet.send(message);
      return true;
    }
    case mavlink::PowerStatus::wire_id:
      outlet.send(mavlink::PowerStatus{5000, 0, 0});
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
    case mavlink::MissionCurrent::wire_id:
      outlet.send(
          mavlink::MissionCurrent{.seq = pilot_.mission().done() ? std::uint16_t{0} : pilot_.mission().current(),
                                  .total = static_cast<std::uint16_t>(missions_.items().size())});
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

void Autopilot::send_servos(mavlink::Outlet& outlet) const {
  const auto pulse = [&](std::size_t i) { return whole<std::uint16_t>(pulses_[i]); };
  outlet.send(mavlink::ServoOutputRaw{.time_usec = boot_ms() * 1000,
                                      .servo1_raw = pulse(0),
                                      .servo2_raw = pulse(1),
                                      .servo3_raw = pulse(2),
                                      .servo4_raw = pulse(3),
                                      .servo5_raw = pulse(4),
                                      .servo6_raw = pulse(5)});
}

void Autopilot::send_channels(mavlink::Outlet& outlet) const {
  const auto pulse = [&](std::size_t i) { return channels_[i] == 0 ? std::uint16_t{1500} : channels_[i]; };
  outlet.send(mavlink::RcChannels{.time_boot_ms = boot_ms(),
                                  .chancount = 8,
                                  .chan1_raw = pulse(0),
                                  .chan2_raw = pulse(1),
                                  .chan3_raw = pulse(2),
                                  .chan4_raw = pulse(3),
                                  .chan5_raw = pulse(4),
                                  .chan6_raw = pulse(5),
                                  .chan7_raw = pulse(6),
                                  .chan8_raw = pulse(7),
                                  .rssi = 255});
}

void Autopilot::send_version(mavlink::Outlet& outlet) const {
  // Parameters as floats, missions and commands with whole numbers, set points in local and global frames, MAVLink 2.
  constexpr std::uint64_t capabilities = 0x2 | 0x4 | 0x8 | 0x80 | 0x100 | 0x2000;
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
