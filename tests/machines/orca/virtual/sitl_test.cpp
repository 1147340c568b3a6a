// SPDX-License-Identifier: Apache-2.0
// The body that a real ArduSub flies: read as SIM_JSON reads it, paced as SIM_Aircraft paces it, and steered by
// ArduSub's own factors.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numbers>
#include <thread>

#include "tandem/base/frames.hpp"
#include "tandem/machines/orca/virtual/device.hpp"
#include "tandem/machines/orca/virtual/json.hpp"

using namespace tandem;
using namespace tandem::orca;

namespace {

struct SitlKey {
  const char* section;
  const char* key;
};
// All that ArduPilot looks for, by plain search in the text; ours are the first eight.
constexpr SitlKey sitl_keys[] = {
    {"", "timestamp"},      {"imu", "gyro"},           {"imu", "accel_body"}, {"", "position"},
    {"", "attitude"},       {"", "quaternion"},        {"", "velocity"},      {"", "rng_1"},
    {"", "latitude"},       {"", "longitude"},         {"", "altitude"},      {"", "rng_2"},
    {"", "velocity_wind"},  {"windvane", "direction"}, {"windvane", "speed"}, {"", "airspeed"},
    {"", "no_time_sync"},   {"", "no_lockstep"},       {"rc", "rc_1"},        {"battery", "voltage"},
    {"battery", "current"},
};

// Where ArduPilot begins to read the value, null when it does not find the key.
const char* sitl_find(const std::string& line, const SitlKey& key) {
  const char* at = std::strstr(line.c_str(), key.section);
  if (at == nullptr) return nullptr;
  at = std::strstr(at + std::strlen(key.section) + 1, key.key);
  return at == nullptr ? nullptr : at + std::strlen(key.key) + 2;
}

std::vector<double> sitl_numbers(const char* at, int count) {
  std::vector<double> numbers;
  for (int i = 0; i < count; ++i) {
    while (*at != 0 && *at != '-' && (*at < '0' || *at > '9')) ++at;
    numbers.push_back(std::atof(at));
    while (*at != 0 && *at != ',' && *at != ']') ++at;
  }
  return numbers;
}

// ArduPilot's end of the line, one frame at a time in one thread.
struct SimulatedSub {
  net::UdpSocket socket = std::move(*net::UdpSocket::bind("127.0.0.1", 0));
  float rate = 1200;       // Hz, its own idea
  float loop_rate = 1200;  // Hz, SIM_RATE_HZ
  std::uint32_t count = 0;
  double stamp = 0;
  std::array<std::uint16_t, 16> pulses{};
  std::string line;
  nlohmann::json seen;

  std::vector<std::uint8_t> frame() const {
    std::vector<std::uint8_t> out;
    ByteWriter writer(out);
    writer.little(std::uint16_t{18458});
    writer.little(static_cast<std::uint16_t>(rate));
    writer.little(count);
    for (const std::uint16_t pulse : pulses) writer.little(pulse);
    return out;
  }

  template <typename Serve>
  bool exchange(const net::Endpoint& to, Serve serve) {
    if (!socket.send(frame(), to).ok()) return false;
    std::array<std::uint8_t, 2048> buffer;
    for (int i = 0; i < 20000; ++i) {
      serve();
      const auto got = socket.receive(buffer, now() + 1ms);
      if (!got) continue;
      line.assign(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(got->size));
      take();
      return true;
    }
    return false;
  }

