// SPDX-License-Identifier: Apache-2.0
// The virtual device of a file over a real socket: behaviours, what clients write, faults.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <thread>

#include "tandem/machines/generic/schema/read.hpp"
#include "tandem/machines/generic/virtual/front.hpp"
#include "tandem/net/url.hpp"
#include "tandem/protocols/modbus/client.hpp"
#include "tandem/yaml/tree.hpp"
#include "tests/deadline.hpp"

using namespace tandem;
using namespace tandem::generic;

namespace {

// A device that serves a file's text, and a client of it.
class Served {
 public:
  explicit Served(const std::string& text) {
    const DescriptionRead read = read_description(yaml::parse(text, "device.yaml"), "device.yaml", "device");
    for (const auto& problem : read.problems) MESSAGE(problem.text);
    REQUIRE(read.description != nullptr);
    auto own = std::make_shared<OwnDescription>();
    own->description = read.description;
    machines::VirtualSetup setup;
    setup.standard_ports = false;
    setup.clock = &system_clock();
    setup.own = own;
    device_ = make_virtual_device(setup);
    thread_ = std::jthread([this](const std::stop_token& stop) { device_->run(stop); });
    const auto url = net::parse_url(device_->url());
    REQUIRE(url);
    auto client = modbus::Client::connect({.host = url->host, .port = url->port.value_or(0)}, soon());
    REQUIRE(client);
    client_.emplace(std::move(*client));
  }

  modbus::Client& client() { return *client_; }
  std::uint16_t holding(std::uint16_t address) {
    std::array<std::uint16_t, 1> word{};
    REQUIRE(client_->read_registers(address, word, soon()));
    return word[0];
  }
  // Until the register is so.
  template <typename Condition>
  bool eventually(std::uint16_t address, Condition condition) {
    const Instant end = soon();
    while (now() < end) {
      if (condition(static_cast<std::int16_t>(holding(address)))) return true;
    }
    return false;
  }

 private:
  std::unique_ptr<machines::VirtualDevice> device_;
  std::jthread thread_;
  std::optional<modbus::Client> client_;
};

}  // namespace

TEST_CASE("A written output stays, and what follows it follows") {
  Served device(R"(
signals:
  valve: {at: holding 0, scale: 0.1, unit: "%", write: {limits: [-100, 100], rate: none, confirm: holding 5}}
  ram: {at: holding 1, unit: mm, sim: {integrate: valve, gain: 50, limits: [0, 400]}}
  twice: {at: holding 2, sim: {follow: valve, gain: 2}}
  other: {at: holding 3}
)");
  CHECK(device.holding(0) == 0);
  REQUIRE(device.client().write_register(0, 500, soon()));  // 50 %
  CHECK(device.eventually(2, [](int value) { return value == 100; }));
  CHECK(device.eventually(1, [](int value) { return value == 400; }));
  CHECK(device.eventually(5, [](int value) { return value == 500; }));  // read back at its own place
  CHECK(device.holding(0) == 500);
}

TEST_CASE("Time goes on at the pace of the clock") {
  Served device("signals: {seconds: {at: holding 0, scale: 0.001, sim: {expression: t}}}\n");
  const int first = device.holding(0);
  const Instant begin = now();
  REQUIRE(device.eventually(0, [&](int value) { return value >= first + 300; }));
  CHECK(seconds(now() - begin) > 0.25);
}

TEST_CASE("Faults are what a client sees from their time on") {
  Served device(R"(
signals:
  refused: {at: holding 0, fault: {exception: 4, for: 1 h}}
  frozen: {at: holding 1, sim: {expression: t * 1000}, fault: {at: 0.2 s, freeze: 1 h}}
  wrong: {at: holding 2, sim: 5, fault: {value: 77}}
  nothing: {at: holding 3, invalid: [0x8000], fault: {value: nan}}
)");
  CHECK(device.eventually(2, [](int value) { return value == 77; }));
  CHECK(device.eventually(3, [](int value) { return value == -32768; }));
  std::array<std::uint16_t, 1> word{};
  const auto refused = device.client().read_registers(0, word, soon());
  REQUIRE_FALSE(refused);
  CHECK(refused.error().code == 4);
  // It counts milliseconds until 200, or what a busy computer made of it, and then no more.
  REQUIRE(device.eventually(1, [](int value) { return value > 0; }));
  std::this_thread::sleep_for(500ms);
  const int stays = device.holding(1);
  std::this_thread::sleep_for(50ms);
  CHECK(device.holding(1) == stays);
}

TEST_CASE("A device that is to be silent answers nothing, and then again") {
  Served device("signals: {quiet: {at: holding 0, sim: 3, fault: {at: 0.1 s, drop: 0.5 s}}}\n");
  std::array<std::uint16_t, 1> word{};
  const Instant end = soon();
  bool silent = false;
  while (!silent && now() < end) silent = !device.client().read_registers(0, word, now() + 150ms);
  CHECK(silent);
  bool back = false;
  while (!back && now() < end) back = device.client().read_registers(0, word, now() + 150ms).ok();
  CHECK(back);
  CHECK(word[0] == 3);
}

TEST_CASE("A string of the file is what clients read") {
  Served device("signals: {name: {at: holding 0, type: string 6, sim: {constant: pump}}, x: {at: holding 9}}\n");
  std::array<std::uint16_t, 3> words{};
  REQUIRE(device.client().read_registers(0, words, soon()));
  CHECK(words == std::array<std::uint16_t, 3>{0x7075, 0x6D70, 0});  // "pu", "mp"
}

TEST_CASE("A signal that drops answers leaves the others answered") {
  Served device(R"(
signals:
  quiet: {at: holding 0, fault: {drop: 1 h}}
  other: {at: holding 5, sim: 7}
)");
  std::array<std::uint16_t, 1> word{};
  const Instant end = soon();
  bool silent = false;
  while (!silent && now() < end) silent = !device.client().read_registers(0, word, now() + 100ms);
  CHECK(silent);
  CHECK(device.holding(5) == 7);
  CHECK_FALSE(device.client().read_registers(0, word, now() + 100ms));
  CHECK(device.holding(5) == 7);
}
