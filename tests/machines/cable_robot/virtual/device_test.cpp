// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tandem/machines/cable_robot/virtual/device.hpp"
#include "tandem/machines/cable_robot/virtual/faults.hpp"
#include "tandem/net/url.hpp"
#include "tandem/protocols/modbus/client.hpp"
#include "tests/deadline.hpp"
#include "tests/machines/cable_robot/device/winch_words.hpp"

using namespace tandem;
using namespace tandem::cable_robot;
using namespace tandem::cable_robot::test;

namespace {

// Patient: the machine may be busy.
VirtualDeviceSetup patient_setup() {
  VirtualDeviceSetup setup;
  setup.station.limits.watchdog = 20;
  return setup;
}

// A virtual robot on a free port in a thread of its own.
struct RobotRig {
  explicit RobotRig(VirtualDeviceSetup setup = patient_setup()) {
    setup.faults = &faults;
    device = make_virtual_device(setup);
    thread = std::jthread([this](std::stop_token stop) { device->run(stop); });
  }
  std::uint16_t port() const { return net::parse_url(device->url())->port.value(); }
  modbus::Client connect(std::uint8_t unit = 1) {
    auto client = modbus::Client::connect({"127.0.0.1", port(), unit}, soon());
    REQUIRE_MESSAGE(client.ok(), (client ? "" : client.error().text));
    return std::move(*client);
  }
  static Words read(modbus::Client& client, std::uint16_t address, std::size_t count) {
    Words words(count);
    const auto done = client.read_registers(address, words, soon());
    REQUIRE_MESSAGE(done.ok(), (done ? "" : done.error().text));
    return words;
  }
  template <typename Condition>
  static bool comes(Condition condition) {
    const Instant until = soon();
    while (now() < until) {
      if (condition()) return true;
      std::this_thread::sleep_for(5ms);
    }
    return false;
  }

  WinchFaults faults;
  std::unique_ptr<VirtualDevice> device;
  std::jthread thread;
};

}  // namespace

TEST_CASE("A Modbus client lifts the platform with its eight winches") {
  RobotRig rig;
  auto client = rig.connect();
  const Words start = RobotRig::read(client, 200, 64);
  REQUIRE(client.write_registers(0, stay_words(start, 1, 0), soon()).ok());
  Words words = stay_words(start, 2, 0xff);
  for (std::size_t i = 0; i < 8; ++i)  // 10 mm of cable: the upper ones wind, the lower ones unwind
    put_value(words, 4 + 6 * i, value_at(words, 4 + 6 * i) + (i < 4 ? -100000 : 100000));
  Words feedback(64);
  CHECK(RobotRig::comes([&] {
    ++words[0];
    const auto pair = client.write_and_read(0, words, 200, feedback, soon());
    return pair.ok() && rig.device->truth().position[2] > 0.31;
  }));
  CHECK((feedback[1] & 2) != 0);  // all enabled
  CHECK(feedback[4] == 1);
  CHECK(feedback[0] == words[0]);
}

TEST_CASE("Raw bytes of any client are answered by the published map") {
  RobotRig rig;
  auto socket = net::TcpSocket::connect("127.0.0.1", rig.port(), soon());
  REQUIRE(socket.ok());
  // Transaction 0x1234, unit 17: read 4 holding registers from 204 on.
  const std::array<std::uint8_t, 12> request{0x12, 0x34, 0, 0, 0, 6, 17, 3, 0, 204, 0, 4};
  REQUIRE(socket->write_all(request, soon()).ok());
  std::array<std::uint8_t, 17> answer{};
  REQUIRE(socket->read_exact(answer, soon()).ok());
  const std::array<std::uint8_t, 13> expected{0x12, 0x34, 0, 0, 0, 11, 17, 3, 8, 0, 0, 0, 8};  // hold, 8 winches
  CHECK(std::equal(expected.begin(), expected.end(), answer.begin()));
  CHECK(answer[15] == 0);
  CHECK(answer[16] == 1);  // version
  // Half a command: function 16, 2 registers from 0 on, is refused with exception 2.
  const std::array<std::uint8_t, 17> half{0, 9, 0, 0, 0, 11, 1, 16, 0, 0, 0, 2, 4, 0, 1, 0, 1};
  REQUIRE(socket->write_all(half, soon()).ok());
  std::array<std::uint8_t, 9> refusal{};
  REQUIRE(socket->read_exact(refusal, soon()).ok());
  CHECK(refusal == std::array<std::uint8_t, 9>{0, 9, 0, 0, 0, 3, 1, 0x90, 2});
}

