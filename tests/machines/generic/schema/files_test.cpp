// SPDX-License-Identifier: Apache-2.0
// Descriptions in files of their own, sizes, and what a file can hold.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>

#include "tests/machines/generic/schema/reading.hpp"
#include "tests/machines/generic/schema/temporary_folder.hpp"

using namespace tandem::generic;
using tandem::generic::testing::must_read;
using tandem::generic::testing::problems_of;
using tandem::generic::testing::TemporaryFolder;

namespace {

constexpr std::string_view keys = "cycle: 20 ms\nsignals:\n  a: {at: holding 1, sim: {table: table.csv}}\n";

std::string load_error(const std::string& file) {
  try {
    load_description(file);
    return "none";
  } catch (const tandem::yaml::FileError& error) {
    return error.what();
  }
}

}  // namespace

TEST_CASE("a description may be a file of its own, with its keys at the top or as a whole configuration") {
  const TemporaryFolder folder;
  folder.put("table.csv", "t;value\n0;1.5\n# a comment\n2;3\n");
  const std::string plain = folder.put("hot press.yaml", keys);
  const auto read = load_description(plain);
  CHECK(read->name == "hot_press");
  CHECK(read->cycle == 0.02);
  CHECK(read->find("a")->sim->rows == std::vector<std::pair<double, double>>{{0, 1.5}, {2, 3}});
  const std::string whole = folder.put(
      "lab.yaml",
      "ros: {domain: 3}\nmachines:\n  lift: {type: raptorlift, device: virtual}\n  press:\n    type: generic\n"
      "    device: virtual\n    signals: {a: {at: coil 1}}\n");
  CHECK(load_description(whole)->name == "press");
  // Named by another file.
  const auto other =
      read_description(tandem::yaml::parse("type: generic\nfile: hot press.yaml\nnamespace: /cell/p", "x.yaml"),
                       folder.path("x.yaml"), "mine");
  REQUIRE_MESSAGE(other.problems.empty(), other.problems[0].text);
  CHECK(other.description->name == "mine");
  CHECK(other.description->name_space == "/cell/p");
  CHECK(other.description->file == plain);
}

TEST_CASE("what is wrong with such a file has its own place") {
  const TemporaryFolder folder;
  const std::string wrong = folder.put("wrong.yaml", "signals:\n  a: {at: holding x}\n");
  CHECK(load_error(wrong) == wrong + ":2:11: a.at: expected an address behind 'holding', got 'x'");
  const auto other = read_description(tandem::yaml::parse("file: wrong.yaml", "x"), folder.path("x"), "mine");
  REQUIRE(other.problems.size() == 1);
  CHECK(other.problems[0].place.text() == wrong + ":2:11");
  CHECK(load_error(folder.path("none.yaml")) == folder.path("none.yaml") + ": cannot be read");
  const std::string empty = folder.put("empty.yaml", "# nothing\n");
  CHECK(load_error(empty) == empty + ": the file is empty");
  const std::string none = folder.put("none.yaml", "machines: {lift: {type: raptorlift}}");
  CHECK(load_error(none) == none + ": expected one machine of type generic under `machines`, got none");
  const std::string two = folder.put("two.yaml", "machines: {a: {type: generic}, b: {type: generic}}");
  CHECK(load_error(two) == two + ": expected one machine of type generic, got a and b");
  CHECK(
      problems_of("file: a.yaml\nsignals: {}\n") ==
      "press.yaml:2:1: unknown key 'signals' of press (known: type, device, twin, chaos, file, namespace, tf_prefix)");
  CHECK(problems_of("file: [a]\n") == "press.yaml:1:7: press.file: expected the name of a file, got a list");
  const std::string self = folder.put("self.yaml", "file: self.yaml\n");
  CHECK(load_error(self) == self + ":1:1: self: missing key 'signals'\n" + self +
                                ":1:7: self.file: expected the keys of the machine, got another file");
}

TEST_CASE("tables in files are read with their lines") {
  const TemporaryFolder folder;
  const auto problem = [&](std::string_view rows) {
    folder.put("table.csv", rows);
    return problems_of(keys, folder.path("press.yaml")).substr(folder.path("").size());
  };
  CHECK(problem("0,1\n0,2\n") == "press.yaml:3:35: a.sim.table: " + folder.path("table.csv") +
                                     ":2: expected a rising time (s) and a value, got '0,2'");
  CHECK(problem("") == "press.yaml:3:35: a.sim.table: " + folder.path("table.csv") + ": expected rows, got none");
}

