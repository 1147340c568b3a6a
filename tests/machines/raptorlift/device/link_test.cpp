// SPDX-License-Identifier: Apache-2.0
// The link to the truck's PLC, call by call, against the virtual one on a socket.
#include <fmt/format.h>

#include "tests/machines/raptorlift/lift_rig.hpp"

using namespace tandem;
using namespace tandem::raptorlift;
using namespace tandem::raptorlift::rig;

namespace {

struct LinkBench {
  explicit LinkBench(const Description& description = {}, bool one_request = false, double response = 0.5) {
    VirtualDeviceSetup setup;
    setup.description = description;
    setup.physics = false;
    setup.step = 5ms;
    setup.clock = &system_clock();
    setup.faults = &faults;
    plc = make_virtual_device(setup);
    thread = std::jthread([this](const std::stop_token& stop) { plc->run(stop); });
    LinkOptions options;
    const std::string url = plc->url();
    options.peer = {"127.0.0.1", static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))), 1};
    options.description = description;
    options.times.response = response;
    options.times.feedback = 4 * response;  // the host may be busy
    options.one_request = one_request;
    link.emplace(options);
  }

  PlcFaults faults;
  std::unique_ptr<VirtualDevice> plc;
  std::jthread thread;
  std::optional<Link> link;
};

AxisCommands push(double torque) {
  AxisCommands commands;
  commands.speed_limits = {4, 4};
  commands.torques = {torque, torque, 0, 0};
  return commands;
}

}  // namespace

TEST_CASE("a connection enables nothing and does not reset a trip") {
  LinkBench bench;
  REQUIRE(bench.link->connect(now() + 5s));
  CHECK_FALSE(bench.link->enabled());
  const auto outcome = bench.link->exchange(nullptr);
  REQUIRE(outcome);
  REQUIRE(outcome->measured);
  CHECK(outcome->measured->front_right == 0);
  const auto untripped = bench.link->reset_untripped();
  REQUIRE(untripped);
  CHECK(*untripped);
  REQUIRE(bench.link->enable());  // and nothing more: the PLC's watchdog trips
  REQUIRE(eventually([&] {
    REQUIRE(bench.link->exchange(nullptr));
    return bench.link->seen_off_since(outcome->received);
  }));
  const auto tripped = bench.link->reset_untripped();
  REQUIRE(tripped);
  CHECK_FALSE(*tripped);
  REQUIRE(bench.link->connect(now() + 5s));
  const auto still = bench.link->reset_untripped();
  REQUIRE(still);
  CHECK_FALSE(*still);
  CHECK(bench.link->enable());  // an arm is a reset
}

TEST_CASE("a PLC that does not report trips is not reset by a connection") {
  for (const int input : {-1, 100}) {  // none, and one that this PLC refuses
    Description description;
    description.plc.trip_input = input;
    LinkBench bench(description);
    REQUIRE(bench.link->connect(now() + 5s));
    const auto reset = bench.link->reset_untripped();
    REQUIRE(reset);
    CHECK_FALSE(*reset);
  }
}

TEST_CASE("commands move the truck in the joints' own directions") {
  for (const auto& [order, one_request] :
       {std::pair("cdab", false), std::pair("abcd", true), std::pair("dcba", false)}) {
    Description description;
    description.plc.word_order = order;
    LinkBench bench(description, one_request);
    REQUIRE(bench.link->connect(now() + 5s));
    REQUIRE(bench.link->enable());
    AxisCommands commands = push(15);
    commands.torques[2] = commands.torques[3] = 5;
    const bool moved = eventually([&] {
      const auto outcome = bench.link->exchange(&commands);
      REQUIRE(outcome);
      CHECK_FALSE(outcome->distrust);
      return outcome->measured && outcome->measured->front_right > 1 && outcome->measured->front_left > 1 &&
             outcome->measured->rear_right > 0.05 && outcome->measured->rear_left > 0.05;
    });
    CHECK(moved);
    const TruckState truth = bench.plc->truth();
    CHECK(truth.speeds[0] > 0);
    CHECK(truth.speeds[1] > 0);
    CHECK(truth.angles[2] > 0);
    CHECK(truth.angles[3] > 0);
    bench.link->close();
    CHECK_FALSE(bench.link->open());
  }
}

