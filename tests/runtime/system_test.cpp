// SPDX-License-Identifier: Apache-2.0
#include "tandem/runtime/system.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <mutex>

#include "tandem/runtime/control/client.hpp"
#include "tests/runtime/counter/machine.hpp"
#include "tests/runtime/counter/virtual_device.hpp"

namespace tandem::runtime {

namespace {

using counter::CounterDevice;
using counter::Trouble;

const Registry& system_types() {
  static const Registry registry({&counter::machine_type()});  // the one line
  return registry;
}

template <typename Holds>
bool within(Duration limit, Holds holds) {
  const Instant until = system_clock().now() + limit;
  while (system_clock().now() < until) {
    if (holds()) return true;
    system_clock().sleep_until(system_clock().now() + 5ms);
  }
  return holds();
}

// A device whose troubles the test commands, on a socket like any real one.
struct Device {
  CounterDevice device;
  std::jthread thread;

  Device() : device(setup()), thread([this](const std::stop_token& stop) { device.run(stop); }) {}
  static machines::VirtualSetup setup() {
    machines::VirtualSetup setup;
    setup.standard_ports = false;
    setup.options = default_options(counter::machine_type().options);
    setup.clock = &system_clock();
    return setup;
  }
};

struct SystemBench {
  std::string path = fmt::format("/tmp/tandem-system-{}/control.sock", getpid());
  std::mutex mutex;
  std::vector<std::string> kinds;
  std::unique_ptr<System> system;

