// SPDX-License-Identifier: Apache-2.0
// The examples of described machines on their virtual devices: the whole way over real sockets.
#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <thread>

#include "tandem/machines/generic/control/machine.hpp"
#include "tandem/machines/generic/schema/read.hpp"
#include "tandem/machines/generic/virtual/front.hpp"
#include "tests/deadline.hpp"

namespace tandem::generic::test {
namespace {

struct Plant {
  explicit Plant(const std::string& file) : Plant(load_description(std::string(TANDEM_EXAMPLES) + "/" + file)) {}
  explicit Plant(const std::shared_ptr<const Description>& description) : Plant(description, description) {}
  // The device knows more than the machine's file says.
  Plant(std::shared_ptr<const Description> served, std::shared_ptr<const Description> known) {
    own = std::make_shared<OwnDescription>();
    own->description = std::move(served);
    plug();
    auto file = std::make_shared<OwnDescription>();
    file->description = std::move(known);
    machines::Setup setup{.name = own->description->name, .device = url, .options = {}};
    setup.clock = &system_clock();
    setup.own = file;
    made = make_machine(setup);
    machine = dynamic_cast<Machine*>(made.get());
    REQUIRE(machine != nullptr);
  }
  ~Plant() { unplug(); }

  void plug() {
    machines::VirtualSetup setup;
    setup.standard_ports = false;
    setup.port = port;
    setup.own = own;
    setup.clock = &system_clock();
    device = make_virtual_device(setup);
    url = device->url();
    const std::size_t end = url.find('?');
    port = std::stoi(url.substr(url.rfind(':', end) + 1));
    thread = std::jthread([this](const std::stop_token& stop) { device->run(stop); });
  }
  void unplug() {
    thread.request_stop();
    if (thread.joinable()) thread.join();
    device.reset();
  }

  // As the runtime does it: connects again whenever the link was lost, and never arms by itself.
  void step() {
    if (!linked) {
      linked = machine->connect(in(1s)).ok();
      if (!linked) std::this_thread::sleep_for(10ms);
      return;
    }
    const machines::Permit permit(armed, system_clock(), in(10s), &stopped, &arms);
    const auto cycle = machine->cycle(permit);
    if (!cycle) {
      machine->disconnect();
      linked = armed = false;
      return;
    }
    if (cycle->disarm || cycle->stop) armed = false;
    if (cycle->stop) stopped = true;
    if (cycle->disarm || cycle->stop) why = std::string(cycle->why);
  }
  template <typename Condition>
  bool soon(Condition condition) {
    const Instant end = tandem::soon();
    while (!condition()) {
      if (now() > end) return false;
      step();
    }
    return true;
  }
  // After the cycle in which the machine has seen it.
  void arm() {
    ++arms;
    armed = true;
    REQUIRE(soon([&] { return machine->commands().armed(); }));
  }
  void post(std::string_view name, double value) {
    const OutputInfo* const output = machine->commands().find(name);
    REQUIRE(output != nullptr);
    const auto posted = machine->commands().post(*output, value, now());
    CHECK_MESSAGE(posted, name, ": ", posted ? "" : posted.error().text);
  }
  double value(std::string_view name, std::size_t at = 0) const {
    for (const auto& each : machine->values()) {
      if (each.name == name && at < each.numbers.size()) return each.numbers[at];
    }
    return std::nan("");
  }

