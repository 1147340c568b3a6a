// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <thread>

#include "tandem/base/frames.hpp"
#include "tandem/machines/orca/virtual/json.hpp"
#include "tests/allocations.hpp"

using namespace tandem;
using namespace tandem::orca;

namespace {

struct Servos {
  std::uint32_t count = 0;
  std::uint16_t rate = 1200;
  std::uint16_t magic = 18458;
  std::size_t channels = 16;
  std::uint16_t all = 1500;

  std::vector<std::uint8_t> bytes() const {
    std::vector<std::uint8_t> out;
    ByteWriter writer(out);
    writer.little(magic);
    writer.little(rate);
    writer.little(count);
    for (std::size_t i = 0; i < channels; ++i) writer.little(all);
    return out;
  }
};

JsonSettings on_a_free_port() {
  JsonSettings settings;
  settings.port = 0;
  settings.silence = 1h;  // however slow the machine is
  return settings;
}

// ArduSub's side: sends servos and takes answers, on its own socket.
struct FakeArduSub {
  net::UdpSocket socket = std::move(*net::UdpSocket::bind("127.0.0.1", 0));

  void send(JsonPhysics& physics, Bytes bytes) { REQUIRE(socket.send(bytes, physics.local()).ok()); }

  std::string answer(Duration patience = 20s) {
    std::array<std::uint8_t, 2048> buffer;
    const auto got = socket.receive(buffer, now() + patience);
    return got ? std::string(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(got->size)) : std::string();
  }

  // One exchange in one thread.
  std::string exchange(JsonPhysics& physics, const Servos& servos) {
    send(physics, servos.bytes());
    for (int i = 0; i < 5000; ++i) {
      REQUIRE(physics.poll(now()).ok());
      if (const std::string got = answer(1ms); !got.empty()) return got;
    }
    return {};
  }

  // What comes when nothing may come: the physics has dealt with the datagram, and an answer would be there.
  std::string silence(JsonPhysics& physics, Bytes bytes) {
    const std::uint64_t before = physics.counters().late + physics.counters().strangers;
    send(physics, bytes);
    for (int i = 0; i < 5000 && physics.counters().late + physics.counters().strangers == before; ++i)
      REQUIRE(physics.poll(now() + 1ms).ok());
    return answer(1ms);
  }
};

double stamp(const std::string& answer) { return nlohmann::json::parse(answer).at("timestamp").get<double>(); }

// As ArduPilot itself reads an answer: the name, a colon and the number right behind it.
bool scan_vector(const std::string& text, const std::string& name, Eigen::Vector3d& v) {
  const auto at = text.find(name);
  if (at == std::string::npos) return false;
  return std::sscanf(text.c_str() + at + name.size() + 2, "[%lf, %lf, %lf]", &v.x(), &v.y(), &v.z()) == 3;
}

}  // namespace

TEST_CASE("Servo frames of both sizes are read and all others refused") {
  const auto small = servo_frame_from(Servos{.count = 0x01020304, .all = 1234}.bytes());
  REQUIRE(small.ok());
  CHECK(small->servos == 16);
  CHECK(small->rate == 1200);
  CHECK(small->count == 0x01020304);
  CHECK(small->pulses[15] == 1234);
  CHECK(small->pulses[16] == 0);
  const auto large = servo_frame_from(Servos{.magic = 29569, .channels = 32}.bytes());
  REQUIRE(large.ok());
  CHECK(large->servos == 32);
  CHECK(large->pulses[31] == 1500);

  CHECK_FALSE(servo_frame_from({}).ok());
  CHECK_FALSE(servo_frame_from(Servos{.magic = 18459}.bytes()).ok());
  CHECK_FALSE(servo_frame_from(Servos{.channels = 32}.bytes()).ok());
  CHECK_FALSE(servo_frame_from(Servos{.magic = 29569}.bytes()).ok());
  CHECK_FALSE(servo_frame_from(Servos{.rate = 0}.bytes()).ok());
  const auto whole = Servos{}.bytes();
  for (std::size_t size = 0; size < whole.size(); ++size) CHECK_FALSE(servo_frame_from(Bytes(whole).first(size)).ok());
  CHECK(servo_frame_from(Servos{.magic = 1}.bytes()).error().text ==
        "servo frame: expected magic 18458 or 29569, got 1 in 40 bytes");
}

