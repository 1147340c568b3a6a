// SPDX-License-Identifier: Apache-2.0
// What the virtual autopilot reports, message by message. Units are those of the wire.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "tandem/base/frames.hpp"
#include "tandem/base/transforms.hpp"
#include "tandem/machines/orca/virtual/autopilot/autopilot.hpp"
#include "tandem/machines/orca/virtual/autopilot/wire.hpp"
#include "tandem/protocols/mavlink/messages/estimator.hpp"
#include "tandem/protocols/mavlink/messages/sensors.hpp"
#include "tandem/protocols/mavlink/messages/state.hpp"

namespace tandem::orca {
namespace {

constexpr double to_degrees = 180 / std::numbers::pi;
constexpr double water_temperature = 1200, air_temperature = 2500;  // 0.01 degC
constexpr double air_pressure = 1013.25;                            // hPa, in the hull

using wire::real;
using wire::whole;

Eigen::Vector3d rpy_of(const Estimate& estimate) { return rpy_from_rotation(estimate.q_ned_frd.toRotationMatrix()); }

double compass_degrees(double yaw) {
  const double degrees = std::fmod(yaw * to_degrees, 360);
  return degrees < 0 ? degrees + 360 : degrees;
}

// Downwards, so that north is not reported as 360 degrees.
template <typename Whole>
Whole whole_heading(double yaw, double parts) {
  return static_cast<Whole>(std::min(std::floor(compass_degrees(yaw) * parts), 360 * parts - 1));
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

bool Autopilot::send_message(std::uint32_t id, mavlink::Outlet& outlet) {
  return send_state(id, outlet) || send_navigation(id, outlet) || send_sensors(id, outlet) || send_power(id, outlet) ||
         send_system(id, outlet) || send_intent(id, outlet);
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
          whole<std::int16_t>(v.z() * 100), whole_heading<std::uint16_t>(rpy.z(), 100)});
      return true;
    case mavlink::Ahrs2::wire_id:
      outlet.send(mavlink::Ahrs2{real(rpy.x()), real(rpy.y()), real(rpy.z()), real(place.altitude), place.latitude,
                                 place.longitude});
      return true;
    case mavlink::VfrHud::wire_id:
      outlet.send(mavlink::VfrHud{.airspeed = 0,
                                  .groundspeed = real(v.head<2>().norm()),
                                  .heading = whole_heading<std::int16_t>(rpy.z(), 1),
                                  .throttle = whole<std::uint16_t>(pilot_.armed() ? 50 + 50 * demand_.throttle : 0),
                                  .alt = real(place.altitude),
                                  .climb = real(-v.z())});
      return true;
    default:
      return false;
  }
}

bool Autopilot::send_navigation(std::uint32_t id, mavlink::Outlet& outlet) {
  switch (id) {
    case mavlink::EkfStatusReport::wire_id: {
      const EstimatorReport report = estimator_.report();
      outlet.send(mavlink::EkfStatusReport{.flags = report.flags,
                                           .velocity_variance = real(report.velocity),
                                           .pos_horiz_variance = real(report.position),
                                           .pos_vert_variance = real(report.height),
                                           .compass_variance = real(report.compass)});
      return true;
    }
    case mavlink::GpsGlobalOrigin::wire_id:
      if (!origin_) return false;
      outlet.send(mavlink::GpsGlobalOrigin{origin_->latitude, origin_->longitude,
                                           whole<std::int32_t>(origin_->altitude * 1e3), 0});
      return true;
    case mavlink::HomePosition::wire_id:
      return send_home(outlet);
    case mavlink::GpsRawInt::wire_id:  // there is none
      outlet.send(
          mavlink::GpsRawInt{.time_usec = static_cast<std::uint64_t>(boot_ms()) * 1000, .eph = 0xffff, .epv = 0xffff});
      return true;
    case mavlink::Ahrs::wire_id:
      outlet.send(mavlink::Ahrs{});
      return true;
    case mavlink::Vibration::wire_id:
      outlet.send(mavlink::Vibration{.time_usec = static_cast<std::uint64_t>(boot_ms()) * 1000,
                                     .vibration_x = 0.01F,
                                     .vibration_y = 0.01F,
                                     .vibration_z = 0.01F});
      return true;
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
    case mavlink::ScaledImu::wire_id: {
      mavlink::ScaledImu message{.time_boot_ms = boot_ms()};
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
    case mavlink::Simstate::wire_id:
      send_truth(outlet);
      return true;
    default:
      return false;
  }
}

void Autopilot::send_truth(mavlink::Outlet& outlet) const {
  const Eigen::Quaterniond q = ned_frd_from_enu_flu(Eigen::Quaterniond(truth_.X_map_base.linear()));
  const Eigen::Vector3d rpy = rpy_from_rotation(q.toRotationMatrix());
  const Eigen::Vector3d force = frd_from_flu(truth_.specific_force), rate = frd_from_flu(truth_.angular);
  const GlobalPlace begin{whole<std::int32_t>(origin_latitude * 1e7), whole<std::int32_t>(origin_longitude * 1e7), 0};
  const GlobalPlace place = global_from_ned(origin_.value_or(begin), ned_from_enu(truth_.X_map_base.translation()));
  outlet.send(mavlink::Simstate{real(rpy.x()), real(rpy.y()), real(rpy.z()), real(force.x()), real(force.y()),
                                real(force.z()), real(rate.x()), real(rate.y()), real(rate.z()), place.latitude,
                                place.longitude});
}

}  // namespace tandem::orca
