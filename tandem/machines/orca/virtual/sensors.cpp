// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/orca/virtual/sensors.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

namespace tandem::orca {
namespace {

// Every sensor has its own stream, so that the rate of one does not change what another says.
enum class Stream : std::uint64_t { imu = 1, field, pressure, sonar };
std::uint64_t seed_of(const SensorOptions& options, Stream stream) {
  return options.seed * 0x9E3779B97F4A7C15u + static_cast<std::uint64_t>(stream) * 0xD1B54A32D192ED03u;
}

// Whether a sensor of this rate (Hz) measures now; then says when it will be the next time.
bool due(double time, double rate, double& next) {
  if (time + 1e-9 < next) return false;
  const double period = 1 / rate;
  next = (time - next > period ? time : next) + period;
  return true;
}

}  // namespace

Eigen::Vector3d EarthField::enu() const {
  const double level = strength * std::cos(inclination);
  return {level * std::sin(declination), level * std::cos(declination), -strength * std::sin(inclination)};
}

double pressure_at(double z, double water) { return surface_pressure + water * gravity * std::max(0.0, -z); }
double depth_from_pressure(double pressure, double water) { return (pressure - surface_pressure) / (water * gravity); }

// splitmix64, and the polar method of Box and Muller.
double Noise::uniform() {
  state_ += 0x9E3779B97F4A7C15u;
  std::uint64_t word = state_;
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
  word ^= word >> 31;
  return (static_cast<double>(word >> 11) + 0.5) * 0x1p-53;
}

double Noise::normal() {
  if (std::exchange(has_spare_, false)) return spare_;
  const double radius = std::sqrt(-2 * std::log(uniform()));
  const double angle = 2 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  has_spare_ = true;
  return radius * std::cos(angle);
}

Eigen::Vector3d Noise::normal3() {
  Eigen::Vector3d all;
  for (double& one : all) one = normal();
  return all;
}

SonarRays floor_along_rays(const Sonar& sonar, const Pose& X_map_base, double seafloor) {
  const Pose X_map_ping = X_map_base * X_base_ping();
  const double height = std::max(0.0, X_map_ping.translation().z() - seafloor);
  const Eigen::RowVector3d up = X_map_ping.linear().row(2);  // how much each axis of the sonar points upwards
  SonarRays rays{};
  for (int i = 0; i < sonar_rays_across; ++i) {
    for (int j = 0; j < sonar_rays_across; ++j) {
      const double across = sonar.half_angle * (2.0 * i / (sonar_rays_across - 1) - 1);
      const double along = sonar.half_angle * (2.0 * j / (sonar_rays_across - 1) - 1);
      const Eigen::Vector3d ray(std::cos(across) * std::sin(along), std::sin(across),
                                -std::cos(across) * std::cos(along));
      const double steep = -up.dot(ray);
      rays[static_cast<std::size_t>(i * sonar_rays_across + j)] =
          steep < 1e-6 ? std::numeric_limits<double>::infinity() : height / steep;
    }
  }
  return rays;
}

double nearest_floor(const Sonar& sonar, const Pose& X_map_base, double seafloor) {
  const SonarRays rays = floor_along_rays(sonar, X_map_base, seafloor);
  return *std::min_element(rays.begin(), rays.end());
}

VirtualSensors::VirtualSensors(const SensorOptions& options, const Hull& hull)
    : options_(options),
      hull_(hull),
      imu_noise_(seed_of(options, Stream::imu)),
      field_noise_(seed_of(options, Stream::field)),
      pressure_noise_(seed_of(options, Stream::pressure)),
      sonar_noise_(seed_of(options, Stream::sonar)) {
  if (options_.ideal) {
    options_.gyro_noise = options_.gyro_bias = options_.gyro_walk = 0;
    options_.accelerometer_noise = options_.accelerometer_bias = options_.accelerometer_walk = 0;
    options_.compass_noise = options_.compass_offset = options_.pressure_noise = options_.sonar.noise = 0;
  }
  for (Bias& bias : biases_) {
    bias.gyro = options_.gyro_bias * imu_noise_.normal3();
    bias.acceleration = options_.accelerometer_bias * imu_noise_.normal3();
  }
  for (Eigen::Vector3d& offset : offsets_) offset = options_.compass_offset * field_noise_.normal3();
}

void VirtualSensors::reset() { *this = VirtualSensors(options_, hull_); }

const Readings& VirtualSensors::sample(const Truth& truth) {
  if (truth.time < readings_.time) reset();
  measure_imus(truth, truth.time - readings_.time);
  if (due(truth.time, options_.compass_rate, next_field_)) measure_fields(truth);
  if (due(truth.time, options_.pressure_rate, next_pressure_)) {
    const double height = truth.X_map_base.translation().z();
    readings_.pressure = pressure_at(height, hull_.water) + options_.pressure_noise * pressure_noise_.normal();
    ++readings_.pressure_count;
  }
  if (due(truth.time, options_.sonar.rate, next_sonar_)) measure_sonar(truth);
  readings_.time = truth.time;
  return readings_;
}

void VirtualSensors::measure_imus(const Truth& truth, double elapsed) {
  const double spread = std::sqrt(elapsed);
  for (std::size_t i = 0; i < biases_.size(); ++i) {
    Bias& bias = biases_[i];
    bias.gyro += options_.gyro_walk * spread * imu_noise_.normal3();
    bias.acceleration += options_.accelerometer_walk * spread * imu_noise_.normal3();
    readings_.imus[i].gyro = truth.angular + bias.gyro + options_.gyro_noise * imu_noise_.normal3();
    readings_.imus[i].acceleration =
        truth.specific_force + bias.acceleration + options_.accelerometer_noise * imu_noise_.normal3();
  }
  ++readings_.imu_count;
}

void VirtualSensors::measure_fields(const Truth& truth) {
  const Eigen::Vector3d field = truth.X_map_base.linear().transpose() * options_.field.enu();
  for (std::size_t i = 0; i < offsets_.size(); ++i)
    readings_.fields[i] = field + offsets_[i] + options_.compass_noise * field_noise_.normal3();
  ++readings_.field_count;
}

// As in the original model every ray has its noise, and the least of what they read counts. All read noise_mean too
// far, always: a vehicle that is calibrated takes that off.
void VirtualSensors::measure_sonar(const Truth& truth) {
  const Sonar& sonar = options_.sonar;
  double raw = std::numeric_limits<double>::infinity();
  for (const double ray : floor_along_rays(sonar, truth.X_map_base, hull_.seafloor))
    raw = std::min(raw, ray + sonar.noise_mean + sonar.noise * sonar_noise_.normal());
  const double distance = raw - (options_.sonar_calibrated ? sonar.noise_mean : 0);
  Echo echo = distance < sonar.least ? Echo::near : Echo::good;
  if (distance > sonar.most) echo = Echo::none;
  readings_.sonar = {echo == Echo::good ? distance : 0, echo};
  ++readings_.sonar_count;
}

}  // namespace tandem::orca
