// SPDX-License-Identifier: Apache-2.0
// The upload of symbols and types over a real socket.
#include "tandem/machines/generic/learn/ads_upload.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <thread>

#include "tandem/machines/generic/virtual/ads_front.hpp"
#include "tandem/protocols/ads/server/server.hpp"
#include "tests/deadline.hpp"
#include "tests/machines/generic/learn/files.hpp"

using namespace tandem;
using namespace tandem::generic;

namespace {

class Plc {
 public:
  explicit Plc(ads::SymbolTable& table) {
    ads::ServerOptions options;
    options.tcp_port = 0;
    options.udp = false;
    auto server = ads::Server::listen(table, options);
    REQUIRE(server.ok());
    server_ = std::move(*server);
    thread_ = std::jthread([this](const std::stop_token& stop) {
      while (!stop.stop_requested()) server_->poll(now() + 5ms);
    });
  }
  std::string url() const { return fmt::format("ads://127.0.0.1:{}", server_->tcp_port()); }

 private:
  std::unique_ptr<ads::Server> server_;
  std::jthread thread_;
};

}  // namespace

TEST_CASE("learning a PLC gives back the names, places and types of its variables") {
  ads::SymbolTable table;
  table.types().structure(
      "ST_Belt", {{"fSpeed", "REAL", "belt speed [m/s]"}, {"fCurrent", "REAL", "in A"}, {"nState", "INT", ""}});
  table.types().structure("ST_Line", {{"stFirst", "ST_Belt", ""}, {"aTemp", "ARRAY [0..3] OF LREAL", ""}});
  table.types().alias("E_Mode", "INT");
  table.add("GVL.aBelt", "ARRAY [1..4] OF ST_Belt", "the belts");
  table.add("GVL.stLine", "ST_Line");
  table.add("MAIN.nParts", "UDINT", "parts since start");
  table.add("MAIN.sText", "STRING(80)");
  table.add("MAIN.eMode", "E_Mode");
  table.add("MAIN.fLevel", "LREAL", "level [%]");
  table.add_at("IO.bHorn", "BOOL", ads::Area::outputs, 3, "horn");
  const Plc plc(table);
  const auto program = upload_program(plc.url(), soon());
  REQUIRE_MESSAGE(program.ok(), (program ? "" : program.error().text));
  CHECK(program->symbols.size() == 7);
  const auto device = propose(*program, {{}, "line", plc.url()});
  REQUIRE(device.ok());
  INFO(to_yaml(*device));
  const auto read = testing::read_back(*device);
  const std::vector<std::tuple<std::string, std::string, std::string>> expected = {
      {"belt", "GVL.aBelt", "ARRAY [1..4] OF ST_Belt"},
      {"line", "GVL.stLine", "ST_Line"},
      {"parts", "MAIN.nParts", "UDINT"},
      {"text", "MAIN.sText", "STRING(80)"},
      {"mode", "MAIN.eMode", "INT"},
      {"level", "MAIN.fLevel", "LREAL"},
      {"horn", "IO.bHorn", "BOOL"}};
  REQUIRE(device->signals.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const auto& signal = device->signals[i];
    CHECK(std::tuple(signal.name, signal.at, signal.type) == expected[i]);
    CHECK(std::get<AdsPlace>(read->signals[i].at).symbol == std::get<1>(expected[i]));
  }
  CHECK(device->signals[0].member_units ==
        std::vector<std::pair<std::string, std::string>>{{"fSpeed", "m/s"}, {"fCurrent", "A"}});
  CHECK(device->signals[5].unit == "%");
  CHECK(device->signals[6].write == "level");
  REQUIRE(device->types.size() == 2);
  CHECK(device->types[0].name == "ST_Belt");
  CHECK(device->types[1].members[0] == std::pair<std::string, std::string>("stFirst", "ST_Belt"));
  CHECK(!read->writes());
}

