// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/learn/proposal.hpp"

#include <doctest/doctest.h>

#include "tests/machines/generic/learn/files.hpp"

using namespace tandem;
using namespace tandem::generic;

TEST_CASE("names of signals are made of any text and are never taken twice") {
  std::vector<ProposedSignal> taken;
  CHECK(signal_name_from("Motor Speed (act.)", taken) == "motor_speed_act");
  CHECK(signal_name_from("MotorSpeed2", taken) == "motor_speed2");
  CHECK(signal_name_from("HTTPCode", taken) == "http_code");
  CHECK(signal_name_from("Größe Ölfilter °C", taken) == "groesse_oelfilter_deg_c");
  CHECK(signal_name_from("Gr\xF6\xDF"
                         "e",
                         taken) == "groesse");  // ISO-8859-1
  CHECK(signal_name_from("2nd pump", taken) == "signal_2nd_pump");
  CHECK(signal_name_from("", taken) == "signal");
  CHECK(signal_name_from("\xE6\xB8\xA9\xE5\xBA\xA6", taken) == "signal");  // letters with no form in ASCII
  CHECK(signal_name_from("t", taken) == "t_value");
  CHECK(signal_name_from(std::string(200, 'a'), taken).size() == 64);
  for (int i = 0; i < 3; ++i) {
    ProposedSignal signal;
    signal.name = signal_name_from("Level", taken);
    taken.push_back(signal);
  }
  CHECK(taken[1].name == "level_2");
  CHECK(taken[2].name == "level_3");
}

TEST_CASE("names out of PLC paths lose their prefix and take as many parts as they need") {
  std::vector<ProposedSignal> taken(3);
  CHECK(signal_name_from_path("GVL.aBelt", taken) == "belt");
  CHECK(signal_name_from_path("MAIN.nPcAlive", taken) == "pc_alive");
  CHECK(signal_name_from_path("MAIN.rx", taken) == "rx");
  taken[0].name = "pos";
  CHECK(signal_name_from_path("GVL.stX.fPos", taken) == "x_pos");
  taken[1].name = "x_pos";
  CHECK(signal_name_from_path("GVL.stX.fPos", taken) == "gvl_x_pos");
  taken[2].name = "gvl_x_pos";
  CHECK(signal_name_from_path("GVL.stX.fPos", taken) == "gvl_st_x_f_pos");
}

TEST_CASE("units are found in comments, and only there where they are units") {
  CHECK(unit_in("speed [mm/s]") == "mm/s");
  CHECK(unit_in("[%] of the range") == "%");
  CHECK(unit_in("Temperatur in °C") == "Cel");
  CHECK(unit_in("pressure (bar)") == "bar");
  CHECK(unit_in("motor current, A") == "A");
  CHECK(unit_in("speed mm/s") == "mm/s");
  CHECK(unit_in("flow [m³/h]") == "m3/h");
  CHECK(unit_in("light is on") == "");
  CHECK(unit_in("axis (left)") == "");
  CHECK(unit_in("values [0..3]") == "");
  CHECK(unit_in("see [page 3, chapter 4]") == "");
  CHECK(unit_in("waits for A") == "");
  CHECK(unit_in("") == "");
  CHECK(unit_from("U/min") == "rpm");
  CHECK(unit_from("furlong") == "furlong");
  CHECK(unit_from("-") == "");
  CHECK(unit_from("a sentence that is longer than any unit is") == "");
}

TEST_CASE("enumerations are found in comments") {
  const Names three = {{0, "off"}, {1, "running"}, {2, "fault"}};
  CHECK(names_in("0=off, 1=running, 2=fault") == three);
  CHECK(names_in("State (0: off; 1: running; 2: fault)") == three);
  CHECK(names_in("0 = off").empty());
  CHECK(names_in("0=off, 1=on, 2=off") == Names{{0, "off"}, {1, "on"}});
  CHECK(names_in("10:30 to 12:45").size() <= 2);
  CHECK(names_in("register 5 of 12").empty());
  CHECK(names_in("99999999999999999999=x, 1=y").empty());
}