TEST_CASE("2000 signals with all their keys are read, one more is refused") {
  std::string text = "base: 0\nsignals:\n";
  for (int i = 0; i < 2000; ++i)
    text += fmt::format(
        "  s{}: {{at: holding {}, type: uint16, scale: 0.1, offset: -5, unit: mm, expect: [0, 9], every: 1 s}}\n", i,
        i);
  const auto read = must_read(text);
  CHECK(read->signals.size() == 2000);
  CHECK(problems_of(text + "  more: {at: coil 1}\n") ==
        "press.yaml:3:3: press.signals: expected at most 2000, got 2001");
  CHECK(problems_of(text + std::string(256 * 1024, '#')).find("a configuration has at most 262144") !=
        std::string::npos);
}

TEST_CASE("every key of a signal arrives where it belongs") {
  const auto read = must_read(R"(
base: 1
order: cdab
limits: {holes: 4, pause: 5 ms, requests: 2, words: 60}
sim_shared: true
namespace: /cell/press
tf_prefix: p_
signals:
  level: {at: input 1, type: uint16, range: [0, 27648, -20, 100], unit: Cel, invalid: [0x8000, 65535], every: 1 s,
          deadband: 0.5, critical: false, optional: true, show: gauge, group: tank}
  angle: {at: holding 3, type: float32, unit: deg}
  raw:   {at: holding 5, order: badc, invalid: 0x8000}
  old:   {at: holding 7, type: uint32, order: abcd, count: 3}
  text:  {at: holding 20, type: string 11}
  lamp:  {at: coil 4, write: level}
  horn:  {at: coil 5, write: {pulse: 0.2 s}}
  door:  {at: "holding 40.3", write: {level: true, shared: true, watchdog: 2 s, idle: leave}}
  speed: {at: holding 41, unit: rpm, write: {limits: [0, 100], rate: 12 /min, tolerance: 0.5, confirm: input 9}}
  wave:  {at: holding 50, sim: {sine: {mean: 2, amplitude: 3, period: 4 s, phase: 1}, noise: 0.1, seed: 7},
          fault: [{at: 10 s, exception: 4, for: 2 s}, {drop: 2 s}, {freeze: 5 s}, {value: nan}]}
arm: {watchdog: 300 ms, on_stop: {speed: 0, lamp: true}}
)");
  CHECK(read->base == 1);
  CHECK(read->limits.holes == 4);
  CHECK(read->limits.pause == 0.005);
  CHECK(read->limits.requests == 2);
  CHECK(read->limits.words == 60);
  CHECK(read->sim_shared);
  CHECK(read->name_space == "/cell/press");
  CHECK(read->tf_prefix == "p_");
  const Declaration& level = *read->find("level");
  CHECK(std::get<ModbusPlace>(level.at).address == 0);
  CHECK(level.scale == doctest::Approx(120.0 / 27648));
  CHECK(level.offset == -20);
  CHECK(level.invalid == std::vector<double>{32768, 65535});
  CHECK(level.every == 1.0);
  CHECK(level.critical == false);
  CHECK(level.optional);
  CHECK(level.show == Show::gauge);
  CHECK(level.group == "tank");
  CHECK(read->find("angle")->order == tandem::modbus::WordOrder::cdab);
  CHECK(read->find("raw")->order == tandem::modbus::WordOrder::badc);
  CHECK(read->find("raw")->invalid == std::vector<double>{-32768});  // as an int16 reads it
  CHECK(read->find("old")->count == 3);
  CHECK(modbus_places(*read->find("old")) == 6);
  CHECK(read->find("text")->text_length == 11);
  CHECK(modbus_places(*read->find("text")) == 6);
  CHECK(read->find("lamp")->write->level == Output::Level::level);
  CHECK(read->find("horn")->write->pulse == 0.2);
  CHECK(read->find("door")->write->shared);
  CHECK(read->find("door")->write->idle == Output::Idle::leave);
  CHECK(read->find("door")->write->watchdog == 2.0);
  const Output& speed = *read->find("speed")->write;
  CHECK(speed.rate == 0.2);
  CHECK(speed.watchdog == 0.3);  // of speeds by default
  CHECK(speed.idle == Output::Idle::zero);
  CHECK(speed.tolerance == 0.5);
  CHECK(std::get<ModbusPlace>(read->find("speed.confirm")->at) == ModbusPlace{ModbusTable::input, 8, -1});
  const Declaration& wave = *read->find("wave");
  CHECK(wave.sim->mean == 2);
  CHECK(wave.sim->phase == 1);
  CHECK(wave.sim->noise == 0.1);
  CHECK(wave.sim->seed == 7);
  REQUIRE(wave.faults.size() == 4);
  CHECK(wave.faults[0].code == 4);
  CHECK(wave.faults[0].length == 2);
  CHECK(wave.faults[2].kind == TimedFault::Kind::freeze);
  CHECK(std::isnan(wave.faults[3].value));
  CHECK(read->on_stop == std::vector<std::pair<std::string, double>>{{"speed", 0}, {"lamp", 1}});
}