TEST_CASE("learning the virtual conveyor gives back the variables, types and units of its file") {
  const auto file = load_description(TANDEM_EXAMPLES "/12_conveyor/conveyor.yaml");
  machines::VirtualSetup setup;
  setup.standard_ports = false;
  setup.clock = &system_clock();
  AdsFront front(file, setup);
  const std::jthread serving([&front](const std::stop_token& stop) {
    while (!stop.stop_requested()) front.serve(now() + 5ms);
  });
  const auto program = upload_program(front.url(), soon());
  REQUIRE_MESSAGE(program.ok(), (program ? "" : program.error().text));
  const auto device = propose(*program, {{}, "conveyor", front.url()});
  REQUIRE(device.ok());
  INFO(to_yaml(*device));
  const auto learned = testing::read_back(*device);
  for (const Declaration& expected : file->signals) {
    if (expected.hidden) continue;  // inside of another
    const auto found = std::ranges::find(learned->signals, expected.at, &Declaration::at);
    REQUIRE_MESSAGE(found != learned->signals.end(), expected.name);
    if (!expected.plc_type.empty()) CHECK_MESSAGE(same_plc_type(found->plc_type, expected.plc_type), expected.name);
    CHECK_MESSAGE(found->type == expected.type, expected.name);
    CHECK_MESSAGE(found->text_length == expected.text_length, expected.name);
    if (!expected.unit.empty()) CHECK_MESSAGE(found->unit == expected.unit, expected.name);
  }
  REQUIRE(!learned->types.empty());
  CHECK(learned->types[0].name == "ST_Belt");
  CHECK(learned->types[0].members == file->types[0].members);
  // Learned from what was learned, nothing changes any more.
  AdsFront again(learned, setup);
  const std::jthread second([&again](const std::stop_token& stop) {
    while (!stop.stop_requested()) again.serve(now() + 5ms);
  });
  const auto twice = upload_program(again.url(), soon());
  REQUIRE(twice.ok());
  const auto same = propose(*twice, {{}, "conveyor", front.url()});
  REQUIRE(same.ok());
  REQUIRE(same->signals.size() == device->signals.size());
  for (const ProposedSignal& each : device->signals) {
    const auto found = std::ranges::find(same->signals, each.at, &ProposedSignal::at);
    REQUIRE_MESSAGE(found != same->signals.end(), each.at);
    CHECK(found->name == each.name);
    CHECK(found->type == each.type);
  }
}

TEST_CASE("a PLC of 5000 variables is learned with --match and shown as a tree without") {
  ads::SymbolTable table;
  for (int i = 0; i < 5000; ++i)
    table.add(fmt::format("GVL_{}.fValue{}", i / 500, i), i % 2 == 0 ? "REAL" : "DINT", "value [mm]");
  const Plc plc(table);
  const Instant begun = now();
  const auto program = upload_program(plc.url(), soon());
  REQUIRE_MESSAGE(program.ok(), (program ? "" : program.error().text));
  CHECK(program->symbols.size() == 5000);
  const auto all = propose(*program, {{}, "plc", plc.url()});
  REQUIRE(!all.ok());
  CHECK(all.error().text.starts_with("5000 signals would be taken"));
  const auto some = propose(*program, {{"GVL_0.*", "GVL_1.*", "GVL_2.*", "GVL_3.*"}, "plc", plc.url()});
  REQUIRE(some.ok());
  CHECK(some->signals.size() == 2000);
  MESSAGE("5000 symbols, 2000 signals: " << seconds(now() - begun) << " s");
}

TEST_CASE("addresses that are none, and PLCs that are not there, are named") {
  CHECK(upload_program("ads://h?net_id=1.2", soon()).error().text ==
        "ads://h?net_id=1.2: net_id: expected six numbers like 169.254.119.135.1.1, got '1.2'");
  CHECK(upload_program("modbus://h", soon()).error().text ==
        "modbus://h: expected an address like ads://192.168.1.15, got modbus://");
  CHECK(upload_program("ads://127.0.0.1:1", soon(2s)).error().fault == Fault::refused);
}