TEST_CASE("a connection that finds motors enabled says so") {
  LinkBench bench;
  REQUIRE(bench.link->connect(now() + 5s));
  REQUIRE(bench.link->enable());
  bench.link->close();
  REQUIRE(bench.link->connect(now() + 5s));
  CHECK(bench.link->enabled());
  REQUIRE(bench.link->disable());
  CHECK_FALSE(bench.link->enabled());
}

TEST_CASE("coils that are not where they should be are named") {
  Description description;
  LinkBench bench(description);
  LinkOptions options;
  const std::string url = bench.plc->url();
  options.peer = {"127.0.0.1", static_cast<std::uint16_t>(std::stoi(url.substr(url.rfind(':') + 1))), 1};
  options.description.plc.coil_base = 20000;
  Link lost(options);
  const auto connected = lost.connect(now() + 5s);
  REQUIRE_FALSE(connected);
  CHECK(connected.error().text.find("M0") != std::string::npos);
}

TEST_CASE("values become the document's words and come back") {
  Description description;
  const PlcRegisters registers(description);
  AxisCommands commands;
  commands.speed_limits = {1.5, 2.5};
  commands.positions = {0.3, 0.25};
  commands.torques = {12.3, 12.3, -4.5, -4.5};
  PlcRegisters::CommandWords words{};
  const auto encoded = registers.encode(commands, words);
  REQUIRE(encoded);
  CHECK_FALSE(*encoded);
  // Low register first. The left motors turn the other way round, and the rear ones count the other way as well.
  const PlcRegisters::CommandWords expected{15000,
                                            0,
                                            123,
                                            0,
                                            25000,
                                            0,
                                            static_cast<std::uint16_t>(-123),
                                            0xFFFF,
                                            static_cast<std::uint16_t>(-3000),
                                            0xFFFF,
                                            45,
                                            0,
                                            2500,
                                            0,
                                            static_cast<std::uint16_t>(-45),
                                            0xFFFF};
  CHECK(words == expected);
  const PlcRegisters::FeedbackWords feedback{
      15000, 0, static_cast<std::uint16_t>(-15000), 0xFFFF, static_cast<std::uint16_t>(-3000), 0xFFFF, 3000, 0};
  const auto wheels = registers.decode(feedback);
  REQUIRE(wheels);
  CHECK(wheels->front_right == doctest::Approx(1.5));
  CHECK(wheels->front_left == doctest::Approx(1.5));
  CHECK(wheels->rear_right == doctest::Approx(0.3));
  CHECK(wheels->rear_left == doctest::Approx(0.3));
}

TEST_CASE("a command that may act for a moment only is not held by answers that do not come") {
  LinkBench bench({}, false, 30);
  REQUIRE(bench.link->connect(now() + 30s));
  REQUIRE(bench.link->enable());
  const AxisCommands commands = push(1);
  for (const std::uint8_t unanswered : {std::uint8_t{16}, std::uint8_t{3}}) {  // writes, reads
    bench.faults.function(unanswered);
    bench.faults.next(PlcFaults::no_answer, PlcFaults::always);
    const Instant start = now();
    const auto outcome = bench.link->exchange_singly(&commands, 20ms);
    REQUIRE(outcome);
    CHECK(now() - start < 20s);  // it would be 30 s or more
    CHECK_FALSE(outcome->measured);
    CHECK(outcome->quality == Quality::stale);
    CHECK_FALSE(outcome->distrust);
    bench.faults.next(PlcFaults::no_answer, 0);
    const auto after = bench.link->exchange_singly(&commands, std::nullopt);
    REQUIRE(after);
    CHECK(after->measured);
  }
}
