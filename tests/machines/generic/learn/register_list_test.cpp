// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/learn/register_list.hpp"

#include <doctest/doctest.h>

#include "tandem/machines/generic/learn/csv.hpp"
#include "tandem/machines/generic/learn/register_cells.hpp"
#include "tests/machines/generic/learn/files.hpp"

using namespace tandem;
using namespace tandem::generic;

namespace {

ProposedDevice learned(std::string_view csv, const RegisterListOptions& options = {}) {
  auto device = read_register_list(csv, "list.csv", options);
  REQUIRE_MESSAGE(device.ok(), (device ? "" : device.error().text));
  return std::move(*device);
}
std::string error_of(std::string_view csv, const RegisterListOptions& options = {}) {
  const auto device = read_register_list(csv, "list.csv", options);
  return device ? "none" : device.error().text;
}
const ProposedSignal& signal(const ProposedDevice& device, std::string_view name) {
  for (const auto& each : device.signals) {
    if (each.name == name) return each;
  }
  FAIL(std::string(name));
  return device.signals.front();
}

}  // namespace

TEST_CASE("a register list with semicolons and decimal commas becomes the file that was checked by hand") {
  RegisterListOptions options;
  options.machine = "pump_station";
  const auto device =
      read_register_list(testing::example("14_register_list/pump_station.csv"), "pump_station.csv", options);
  REQUIRE(device.ok());
  CHECK(to_yaml(*device) == testing::example("14_register_list/pump_station.yaml"));
  CHECK(*checked_yaml(*device) == to_yaml(*device));
  const auto read = testing::read_back(*device);
  REQUIRE(read->signals.size() == 20);
  const auto& flow = *read->find("flow");
  CHECK(std::get<ModbusPlace>(flow.at) == ModbusPlace{ModbusTable::input, 2, -1});
  CHECK(flow.type == Type::float32);
  CHECK(flow.order == modbus::WordOrder::cdab);
  CHECK(flow.unit == "m3/h");
  CHECK(read->find("motor_temperature")->scale == 0.1);
  CHECK(read->find("state")->names == Names{{0, "off"}, {1, "running"}, {2, "fault"}});
  CHECK(std::get<ModbusPlace>(read->find("emergency_stop_released")->at) == ModbusPlace{ModbusTable::holding, 4, 1});
  CHECK(read->find("serial_number")->text_length == 8);
  CHECK(std::get<ModbusPlace>(read->find("horn")->at) == ModbusPlace{ModbusTable::coil, 0, -1});
  CHECK(!read->writes());
}

TEST_CASE("a plain list with commas, hexadecimal addresses and a bad row") {
  const auto device = learned(testing::golden("plain.csv"));
  CHECK(device.base.empty());
  CHECK(signal(device, "voltage_l1").at == "holding 0");
  CHECK(signal(device, "power_total").at == "input 16");
  CHECK(signal(device, "power_total").type == "int32");
  CHECK(signal(device, "cos_phi").at == "input 18");
  CHECK(signal(device, "cos_phi").scale == "0.001");
  CHECK(device.signals.size() == 4);
  const std::string text = to_yaml(device);
  CHECK(text.find("# Left out, line 6: expected an address, got 'none'") != text.npos);
  testing::read_back(device);
}

TEST_CASE("how addresses count is seen from all of them, and asked where they differ") {
  CHECK(learned("address,name\n40001,a\n40017,b\n").base == "40001");
  CHECK(learned("address,name\n400001,a\n465536,b\n").signals[1].at == "465536");
  CHECK(learned("address,name\n1,a\n2,b\n").base.empty());
  RegisterListOptions one;
  one.base = 1;
  CHECK(learned("address,name\n1,a\n2,b\n", one).base == "1");
  CHECK(learned("address,name\n1,a\n2,b\n", one).signals[0].at == "holding 1");
  CHECK(error_of("address,name\n0,a\n", one) == "list.csv:2: expected addresses from 1 (--base 1), got 0");
  CHECK(error_of("address,name\n40001,a\n17,b\n") ==
        "list.csv: expected addresses that all count alike, got 40001 in line 2 and 17 in line 3; say how they count "
        "with --base 0, 1 or 40001");
  RegisterListOptions wire;
  wire.base = 0;
  CHECK(learned("address,name\n40001,a\n17,b\n", wire).signals[0].at == "holding 40001");
}

