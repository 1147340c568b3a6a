// SPDX-License-Identifier: Apache-2.0
// Many trucks on one worker, their virtual devices on another: what is slow or gone disturbs no other.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "tandem/runtime/registry.hpp"
#include "tandem/runtime/supervision/device_worker.hpp"
#include "tandem/runtime/supervision/worker.hpp"
#include "tandem/runtime/system.hpp"
#include "tests/machines/raptorlift/lift_rig.hpp"

namespace tandem::raptorlift {
namespace {

using rig::eventually;
using rig::pass;
using runtime::LinkStatus;

constexpr std::size_t trucks = 21;
constexpr double cycle_hz = 50;

struct FleetTruck {
  explicit FleetTruck(runtime::DeviceWorker& devices) : device(rig::Truck::make(rig::Truck::device_setup(faults))) {
    devices.add("truck", dynamic_cast<machines::SharedDevice&>(*device));
    auto machine =
        std::make_unique<Machine>(rig::setup_for(device->url(), {"response_timeout=0.1", "feedback_timeout=0.3"}));
    supervisor = std::make_unique<runtime::Supervisor>("truck", std::move(machine), system_clock(), nullptr,
                                                       runtime::SupervisorOptions{.calm_cycles = 10});
  }
  std::uint64_t samples() const { return supervisor->status().samples; }

  PlcFaults faults;
  std::unique_ptr<VirtualDevice> device;
  std::unique_ptr<runtime::Supervisor> supervisor;
};

struct Fleet {
  Fleet() {
    for (std::size_t i = 0; i < trucks; ++i) all.push_back(std::make_unique<FleetTruck>(devices));
    threads.emplace_back([this](const std::stop_token& stop) { devices.run(stop); });
    threads.emplace_back([this](const std::stop_token& stop) { worker.run(stop); });
    for (const auto& truck : all) {
      threads.emplace_back([this, supervisor = truck->supervisor.get()](const std::stop_token& stop) {
        supervisor->run(stop, [&](const std::stop_token& stopping) { worker.host(*supervisor, stopping); });
      });
    }
  }
  // The machines leave their devices before those end.
  ~Fleet() {
    for (auto thread = threads.rbegin(); thread != threads.rend(); ++thread) thread->request_stop();
    while (threads.size() > 1) threads.pop_back();
  }
  std::vector<std::uint64_t> samples() const {
    std::vector<std::uint64_t> counts;
    for (const auto& truck : all) counts.push_back(truck->samples());
    return counts;
  }