  // Time goes on by the difference of stamps, and the rate follows them, then SIM_RATE_HZ by 1 Hz.
  void take() {
    seen = nlohmann::json::parse(line);
    const double next = seen.at("timestamp").get<double>();
    if (next > stamp) rate = static_cast<float>(1 / (next - stamp));
    rate = std::clamp(loop_rate, rate - 1, rate + 1);
    stamp = next;
    ++count;
  }
};

JsonSettings free_port() {
  JsonSettings settings;
  settings.port = 0;
  settings.silence = 1h;
  return settings;
}

// AP_Motors6DOF, frame "vectored": roll, pitch, yaw, throttle, forward, lateral.
constexpr double sub_factors[6][6] = {{0, 0, 1, 0, -1, 1}, {0, 0, -1, 0, -1, -1}, {0, 0, -1, 0, 1, 1},
                                      {0, 0, 1, 0, 1, -1}, {1, 0, 0, -1, 0, 0},   {-1, 0, 0, -1, 0, 0}};

// A simple pilot: keeps depth and heading by what the sensors say.
struct SimplePilot {
  double depth = 0, heading = 0, forward = 0, lateral = 0;

  std::array<std::uint16_t, 16> pulses(const nlohmann::json& seen) const {
    const auto limited = [](double value) { return std::clamp(value, -0.5, 0.5); };
    const auto angles = seen.at("attitude").get<std::vector<double>>();
    const auto rates = seen.at("imu").at("gyro").get<std::vector<double>>();
    const double down = seen.at("position")[2].get<double>(), sinking = seen.at("velocity")[2].get<double>();
    const double turn = std::remainder(heading - angles[2], 2 * std::numbers::pi);
    const double demands[6] = {limited(-angles[0] - 0.3 * rates[0]),     0,       limited(turn - 0.7 * rates[2]),
                               limited(-(depth - down) + 0.8 * sinking), forward, lateral};
    std::array<std::uint16_t, 16> out{};
    for (std::size_t motor = 0; motor < 6; ++motor) {
      double sum = 0;
      for (std::size_t i = 0; i < 6; ++i) sum += sub_factors[motor][i] * demands[i];
      out[motor] = static_cast<std::uint16_t>(std::lround(1500 + 400 * std::clamp(sum, -1.0, 1.0)));
    }
    return out;
  }
};

}  // namespace

TEST_CASE("ArduPilot finds in an answer what is meant and nothing else") {
  Truth truth;
  truth.time = 12.25;
  truth.X_map_base = pose_from({1.5, -2.5, -3.25}, rotation_from_rpy(0.1, -0.2, 2.5));
  truth.velocity = {0.4, 0.5, 1e-7};
  truth.angular = {0.01, 0.02, 0.03};
  std::string line;
  write_answer(line, truth, {1.25, Echo::good}, {});
  for (std::size_t i = 0; i < std::size(sitl_keys); ++i)
    CHECK_MESSAGE((sitl_find(line, sitl_keys[i]) != nullptr) == (i < 8), sitl_keys[i].key);
  CHECK(sitl_numbers(sitl_find(line, sitl_keys[0]), 1)[0] == 12.25);
  CHECK(sitl_numbers(sitl_find(line, sitl_keys[1]), 3) == std::vector{0.01, -0.02, -0.03});
  CHECK(sitl_numbers(sitl_find(line, sitl_keys[2]), 3) == std::vector{0.0, 0.0, -gravity});
  CHECK(sitl_numbers(sitl_find(line, sitl_keys[3]), 3) == std::vector{-2.5, 1.5, 3.25});
  CHECK(sitl_numbers(sitl_find(line, sitl_keys[6]), 3) == std::vector{0.5, 0.4, -1e-7});
  CHECK(sitl_numbers(sitl_find(line, sitl_keys[7]), 1)[0] == 1.25);
  // Angles and quaternion say the same: yaw, pitch, roll in turn, as Matrix3::from_euler does.
  const auto angles = sitl_numbers(sitl_find(line, sitl_keys[4]), 3);
  const auto q = sitl_numbers(sitl_find(line, sitl_keys[5]), 4);
  const Eigen::Matrix3d turned =
      (Eigen::AngleAxisd(angles[2], Eigen::Vector3d::UnitZ()) * Eigen::AngleAxisd(angles[1], Eigen::Vector3d::UnitY()) *
       Eigen::AngleAxisd(angles[0], Eigen::Vector3d::UnitX()))
          .toRotationMatrix();
  CHECK(turned.isApprox(Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix(), 1e-9));
  CHECK(std::remainder(angles[2] - (std::numbers::pi / 2 - 2.5), 2 * std::numbers::pi) == doctest::Approx(0));
  // Some versions take the first range only when angles are there, by the eighth of their keys.
  CHECK(sitl_find(line, {"", "attitude"}) != nullptr);
  CHECK(line.size() < 1000);
}

