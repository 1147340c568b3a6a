// SPDX-License-Identifier: Apache-2.0
// What the submarine measures of its true state: two IMUs, two compasses, pressure and sonar, each with noise of its
// own from one seed: the same seed and the same calls give the same readings.
#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>

#include "tandem/machines/orca/description.hpp"
#include "tandem/machines/orca/virtual/body.hpp"

namespace tandem::orca {

// The earth's field at the origin.
struct EarthField {
  double strength = 53.0e-6;   // T
  double declination = 0.265;  // rad, of magnetic north to the east of true north
  double inclination = 1.206;  // rad, downwards

  Eigen::Vector3d enu() const;  // T
};

inline constexpr double surface_pressure = 101325;  // Pa

// Of an ideal sensor at this z of the map; over the water it is that of the air. And back: m under the surface.
double pressure_at(double z, double water);
double depth_from_pressure(double pressure, double water);

struct SensorOptions {
  std::uint64_t seed = 1;
  double gyro_noise = 0.002;          // rad/s, standard deviation of a sample; the same below
  double gyro_bias = 0.002;           // rad/s, at the start
  double gyro_walk = 2e-5;            // rad/s per square root of a second
  double accelerometer_noise = 0.03;  // m/s^2
  double accelerometer_bias = 0.02;   // m/s^2
  double accelerometer_walk = 1e-4;   // m/s^2 per square root of a second
  double compass_noise = 0.3e-6;      // T
  double compass_offset = 0.5e-6;     // T, what hard iron leaves after calibration
  double pressure_noise = 20;         // Pa: 2 mm of water
  double compass_rate = 50;           // Hz
  double pressure_rate = 50;          // Hz
  Sonar sonar;
  bool sonar_calibrated = true;  // the vehicle takes off what its sonar reads too far in the mean
  EarthField field;
  bool ideal = false;  // no noise, no bias
};

struct ImuReading {
  Eigen::Vector3d gyro = Eigen::Vector3d::Zero();  // rad/s, FLU
  Eigen::Vector3d acceleration{0, 0, gravity};     // m/s^2, FLU, specific force
};

enum class Echo : std::uint8_t { none, near, good };  // beyond the range, nearer than it, within it

struct SonarReading {
  double distance = 0;  // m along the nearest ray; zero unless the echo is good
  Echo echo = Echo::none;
};

// The last value of every sensor, and how often each has measured: who sees a new count sees a new value.
struct Readings {
  double time = 0;  // s, of the truth that was sampled last
  std::array<ImuReading, 2> imus;
  std::array<Eigen::Vector3d, 2> fields{Eigen::Vector3d::Zero(), Eigen::Vector3d::Zero()};  // T, FLU
  double pressure = surface_pressure;                                                       // Pa
  SonarReading sonar;
  std::uint64_t imu_count = 0, field_count = 0, pressure_count = 0, sonar_count = 0;
};

// From the sonar to the floor along each of its rays, m, without noise or limits; infinite where one misses it.
inline constexpr int sonar_rays_across = 5;
using SonarRays = std::array<double, static_cast<std::size_t>(sonar_rays_across* sonar_rays_across)>;
SonarRays floor_along_rays(const Sonar& sonar, const Pose& X_map_base, double seafloor);
double nearest_floor(const Sonar& sonar, const Pose& X_map_base, double seafloor);

// Standard normal numbers, made here because those of the standard library differ from one to the next.
class Noise {
 public:
  explicit Noise(std::uint64_t seed) : state_(seed) {}
  double normal();
  Eigen::Vector3d normal3();

 private:
  double uniform();  // within (0, 1)

  std::uint64_t state_;
  double spare_ = 0;
  bool has_spare_ = false;
};

class VirtualSensors {
 public:
  explicit VirtualSensors(const SensorOptions& options = {}, const Hull& hull = {});

  // After every step of the body. IMUs measure each time, the others at their rates. A truth that is older than the
  // last one is that of a body which was reset, and so are the sensors.
  const Readings& sample(const Truth& truth);
  const Readings& readings() const { return readings_; }
  void reset();  // as after construction
  const SensorOptions& options() const { return options_; }

 private:
  struct Bias {
    Eigen::Vector3d gyro, acceleration;
  };

  void measure_imus(const Truth& truth, double elapsed);
  void measure_fields(const Truth& truth);
  void measure_sonar(const Truth& truth);

  SensorOptions options_;
  Hull hull_;
  Noise imu_noise_, field_noise_, pressure_noise_, sonar_noise_;
  std::array<Bias, 2> biases_;
  std::array<Eigen::Vector3d, 2> offsets_;                      // of the compasses, T
  double next_field_ = 0, next_pressure_ = 0, next_sonar_ = 0;  // s, when each is due
  Readings readings_;
};

}  // namespace tandem::orca