TEST_CASE("The golden servo frame of ArduPilot is read") {
  // 18458, 1200 Hz, frame 7, sixteen times 1500 us, little-endian.
  std::vector<std::uint8_t> bytes{0x1A, 0x48, 0xB0, 0x04, 0x07, 0, 0, 0};
  for (int i = 0; i < 16; ++i) bytes.insert(bytes.end(), {0xDC, 0x05});
  const auto frame = servo_frame_from(bytes);
  REQUIRE(frame.ok());
  CHECK(frame->rate == 1200);
  CHECK(frame->count == 7);
  CHECK(frame->pulses[0] == 1500);
}

TEST_CASE("An answer has ArduPilot's axes and all digits and its spelling") {
  Truth truth;
  truth.time = 1.0 / 3;
  truth.X_map_base = pose_from({1, 2, -3}, rotation_from_rpy(0.1, -0.2, 0.3));
  truth.velocity = {0.4, 0.5, 1e-7};
  truth.angular = {0.01, 0.02, 0.03};
  truth.specific_force = {0.1, 0.2, 9.81};
  std::string text;
  write_answer(text, truth, {1.25, Echo::good}, {});
  REQUIRE(text.front() == '\n');
  REQUIRE(text.back() == '\n');
  CHECK(text.find(' ') == std::string::npos);
  const auto json = nlohmann::json::parse(text);
  CHECK(json.at("timestamp").get<double>() == 1.0 / 3);
  CHECK(json.at("imu").at("gyro") == nlohmann::json{0.01, -0.02, -0.03});
  CHECK(json.at("imu").at("accel_body") == nlohmann::json{0.1, -0.2, -9.81});
  CHECK(json.at("rng_1").get<double>() == 1.25);
  Eigen::Vector3d position, velocity, gyro;
  REQUIRE(scan_vector(text, "position", position));
  REQUIRE(scan_vector(text, "velocity", velocity));
  REQUIRE(scan_vector(text, "gyro", gyro));
  CHECK(position == Eigen::Vector3d(2, 1, 3));
  CHECK(velocity == Eigen::Vector3d(0.5, 0.4, -1e-7));
  const auto q = json.at("quaternion").get<std::vector<double>>();
  REQUIRE(q.size() == 4);
  const Eigen::Quaterniond attitude(q[0], q[1], q[2], q[3]);
  // The bow, by hand: forward in ENU, then north, east, down.
  const Eigen::Vector3d bow = truth.X_map_base.linear().col(0);
  CHECK((attitude * Eigen::Vector3d::UnitX()).isApprox(Eigen::Vector3d(bow.y(), bow.x(), -bow.z()), 1e-12));
  write_answer(text, truth, {0, Echo::none}, {});
  CHECK(nlohmann::json::parse(text).at("rng_1").get<double>() == 51);
  write_answer(text, truth, {0, Echo::near}, {});
  CHECK(nlohmann::json::parse(text).at("rng_1").get<double>() == 0);
}

TEST_CASE("ArduSub and physics go in lock step") {
  JsonPhysics physics(on_a_free_port());
  FakeArduSub sub;
  CHECK_FALSE(physics.connected());
  for (std::uint32_t i = 0; i < 60; ++i) {
    const std::string answer = sub.exchange(physics, {.count = i});
    REQUIRE(stamp(answer) == doctest::Approx((i + 1) / 1200.0).epsilon(1e-9));
  }
  CHECK(physics.connected());
  CHECK(physics.counters().frames == 60);
  CHECK(physics.counters().missed == 0);
  const Eigen::Vector3d position = physics.truth().X_map_base.translation();
  CHECK(position.z() == doctest::Approx(-0.2).epsilon(0.01));
}

