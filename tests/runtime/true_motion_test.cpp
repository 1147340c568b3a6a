// SPDX-License-Identifier: Apache-2.0
// What virtual devices say of their own physics, by which claims about motion are judged.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>

#include "tandem/runtime/config/config.hpp"
#include "tandem/runtime/registry.hpp"
#include "tests/deadline.hpp"

using namespace tandem;

namespace {

// A virtual device on free ports, running.
struct Running {
  explicit Running(std::string_view type) {
    machines::VirtualSetup setup;
    setup.standard_ports = false;
    setup.clock = &system_clock();
    const auto* found = runtime::all_machines().find(type);
    REQUIRE(found != nullptr);
    const runtime::ConfigText text{"one.yaml",
                                   fmt::format("machines: {{ one: {{ type: {}, device: virtual }} }}", type)};
    const auto config = runtime::parse_config({&text, 1}, runtime::all_machines());
    setup.options = config.machines.front().options;
    device = found->make_virtual(setup);
    thread = std::jthread([this](const std::stop_token& stop) { device->run(stop); });
  }
  machines::TrueMotion motion() const {
    const Instant limit = soon();
    while (!device->true_motion() && now() < limit) std::this_thread::sleep_for(1ms);
    const auto motion = device->true_motion();
    REQUIRE(motion);
    return *motion;
  }

  std::unique_ptr<machines::VirtualDevice> device;
  std::jthread thread;
};

}  // namespace

TEST_CASE("virtual devices that nobody commands are at rest, in the unit of their kind") {
  struct Expected {
    std::string_view type, unit;
    std::size_t numbers;
  };
  for (const auto& [type, unit, numbers] : {Expected{"raptorlift", "m", 2}, Expected{"cable_robot", "m", 3},
                                            Expected{"orca", "m", 3}, Expected{"ur3e", "rad", 6}}) {
    CAPTURE(type);
    const Running running(type);
    const auto motion = running.motion();
    CHECK(motion.unit == unit);
    CHECK(motion.position.size() == numbers);
    CHECK(std::ranges::all_of(motion.position, [](double number) { return std::isfinite(number); }));
    CHECK(motion.speed < 0.05);
  }
}

TEST_CASE("the truth of the platform is the sine that its generator makes") {
  const Running running("em1500");
  // 0.2 m at 0.1 Hz: at most 0.126 m/s. The generator's start is blended in over 3 s.
  double fastest = 0;
  const auto first = running.motion().position;
  REQUIRE(first.size() == 3);
  for (int i = 0; i < 80; ++i) {
    std::this_thread::sleep_for(50ms);
    const auto motion = running.motion();
    CHECK(std::abs(motion.position[2] - first[2]) < 0.45);
    fastest = std::max(fastest, motion.speed);
  }
  CHECK(fastest > 0.02);
  CHECK(fastest < 0.16);
}
