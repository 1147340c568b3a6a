// SPDX-License-Identifier: Apache-2.0
// Faults on the link of a running tandem: when they are refused, how they end, and what is said.
#include "tests/runtime/chaos/rig.hpp"
#include "tests/runtime/counter/machine.hpp"
#include "tests/runtime/counter/virtual_device.hpp"

namespace tandem::runtime::chaos {
namespace {

const Registry& counter_types() {
  static const Registry registry({&counter::machine_type()});
  return registry;
}

struct RealCounter {
  counter::CounterDevice device;
  std::jthread thread;

  RealCounter() : device(setup()), thread([this](const std::stop_token& stop) { device.run(stop); }) {}
  static machines::VirtualSetup setup() {
    machines::VirtualSetup setup;
    setup.standard_ports = false;
    setup.options = default_options(counter::machine_type().options);
    setup.clock = &system_clock();
    return setup;
  }
  std::string entry() const {
    return fmt::format("  lift: {{ type: counter, device: \"{}\", chaos: true, cycle_hz: 4 }}\n", device.url());
  }
};

// Stale only after three quarters of a second: a busy computer disarms nothing here.
constexpr const char* virtual_counter = "  lift: { type: counter, device: virtual, chaos: true, cycle_hz: 4 }\n";

}  // namespace

TEST_CASE("without chaos: true there is no proxy and every fault is refused") {
  Rig rig("  lift: { type: counter, device: virtual }\n", counter_types());
  REQUIRE(rig.becomes_live());
  CHECK(rig.machine().chaos.empty());
  const auto refused = rig.chaos("blackhole");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text.find("write `chaos: true` under machines.lift, or start with --chaos") !=
        std::string::npos);
  CHECK(ask_chaos_reports(rig.path, "")->empty());
  CHECK(ask_chaos(rig.path, "blackhole", "left", false).error().text.find("unknown machine 'left'") !=
        std::string::npos);
  CHECK(ask_chaos(rig.path, "blackhole", "", false).error().text == "chaos: expected a machine, got none");
  CHECK(*ask_chaos(rig.path, "clear", "", false) == "no machine has fault proxies: nothing to clear");
}

TEST_CASE("a machine lives behind its proxies under the name of its own device") {
  Rig rig(virtual_counter, counter_types());
  REQUIRE(rig.becomes_live());
  CHECK(rig.machine().chaos == "ready");
  CHECK(rig.machine().device == rig.system->virtual_device("lift")->url());
  CHECK(rig.report().to_client.chunks > 0);
}

TEST_CASE("a black hole disarms, ends by itself, and only the link comes back") {
  Rig rig(virtual_counter, counter_types());
  REQUIRE(rig.becomes_live());
  REQUIRE(rig.becomes_armed());
  const auto begun = rig.chaos("blackhole for=3s seed=5");
  REQUIRE(begun);
  CHECK(*begun == "lift: blackhole, both directions, for 3s, seed 5");
  CHECK(rig.machine().chaos.starts_with("blackhole for=3s seed=5, "));
  REQUIRE(Rig::until([&] { return rig.machine().arm == "disarmed" && !rig.live(); }));
  REQUIRE(rig.over());
  REQUIRE(rig.becomes_live());
  CHECK(rig.machine().arm == "disarmed");
  CHECK(rig.machine().chaos == "ready");
  CHECK(rig.report().terms == "blackhole for=3s seed=5");
  CHECK(rig.report().to_client.dropped > 0);
  REQUIRE(rig.report().results.size() == 1);
  CHECK(rig.report().results[0].run == 1);
  const std::string result = rig.machine().chaos_result;
  CHECK_MESSAGE(result.starts_with("lift: disarmed after "), result);
  CHECK_MESSAGE(result.find("live again ") != std::string::npos, result);
  CHECK(rig.told("chaos", "blackhole, both directions, for 3s, seed 5, by user"));
  CHECK_MESSAGE(result.ends_with(" [blackhole for=3s seed=5]"), result);
  CHECK(rig.told("chaos", "over: disarmed after"));
  CHECK(rig.becomes_armed());
}

