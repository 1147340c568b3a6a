// SPDX-License-Identifier: Apache-2.0
#include "tandem/machines/generic/learn/plc_program.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tandem/machines/generic/learn/twincat_files.hpp"
#include "tests/machines/generic/learn/files.hpp"

using namespace tandem;
using namespace tandem::generic;

namespace {

PlcProgram program_of(const std::string& file) {
  auto program = read_twincat_file(testing::golden(file), file);
  REQUIRE_MESSAGE(program.ok(), (program ? "" : program.error().text));
  return std::move(*program);
}

ads::SymbolInfo symbol(const std::string& name, const std::string& type) {
  ads::SymbolInfo out;
  out.name = name;
  out.type = type;
  return out;
}

std::vector<std::string> places(const ProposedDevice& device) {
  std::vector<std::string> out;
  for (const auto& each : device.signals) out.push_back(each.at);
  return out;
}

}  // namespace

TEST_CASE("a .tmc becomes the file that was checked by hand") {
  const auto device = propose(program_of("conveyor.tmc"), {{}, "conveyor", "ads://192.168.1.15"});
  REQUIRE(device.ok());
  CHECK(to_yaml(*device) == testing::golden("conveyor.yaml"));
  CHECK(*checked_yaml(*device) == to_yaml(*device));
  const auto read = testing::read_back(*device);
  CHECK(!read->writes());
  const auto& belt = *read->find("belt");
  CHECK(belt.plc_type == "ARRAY [1..4] OF ST_Belt");
  CHECK(belt.members.at("fSpeed").unit == "m/s");
  CHECK(belt.members.at("eState").names == Names{{0, "stopped"}, {1, "running"}, {2, "jam"}});
}

TEST_CASE("a .tpy of TwinCAT 2 becomes the file that was checked by hand") {
  const auto program = program_of("press.tpy");
  CHECK(program.net_id == "5.20.30.40.1.1");
  CHECK(program.ams_port == 801);
  const auto device = propose(program, {{}, "press", "ads://5.20.30.40?net_id=5.20.30.40.1.1&port=801"});
  REQUIRE(device.ok());
  CHECK(to_yaml(*device) == testing::golden("press.yaml"));
  CHECK(*checked_yaml(*device) == to_yaml(*device));
  testing::read_back(*device);
}

TEST_CASE("files that are neither are refused with their line") {
  CHECK(read_twincat_file("<a/>", "x.tmc").error().text ==
        "x.tmc:1: expected TcModuleClass (.tmc) or PlcProjectInfo (.tpy), got a");
  CHECK(read_twincat_file("<TcModuleClass>\n<b>", "x.tmc").error().text.starts_with("x.tmc:2:"));
  const auto empty = propose(*read_twincat_file("<TcModuleClass/>", "x.tmc"), {});
  CHECK(empty.error().text ==
        "x.tmc: expected variables, got none; is a project downloaded and its symbol creation "
        "enabled?");
}

TEST_CASE("--match chooses by globs, whole structures or single members") {
  const auto program = program_of("conveyor.tmc");
  CHECK(places(*propose(program, {{"main.n*"}, "c", "ads://h"})) == std::vector<std::string>{"MAIN.nParts"});
  CHECK(places(*propose(program, {{"GVL.aBelt[2].fSpeed", "MAIN.sText"}, "c", "ads://h"})) ==
        std::vector<std::string>{"GVL.aBelt[2].fSpeed", "MAIN.sText"});
  CHECK(places(*propose(program, {{"MAIN.fbAxis.*"}, "c", "ads://h"})) ==
        std::vector<std::string>{"MAIN.fbAxis.fPosition"});
  CHECK(places(*propose(program, {{"MAIN.fbAxis.nStep"}, "c", "ads://h"})) ==
        std::vector<std::string>{"MAIN.fbAxis.nStep"});
  const auto none = propose(program, {{"NOTHING.*"}, "c", "ads://h"});
  REQUIRE(!none.ok());
  CHECK(none.error().text.starts_with(
      "conveyor.tmc: expected variables that can be read, got none; no name fits --match\n"));
  CHECK(matches_glob("GVL.*", "gvl.a.b"));
  CHECK(matches_glob("*Speed?", "MAIN.fSpeed2"));
  CHECK(!matches_glob("GVL.?", "GVL.ab"));
  CHECK(matches_glob("**", ""));
}