  runtime::DeviceWorker devices{nullptr};
  runtime::Worker worker{system_clock()};
  std::vector<std::unique_ptr<FleetTruck>> all;
  std::vector<std::jthread> threads;
};

// For two seconds. A cycle that had to wait for the slow device would come three times a second at most, so a third of
// the rate tells the two apart on a busy host as well.
void check_undisturbed(Fleet& fleet, double most_of_slow) {
  const auto before = fleet.samples();
  pass(2s);
  const auto after = fleet.samples();
  CHECK(static_cast<double>(after[0] - before[0]) <= most_of_slow);
  for (std::size_t i = 1; i < trucks; ++i) {
    CAPTURE(i);
    CHECK(static_cast<double>(after[i] - before[i]) >= 2 * cycle_hz / 3);
    CHECK(fleet.all[i]->supervisor->status().stale_episodes == 0);
  }
}

}  // namespace

TEST_CASE("a truck whose device answers late or never moves to its own thread and disturbs no other") {
  Fleet fleet;
  REQUIRE(eventually([&] { return fleet.worker.machines() == trucks; }));
  PlcFaults& faults = fleet.all[0]->faults;
  faults.delay(300ms);
  faults.next(PlcFaults::late_answer, PlcFaults::always);
  CHECK(eventually([&] { return fleet.worker.machines() == trucks - 1; }));
  check_undisturbed(fleet, 8);
  faults.next(PlcFaults::late_answer, 0);
  faults.next(PlcFaults::no_answer, PlcFaults::always);
  check_undisturbed(fleet, 8);
  faults.next(PlcFaults::no_answer, 0);
  CHECK(eventually([&] { return fleet.worker.machines() == trucks; }));  // and comes back
}

TEST_CASE("a truck on a worker drives while armed and brakes to standstill when it is stopped") {
  Fleet fleet;
  REQUIRE(eventually([&] { return fleet.worker.machines() == trucks; }));
  FleetTruck& truck = *fleet.all[7];
  auto& machine = dynamic_cast<Machine&>(truck.supervisor->shared());
  std::jthread driver([&](const std::stop_token& stop) {
    for (; !stop.stop_requested(); pass(20ms)) machine.commands().post(VelocityInput::reference, {{0.4, 0}, now()});
  });
  REQUIRE(truck.supervisor->latch().arm("test"));
  REQUIRE(eventually([&] { return rig::Truck::speed(*truck.device) > rig::Truck::moving_speed; }));
  CHECK(eventually([&] { return fleet.worker.machines() == trucks; }));  // driving, on the worker
  CHECK(machine.state().activity == Activity::driving);
  truck.supervisor->latch().stop("stop requested", "test");
  CHECK(eventually([&] { return machine.state().activity == Activity::idle; }));
  CHECK(rig::Truck::speed(*truck.device) < rig::Truck::rest_speed);
  const double distance = truck.device->truth().distance;
  pass(300ms);
  CHECK(truck.device->truth().distance - distance < 0.01);  // m
  CHECK(truck.supervisor->latch().status().state == runtime::ArmState::stopped);
}

TEST_CASE("trucks that are stopped or lost together are all left in order") {
  Fleet fleet;
  REQUIRE(eventually([&] { return fleet.worker.machines() == trucks; }));
  for (const auto& truck : fleet.all) REQUIRE(truck->supervisor->latch().arm("test"));
  const auto driving = [&](const auto& truck) {
    return dynamic_cast<Machine&>(truck->supervisor->shared()).state().activity == Activity::driving;
  };
  REQUIRE(eventually([&] { return std::ranges::all_of(fleet.all, driving); }));
  for (const auto& truck : fleet.all) truck->supervisor->latch().stop("stop requested", "test");
  CHECK(eventually([&] { return std::ranges::none_of(fleet.all, driving); }));
  for (const auto& truck : fleet.all) truck->faults.next(PlcFaults::close_connection);
  CHECK(eventually([&] {
    return std::ranges::all_of(fleet.all, [](const auto& truck) { return truck->supervisor->status().connects == 2; });
  }));
  CHECK(eventually([&] { return fleet.worker.machines() == trucks; }));
  for (const auto& truck : fleet.all) CHECK(truck->supervisor->latch().status().state == runtime::ArmState::stopped);
}

TEST_CASE("a fleet of a configuration shares workers and each cable can be pulled alone") {
  std::string text = "ros: { enabled: false }\nmachines:\n";
  for (int i = 0; i < 10; ++i)
    text += fmt::format("  truck{}: {{ type: raptorlift, device: virtual, physics: false }}\n", i);
  const runtime::ConfigText file{"test.yaml", text};
  runtime::System system(runtime::parse_config({&file, 1}, runtime::all_machines()), {});
  system.start();
  const auto state = [&](std::size_t i) { return system.status().machines.at(i).state; };
  const auto all_live = [&] {
    const auto machines = system.status().machines;
    return std::ranges::all_of(machines, [](const auto& machine) { return machine.state == "live"; });
  };
  REQUIRE(eventually(all_live));
  pass(1s);  // on their workers by now
  REQUIRE(system.command("unplug", "truck3", "test"));
  CHECK(eventually([&] { return state(3) != "live"; }));
  CHECK(state(2) == "live");
  CHECK(state(4) == "live");
  REQUIRE(system.command("plug", "truck3", "test"));
  CHECK(eventually(all_live));
  CHECK(system.status().machines[3].arm == "disarmed");
  CHECK(system.stop(5s).empty());
}

}  // namespace tandem::raptorlift