TEST_CASE("The rate that SIM_RATE_HZ asks for is reached and kept") {
  JsonPhysics physics(free_port());
  SimulatedSub sub;
  sub.loop_rate = 1150;
  for (int i = 0; i < 60; ++i) REQUIRE(sub.exchange(physics.local(), [&] { (void)physics.poll(now()); }));
  CHECK(sub.rate == 1150);
  const double before = sub.stamp;
  for (int i = 0; i < 5; ++i) REQUIRE(sub.exchange(physics.local(), [&] { (void)physics.poll(now()); }));
  CHECK(sub.stamp - before == doctest::Approx(5 / 1150.0).epsilon(1e-9));
}

TEST_CASE("By the factors of ArduSub the body dives and turns and goes where it is told") {
  JsonPhysics physics(free_port());
  SimulatedSub sub;
  sub.rate = sub.loop_rate = 200;
  SimplePilot pilot;
  pilot.depth = 1.5;
  pilot.heading = std::numbers::pi / 2;  // east
  const auto fly = [&](double time) {
    for (const double end = sub.stamp + time; sub.stamp < end;) {
      if (!sub.seen.is_null()) sub.pulses = pilot.pulses(sub.seen);
      REQUIRE(sub.exchange(physics.local(), [&] { (void)physics.poll(now()); }));
    }
  };
  fly(9);
  CHECK(sub.seen.at("position")[2].get<double>() == doctest::Approx(1.5).epsilon(0.15));
  CHECK(sub.seen.at("attitude")[2].get<double>() == doctest::Approx(pilot.heading).epsilon(0.1));
  CHECK(std::abs(sub.seen.at("attitude")[0].get<double>()) < 0.1);
  CHECK(std::abs(sub.seen.at("attitude")[1].get<double>()) < 0.1);
  CHECK(sub.seen.at("rng_1").get<double>() == doctest::Approx(4 - 1.5 - 0.095).epsilon(0.15));

  const double east = sub.seen.at("position")[1].get<double>();
  pilot.forward = 0.4;
  fly(3);
  CHECK(sub.seen.at("position")[1].get<double>() > east + 0.5);
  pilot.forward = 0;
  pilot.lateral = 0.4;  // to starboard, which is south now
  const double north = sub.seen.at("position")[0].get<double>();
  fly(3);
  CHECK(sub.seen.at("position")[0].get<double>() < north - 0.3);
}

TEST_CASE("The device serves a simulated ArduSub on the port that it is given") {
  std::uint16_t port = 0;
  {
    auto probe = net::UdpSocket::bind("127.0.0.1", 0);
    REQUIRE(probe.ok());
    port = probe->local().port;
  }
  VirtualDeviceSetup setup;
  setup.port = port;
  const auto device = make_virtual_sitl(setup);
  CHECK(device->url() == "mavlink://127.0.0.1:5760?link=tcp");  // ArduSub's own
  std::jthread serving([&](std::stop_token stop) { device->run(stop); });
  SimulatedSub sub;
  for (int i = 0; i < 20; ++i) REQUIRE(sub.exchange({0x7F000001, port}, [] {}));
  CHECK(sub.stamp == doctest::Approx(20 / 1200.0));
  serving.request_stop();
  serving.join();
  CHECK(device->truth().X_map_base.translation().z() == doctest::Approx(-0.2).epsilon(0.05));
}