TEST_CASE("more than 2000 variables are shown as a tree with counts and not written") {
  PlcProgram program;
  program.origin = "ads://h";
  for (int i = 0; i < 1500; ++i)
    program.symbols.push_back(symbol(fmt::format("GVL.stLine{}.fValue{}", i % 3, i), "REAL"));
  for (int i = 0; i < 600; ++i) program.symbols.push_back(symbol(fmt::format("MAIN.nCount{}", i), "INT"));
  const auto many = propose(program, {{}, "plc", "ads://h"});
  REQUIRE(!many.ok());
  CHECK(many.error().fault == Fault::unsupported);
  CHECK(many.error().text.starts_with(
      "2100 signals would be taken; expected at most 2000 in one file; choose some with --match:\n"
      "  GVL                                      1500  --match 'GVL.*'\n"
      "    GVL.stLine0                             500  --match 'GVL.stLine0.*'\n"));
  CHECK(many.error().text.find("  MAIN                                      600  --match 'MAIN.*'\n") !=
        std::string::npos);
  const auto some = propose(program, {{"MAIN.*"}, "plc", "ads://h"});
  REQUIRE(some.ok());
  CHECK(some->signals.size() == 600);
}

TEST_CASE("pointers, references, function blocks and names with an underscore are left out and counted") {
  PlcProgram program;
  program.origin = "x";
  ads::TypeInfo block;
  block.name = "FB_Pump";
  block.members.resize(1);
  block.members[0].name = "bRun";
  block.members[0].type = "BOOL";
  ads::TypeInfo holder;
  holder.name = "ST_Station";
  holder.members.resize(2);
  holder.members[0].name = "fbPump";
  holder.members[0].type = "FB_Pump";
  holder.members[1].name = "fLevel";
  holder.members[1].type = "REAL";
  program.types = {block, holder};
  for (const auto& [name, type] : {std::pair{"M.p", "POINTER TO INT"},
                                   {"M.r", "REFERENCE TO INT"},
                                   {"M.fb", "FB_Pump"},
                                   {"M._x", "INT"},
                                   {"M.w", "WSTRING(20)"},
                                   {"M.u", "T_Unknown"},
                                   {"M.st", "ST_Station"},
                                   {"M.a", "ARRAY [1..2] OF ST_Station"},
                                   {"M.ton", "TON"}}) {
    program.symbols.push_back(symbol(name, type));
  }
  const auto device = propose(program, {{}, "plc", "ads://h"});
  REQUIRE(device.ok());
  CHECK(places(*device) == std::vector<std::string>{"M.st.fLevel", "M.a[1].fLevel", "M.a[2].fLevel"});
  CHECK(device->signals[0].name == "level");
  CHECK(device->signals[1].name == "a_1_level");
  const std::string text = to_yaml(*device);
  for (const char* left : {"1 pointers", "1 references", "4 function blocks", "1 names that begin with _", "1 WSTRING"})
    CHECK_MESSAGE(text.find(fmt::format("# Left out: {}.", left)) != text.npos, left);
}

TEST_CASE("types that lead to themselves, and other nonsense, end") {
  PlcProgram program;
  program.origin = "x";
  ads::TypeInfo alias;
  alias.name = "A";
  alias.type = "B";
  ads::TypeInfo back;
  back.name = "B";
  back.type = "A";
  ads::TypeInfo self;
  self.name = "S";
  self.members.resize(1);
  self.members[0].name = "s";
  self.members[0].type = "ARRAY [0..60] OF S";
  program.types = {alias, back, self};
  for (const char* type : {"A", "S", "ARRAY [0..4000000000] OF INT", "ARRAY [5..1] OF INT", "ARRAY OF", "", "STRING("})
    program.symbols.push_back(symbol("M.x", type));
  CHECK(!propose(program, {{"M.y"}, "plc", "ads://h"}).ok());
  program.symbols.resize(1);
  CHECK(!propose(program, {{}, "plc", "ads://h"}).ok());
}