TEST_CASE("faults can be cleared, and new ones take the place of old ones") {
  Rig rig(virtual_counter, counter_types());
  REQUIRE(rig.becomes_live());
  REQUIRE(rig.chaos("hold for=5min"));
  REQUIRE(Rig::until([&] { return !rig.live(); }));
  REQUIRE(rig.chaos("delay=1ms for=5min"));
  CHECK(rig.report().run == 2);
  REQUIRE(rig.becomes_live());
  CHECK(*rig.chaos("clear") == "lift: cleared");
  CHECK(rig.machine().chaos == "ready");
  CHECK(*ask_chaos(rig.path, "clear", "", false) == "lift: no faults");
}

TEST_CASE("a stop works during faults and stays latched after them") {
  Rig rig(virtual_counter, counter_types());
  REQUIRE(rig.becomes_live());
  REQUIRE(rig.becomes_armed());
  REQUIRE(rig.chaos("delay=20ms slice=3 rate=50kB/s for=5min"));
  REQUIRE(rig.say("stop"));
  CHECK(rig.machine().arm == "stopped");
  REQUIRE(rig.chaos("clear"));
  REQUIRE(rig.becomes_live());
  CHECK(rig.machine().arm == "stopped");
  CHECK_FALSE(rig.say("arm"));
}

TEST_CASE("a real device that is armed is refused unless the person says to know") {
  RealCounter real;
  Rig rig(real.entry(), counter_types());
  REQUIRE(rig.becomes_live());
  REQUIRE(rig.becomes_armed());
  const auto refused = rig.chaos("delay=1ms for=5min");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text.find("expected a disarmed machine, as its device is real") != std::string::npos);
  CHECK(rig.machine().chaos == "ready");
  CHECK(rig.machine().arm == "armed");
  REQUIRE(rig.chaos("delay=1ms for=5min", true));
  CHECK(rig.machine().chaos.starts_with("delay=1ms"));
  REQUIRE(rig.chaos("clear"));
}

TEST_CASE("a real device is not armed while faults are on, and is once they are cleared") {
  RealCounter real;
  Rig rig(real.entry(), counter_types());
  REQUIRE(rig.becomes_live());
  REQUIRE(rig.chaos("delay=1ms for=5min seed=3"));
  const auto refused = rig.say("arm");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().text.find(
            "faults are on its link (delay=1ms for=5min seed=3); `tandem chaos lift clear` first") !=
        std::string::npos);
  CHECK(rig.machine().arm == "disarmed");
  CHECK(real.device.commands() == 0);
  REQUIRE(rig.chaos("clear"));
  CHECK(rig.becomes_armed());
}

TEST_CASE("faults that were begun with --i-know do not stand in the way of arm") {
  RealCounter real;
  Rig rig(real.entry(), counter_types());
  REQUIRE(rig.becomes_live());
  REQUIRE(rig.chaos("delay=1ms for=5min", true));
  CHECK(rig.becomes_armed());
}

TEST_CASE("a configuration with a device that no proxy can stand in for is refused by check and by start") {
  const ConfigText text{"test.yaml",
                        "ros: { enabled: false }\nmachines:\n  sub: { type: orca, chaos: true, device: "
                        "\"mavlink://127.0.0.1?link=serial&device=/dev/ttyS9\" }\n"};
  const Config config = parse_config({&text, 1}, all_machines());
  CHECK_THROWS_WITH_AS((void)check_config(config),
                       doctest::Contains("sub: chaos: expected a device that is reached over TCP or UDP"), ConfigError);
  CHECK_THROWS_WITH_AS(System(config, {}), doctest::Contains("a serial line has no proxy"), ConfigError);
}

}  // namespace tandem::runtime::chaos
