// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "tandem/base/frames.hpp"
#include "tandem/machines/orca/virtual/sensors.hpp"

using namespace tandem;
using namespace tandem::orca;

namespace {

Truth standing_at(const Eigen::Vector3d& position, double roll = 0, double pitch = 0, double yaw = 0) {
  Truth truth;
  truth.X_map_base = pose_from(position, rotation_from_rpy(roll, pitch, yaw));
  truth.specific_force = truth.X_map_base.linear().transpose() * Eigen::Vector3d(0, 0, gravity);
  return truth;
}

SensorOptions ideal() {
  SensorOptions options;
  options.ideal = true;
  return options;
}

struct Spread {
  double sum = 0, squares = 0;
  int count = 0;
  void add(double value) {
    sum += value;
    squares += value * value;
    ++count;
  }
  double mean() const { return sum / count; }
  double deviation() const { return std::sqrt(std::max(0.0, squares / count - mean() * mean())); }
};

// Of the floor as seen along rays that are turned one by one, in steps of an eighth of the cone.
double nearest_by_search(const Sonar& sonar, const Pose& X_map_base, double seafloor) {
  double nearest = std::numeric_limits<double>::infinity();
  const Eigen::Vector3d from = X_map_base * Eigen::Vector3d(-0.15, 0, -0.095);
  for (int i = -8; i <= 8; i += 4) {
    for (int j = -8; j <= 8; j += 4) {
      const Eigen::AngleAxisd about_x(sonar.half_angle * i / 8, Eigen::Vector3d::UnitX());
      const Eigen::AngleAxisd about_y(sonar.half_angle * j / 8, Eigen::Vector3d::UnitY());
      const Eigen::Vector3d ray = X_map_base.linear() * (about_y * (about_x * Eigen::Vector3d(0, 0, -1)));
      if (ray.z() < -1e-6) nearest = std::min(nearest, (from.z() - seafloor) / -ray.z());
    }
  }
  return nearest;
}

}  // namespace

TEST_CASE("Noise is normal and the same for the same seed") {
  Noise noise(7), same(7), other(8);
  Spread spread, cubes;
  int beyond = 0, equal = 0;
  double before = 0, product = 0;
  for (int i = 0; i < 20000; ++i) {
    const double value = noise.normal();
    REQUIRE(value == same.normal());
    equal += value == other.normal();
    spread.add(value);
    cubes.add(value * value * value);
    beyond += std::abs(value) > 1.959964;
    product += value * before;
    before = value;
  }
  CHECK(equal == 0);
  CHECK(std::abs(spread.mean()) < 0.03);
  CHECK(spread.deviation() == doctest::Approx(1).epsilon(0.02));
  CHECK(std::abs(cubes.mean()) < 0.12);
  CHECK(beyond / 20000.0 == doctest::Approx(0.05).epsilon(0.1));
  CHECK(std::abs(product / 20000) < 0.03);
}

TEST_CASE("Ideal sensors tell the truth") {
  VirtualSensors sensors(ideal());
  Truth truth = standing_at({3, -2, -1.5}, 0.1, -0.2, 0.7);
  truth.angular = {0.1, 0.2, 0.3};
  const Readings& readings = sensors.sample(truth);
  for (const ImuReading& imu : readings.imus) {
    CHECK(imu.gyro == truth.angular);
    CHECK(imu.acceleration == truth.specific_force);
  }
  for (const Eigen::Vector3d& field : readings.fields)
    CHECK((truth.X_map_base.linear() * field).isApprox(EarthField{}.enu(), 1e-12));
  CHECK(depth_from_pressure(readings.pressure, Hull{}.water) == doctest::Approx(1.5));
  CHECK(readings.pressure == doctest::Approx(101325 + 1023.6 * 9.81 * 1.5));
  CHECK(readings.sonar.echo == Echo::good);
}