TEST_CASE("A warm exchange allocates nothing") {
  JsonPhysics physics(on_a_free_port());
  FakeArduSub sub;
  std::uint32_t count = 0;
  for (; count < 5; ++count) sub.exchange(physics, {.count = count, .all = 1700});
  for (; count < 25; ++count) {
    sub.send(physics, Servos{.count = count, .all = 1700}.bytes());
    const std::size_t before = allocations;
    const bool good = physics.poll(now()).ok();
    const std::size_t after = allocations;
    REQUIRE(good);
    CHECK(after == before);
    REQUIRE_FALSE(sub.answer().empty());
  }
  CHECK(physics.counters().frames == 25);
}

TEST_CASE("Slow frames are made of several steps and fast ones of shorter steps") {
  JsonPhysics physics(on_a_free_port());
  FakeArduSub sub;
  CHECK(stamp(sub.exchange(physics, {.count = 0, .rate = 50})) == doctest::Approx(0.02));
  CHECK(stamp(sub.exchange(physics, {.count = 1, .rate = 50})) == doctest::Approx(0.04));
  CHECK(stamp(sub.exchange(physics, {.count = 2, .rate = 1000})) == doctest::Approx(0.041));
  CHECK(stamp(sub.exchange(physics, {.count = 3, .rate = 500})) == doctest::Approx(0.043));
  CHECK(stamp(sub.exchange(physics, {.count = 4, .rate = 499})) == doctest::Approx(0.043 + 1.0 / 499));
  CHECK(stamp(sub.exchange(physics, {.count = 5, .rate = 65535})) == doctest::Approx(0.0431 + 1.0 / 499));
}

TEST_CASE("A frame that comes again is answered alike without a step") {
  JsonPhysics physics(on_a_free_port());
  FakeArduSub sub;
  const std::string first = sub.exchange(physics, {.count = 0});
  const std::string second = sub.exchange(physics, {.count = 1});
  CHECK(sub.exchange(physics, {.count = 1}) == second);
  CHECK(sub.exchange(physics, {.count = 1}) == second);
  CHECK(first != second);
  CHECK(physics.counters().repeats == 2);
  CHECK(physics.counters().frames == 2);
}

TEST_CASE("When ArduSub begins anew so does the physics") {
  JsonPhysics physics(on_a_free_port());
  FakeArduSub sub;
  std::string first;
  for (std::uint32_t i = 0; i < 30; ++i) {
    const std::string answer = sub.exchange(physics, {.count = i, .all = 1700});
    if (i == 0) first = answer;
  }
  CHECK(sub.exchange(physics, {.count = 0, .all = 1700}) == first);
  CHECK(physics.counters().restarts == 1);
  FakeArduSub reborn;  // a new process has a new port
  CHECK(reborn.exchange(physics, {.count = 0, .all = 1700}) == first);
  CHECK(physics.counters().restarts == 2);
}

TEST_CASE("The count may pass its largest value") {
  JsonPhysics physics(on_a_free_port());
  FakeArduSub sub;
  sub.exchange(physics, {.count = 0xFFFFFFFE});
  sub.exchange(physics, {.count = 0xFFFFFFFF});
  CHECK(stamp(sub.exchange(physics, {.count = 0})) == doctest::Approx(3 / 1200.0));
  CHECK(stamp(sub.exchange(physics, {.count = 1})) == doctest::Approx(4 / 1200.0));
  CHECK(physics.counters().restarts == 0);
}

TEST_CASE("Missed and late frames are counted and late ones not answered") {
  JsonPhysics physics(on_a_free_port());
  FakeArduSub sub;
  sub.exchange(physics, {.count = 10});
  CHECK(stamp(sub.exchange(physics, {.count = 14})) == doctest::Approx(2 / 1200.0));
  CHECK(physics.counters().missed == 3);
  CHECK(sub.silence(physics, Servos{.count = 12}.bytes()).empty());
  CHECK(physics.counters().late == 1);
  CHECK(stamp(sub.exchange(physics, {.count = 15})) == doctest::Approx(3 / 1200.0));
}