TEST_CASE("structures on a PLC have keys by member") {
  const auto read = must_read(R"(
device: ads://192.168.1.15?net_id=5.20.30.40.1.1&port=851
notify: true
types: {ST_Belt: {fSpeed: REAL, fCurrent: REAL, eState: INT}}
signals:
  belts:   {at: "GVL.aBelt", type: "ARRAY [1..4] OF ST_Belt", unit: {fSpeed: m/s, fCurrent: A}, scale: {fCurrent: 0.5},
            names: {eState: {0: stopped, 1: running}}, sim: {fSpeed: {sine: 1}, eState: 1}, expect: {fSpeed: [0, 2]}}
  message: {at: "MAIN.sText", type: STRING(80)}
  count:   {at: MAIN.nCount, type: UDINT, every: 200 ms}
  bits:    {at: MAIN.nBits, type: uint32, bits: {31: door}}
  speed_1: {at: "GVL.aCmd[1].fSpeed", unit: m/s, write: {limits: [0, 1.5], rate: 0.5 /s, confirm: "GVL.aBelt[1].fSpeedSet"}}
arm: {enable: "belts[1].eState == 1 and bits.door", heartbeat: MAIN.nAlive}
)");
  CHECK(read->protocol == Protocol::ads);
  CHECK(read->notify);
  CHECK(read->types[0].members[2] == std::pair<std::string, std::string>("eState", "INT"));
  const Declaration& belts = *read->find("belts");
  CHECK(belts.plc_type == "ARRAY [1..4] OF ST_Belt");
  CHECK(belts.type == Type::unknown);
  CHECK(belts.members.at("fSpeed").unit == "m/s");
  CHECK(belts.members.at("fSpeed").sim->kind == Sim::Kind::sine);
  CHECK(belts.members.at("fSpeed").expect->highest == 2);
  CHECK(belts.members.at("fCurrent").scale == 0.5);
  CHECK(belts.members.at("eState").names.size() == 2);
  CHECK(belts.members.at("eState").sim->value == 1);
  CHECK_FALSE(belts.critical.has_value());  // the expression watches the one member itself
  CHECK(read->find("bits")->critical == true);
  CHECK(read->find("message")->text_length == 80);
  CHECK(read->find("count")->type == Type::uint32);
  CHECK(std::get<AdsPlace>(read->find("speed_1.confirm")->at).symbol == "GVL.aBelt[1].fSpeedSet");
}

TEST_CASE("range, invalid, deadband and critical have keys by member as well") {
  const auto read = must_read(R"(
protocol: ads
signals:
  axis:
    at: GVL.stAxis
    range: {fPos: [0, 100, 0, 50]}
    invalid: {nRaw: [0xFFFF], fPos: -1}
    deadband: {fPos: 0.5}
    critical: {bOk: true}
)");
  const auto& members = read->find("axis")->members;
  CHECK(members.at("fPos").scale == 0.5);
  CHECK(members.at("fPos").offset == 0.0);
  CHECK(members.at("fPos").deadband == 0.5);
  CHECK(members.at("fPos").invalid == std::vector<double>{-1});
  CHECK(members.at("nRaw").invalid == std::vector<double>{65535});
  CHECK(members.at("bOk").critical == true);
  CHECK_FALSE(members.at("fPos").critical.has_value());
  CHECK(problems_of("protocol: ads\nsignals: {a: {at: X.a, deadband: {f: -1}, critical: {f: 2}}}\n") ==
        "press.yaml:2:38: a.deadband.f: expected a number of at least 0, got '-1'\n"
        "press.yaml:2:57: a.critical.f: expected true or false, got '2'");
}

TEST_CASE("what an output is read back from has the type that the PLC says") {
  const auto read = must_read(R"(
protocol: ads
signals:
  set: {at: GVL.fSet, type: REAL, unit: mm, scale: 2, write: {limits: [0, 1], rate: none, confirm: GVL.fActual}}
)");
  const Declaration& confirm = *read->find("set.confirm");
  CHECK(confirm.type == Type::unknown);
  CHECK(confirm.plc_type.empty());
  CHECK(confirm.scale == 2);
}

TEST_CASE("positions in 32 bits are noted") {
  const auto read = must_read("protocol: ads\nsignals:\n  x: {at: MAIN.x, type: REAL, unit: mm}\n");
  REQUIRE(read->notes.size() == 1);
  CHECK(read->notes[0].starts_with("press.yaml:3:3: x: "));
}
