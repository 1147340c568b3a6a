// SPDX-License-Identifier: Apache-2.0
// The three examples of docs/generic.md, as people copy them.
#include <doctest/doctest.h>

#include "tandem/machines/generic/schema/read.hpp"
#include "tests/machines/generic/schema/reading.hpp"

using namespace tandem::generic;
using tandem::generic::testing::must_read;

TEST_CASE("the press of the documentation is read as it is written") {
  const auto press = must_read(R"(
type: generic
device: modbus://192.168.1.40?unit=1
cycle: 50 ms
base: 40001
signals:
  pressure:  {at: 30001, type: uint16, scale: 0.1, unit: bar, expect: [0, 350], sim: {first_order: valve, gain: 3, tau: 0.4 s}}
  ram:       {at: 40011, type: int32, order: cdab, scale: 0.01, unit: mm, sim: {integrate: valve, gain: 0.8, limits: [0, 400]}}
  state:     {at: 40020, type: uint16, names: {0: idle, 1: pressing, 2: fault}}
  safety:    {at: 40021, type: uint16, bits: {0: door_closed, 1: e_stop_ok}, critical: true}
  valve:     {at: 40101, type: int16, scale: 0.1, unit: "%", write: {limits: [-100, 100], rate: 200 /s, idle: zero, watchdog: 10 s, confirm: 40111}}
arm: {heartbeat: 40100, enable: "safety.door_closed and safety.e_stop_ok"}
)");
  CHECK(press->protocol == Protocol::modbus);
  CHECK(press->cycle == 0.05);
  REQUIRE(press->signals.size() == 6);  // with the place where the valve is read back
  const Declaration& pressure = *press->find("pressure");
  CHECK(std::get<ModbusPlace>(pressure.at) == ModbusPlace{ModbusTable::input, 0, -1});
  CHECK(pressure.type == Type::uint16);
  CHECK(pressure.scale == 0.1);
  CHECK(pressure.expect->highest == 350);
  CHECK(pressure.sim->kind == Sim::Kind::first_order);
  CHECK(pressure.sim->signal == "valve");
  CHECK(pressure.sim->tau == 0.4);
  const Declaration& ram = *press->find("ram");
  CHECK(std::get<ModbusPlace>(ram.at) == ModbusPlace{ModbusTable::holding, 10, -1});
  CHECK(ram.order == tandem::modbus::WordOrder::cdab);
  CHECK(ram.sim->limits->highest == 400);
  CHECK(press->find("state")->names[2] == std::pair<std::int64_t, std::string>(2, "fault"));
  CHECK(press->find("safety")->bits[1] == std::pair<int, std::string>(1, "e_stop_ok"));
  const Output& valve = *press->find("valve")->write;
  CHECK(valve.limits.lowest == -100);
  CHECK(valve.rate == 200.0);
  CHECK(valve.idle == Output::Idle::zero);
  CHECK(valve.watchdog == 10.0);
  CHECK(std::get<ModbusPlace>(*valve.confirm) == ModbusPlace{ModbusTable::holding, 110, -1});
  const Declaration& hidden = *press->find("valve.confirm");
  CHECK(hidden.hidden);
  CHECK(std::get<ModbusPlace>(hidden.at) == ModbusPlace{ModbusTable::holding, 110, -1});
  CHECK(std::get<ModbusPlace>(*press->heartbeat).address == 99);
  CHECK(writes_table(*press) ==
        "press: can be written while armed:\n"
        "  valve      40101  -100 to 100 %       200 /s  after 10000 ms zero  confirmed by 40111\n"
        "  heartbeat  40100  counts while armed\n"
        "  only while: safety.door_closed and safety.e_stop_ok\n");
}

TEST_CASE("the examples of the source tree are read") {
  const std::string folder = std::string(TANDEM_SOURCES) + "/examples/";
  const auto press = load_description(folder + "11_press/press.yaml");
  CHECK(press->protocol == Protocol::modbus);
  CHECK(press->writes());
  const auto conveyor = load_description(folder + "12_conveyor/conveyor.yaml");
  CHECK(conveyor->protocol == Protocol::ads);
  CHECK(conveyor->types.size() == 2);
  const auto gantry = load_description(folder + "13_gantry/gantry.yaml");
  CHECK(gantry->robot->joints.size() == 2);
  CHECK(gantry->find("z")->sim->kind == Sim::Kind::joint);
}