TEST_CASE("Strangers and bad datagrams are refused and disturb no one") {
  JsonPhysics physics(on_a_free_port());
  FakeArduSub sub, stranger;
  sub.exchange(physics, {.count = 100});
  CHECK(stranger.silence(physics, Servos{.count = 101}.bytes()).empty());
  std::mt19937_64 dice(5);
  std::vector<std::uint8_t> noise;
  for (std::size_t size = 0; size <= 200; size += 8) {
    noise.resize(size);
    for (std::uint8_t& byte : noise) byte = static_cast<std::uint8_t>(dice());
    sub.send(physics, noise);
  }
  CHECK(stamp(sub.exchange(physics, {.count = 101})) == doctest::Approx(2 / 1200.0));
  CHECK(physics.counters().strangers == 1);
  CHECK(physics.counters().refused == 26);
  CHECK(physics.counters().frames == 2);
}

TEST_CASE("After a silence another ArduSub takes over from the start") {
  JsonSettings settings = on_a_free_port();
  settings.silence = 0s;
  JsonPhysics physics(settings);
  FakeArduSub sub, other;
  sub.exchange(physics, {.count = 100});
  sub.exchange(physics, {.count = 101});
  CHECK(stamp(other.exchange(physics, {.count = 50})) == doctest::Approx(1 / 1200.0));
  CHECK(stamp(other.exchange(physics, {.count = 30})) == doctest::Approx(1 / 1200.0));  // its own count has gone back
  CHECK(physics.counters().restarts == 2);
  CHECK(physics.counters().strangers == 0);
}

TEST_CASE("Pulses of every kind leave the answers finite") {
  JsonPhysics physics(on_a_free_port());
  FakeArduSub sub;
  std::mt19937_64 dice(9);
  for (std::uint32_t i = 0; i < 100; ++i) {
    const auto pulse = static_cast<std::uint16_t>(i % 3 == 0 ? dice() : 1100 + dice() % 801);
    const auto json = nlohmann::json::parse(sub.exchange(physics, {.count = i, .rate = 100, .all = pulse}));
    for (const char* name : {"position", "velocity", "quaternion"})
      for (const auto& number : json.at(name)) REQUIRE(number.is_number());
  }
  CHECK(physics.truth().X_map_base.matrix().allFinite());
}

TEST_CASE("A fake ArduSub in its own thread dives by its sonar") {
  JsonPhysics physics(on_a_free_port());
  std::jthread serving([&](std::stop_token stop) {
    while (!stop.stop_requested())
      if (!physics.poll(now() + 5ms)) return;
  });
  FakeArduSub sub;
  const net::Endpoint to = physics.local();
  double range = 10;
  std::uint32_t count = 0;
  for (; count < 1200 && range > 2.5; ++count) {
    std::vector<std::uint8_t> bytes = Servos{.count = count, .rate = 200}.bytes();
    for (const std::size_t channel : {4u, 5u})
      bytes[8 + 2 * channel + 1] = 1700 >> 8, bytes[8 + 2 * channel] = 1700 & 255;
    REQUIRE(sub.socket.send(bytes, to).ok());
    const std::string answer = sub.answer();
    REQUIRE_FALSE(answer.empty());
    range = nlohmann::json::parse(answer).at("rng_1").get<double>();
  }
  serving.request_stop();
  serving.join();
  CHECK(range < 2.5);
  CHECK(physics.truth().X_map_base.translation().z() < -1.3);
  CHECK(physics.counters().frames == count);
}

TEST_CASE("A taken port is told by name") {
  JsonPhysics physics(on_a_free_port());
  JsonSettings second = on_a_free_port();
  second.port = physics.local().port;
  CHECK_THROWS_AS(JsonPhysics{second}, std::runtime_error);
}