TEST_CASE("what is written is what the reader takes, whatever the texts hold") {
  ProposedDevice device;
  device.machine = "press";
  device.device = "modbus://127.0.0.1:1502?unit=1";
  device.base = "40001";
  device.order = "cdab";
  device.remarks = {"one\ntwo: {", "\x01\x02\xFF"};
  ProposedSignal signal;
  signal.name = "ram";
  signal.at = "40011";
  signal.type = "int32";
  signal.scale = "0.01";
  signal.offset = "-3";
  signal.unit = "m\"m\\ # : {";
  signal.reasons = {"first\nsecond", "\xE2\x80\xA8 line"};
  signal.write = "{limits: [0, 400], rate: none}";
  device.signals.push_back(signal);
  signal = {};
  signal.name = "state";
  signal.at = "40020.3";
  device.signals.push_back(signal);
  signal.name = "mode";
  signal.at = "40021";
  signal.type = "uint16";
  signal.names = {{0, "off"}, {1, "on"}, {2, "yes: \"no\""}};
  device.signals.push_back(signal);
  signal = {};
  signal.name = "lost";
  signal.at = "nonsense";
  signal.commented = true;
  device.signals.push_back(signal);
  const auto read = testing::read_back(device);
  REQUIRE(read->signals.size() == 3);
  CHECK(read->signals[0].unit == "m\"m\\ # : {");
  CHECK(read->signals[0].scale == 0.01);
  CHECK(read->signals[0].offset == -3);
  CHECK(read->signals[0].order == modbus::WordOrder::cdab);
  CHECK(!read->signals[0].write);
  CHECK(std::get<ModbusPlace>(read->signals[1].at) == ModbusPlace{ModbusTable::holding, 19, 3});
  CHECK(read->signals[2].names[2].second == "yes: \"no\"");
  // As an output, by taking away the comment.
  std::string text = to_yaml(device);
  const auto line = text.find("      ram: ");
  const auto comment = text.find("      # ram: ");
  REQUIRE(line != text.npos);
  REQUIRE(comment != text.npos);
  text.erase(comment + 6, 2);
  text.erase(line, text.find('\n', line) + 1 - line);
  const yaml::Node root = yaml::parse(text, "x.yaml");
  const auto armed = read_description(root.items.at(0).items.at(0), "x.yaml", "press");
  REQUIRE(armed.description);
  CHECK(armed.description->find("ram")->write->limits.highest == 400);
}

TEST_CASE("what the reader refuses becomes a comment that says why") {
  ProposedDevice device;
  device.machine = "press";
  device.device = "modbus://127.0.0.1";
  for (const auto& [name, at, type] : {std::tuple{"a", "holding 1", "int32"},
                                       {"b", "holding 2", "int16"},
                                       {"c", "holding 70000", "int16"},
                                       {"d", "holding 9", "nonsense"},
                                       {"e", "input 3", "float32"}}) {
    ProposedSignal signal;
    signal.name = name;
    signal.at = at;
    signal.type = type;
    device.signals.push_back(signal);
  }
  const auto text = checked_yaml(device);
  REQUIRE(text.ok());
  CHECK(text->find("# Left out: c.at: expected an address up to 65535, got 70000") != text->npos);
  CHECK(text->find("# Left out: d.type: expected int16") != text->npos);
  CHECK(text->find("      # b: {at: holding 2, type: int16}") != text->npos);
  CHECK(text->find("      a: {at: holding 1, type: int32}") != text->npos);
  CHECK(text->find("      e: {at: input 3, type: float32}") != text->npos);
  device.signals = {device.signals[2]};
  CHECK(checked_yaml(device).error().text.find("expected signals that can be read, got none") == 0);
}
