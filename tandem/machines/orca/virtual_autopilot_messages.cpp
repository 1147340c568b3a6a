// What the virtual autopilot tells, message by message. Units are those of the wire.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tandem/base/frames.hpp"
#include "tandem/base/transforms.hpp"
#include "tandem/machines/orca/virtual_autopilot.hpp"
#include "tandem/machines/orca/virtual_faults.hpp"
#include "tandem/machines/orca/virtual_parameters.hpp"
#include "tandem/protocols/mavlink/messages/estimator.hpp"
#include "tandem/protocols/mavlink/messages/mission.hpp"
#include "tandem/protocols/mavlink/messages/sensors.hpp"
#include "tandem/protocols/mavlink/messages/setpoints.hpp"
#include "tandem/protocols/mavlink/messages/state.hpp"
#include "tandem/protocols/mavlink/messages/system.hpp"

namespace tandem::orca {
namespace {

constexpr double to_degrees = 180 / std::numbers::pi;
constexpr double water_temperature = 1200, air_temperature = 2500;  // 0.01 degC
constexpr double air_pressure = 1013.25;                            // hPa, in the hull

float real(double value) { return static_cast<float>(value); }

template <typename Whole>
Whole whole(double value) {
  constexpr double lowest = std::numeric_limits<Whole>::min(), highest = std::numeric_limits<Whole>::max();
  return std::isfinite(value) ? static_cast<Whole>(std::llround(std::clamp(value, lowest, highest))) : Whole{0};
}

Eigen::Vector3d rpy_of(const Estimate& estimate) { return rpy_from_rotation(estimate.q_ned_frd.toRotationMatrix()); }

double compass_degrees(double yaw) {
  const double degrees = std::fmod(yaw * to_degrees, 360);
  return degrees < 0 ? degrees + 360 : degrees;
}

// Both kinds of inertial message have the same fields: mG, mrad/s, mgauss.
template <typename Imu>
void fill_imu(Imu& message, const ImuReading& imu, const Eigen::Vector3d& field) {
  const Eigen::Vector3d force = frd_from_flu(imu.acceleration) * (1000 / 9.80665);
  const Eigen::Vector3d rate = frd_from_flu(imu.gyro) * 1000;
  const Eigen::Vector3d gauss = frd_from_flu(field) * 1e7;
  message.xacc = whole<std::int16_t>(force.x());
  message.yacc = whole<std::int16_t>(force.y());
  message.zacc = whole<std::int16_t>(force.z());
  message.xgyro = whole<std::int16_t>(rate.x());
  message.ygyro = whole<std::int16_t>(rate.y());
  message.zgyro = whole<std::int16_t>(rate.z());
  message.xmag = whole<std::int16_t>(gauss.x());
  message.ymag = whole<std::int16_t>(gauss.y());
  message.zmag = whole<std::int16_t>(gauss.z());
}

}  // namespace

bool Autopilot::send_message(std::uint32_t id, mavlink::Outlet& outlet, Instant now) {
  return send_state(id, outlet) || send_sensors(id, outlet) || send_system(id, outlet, now);
}

bool Autopilot::send_state(std::uint32_t id, mavlink::Outlet& outlet) {
  const Estimate& estimate = estimator_.estimate();
  const Eigen::Vector3d& p = estimate.position;
  const Eigen::Vector3d& v = estimate.velocity;
  const Eigen::Vector3d rpy = rpy_of(estimate);
  const Eigen::Vector3d& rate = estimate.rate;
  const GlobalPlace place = origin_ ? global_from_ned(*origin_, p) : GlobalPlace{0, 0, -p.z()};
  switch (id) {
    case mavlink::Attitude::wire_id:
      outlet.send(mavlink::Attitude{boot_ms(), real(rpy.x()), real(rpy.y()), real(rpy.z()), real(rate.x()),
                                    real(rate.y()), real(rate.z())});
      return true;
    case mavlink::AttitudeQuaternion::wire_id: {
      const Eigen::Quaterniond& q = estimate.q_ned_frd;
      outlet.send(mavlink::AttitudeQuaternion{boot_ms(),
                                              real(q.w()),
                                              real(q.x()),
                                              real(q.y()),
                                              real(q.z()),
                                              real(rate.x()),
                                              real(rate.y()),
                                              real(rate.z()),
                                              {}});
      return true;
    }
    case mavlink::LocalPositionNed::wire_id:
      if (!estimate.position_good) return false;
      outlet.send(mavlink::LocalPositionNed{boot_ms(), real(p.x()), real(p.y()), real(p.z()), real(v.x()), real(v.y()),
                                            real(v.z())});
      return true;
    case mavlink::GlobalPositionInt::wire_id:
      outlet.send(mavlink::GlobalPositionInt{
          boot_ms(), place.latitude, place.longitude, whole<std::int32_t>(place.altitude * 1e3),
          whole<std::int32_t>(-p.z() * 1e3), whole<std::int16_t>(v.x() * 100), whole<std::int16_t>(v.y() * 100),
          whole<std::int16_t>(v.z() * 100), whole<std::uint16_t>(compass_degrees(rpy.z()) * 100)});
      return true;
    case mavlink::Ahrs2::wire_id:
      outlet.send(mavlink::Ahrs2{real(rpy.x()), real(rpy.y()), real(rpy.z()), real(place.altitude), place.latitude,
                                 place.longitude});
      return true;
    case mavlink::VfrHud::wire_id:
      outlet.send(mavlink::VfrHud{.airspeed = 0,
                                  .groundspeed = real(v.head<2>().norm()),
                                  .heading = whole<std::int16_t>(compass_degrees(rpy.z())),
                                  .throttle = whole<std::uint16_t>(100 * std::abs(demand_.throttle)),
                                  .alt = real(-p.z()),
                                  .climb = real(-v.z())});
      return true;
    case mavlink::EkfStatusReport::wire_id: {
      const EstimatorReport report = estimator_.report();
      outlet.send(mavlink::EkfStatusReport{.flags = report.flags,
                                           .velocity_variance = real(report.velocity),
                                           .pos_horiz_variance = real(report.position),
                                           .pos_vert_variance = real(report.height),
                                           .compass_variance = real(report.compass)});
      return true;
    }
    case mavlink::PositionTargetLocalNed::wire_id: {
      const auto destination = pilot_.destination();
      if (!destination) return false;
      outlet.send(mavlink::PositionTargetLocalNed{.time_boot_ms = boot_ms(),
                                                  .coordinate_frame = 1,
                                                  .type_mask = 0x0DF8,
                                                  .x = real(destination->x()),
                                                  .y = real(destination->y()),
                                                  .z = real(destination->z())});
      return true;
    }
    case mavlink::NavControllerOutput::wire_id: {
      const Eigen::Vector3d way = pilot_.destination().value_or(p) - p;
      const double bearing = std::atan2(way.y(), way.x()) * to_degrees;
      outlet.send(mavlink::NavControllerOutput{.nav_bearing = whole<std::int16_t>(bearing),
                                               .target_bearing = whole<std::int16_t>(bearing),
                                               .wp_dist = whole<std::uint16_t>(way.head<2>().norm()),
                                               .alt_error = real(-way.z())});
      return true;
    }
    case mavlink::GpsGlobalOrigin::wire_id:
      if (!origin_) return false;
      outlet.send(mavlink::GpsGlobalOrigin{origin_->latitude, origin_->longitude,
                                           whole<std::int32_t>(origin_->altitude * 1e3), 0});
      return true;
    case mavlink::HomePosition::wire_id:
      return send_home(outlet);
    default:
      return false;
  }
}

bool Autopilot::send_sensors(std::uint32_t id, mavlink::Outlet& outlet) {
  switch (id) {
    case mavlink::RawImu::wire_id: {
      mavlink::RawImu message{.time_usec = static_cast<std::uint64_t>(boot_ms()) * 1000};
      fill_imu(message, readings_.imus[0], readings_.fields[0]);
      outlet.send(message);
      return true;
    }
    case mavlink::ScaledImu2::wire_id: {
      mavlink::ScaledImu2 message{.time_boot_ms = boot_ms()};
      fill_imu(message, readings_.imus[1], readings_.fields[1]);
      outlet.send(message);
      return true;
    }
    case mavlink::ScaledPressure::wire_id:
      outlet.send(mavlink::ScaledPressure{boot_ms(), real(air_pressure), 0, whole<std::int16_t>(air_temperature), 0});
      return true;
    case mavlink::ScaledPressure2::wire_id:
      outlet.send(mavlink::ScaledPressure2{boot_ms(), real(readings_.pressure / 100), 0,
                                           whole<std::int16_t>(water_temperature), 0});
      return true;
    case mavlink::RangeFinder::wire_id:
      if (readings_.sonar_count == 0) return false;
      outlet.send(mavlink::RangeFinder{real(readings_.sonar.distance), 0});
      return true;
    case mavlink::DistanceSensor::wire_id:
      if (readings_.sonar_count == 0) return false;
      outlet.send(mavlink::DistanceSensor{
          .time_boot_ms = boot_ms(),
          .min_distance = whole<std::uint16_t>(options_.sonar.least * 100),
          .max_distance = whole<std::uint16_t>(options_.sonar.most * 100),
          .current_distance = whole<std::uint16_t>(readings_.sonar.distance * 100),
          .type = 1,
          .orientation = 25,
          .signal_quality = readings_.sonar.echo == Echo::good ? std::uint8_t{100} : std::uint8_t{1}});
      return true;
    case mavlink::Simstate::wire_id: {
      const Eigen::Quaterniond q = ned_frd_from_enu_flu(Eigen::Quaterniond(truth_.X_map_base.linear()));
      const Eigen::Vector3d rpy = rpy_from_rotation(q.toRotationMatrix());
      const Eigen::Vector3d force = frd_from_flu(truth_.specific_force), rate = frd_from_flu(truth_.angular);
      const GlobalPlace begin{whole<std::int32_t>(origin_latitude * 1e7), whole<std::int32_t>(origin_longitude * 1e7),
                              0};
      const GlobalPlace place = global_from_ned(origin_.value_or(begin), ned_from_enu(truth_.X_map_base.translation()));
      outlet.send(mavlink::Simstate{real(rpy.x()), real(rpy.y()), real(rpy.z()), real(force.x()), real(force.y()),
                                    real(force.z()), real(rate.x()), real(rate.y()), real(rate.z()), place.latitude,
                                    place.longitude});
      return true;
    }
    default:
      return false;
  }
}

bool Autopilot::send_system(std::uint32_t id, mavlink::Outlet& outlet, Instant) {
  const double volts = voltage();
  const double capacity = std::max(1.0, value_of(parameters_, "BATT_CAPACITY")) * 3.6;  // As
  const double left = std::clamp(100 * (1 - consumed_ / capacity), 0.0, 100.0);
  switch (id) {
    case mavlink::Heartbeat::wire_id:
      send_heartbeat(outlet);
      return true;
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
    case mavlink::SystemTime::wire_id: {
      const auto unix = std::chrono::duration_cast<std::chrono::microseconds>(utc_.time_since_epoch()).count();
      outlet.send(mavlink::SystemTime{static_cast<std::uint64_t>(std::max<std::int64_t>(0, unix)), boot_ms()});
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
