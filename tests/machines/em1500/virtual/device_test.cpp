// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <thread>

#include "tandem/machines/em1500/description.hpp"
#include "tandem/machines/em1500/options.hpp"
#include "tandem/machines/em1500/virtual/device.hpp"
#include "tandem/protocols/ads/client/client.hpp"
#include "tandem/protocols/ads/client/discovery.hpp"
#include "tests/deadline.hpp"

using namespace tandem;
using namespace tandem::em1500;

namespace {

// A virtual PLC on free ports in a thread of its own, and a client connected to it.
struct Rig {
  explicit Rig(const VirtualDeviceSetup& setup = {})
      : device(make_virtual_device(setup)), thread([this](std::stop_token stop) { device->run(stop); }) {
    auto connected = ads::Client::connect(peer_from(device->url()), soon());
    REQUIRE_MESSAGE(connected.ok(), (connected ? "" : connected.error().text));
    client.emplace(std::move(*connected));
  }

  std::uint32_t handle(std::string_view name) {
    auto handle = client->handle_by_name(name, soon());
    REQUIRE_MESSAGE(handle.ok(), name);
    return *handle;
  }

  template <typename T>
  T read(std::string_view name) {
    std::array<std::uint8_t, sizeof(T)> bytes{};
    REQUIRE(client->read_handle(handle(name), bytes, soon()).ok());
    T value;
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
  }

  template <typename T>
  void write(std::string_view name, const T& value) {
    std::array<std::uint8_t, sizeof(T)> bytes{};
    std::memcpy(bytes.data(), &value, sizeof(T));
    REQUIRE(client->write_handle(handle(name), bytes, soon()).ok());
  }

  // Reads until the number is there; false when that takes longer than `limit`.
  bool becomes(std::string_view name, std::int32_t wanted, Duration limit) {
    const Instant until = system_clock().now() + limit;
    while (system_clock().now() < until) {
      if (read<std::int32_t>(name) == wanted) return true;
      std::this_thread::sleep_for(5ms);
    }
    return false;
  }

  std::unique_ptr<machines::VirtualDevice> device;
  std::optional<ads::Client> client;
  std::jthread thread;
};

}  // namespace

TEST_CASE("the virtual PLC has the symbols of the real project with their types and sizes") {
  Rig rig;
  const auto size = [&](std::string_view name) {
    auto info = rig.client->symbol_info(name, soon());
    REQUIRE_MESSAGE(info.ok(), name);
    return info->size;
  };
  CHECK(size("MAIN.stEM1500Pose") == 48);
  CHECK(size("main.stem1500pose") == 48);
  CHECK(size("MAIN.stEM1500Pose.yaw") == 8);
  CHECK(size("MAIN.byByte") == 1028);
  CHECK(size("MAIN.moreBytes") == 8193);
  CHECK(size("MAIN.nRxCounter") == 4);
  CHECK(size("MAIN.nTxCounter") == 4);
  CHECK(size("MAIN.bTimout") == 1);
  CHECK(size("MAIN.fTime") == 8);
  CHECK(size("MAIN.bEnable") == 1);
  CHECK(size("MAIN.rxEtherCatBridge") == feedback_size);
  CHECK(size("MAIN.txEtherCatBridge") == control_size);
  CHECK(rig.client->symbol_info("MAIN.stEM1500Pose", soon())->type == "ST_Pose");
  CHECK(rig.read<double>("MAIN.fDt") == 0.01);
  const auto whole = rig.client->symbol_info("MAIN.rxEtherCatBridge", soon());
  const auto offset = [&](std::string_view name) {
    return rig.client->symbol_info(name, soon())->offset - whole->offset;
  };
  CHECK(offset("MAIN.rxEtherCatBridge.em1500") == feedback_em1500);
  CHECK(offset("MAIN.rxEtherCatBridge.mru1") == 288);
  CHECK(offset("MAIN.rxEtherCatBridge.mru2") == 384);
  CHECK(offset("MAIN.rxEtherCatBridge.comau") == 480);
}

