// SPDX-License-Identifier: Apache-2.0
// The link to the winches, call by call, against the virtual ones on a socket; and their registers as words.
#include <cmath>
#include <limits>

#include "tandem/machines/cable_robot/device/gate.hpp"
#include "tests/machines/cable_robot/cable_rig.hpp"

using namespace tandem;
using namespace tandem::cable_robot;
using namespace tandem::cable_robot::rig;

namespace {

struct LinkBench {
  LinkBench() {
    VirtualDeviceSetup setup;
    setup.station.limits = limits_for(setup.robot);
    setup.station.body.cycle = 0.004;
    setup.clock = &system_clock();
    setup.faults = &faults;
    winches = make_virtual_device(setup);
    thread = std::jthread([this](const std::stop_token& stop) { winches->run(stop); });
    options.peer = {"127.0.0.1", port_of(winches->url()), 1};
    options.limits = limits_for(setup.robot);
    options.limits.watchdog = 2;
    options.times.feedback = options.times.response = 2;  // the host may be busy
    link.emplace(options);
  }
  modbus::Client other() {
    auto client = modbus::Client::connect(options.peer, soon());
    REQUIRE(client);
    return std::move(*client);
  }
  WinchReport read() {
    const auto outcome = link->exchange(nullptr);
    REQUIRE(outcome);
    REQUIRE(outcome->report);
    return *outcome->report;
  }

  WinchFaults faults;
  std::unique_ptr<VirtualDevice> winches;
  std::jthread thread;
  LinkOptions options;
  std::optional<Link> link;
};

WinchCommand keep(const WinchReport& report) {
  WinchCommand command;
  command.mode = WinchMode::length;
  command.lengths = report.winches.lengths;
  command.speeds = cables::PerCable::Zero(command.lengths.size());
  command.tensions = cables::PerCable::Constant(command.lengths.size(), 5);
  return command;
}

WinchFeedback still(double length) {
  WinchFeedback feedback;
  feedback.lengths = cables::PerCable::Constant(8, length);
  feedback.speeds = cables::PerCable::Zero(8);
  feedback.tensions = cables::PerCable::Constant(8, 10);
  return feedback;
}

}  // namespace

TEST_CASE("a connection writes the limits and enables nothing") {
  LinkBench bench;
  REQUIRE(bench.link->connect(soon()));
  CHECK_FALSE(bench.link->enabled());
  const WinchReport report = bench.read();
  CHECK(report.enabled == 0);
  CHECK(report.winches.lengths.size() == 8);
  CHECK(report.winches.lengths.minCoeff() > 0.1);
  std::array<std::uint16_t, 2> speed{};
  auto other = bench.other();
  REQUIRE(other.read_registers(limits::start + limits::speed, speed, soon()));
  CHECK((std::uint32_t{speed[0]} << 16 | speed[1]) == 1000000);
}

TEST_CASE("enabled winches follow lengths and are left disabled") {
  LinkBench bench;
  REQUIRE(bench.link->connect(soon()));
  const WinchReport at_first = bench.read();
  REQUIRE(bench.link->enable());
  CHECK(bench.read().enabled == 0xFF);
  WinchCommand command = keep(at_first);
  command.lengths.array() += 0.002;  // all a little longer: the platform comes down
  CHECK(eventually([&] {
    const auto outcome = bench.link->exchange(&command);
    REQUIRE(outcome);
    CHECK_MESSAGE(!outcome->distrust, outcome->cause.view());
    return outcome->report && (outcome->report->winches.lengths - command.lengths).cwiseAbs().maxCoeff() < 1e-4;
  }));
  bench.link->leave();
  CHECK_FALSE(bench.link->open());
  REQUIRE(bench.link->connect(soon()));
  CHECK(bench.read().enabled == 0);
  CHECK(bench.read().mode == WinchMode::hold);
}

TEST_CASE("a connection that finds winches enabled disables them") {
  LinkBench bench;
  REQUIRE(bench.link->connect(soon()));
  REQUIRE(bench.link->enable());
  bench.link->close();  // without a word
  REQUIRE(bench.link->connect(soon()));
  CHECK(bench.read().enabled == 0);
}

TEST_CASE("another number of winches than cables is refused by name") {
  LinkBench bench;
  bench.options.winches = 7;
  Link wrong(bench.options);
  const auto connected = wrong.connect(soon());
  REQUIRE_FALSE(connected);
  CHECK(connected.error().text == "winches: expected 7 as in the geometry, got 8");
}