  explicit SystemBench(const std::string& machines) {
    const ConfigText text{"test.yaml", "ros: { enabled: false }\nmachines:\n" + machines};
    SystemOptions options;
    options.version = "test";
    options.control = path;
    options.supervision.longest_pause = 2s;  // a noisy computer is no paused process
    options.on_event = [this](const Event& event) {
      const std::lock_guard lock(mutex);
      kinds.push_back(event.machine + ":" + std::string(event.kind));
    };
    system = std::make_unique<System>(parse_config({&text, 1}, system_types()), options);
    system->start();
  }
  MachineStatus machine(std::size_t index = 0) const { return system->status().machines.at(index); }
  bool becomes(std::string_view state, std::size_t index = 0, Duration limit = 5s) const {
    return tandem::runtime::within(limit, [&] { return machine(index).state == state; });
  }
  bool told(const std::string& kind) {
    const std::lock_guard lock(mutex);
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
  }
  Result<std::string> say(std::string_view command, std::string_view name = "") const {
    return ask_text(path, command, name);
  }
};

std::string real(const Device& device) {
  return fmt::format("  lift: {{ type: counter, device: \"{}\" }}\n", device.device.url());
}

}  // namespace

TEST_CASE("a virtual machine comes up live and moves only after arm") {
  SystemBench bench("  lift: { type: counter, device: virtual }\n");
  REQUIRE(bench.becomes("live"));
  CHECK(bench.machine().arm == "disarmed");
  CHECK(bench.machine().values.at(1).numbers.at(0) == 0);
  REQUIRE(bench.say("arm").ok());
  CHECK(within(5s, [&] { return bench.machine().values.at(1).numbers.at(1) > 5; }));
  REQUIRE(bench.say("stop").ok());
  CHECK(bench.machine().arm == "stopped");
  CHECK_FALSE(bench.say("arm").ok());
  REQUIRE(bench.say("reset", "lift").ok());
  CHECK(bench.machine().arm == "disarmed");
  CHECK(bench.say("arm", "lift").ok());
  CHECK(bench.machine().device.starts_with("count://127.0.0.1:"));
  CHECK(bench.told("lift:armed"));
  CHECK(bench.told("lift:stopped"));
}

TEST_CASE("the control socket answers while machines are made and keeps a stop that comes before them") {
  static std::atomic<bool> may_be_made{false};
  static machines::MachineType slow = counter::machine_type();
  slow.name = "slow";
  slow.make = [](const machines::Setup& setup) {
    while (!may_be_made) system_clock().sleep_until(system_clock().now() + 1ms);
    return counter::machine_type().make(setup);
  };
  const Registry types({&counter::machine_type(), &slow});
  const ConfigText text{"test.yaml",
                        "ros: { enabled: false }\nmachines:\n  first: { type: counter, device: virtual }\n"
                        "  second: { type: slow, device: virtual }\n"};
  SystemOptions options;
  options.control = fmt::format("/tmp/tandem-starting-{}/control.sock", getpid());
  std::unique_ptr<System> system;
  std::jthread maker([&] { system = std::make_unique<System>(parse_config({&text, 1}, types), options); });
  const auto state = [&](std::size_t index) {
    const auto status = ask_status(options.control);
    return status && status->machines.size() == 2 ? status->machines[index].state : std::string();
  };
  CHECK(within(5s, [&] { return state(1) == "starting"; }));
  CHECK(within(5s, [&] { return state(0) == "down"; }));
  CHECK_FALSE(ask_text(options.control, "arm", "second").ok());
  CHECK(ask_text(options.control, "stop", "second").ok());
  may_be_made = true;
  maker.join();
  CHECK(system->status().machines[1].arm == "stopped");
  system->start();
  CHECK(within(5s, [&] { return state(1) == "live"; }));
  CHECK_FALSE(ask_text(options.control, "arm", "second").ok());
  CHECK(ask_text(options.control, "reset", "second").ok());
  CHECK(ask_text(options.control, "arm", "second").ok());
}

TEST_CASE("a virtual device that is unplugged is silent until it is plugged in and does not move before arm") {
  SystemBench bench("  lift: { type: counter, device: virtual }\n  other: { type: counter, device: virtual }\n");
  REQUIRE(bench.becomes("live"));
  REQUIRE(bench.becomes("live", 1));
  REQUIRE(bench.say("arm").ok());
  CHECK_FALSE(bench.say("unplug").ok());
  REQUIRE(bench.say("unplug", "lift").ok());
  CHECK(bench.machine().unplugged);
  CHECK(bench.told("lift:unplugged"));
  REQUIRE(within(5s, [&] { return bench.machine().quality != "live" && bench.machine().arm != "armed"; }));
  system_clock().sleep_until(system_clock().now() + 300ms);
  CHECK(bench.machine().quality != "live");
  CHECK(bench.machine(1).state == "live");
  CHECK(bench.machine(1).arm == "armed");

  REQUIRE(bench.say("plug").ok());
  CHECK_FALSE(bench.machine().unplugged);
  REQUIRE(within(10s, [&] { return bench.machine().state == "live" && bench.machine().quality == "live"; }));
  CHECK(bench.machine().arm == "disarmed");
  CHECK(bench.say("arm", "lift").ok());
}

TEST_CASE("the cable of a real device is not ours to pull") {
  Device device;
  SystemBench bench(real(device));
  REQUIRE(bench.becomes("live"));
  const auto refused = bench.say("unplug", "lift");
  REQUIRE_FALSE(refused.ok());
  CHECK(refused.error().text.find("virtual devices only") != std::string::npos);
  CHECK(bench.machine().state == "live");
}

TEST_CASE("no command reaches the device before arm nor after stop or loss") {
  Device device;
  SystemBench bench(real(device));
  REQUIRE(bench.becomes("live"));
  system_clock().sleep_until(system_clock().now() + 100ms);
  CHECK(device.device.commands() == 0);
  REQUIRE(bench.say("arm", "lift").ok());
  CHECK(within(5s, [&] { return device.device.commands() > 3; }));

  device.device.trouble(Trouble::restart);
  REQUIRE(within(5s, [&] { return device.device.connections() == 2 && bench.machine().state == "live"; }));
  const auto before = device.device.commands();
  system_clock().sleep_until(system_clock().now() + 150ms);
  CHECK(device.device.commands() == before);
  CHECK(bench.machine().arm == "disarmed");
  CHECK(bench.machine().arm_cause.starts_with("link lost"));
  REQUIRE(bench.say("arm", "lift").ok());
  CHECK(within(5s, [&] { return device.device.commands() > before; }));
}

TEST_CASE("silence makes it stale and disarmed and samples bring back only the reading") {
  Device device;
  SystemBench bench(real(device));
  REQUIRE(bench.becomes("live"));
  REQUIRE(bench.say("arm", "lift").ok());
  device.device.trouble(Trouble::silent);
  REQUIRE(bench.becomes("syncing"));
  CHECK(bench.machine().quality == "stale");
  CHECK(bench.machine().arm == "disarmed");
  CHECK_FALSE(bench.say("arm", "lift").ok());
  device.device.trouble(Trouble::none);
  REQUIRE(bench.becomes("live"));
  CHECK(bench.machine().arm == "disarmed");
  CHECK(bench.machine().stale_episodes >= 1);
}

TEST_CASE("values that are no numbers are counted and never shown") {
  Device device;
  SystemBench bench(real(device));
  REQUIRE(bench.becomes("live"));
  REQUIRE(bench.say("arm", "lift").ok());
  device.device.trouble(Trouble::nan);
  REQUIRE(within(5s, [&] { return bench.machine().quality == "invalid"; }));
  CHECK(bench.machine().invalid > 0);
  CHECK(bench.machine().arm == "disarmed");
  CHECK(bench.machine().values.at(0).numbers.at(0) < 1e9);
}

TEST_CASE("one machine that throws or finds nobody leaves the others alone") {
  SystemBench bench(
      "  bad: { type: counter, device: virtual, mood: exploding }\n"
      "  gone: { type: counter, device: \"count://127.0.0.1:1\" }\n"
      "  good: { type: counter, device: virtual }\n");
  REQUIRE(bench.becomes("live", 2));
  REQUIRE(bench.becomes("faulted", 0));
  CHECK(bench.machine(0).cause == "the counter exploded");
  CHECK(bench.told("bad:faulted"));
  CHECK(bench.becomes("connecting", 1));
  const auto arm = bench.say("arm");
  REQUIRE_FALSE(arm.ok());
  CHECK(arm.error().text.find("gone: not armed: the link is not live") != std::string::npos);
  CHECK(arm.error().text.find("good: armed") != std::string::npos);
  CHECK(bench.machine(2).arm == "armed");
  const auto unknown = bench.say("arm", "godo");
  REQUIRE_FALSE(unknown.ok());
  CHECK(unknown.error().text == "unknown machine 'godo'; did you mean 'good'? (known: bad, gone, good)");
}

TEST_CASE("a machine that cannot be made is refused with its place") {
  try {
    SystemBench bench("  lift: { type: counter, device: virtual, mood: throwing }\n");
    FAIL("made");
  } catch (const ConfigError& error) {
    CHECK(std::string(error.what()) == "test.yaml:3:3: lift: counter: mood 'throwing' cannot be");
  }
}

TEST_CASE("all threads end within two seconds whatever the device does") {
  for (const Trouble trouble : {Trouble::none, Trouble::silent, Trouble::refuse}) {
    Device device;
    device.device.trouble(trouble);
    SystemBench bench(real(device) + "  other: { type: counter, device: virtual }\n");
    REQUIRE(bench.becomes("live", 1));
    const Instant start = system_clock().now();
    CHECK(bench.system->stop(1500ms).empty());
    CHECK(system_clock().now() - start < 2s);
  }
}

TEST_CASE("a link is back within a quarter second of its device in nearly every case") {
  Device device;
  SystemBench bench(real(device));
  REQUIRE(bench.becomes("live"));
  std::vector<double> times;
  for (int i = 0; i < 20; ++i) {
    device.device.trouble(Trouble::refuse);
    REQUIRE(within(5s, [&] { return bench.machine().state != "live"; }));
    system_clock().sleep_until(system_clock().now() + std::chrono::milliseconds(37 * (i % 8)));
    device.device.trouble(Trouble::none);
    const Instant listens = system_clock().now();
    REQUIRE(bench.becomes("live"));
    times.push_back(seconds(system_clock().now() - listens));
  }
  std::sort(times.begin(), times.end());
  MESSAGE("reconnect median " << times[10] * 1e3 << " ms, longest " << times.back() * 1e3 << " ms");
  CHECK(times[10] < 0.25);
}

}  // namespace tandem::runtime
