// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tandem/machines/raptorlift/options.hpp"
#include "tandem/machines/raptorlift/virtual/device.hpp"
#include "tandem/machines/raptorlift/virtual/faults.hpp"
#include "tandem/protocols/modbus/client.hpp"
#include "tests/deadline.hpp"

using namespace tandem;
using namespace tandem::raptorlift;

namespace {

// A virtual truck on a free port in a thread of its own. Its watchdog is patient: the machine may be busy.
struct SocketRig {
  explicit SocketRig(VirtualDeviceSetup setup = {.physics = false, .watchdog = 20s}) {
    setup.faults = &faults;
    device = make_virtual_device(setup);
    thread = std::jthread([this](std::stop_token stop) { device->run(stop); });
  }

  modbus::Client connect() {
    const modbus::Peer address = plc_address_from(device->url());
    auto client = modbus::Client::connect({address.host, address.port, address.unit}, soon());
    REQUIRE_MESSAGE(client.ok(), (client ? "" : client.error().text));
    return std::move(*client);
  }
  // Waits until it holds; false when it never does.
  template <typename Condition>
  static bool comes(Condition condition) {
    const Instant until = soon();
    while (now() < until) {
      if (condition()) return true;
      std::this_thread::sleep_for(5ms);
    }
    return false;
  }

  PlcFaults faults;
  std::unique_ptr<VirtualDevice> device;
  std::jthread thread;
};

// 8 N m forward on both driven wheels, limit 3 rad/s.
std::vector<std::uint16_t> gentle_words() {
  std::vector<std::uint16_t> words(16);
  words[0] = words[4] = 30000;
  words[2] = 80;
  words[6] = static_cast<std::uint16_t>(-80);
  words[7] = 0xffff;
  return words;
}

void reset_and_enable(modbus::Client& client) {
  REQUIRE(client.write_coil(8192, true, soon()).ok());
  REQUIRE(client.write_coil(8192, false, soon()).ok());
  REQUIRE(client.write_coils(8193, std::array{true, true, true, true}, soon()).ok());
}

}  // namespace

TEST_CASE("A Modbus client drives the truck on its ground") {
  SocketRig rig({.watchdog = 20s});
  auto client = rig.connect();
  REQUIRE(client.write_registers(0, gentle_words(), soon()).ok());
  reset_and_enable(client);
  std::array<std::uint16_t, 8> feedback{};
  CHECK(SocketRig::comes([&] {
    const auto pair = client.write_and_read(0, gentle_words(), 16, feedback, soon());
    return pair.ok() && rig.device->truth().axle.x > 0.2;
  }));
  CHECK(feedback[0] > 1000);
  const TruckState truth = rig.device->truth();
  CHECK(truth.axle.x == doctest::Approx(truth.angles[0] * geometry().wheel_radius).epsilon(0.02));
}

TEST_CASE("A truck whose client has gone stands still again") {
  SocketRig rig({.physics = false, .watchdog = 300ms});
  std::optional<modbus::Client> client = rig.connect();
  CHECK(SocketRig::comes([&] {
    REQUIRE(client->write_registers(0, gentle_words(), soon()).ok());
    reset_and_enable(*client);
    return rig.device->truth().speeds[0] > 1;
  }));
  client.reset();
  CHECK(SocketRig::comes([&] { return std::abs(rig.device->truth().speeds[0]) < 1e-3; }));
  auto again = rig.connect();
  std::array<bool, 5> coils{true, true, true, true, true};
  REQUIRE(again.read_coils(8192, coils, soon()).ok());
  CHECK(coils == std::array{false, false, false, false, false});
}

TEST_CASE("One client more than there is room for is closed at once") {
  SocketRig rig;
  std::vector<modbus::Client> clients;
  std::array<std::uint16_t, 1> word{};
  for (int i = 0; i < 8; ++i) {
    clients.push_back(rig.connect());
    REQUIRE(clients.back().read_registers(16, word, soon()).ok());
  }
  auto ninth = rig.connect();
  const auto refused = ninth.read_registers(16, word, soon());
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().fault == Fault::closed);
  for (auto& client : clients) CHECK(client.read_registers(16, word, soon()).ok());
  clients.pop_back();
  CHECK(SocketRig::comes([&] { return rig.connect().read_registers(16, word, soon()).ok(); }));
}