TEST_CASE("the pose moves with every cycle and the feedback structure agrees with it") {
  Rig rig({.generator = {.amplitude = {0, 0, 0.1, 0, 0, 0}, .omega = {3, 3, 3, 3, 3, 3}}});
  REQUIRE(rig.becomes("MAIN.nEM1500State", 8, 10s));
  auto subscribed = rig.client->add_notification(ads::group::value_by_handle, rig.handle("MAIN.stEM1500Pose"), 48,
                                                 ads::TransMode::server_cycle, 10ms, soon());
  REQUIRE(subscribed.ok());
  double highest = -1, lowest = 1;
  int samples = 0;
  const Instant until = system_clock().now() + 10s;
  while (samples < 220 && system_clock().now() < until) {  // more than one period
    auto sample = rig.client->next_notification(soon());
    REQUIRE(sample.ok());
    REQUIRE(sample->has_value());
    if ((*sample)->handle != *subscribed) continue;
    PlcPose pose{};
    REQUIRE((*sample)->data.size() == sizeof(pose));
    std::memcpy(&pose, (*sample)->data.data(), sizeof(pose));
    highest = std::max(highest, pose.heave);
    lowest = std::min(lowest, pose.heave);
    ++samples;
  }
  CHECK(highest == doctest::Approx(0.1).epsilon(0.05));
  CHECK(lowest == doctest::Approx(-0.1).epsilon(0.05));
  const auto feedback = rig.read<std::array<double, 90>>("MAIN.rxEtherCatBridge");
  CHECK(std::abs(feedback[18 + 2]) < 0.105);  // heave in eta
  CHECK(std::abs(feedback[24 + 2]) < 0.35);   // its velocity in eta_t
  CHECK(std::abs(feedback[30 + 2]) < 1.2);    // its acceleration in eta_tt
  CHECK(feedback[0] == 0);
}

TEST_CASE("counters count while the program runs and stop with it") {
  Rig rig({.motion = "neutral"});
  const auto first = rig.read<std::int32_t>("MAIN.nRxCounter");
  std::this_thread::sleep_for(300ms);
  const auto second = rig.read<std::int32_t>("MAIN.nRxCounter");
  CHECK(second > first + 10);
  CHECK(second < first + 300);
  REQUIRE(rig.client->write_control(ads::AdsState::stop, 0, soon()).ok());
  std::this_thread::sleep_for(50ms);
  const auto stopped = rig.read<std::int32_t>("MAIN.nRxCounter");
  const auto time = rig.read<double>("MAIN.fTime");
  std::this_thread::sleep_for(200ms);
  CHECK(rig.read<std::int32_t>("MAIN.nRxCounter") == stopped);
  CHECK(rig.read<double>("MAIN.fTime") == time);
  REQUIRE(rig.client->write_control(ads::AdsState::run, 0, soon()).ok());
  std::this_thread::sleep_for(200ms);
  CHECK(rig.read<std::int32_t>("MAIN.nRxCounter") > stopped);
}

TEST_CASE("bEnable false freezes motion and counters and bTimout tells of it") {
  Rig rig({.motion = "ship"});
  REQUIRE(rig.becomes("MAIN.nEM1500State", 8, 10s));
  CHECK(rig.read<std::uint8_t>("MAIN.bTimout") == 0);
  rig.write<std::uint8_t>("MAIN.bEnable", 0);
  CHECK(rig.becomes("MAIN.nEM1500State", 9, 5s));
  std::this_thread::sleep_for(700ms);
  CHECK(rig.read<std::uint8_t>("MAIN.bTimout") == 1);
  const auto counter = rig.read<std::int32_t>("MAIN.nRxCounter");
  const auto pose = rig.read<PlcPose>("MAIN.stEM1500Pose");
  std::this_thread::sleep_for(100ms);
  CHECK(rig.read<std::int32_t>("MAIN.nRxCounter") == counter);
  CHECK(rig.read<PlcPose>("MAIN.stEM1500Pose").heave == pose.heave);
  rig.write<std::uint8_t>("MAIN.bEnable", 1);
  CHECK(rig.becomes("MAIN.nEM1500State", 8, 5s));
  CHECK(rig.read<std::uint8_t>("MAIN.bTimout") == 0);
}