TEST_CASE("cells of a list are read as people write them") {
  const auto address = [](std::string_view text) {
    const auto cell = address_cell(text);
    return cell ? std::tuple(cell->number, cell->count, cell->bit) : std::tuple(0U, 0U, -9);
  };
  CHECK(address("40001") == std::tuple(40001U, 1U, -1));
  CHECK(address("'40001-40002 ") == std::tuple(40001U, 2U, -1));
  CHECK(address("40001 .. 40004") == std::tuple(40001U, 4U, -1));
  CHECK(address("40001/40002") == std::tuple(40001U, 2U, -1));
  CHECK(address("0x1A") == std::tuple(26U, 1U, -1));
  CHECK(address("1Ah") == std::tuple(26U, 1U, -1));
  CHECK(address("40021.3") == std::tuple(40021U, 1U, 3));
  CHECK(address("40021 bit 3") == std::tuple(40021U, 1U, 3));
  CHECK(address("HR12") == std::tuple(12U, 1U, -1));
  CHECK(address_cell("%MW100")->table == ModbusTable::holding);
  CHECK(address_cell("3x0007")->table == ModbusTable::input);
  for (const char* bad : {"", "x", "40001-", "40001-40000", "40021.16", "0x", "99999999999", "1 2", "-3"})
    CHECK_MESSAGE(!address_cell(bad), bad);

  CHECK(table_cell("Holding Register") == ModbusTable::holding);
  CHECK(table_cell("FC 04") == ModbusTable::input);
  CHECK(table_cell("03 / 16") == ModbusTable::holding);
  CHECK(table_cell("1x") == ModbusTable::discrete);
  CHECK(!table_cell("uint16"));

  CHECK(type_cell("UINT16")->type == Type::uint16);
  CHECK(type_cell("unsigned 32 bit")->type == Type::uint32);
  CHECK(type_cell("32-bit float")->type == Type::float32);
  CHECK(type_cell("Float (CDAB)")->order == modbus::WordOrder::cdab);
  CHECK(type_cell("FP32_R")->order == modbus::WordOrder::cdab);
  CHECK(type_cell("STRING(20)")->length == 20);
  CHECK(!type_cell("holding"));
  CHECK(!type_cell("string 999"));

  CHECK(scale_cell("0,1", true) == 0.1);
  CHECK(scale_cell("x 0.1", false) == 0.1);
  CHECK(scale_cell("1/10", false) == 0.1);
  CHECK(scale_cell("/10", false) == 0.1);
  CHECK(*scale_cell("10^-2", false) == doctest::Approx(0.01));
  for (const char* bad : {"", "0", "1/0", "a", "nan", "1e300"}) CHECK_MESSAGE(!scale_cell(bad, false), bad);

  CHECK(order_cell("low word first")->order == modbus::WordOrder::cdab);
  CHECK(order_cell("word_byte")->order == modbus::WordOrder::dcba);
  CHECK(order_cell("Big Endian")->order == modbus::WordOrder::abcd);
  CHECK(order_cell("little endian")->ambiguous);
  CHECK(!order_cell("sideways"));

  CHECK(access_cell("R/W") == Access::both);
  CHECK(access_cell("ro") == Access::read);
  CHECK(access_cell("write only") == Access::write);
  CHECK(access_cell("?") == Access::unknown);
}

TEST_CASE("the header is found below titles, with the words of several languages") {
  const auto german = learned("Pumpe 4\n\nAdresse;Bezeichnung;Datentyp;Faktor;Einheit\n40001;Druck;INT16;0,1;bar\n");
  CHECK(german.signals[0].name == "druck");
  CHECK(german.signals[0].scale == "0.1");
  const auto tabs = learned("Register\tName\n7\tLevel [%]\n");
  CHECK(tabs.signals[0].name == "level");
  CHECK(tabs.signals[0].unit == "%");
  CHECK(error_of("a,b\n1,2\n") ==
        "list.csv:1: expected a header with `address` and at least one of name, description, table, type, scale, "
        "offset, unit, access, order; got 'a', 'b'");
  CHECK(error_of("") == "list.csv: expected rows of a table, got an empty file");
  CHECK(error_of(std::string_view("PK\x03\x04\0\0", 6)) ==
        "list.csv: expected a CSV file, got binary data; export the list as CSV");
  CHECK(error_of("address,name\nx,a\n") ==
        "list.csv: expected rows with an address, got none (line 2: expected an address, got 'x')");
}

TEST_CASE("rows that share a register may do so, and say what they are") {
  const auto device =
      learned("address,name,type\n10,Status,uint16\n10.0,Ready,bool\n10.1,Fault,bool\n10,Again,uint16\n");
  testing::read_back(device);
  CHECK(device.signals.size() == 4);
}

TEST_CASE("quoted cells hold separators, quotes and line ends") {
  const auto table = read_csv("a,\"b, \"\"c\"\"\nd\",e\r\n1,2,3\n", "x.csv");
  REQUIRE(table.ok());
  REQUIRE(table->rows.size() == 2);
  CHECK(table->rows[0].cells == std::vector<std::string>{"a", "b, \"c\" d", "e"});
  CHECK(table->rows[1].line == 3);
  CHECK(read_csv("sep=;\na;b\n", "x.csv")->rows[0].cells.size() == 2);
  CHECK(read_csv("\"never closed,\n\n", "x.csv").ok());
}

TEST_CASE("read/write in a list is a comment and never an output") {
  const auto device = learned("address,name,access\n1,a,RW\n2,b,W\n3,c,R\n");
  CHECK(!device.signals[0].commented);
  CHECK(device.signals[0].write == "{limits: [0, 1], rate: none}");
  CHECK(device.signals[1].commented);
  CHECK(device.signals[2].write.empty());
  const auto read = testing::read_back(device);
  CHECK(!read->writes());
  CHECK(read->signals.size() == 2);
}