TEST_CASE("A late answer costs one request") {
  SocketRig rig;
  auto client = rig.connect();
  std::array<std::uint16_t, 8> feedback{};
  REQUIRE(client.read_registers(16, feedback, soon()).ok());
  rig.faults.delay(300ms);
  rig.faults.next(PlcFaults::late_answer);
  const auto late = client.read_registers(16, feedback, in(50ms));
  REQUIRE_FALSE(late.ok());
  CHECK(late.error().fault == Fault::timeout);
  for (int i = 0; i < 5; ++i) CHECK(client.read_registers(16, feedback, soon()).ok());
  CHECK(rig.faults.happened(PlcFaults::late_answer) == 1);
}

TEST_CASE("Faults of answers fail one request each and the link goes on") {
  for (const auto kind : {PlcFaults::no_answer, PlcFaults::wrong_transaction, PlcFaults::wrong_unit,
                          PlcFaults::wrong_function, PlcFaults::exception_answer, PlcFaults::wrong_byte_count}) {
    CAPTURE(kind);
    SocketRig rig;
    auto client = rig.connect();
    std::array<std::uint16_t, 8> feedback{};
    REQUIRE(client.read_registers(16, feedback, soon()).ok());
    rig.faults.next(kind);
    CHECK_FALSE(client.read_registers(16, feedback, in(500ms)).ok());
    CHECK(client.read_registers(16, feedback, soon()).ok());
    CHECK(rig.faults.happened(kind) == 1);
  }
}

TEST_CASE("Faults of the stream end one connection and the next one works") {
  for (const auto kind : {PlcFaults::close_connection, PlcFaults::cut_answer, PlcFaults::wrong_protocol,
                          PlcFaults::lying_length, PlcFaults::garbage_answer}) {
    CAPTURE(kind);
    SocketRig rig;
    auto client = rig.connect();
    std::array<std::uint16_t, 8> feedback{};
    REQUIRE(client.read_registers(16, feedback, soon()).ok());
    rig.faults.next(kind);
    CHECK_FALSE(client.read_registers(16, feedback, soon()).ok());
    CHECK(SocketRig::comes([&] { return rig.connect().read_registers(16, feedback, soon()).ok(); }));
  }
}

TEST_CASE("Only answers of the chosen function are spoiled") {
  SocketRig rig;
  auto client = rig.connect();
  rig.faults.function(16);
  rig.faults.exception(modbus::ExceptionCode::device_failure);
  rig.faults.next(PlcFaults::exception_answer);
  std::array<std::uint16_t, 8> feedback{};
  CHECK(client.read_registers(16, feedback, soon()).ok());
  const auto written = client.write_registers(0, gentle_words(), soon());
  REQUIRE_FALSE(written.ok());
  CHECK(written.error().code == 4);
  CHECK(client.write_registers(0, gentle_words(), soon()).ok());
}

TEST_CASE("A restart of the PLC ends connections and enables nothing") {
  SocketRig rig;
  auto client = rig.connect();
  REQUIRE(client.write_registers(0, gentle_words(), soon()).ok());
  reset_and_enable(client);
  rig.faults.next(PlcFaults::restart);
  std::array<bool, 5> coils{};
  CHECK(SocketRig::comes([&] { return !client.read_coils(8192, coils, soon()).ok(); }));
  auto again = rig.connect();
  REQUIRE(again.read_coils(8192, coils, soon()).ok());
  CHECK(coils == std::array{false, false, false, false, false});
}

TEST_CASE("A setup that cannot be is refused with its key") {
  const auto refused = [](const VirtualDeviceSetup& setup, const char* key) {
    try {
      static_cast<void>(make_virtual_device(setup));
    } catch (const std::invalid_argument& error) {
      return std::string(error.what()).starts_with(key);
    }
    return false;
  };
  CHECK(refused({.step = 8ms}, "step_ms"));
  CHECK(refused({.load = 500}, "load"));
  CHECK(refused({.friction = 0}, "friction"));
  CHECK(refused({.watchdog = 1ms}, "plc_watchdog"));
}

TEST_CASE("Every key of the virtual PLC has a default that its table allows") {
  for (const auto& option : virtual_options()) {
    CAPTURE(option.name);
    CHECK_FALSE(option.default_value.empty());
    CHECK(option.help.starts_with("virtual PLC: "));
    if (option.kind != machines::OptionKind::number) continue;
    const double value = std::stod(std::string(option.default_value));
    CHECK(value >= option.minimum);
    CHECK(value <= option.maximum);
  }
}