TEST_CASE("Over the water the pressure is that of the air") {
  CHECK(pressure_at(0.5, 1023.6) == surface_pressure);
  CHECK(pressure_at(0, 1023.6) == surface_pressure);
  CHECK(depth_from_pressure(surface_pressure, 1023.6) == 0);
}

TEST_CASE("The field of the place points north and down and a little east") {
  const Eigen::Vector3d ned = ned_from_enu(EarthField{}.enu());
  CHECK(ned.norm() == doctest::Approx(53e-6));
  CHECK(std::atan2(ned.y(), ned.x()) == doctest::Approx(0.265));
  CHECK(std::atan2(ned.z(), ned.head<2>().norm()) == doctest::Approx(1.206));
}

TEST_CASE("The sonar sees the nearest of its rays whatever the attitude") {
  const Sonar sonar;
  for (const double roll : {-0.4, -0.1, 0.0, 0.05, 0.6}) {
    for (const double pitch : {-0.5, 0.0, 0.074, 0.2}) {
      CAPTURE(roll);
      CAPTURE(pitch);
      const Pose X_map_base = standing_at({1, 2, -1}, roll, pitch, 1).X_map_base;
      const double nearest = nearest_floor(sonar, X_map_base, -4);
      CHECK(nearest == doctest::Approx(nearest_by_search(sonar, X_map_base, -4)).epsilon(2e-3));
      const double height = (X_map_base * Eigen::Vector3d(-0.15, 0, -0.095)).z() + 4;
      CHECK(nearest >= height - 1e-12);
    }
  }
  CHECK(nearest_floor(sonar, standing_at({0, 0, -1}).X_map_base, -4) == doctest::Approx(4 - 1 - 0.095));
  const Pose upside_down = standing_at({0, 0, -1}, std::numbers::pi).X_map_base;
  CHECK(std::isinf(nearest_floor(sonar, upside_down, -4)));
}

TEST_CASE("The sonar has an echo within its range only") {
  Hull deep;
  deep.seafloor = -100;
  VirtualSensors far_off(ideal(), deep);
  CHECK(far_off.sample(standing_at({0, 0, -1})).sonar.echo == Echo::none);
  CHECK(far_off.readings().sonar.distance == 0);
  VirtualSensors sensors(ideal());
  CHECK(sensors.sample(standing_at({0, 0, -3.8})).sonar.echo == Echo::near);
  Truth later = standing_at({0, 0, -3.6});
  later.time = 0.05;
  CHECK(sensors.sample(later).sonar.echo == Echo::near);  // it measures ten times a second
  later.time = 0.1;
  CHECK(sensors.sample(later).sonar.echo == Echo::good);
  CHECK(sensors.readings().sonar.distance == doctest::Approx(0.305));
  CHECK(sensors.readings().sonar_count == 2);
}

TEST_CASE("Every sensor measures at its rate") {
  VirtualSensors sensors;
  Truth truth = standing_at({0, 0, -1});
  for (int i = 0; i < 800; ++i) {
    truth.time = i * 0.0025;
    sensors.sample(truth);
  }
  CHECK(sensors.readings().imu_count == 800);
  CHECK(sensors.readings().field_count == 100);
  CHECK(sensors.readings().pressure_count == 100);
  CHECK(sensors.readings().sonar_count == 20);
  CHECK(sensors.readings().time == doctest::Approx(1.9975));
}