TEST_CASE("Every table of the winches is there over the socket") {
  RobotRig rig;
  auto client = rig.connect(5);
  std::array<std::uint16_t, 30> truth{};
  CHECK(client.read_input_registers(1000, truth, soon()).ok());
  std::array<std::uint16_t, 64> mirror{};
  CHECK(client.read_input_registers(0, mirror, soon()).ok());
  CHECK(mirror[5] == 8);
  std::array<bool, 2> bits{true, true};
  CHECK(client.read_coils(0, bits, soon()).ok());
  CHECK(client.read_discrete_inputs(0, bits, soon()).ok());
  CHECK(bits == std::array{false, false});
  CHECK(client.write_coil(1, true, soon()).ok());
  CHECK(client.write_coils(0, std::array{false, false}, soon()).ok());
  CHECK(client.mask_write(600, 0, 3, soon()).ok());
  Words limits = RobotRig::read(client, 400, 16);
  CHECK(value_at(limits, 14) == 20000);
  CHECK(client.write_registers(400, limits, soon()).ok());
  CHECK(client.exception_status(soon()).ok());
  CHECK(client.server_id(soon()).ok());
  const auto objects = client.identification(modbus::IdentificationCode::regular, soon());
  REQUIRE(objects.ok());
  CHECK(objects->at(0).text == "Tandem");
  Words feedback(8);
  CHECK(client.exchange(0, stay_words(RobotRig::read(client, 200, 64), 3, 0), 200, feedback, soon()).ok());
  CHECK(feedback[0] == 3);
}

TEST_CASE("A script of faults plays while clients talk") {
  VirtualDeviceSetup setup = patient_setup();
  setup.script = {"0.2 cut 0", "0.2 exception 1000000"};
  RobotRig rig(setup);
  auto client = rig.connect();
  Words words(8);
  CHECK(RobotRig::comes([&] {
    const auto done = client.read_registers(200, words, soon());
    return !done.ok() && done.error().fault == Fault::device;
  }));
  CHECK(RobotRig::comes([&] { return rig.device->truth().tensions[0] == 0; }));
}

TEST_CASE("A restart ends connections and a late answer costs one request") {
  RobotRig rig;
  auto client = rig.connect();
  Words words(8);
  rig.faults.delay(300ms);
  rig.faults.next(WinchFaults::late_answer);
  CHECK_FALSE(client.read_registers(200, words, in(50ms)).ok());
  CHECK(client.read_registers(200, words, soon()).ok());
  rig.faults.next(WinchFaults::restart);
  CHECK(RobotRig::comes([&] { return !client.read_registers(200, words, soon()).ok(); }));
  auto again = rig.connect();
  CHECK(again.read_registers(200, words, soon()).ok());
}

TEST_CASE("A setup of the virtual robot that cannot be is refused with its key") {
  const auto refused = [](const VirtualDeviceSetup& setup, const char* key) {
    try {
      static_cast<void>(make_virtual_device(setup));
    } catch (const std::invalid_argument& error) {
      return std::string(error.what()).starts_with(key);
    }
    return false;
  };
  VirtualDeviceSetup setup;
  setup.station.body.cycle = 1;
  CHECK(refused(setup, "device_hz"));
  setup = {};
  setup.station.body.damping = 1;
  CHECK(refused(setup, "cable_damping"));
  setup = {};
  setup.station.encoder_noise = -1;
  CHECK(refused(setup, "encoder_noise"));
  setup = {};
  setup.script = {"5 cut 8"};
  CHECK(refused(setup, "faults"));
}

TEST_CASE("Winches allow what their robot needs before they are told anything") {
  const WinchLimits standard = limits_for(cables::Robot::standard());
  CHECK(standard.least_tension == 1);
  CHECK(standard.most_tension == 150);
  CHECK(standard.longest == doctest::Approx(2 * std::sqrt(3.0) * 0.6));
  CHECK(standard.watchdog == 0.1);
}