TEST_CASE("commands and modes are written as variables and taken once") {
  Rig rig({.motion = "settled"});
  CHECK(rig.becomes("MAIN.nEM1500State", 2, 2s));
  CHECK(rig.read<PlcPose>("MAIN.stEM1500Pose").heave == doctest::Approx(-settled_depth).epsilon(1e-3));
  rig.write<std::int32_t>("MAIN.nEM1500Command", 3);
  CHECK(rig.becomes("MAIN.nEM1500State", 0, 2s));
  CHECK(rig.becomes("MAIN.nEM1500Command", -1, 2s));
  CHECK(rig.becomes("MAIN.nEM1500State", 4, 10s));
  rig.write<std::int32_t>("MAIN.nEM1500Mode", 4);
  rig.write<double>("MAIN.txEtherCatBridge.em1500.u[2]", 0.1);
  CHECK(rig.becomes("MAIN.nEM1500State", 8, 10s));
  std::this_thread::sleep_for(1500ms);
  CHECK(rig.read<PlcPose>("MAIN.stEM1500Pose").heave == doctest::Approx(0.1).epsilon(0.05));
  rig.write<std::int32_t>("MAIN.nEM1500Mode", 77);  // there is no such mode
  CHECK(rig.becomes("MAIN.nEM1500Mode", 4, 2s));
}

TEST_CASE("the script makes the program misbehave and well again") {
  PlcScript script;
  Rig rig({.motion = "neutral", .script = &script});
  script.odd_pose = PlcScript::OddPose::not_a_number;
  std::this_thread::sleep_for(50ms);
  CHECK(std::isnan(rig.read<PlcPose>("MAIN.stEM1500Pose").pitch));
  script.odd_pose = PlcScript::OddPose::none;
  script.feed_dead = true;
  std::this_thread::sleep_for(800ms);
  CHECK(rig.read<std::uint8_t>("MAIN.bTimout") == 1);
  script.feed_dead = false;
  std::this_thread::sleep_for(50ms);
  CHECK(rig.read<std::uint8_t>("MAIN.bTimout") == 0);
  CHECK(std::isfinite(rig.read<PlcPose>("MAIN.stEM1500Pose").pitch));
  const auto version = rig.client->symbol_version(soon());
  script.online_changes = 1;
  std::this_thread::sleep_for(100ms);
  CHECK(*rig.client->symbol_version(soon()) != *version);
  CHECK(rig.read<std::int32_t>("MAIN.nRxCounter") > 0);
}

TEST_CASE("a setup that cannot be is refused with its reason") {
  CHECK_THROWS_AS(make_virtual_device(VirtualDeviceSetup{.net_id = "1.2.3"}), std::invalid_argument);
  CHECK_THROWS_AS(make_virtual_device(VirtualDeviceSetup{.cycle = 0ms}), std::invalid_argument);
  CHECK_THROWS_AS(make_virtual_device(VirtualDeviceSetup{.listen = "203.0.113.1"}), std::runtime_error);
  const auto device = make_virtual_device(VirtualDeviceSetup{.net_id = "5.6.7.8.1.1"});
  CHECK(device->url().find("?net_id=5.6.7.8.1.1") != std::string::npos);
}

TEST_CASE("the virtual PLC checks the password of a route when one is configured") {
  std::unique_ptr<machines::VirtualDevice> device;
  int port = 0;
  while (!device) {  // another process may take the port in between
    auto free = net::UdpSocket::bind("127.0.0.1", 0);
    REQUIRE(free.ok());
    port = free->local().port;
    try {
      VirtualDeviceSetup setup;
      setup.udp_port = port;
      setup.route_password = "1";
      free->close();
      device = make_virtual_device(setup);
    } catch (const std::runtime_error&) {
    }
  }
  const std::jthread thread([&](std::stop_token stop) { device->run(stop); });
  const auto add = [&](const char* password) {
    return ads::add_route("127.0.0.1", {"tandem", ads::NetId{{127, 0, 0, 1, 1, 1}}, "user", password, "127.0.0.1"},
                          soon(), static_cast<std::uint16_t>(port));
  };
  CHECK(add("1").ok());
  const auto refused = add("2");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().code == 0x704);
}