  std::shared_ptr<OwnDescription> own;
  std::unique_ptr<machines::VirtualDevice> device;
  std::string url, why;
  int port = 0;
  std::jthread thread;
  std::unique_ptr<machines::Machine> made;
  Machine* machine = nullptr;
  std::atomic<bool> armed{false}, stopped{false};
  std::atomic<std::uint64_t> arms{0};
  bool linked = false;
};

}  // namespace

TEST_CASE("the press of the examples obeys while armed, stops with its valve closed, and comes back disarmed") {
  Plant press("11_press/press.yaml");
  REQUIRE(press.soon([&] { return std::isfinite(press.value("pressure")) && press.value("safety", 0) == 1; }));
  press.arm();
  press.post("valve", 30);
  REQUIRE(press.soon([&] { return press.value("valve") == doctest::Approx(30); }));
  CHECK(press.soon([&] { return press.value("ram") > 1 && press.value("pressure") > 20; }));
  const auto end = now() + 500ms;  // read back all the time
  while (now() < end) press.step();
  CHECK_MESSAGE(press.armed, press.why);
  press.armed = false;
  press.stopped = true;
  CHECK(press.soon([&] { return press.value("valve") == 0; }));
  press.stopped = false;
  press.arm();
  press.post("valve", -20);
  REQUIRE(press.soon([&] { return press.value("valve") < -10; }));
  press.unplug();
  REQUIRE(press.soon([&] { return !press.linked; }));
  CHECK_FALSE(press.armed);
  press.plug();
  REQUIRE(press.soon([&] { return press.linked && press.value("valve") == 0; }));
  press.armed = true;
  ++press.arms;
  const auto quiet = now() + 300ms;
  while (now() < quiet) press.step();
  CHECK(press.value("valve") == 0);
  CHECK(press.machine->commands().armed());
}

TEST_CASE("the conveyor of the examples moves a belt by its structure on the PLC") {
  Plant conveyor("12_conveyor/conveyor.yaml");
  REQUIRE(conveyor.soon([&] { return std::isfinite(conveyor.value("belts[1].fSpeed")); }));
  conveyor.arm();
  const Instant end = soon();
  while (!(conveyor.value("belts[1].fSpeed") > 0.3) && now() < end) {
    conveyor.post("speed_1", 0.4);  // a speed ages
    for (int i = 0; i < 5; ++i) conveyor.step();
    if (!conveyor.armed) break;
  }
  CHECK_MESSAGE(conveyor.armed, conveyor.why);
  CHECK(conveyor.value("belts[1].fSpeed") > 0.3);
  CHECK(conveyor.soon([&] { return conveyor.value("speed_1") == 0; }));  // the last command is too old
}

TEST_CASE("an output whose type only the PLC knows ramps to its limit in whole numbers and is not stopped") {
  Declaration set;
  set.name = "set";
  set.at = AdsPlace{"MAIN.nSet"};
  set.write.emplace();
  set.write->limits = {0, 1.5};
  set.write->rate = 2;
  auto known = std::make_shared<Description>();
  known->name = "plc";
  known->protocol = Protocol::ads;
  known->cycle = 0.02;
  known->signals = {set};
  known->on_stop = {{"set", 0.9}};
  auto served = std::make_shared<Description>(*known);
  served->signals[0].type = Type::int16;
  Plant plc(served, known);
  REQUIRE(plc.soon([&] { return plc.value("set") == 0; }));
  plc.arm();
  plc.post("set", 1.5);
  const Instant end = now() + 1500ms;  // the ramp and many readings after it
  double highest = 0;
  while (now() < end && plc.armed) {
    plc.step();
    highest = std::max(highest, plc.value("set"));
  }
  CHECK_MESSAGE(plc.armed, plc.why);
  CHECK(highest == 1);
  CHECK(plc.value("set") == 1);
  plc.post("set", 0);
  CHECK(plc.soon([&] { return plc.value("set") == 0; }));
  plc.armed = false;
  plc.stopped = true;
  CHECK(plc.soon([&] { return plc.value("set") == 1; }));  // 0.9, as an INT has it
}

TEST_CASE("the gantry of the examples follows a command to where its robot is drawn") {
  Plant gantry("13_gantry/gantry.yaml");
  REQUIRE(gantry.soon([&] { return std::isfinite(gantry.value("x")); }));
  gantry.arm();
  gantry.post("x_set", 300);
  CHECK(gantry.soon([&] { return std::abs(gantry.value("x") - 300) < 20; }));
  CHECK_MESSAGE(gantry.armed, gantry.why);
  const machines::Scene scene = gantry.machine->scene();
  const machines::Picture picture = gantry.machine->picture();
  CHECK(picture.seen);
  REQUIRE(picture.frames.size() == scene.frames.size());
  double furthest = 0;
  for (const auto& frame : picture.frames)
    for (const double each : frame.position) furthest = std::max(furthest, std::abs(each));
  CHECK(furthest > 0.2);
  CHECK(scene.parts.size() >= 2);
}

}  // namespace tandem::generic::test