TEST_CASE("Noise has the deviations that were asked for and no mean but the bias") {
  SensorOptions options;
  options.gyro_walk = options.accelerometer_walk = 0;
  options.compass_rate = options.pressure_rate = options.sonar.rate = 400;
  VirtualSensors sensors(options);
  Truth truth = standing_at({0, 0, -2});
  Spread gyro, acceleration, field, pressure, sonar;
  const double nearest = nearest_floor(options.sonar, truth.X_map_base, -4);
  for (int i = 0; i < 4000; ++i) {
    truth.time = i * 0.0025;
    const Readings& readings = sensors.sample(truth);
    gyro.add(readings.imus[0].gyro.y());
    acceleration.add(readings.imus[1].acceleration.z() - gravity);
    field.add(readings.fields[0].x());
    pressure.add(readings.pressure);
    REQUIRE(readings.sonar.echo == Echo::good);
    sonar.add(readings.sonar.distance - nearest);
  }
  CHECK(gyro.deviation() == doctest::Approx(options.gyro_noise).epsilon(0.05));
  CHECK(std::abs(gyro.mean()) < 4 * options.gyro_bias);
  CHECK(acceleration.deviation() == doctest::Approx(options.accelerometer_noise).epsilon(0.05));
  CHECK(std::abs(acceleration.mean()) < 4 * options.accelerometer_bias);
  CHECK(field.deviation() == doctest::Approx(options.compass_noise).epsilon(0.05));
  CHECK(pressure.mean() == doctest::Approx(pressure_at(-2, 1023.6)).epsilon(1e-5));
  // The mean of its noise is taken off; the least of rays that are nearly as long as one another is a little less.
  CHECK(sonar.mean() < 0);
  CHECK(sonar.mean() > -2 * options.sonar.noise);
  CHECK(sonar.deviation() < options.sonar.noise);
  CHECK(sonar.deviation() > 0.4 * options.sonar.noise);
}

TEST_CASE("A sonar that nobody calibrated reads a decimetre too far") {
  SensorOptions raw;
  raw.sonar_calibrated = false;
  VirtualSensors sensors(raw), calibrated(SensorOptions{});
  const Truth truth = standing_at({0, 0, -2});
  CHECK(sensors.sample(truth).sonar.distance - calibrated.sample(truth).sonar.distance == doctest::Approx(0.1));
  CHECK(std::abs(calibrated.readings().sonar.distance - nearest_floor(raw.sonar, truth.X_map_base, -4)) < 0.02);
}

TEST_CASE("The biases walk as the square root of time") {
  SensorOptions options = ideal();
  options.ideal = false;
  options.gyro_noise = options.accelerometer_noise = options.gyro_bias = 0;
  options.gyro_walk = 1e-3;
  Spread ends;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    options.seed = seed;
    VirtualSensors sensors(options);
    Truth truth = standing_at({0, 0, -1});
    for (int i = 0; i <= 40; ++i) {
      truth.time = i * 0.1;
      sensors.sample(truth);
    }
    for (const ImuReading& imu : sensors.readings().imus)
      for (const double part : imu.gyro) ends.add(part);
  }
  CHECK(ends.deviation() == doctest::Approx(1e-3 * std::sqrt(4.0)).epsilon(0.15));  // 360 ends after 4 s
}

TEST_CASE("The same seed gives the same readings and time going back begins anew") {
  SensorOptions options;
  options.seed = 42;
  VirtualSensors one(options), two(options);
  options.seed = 43;
  VirtualSensors other(options);
  Truth truth = standing_at({0, 0, -1});
  Readings first;
  for (int i = 0; i < 100; ++i) {
    truth.time = i * 0.0025;
    const Readings& a = one.sample(truth);
    const Readings& b = two.sample(truth);
    other.sample(truth);
    REQUIRE(a.imus[1].gyro == b.imus[1].gyro);
    REQUIRE(a.fields[0] == b.fields[0]);
    REQUIRE(a.pressure == b.pressure);
    REQUIRE(a.sonar.distance == b.sonar.distance);
    CHECK(a.imus[0].gyro != a.imus[1].gyro);
    if (i == 0) first = a;
  }
  CHECK(one.readings().imus[0].gyro != other.readings().imus[0].gyro);
  truth.time = 0;
  const Readings& again = one.sample(truth);
  CHECK(again.imus[0].acceleration == first.imus[0].acceleration);
  CHECK(again.pressure == first.pressure);
  CHECK(again.imu_count == 1);
}