TEST_CASE("another version of the register map is refused by name") {
  const WinchRegisters registers(8);
  std::array<std::uint16_t, feedback::first> head{};
  head[feedback::winches] = 8;
  head[feedback::version] = 2;
  CHECK(registers.check_head(head).error().text == "winches: expected version 1 of the register map, got 2");
}

TEST_CASE("a winch that cannot be enabled is named and all are taken back") {
  LinkBench bench;
  REQUIRE(bench.link->connect(soon()));
  auto other = bench.other();
  REQUIRE(other.write_coil(coils::stop, true, soon()));
  bench.options.times.feedback = bench.options.times.response = 0.2;
  Link link(bench.options);
  REQUIRE(link.connect(soon()));
  const auto enabled = link.enable();
  REQUIRE_FALSE(enabled);
  CHECK(enabled.error().text == "winches not enabled: winch 0: expected enabled, got disabled");
  CHECK_FALSE(link.enabled());
}

TEST_CASE("commands that are no numbers are not sent") {
  LinkBench bench;
  REQUIRE(bench.link->connect(soon()));
  WinchCommand command = keep(bench.read());
  REQUIRE(bench.link->enable());
  command.lengths[3] = std::numeric_limits<double>::quiet_NaN();
  const auto outcome = bench.link->exchange(&command);
  REQUIRE(outcome);
  CHECK(outcome->distrust);
  CHECK(outcome->cause.view() == "winch 3: commanded length is NaN or infinity");
  CHECK(bench.read().enabled == 0);  // what went out instead was to hold
}

TEST_CASE("a beat that stands still makes feedback stale") {
  LinkBench bench;
  bench.options.times.feedback = 0.2;
  Link link(bench.options);
  REQUIRE(link.connect(soon()));
  bench.faults.beat_frozen = true;
  CHECK(eventually([&] {
    const auto outcome = link.exchange(nullptr);
    REQUIRE(outcome);
    return outcome->quality == Quality::stale && outcome->why.view().find("beat") != std::string_view::npos;
  }));
  bench.faults.beat_frozen = false;
  CHECK(eventually([&] { return link.exchange(nullptr)->quality == Quality::live; }));
}

TEST_CASE("values become the map's words and come back") {
  const WinchRegisters registers(8);
  WinchCommand command;
  command.mode = WinchMode::length;
  command.lengths = cables::PerCable::Constant(8, 0.5);
  command.speeds = cables::PerCable::Constant(8, -0.25);
  command.tensions = cables::PerCable::Constant(8, 12.5);
  WinchRegisters::Words words{};
  const auto block = registers.command_words(words);
  REQUIRE(block.size() == 52);
  const auto encoded = registers.encode(command, 7, registers.all(), block);
  REQUIRE(encoded);
  CHECK_FALSE(*encoded);
  CHECK(block[0] == 7);
  CHECK(block[1] == 1);
  CHECK(block[2] == 0xFF);
  CHECK((block[4] == 76 && block[5] == 19264));      // 5000000
  CHECK((block[6] == 0xFFFC && block[7] == 12144));  // -250000
  CHECK((block[8] == 0 && block[9] == 12500));
  command.lengths[0] = 1e9;
  CHECK(*registers.encode(command, 8, registers.all(), block));
  CHECK((block[4] == 0x7FFF && block[5] == 0xFFFF));
  command.lengths.resize(7);
  CHECK_FALSE(registers.encode(command, 8, registers.all(), block));
}

TEST_CASE("measurements that no winch makes are not believed and jumps only when they stay") {
  Gate gate{WinchLimits{}};
  CHECK(gate.judge(still(0.5), 0.002).quality == Quality::live);
  WinchFeedback wild = still(0.5);
  wild.tensions[2] = std::numeric_limits<double>::quiet_NaN();
  CHECK(gate.judge(wild, 0.002).quality == Quality::invalid);
  wild = still(0.5);
  wild.lengths[5] = 9;
  CHECK(std::string(gate.judge(wild, 0.002).why.view()).find("winch 5: expected a length") == 0);
  WinchFeedback torn = still(0.5);
  torn.lengths[1] += 65536 / length_scale;
  CHECK(gate.judge(torn, 0.002).quality == Quality::invalid);
  CHECK(gate.judge(still(0.5), 0.002).quality == Quality::live);
  CHECK(gate.judge(still(0.6), 0.002).quality == Quality::invalid);  // a true jump
  CHECK(gate.judge(still(0.6), 0.002).quality == Quality::live);
  CHECK(gate.jumps() == 2);
}
