// SPDX-License-Identifier: Apache-2.0
// What a person reads whose description is wrong: place and text, exactly.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include "tests/machines/generic/schema/reading.hpp"

using tandem::generic::testing::problems_of;

namespace {

// One signal in line 3 of a Modbus device.
std::string of_signal(const std::string& keys, const std::string& head = "base: 0") {
  return problems_of(head + "\nsignals:\n  ram: {" + keys + "}\n");
}
std::string of_write(const std::string& keys) { return of_signal("at: holding 1, scale: 0.1, write: {" + keys + "}"); }
std::string of_sim(const std::string& sim) {
  return problems_of("signals:\n  a: {at: holding 1}\n  b: {at: holding 2, sim: " + sim + "}\n");
}
std::string of_ads(const std::string& keys) {
  return problems_of("protocol: ads\nsignals:\n  a: {at: MAIN.a, " + keys + "}\n");
}

}  // namespace

TEST_CASE("all problems are listed at once with line and column, in the order of the file") {
  CHECK(problems_of(R"(cycle: 50
base: 2
signals:
  Ram: {at: holding 1}
  ram: {at: holdin 1, typ: int16, scale: big}
  valve: {at: holding 4, write: {}}
arm: {heartbeat: input 1, watch: 3}
colour: red
)") == R"(press.yaml:1:8: press.cycle: expected a duration such as 50 ms, got '50'
press.yaml:2:7: press.base: expected one of 0, 1, 40001, got '2'
press.yaml:4:3: signal 'Ram': expected up to 64 of a-z, 0-9 and _, a letter first
press.yaml:5:13: ram.at: expected a table and an address such as 'holding 16', got 'holdin 1'; did you mean 'holding'?
press.yaml:5:23: unknown key 'typ' of ram; did you mean 'type'? (known: at, type, count, order, unit, names, bits, expect, sim, scale, offset, range, invalid, every, deadband, critical, optional, alias, show, group, fault, write)
press.yaml:5:42: ram.scale: expected a number that is not 0, got 'big'
press.yaml:6:33: valve.write.limits: missing: a number that can be written needs [lowest, highest]
press.yaml:6:33: valve.write.rate: missing: most change per second such as 200 /s, or none for no limit
press.yaml:7:18: press.arm.heartbeat: expected a holding register, got 'input 1'
press.yaml:7:27: unknown key 'watch' of press.arm (known: watchdog, heartbeat, enable, on_stop)
press.yaml:8:1: unknown key 'colour' of press (known: type, twin, chaos, file, device, protocol, base, order, cycle, notify, sim_shared, limits, types, arm, signals, robot, namespace, tf_prefix))");
}

TEST_CASE("what is missing, doubled or of another kind is named") {
  CHECK(problems_of("cycle: 50 ms\n") == "press.yaml:1:1: press: missing key 'signals'");
  CHECK(problems_of("signals: {}\n") == "press.yaml:1:10: press.signals: expected at least one signal, got none");
  CHECK(problems_of("signals: 3\n") == "press.yaml:1:10: press.signals: expected keys with values, got '3'");
  CHECK(problems_of("[1]\n") == "press.yaml:1:1: press: expected keys with values, got a list");
  CHECK(of_signal("type: int16") == "press.yaml:3:3: ram: missing key 'at', its place on the device");
  CHECK(of_signal("at: [1]") == "press.yaml:3:13: ram.at: expected a place such as 'holding 16', got a list");
  CHECK(of_signal("at: holding 1, at: holding 2") == "press.yaml:3:24: 'at' twice; first at press.yaml:3:9");
  CHECK(problems_of("signals:\n  t: {at: holding 1}\n") ==
        "press.yaml:2:3: signal 't': expected another name; expressions have this word");
}

TEST_CASE("addresses off by one are noticed") {
  CHECK(of_signal("at: 40000", "base: 40001") == "press.yaml:3:13: ram.at: counts from 1: did you mean 40001?");
  CHECK(of_signal("at: holding 0", "base: 1") == "press.yaml:3:13: ram.at: counts from 1: did you mean holding 1?");
  CHECK(of_signal("at: holding 65535, type: int32") ==
        "press.yaml:3:3: ram: expected to end at address 65535, got 65536");
}

TEST_CASE("types and word order fit the place") {
  constexpr const char* types =
      "expected int16, uint16, int32, uint32, int64, uint64, float32, float64 or string N, got ";
  CHECK(of_signal("at: holding 1, type: int8") == std::string("press.yaml:3:30: ram.type: ") + types + "'int8'");
  CHECK(of_signal("at: holding 1, type: bit") ==
        "press.yaml:3:30: ram.type: expected a bit's number in `at`, such as 'holding 5.3'");
  CHECK(of_signal("at: coil 1, type: int16") == "press.yaml:3:27: ram.type: expected bit, got 'int16'");
  CHECK(of_signal("at: holding 1, type: string 300") ==
        "press.yaml:3:30: ram.type: expected string N with N from 1 to 250, got 'string 300'");
  CHECK(of_signal("at: holding 1, order: cdab") ==
        "press.yaml:3:31: ram.order: expected badc or dcba, got cdab; 16 bits have no words to swap");
  CHECK(of_signal("at: holding 1, order: swapped") ==
        "press.yaml:3:31: ram.order: expected one of abcd, cdab, badc, dcba, got 'swapped'");
  CHECK(of_signal("at: coil 1, order: badc") == "press.yaml:3:28: ram.order: not for a bit");
  CHECK(of_signal("at: holding 1, count: 200") ==
        "press.yaml:3:31: ram.count: expected a whole number from 1 to 125, got '200'");
  CHECK(of_signal("at: holding 1, type: float64", "limits: {words: 3}") ==
        "press.yaml:3:3: ram: expected limits.words of at least 4, so that one request reads it, got 3");
  CHECK(of_ads("order: cdab") == "press.yaml:3:26: a.order: not for ADS");
  CHECK(of_ads("type: STRING(999)") ==
        "press.yaml:3:25: a.type: expected STRING(N) with N from 1 to 255, got "
        "'STRING(999)'");
  CHECK(problems_of("protocol: ads\nbase: 1\nsignals:\n  a: {at: MAIN.a}\n") ==
        "press.yaml:2:7: press.base: only for Modbus");
}

TEST_CASE("scale, names and bits fit the type") {
  CHECK(of_signal("at: holding 1, scale: 0") == "press.yaml:3:31: ram.scale: expected a number that is not 0, got '0'");
  CHECK(of_signal("at: holding 1, range: [0, 0, 1, 2]") ==
        "press.yaml:3:31: ram.range: expected [raw0, raw1, value0, value1] with two raw values and two values that "
        "differ, got a list");
  CHECK(of_signal("at: holding 1, scale: 2, range: [0, 1, 0, 2]") ==
        "press.yaml:3:41: ram.range: expected either range or scale and offset, got both");
  CHECK(of_signal("at: holding 1, expect: [5, 1]") == "press.yaml:3:32: ram.expect: expected [low, high], got a list");
  CHECK(of_signal("at: holding 1, type: float32, names: {0: off}") == "press.yaml:3:39: ram.names: not for float32");
  CHECK(of_signal("at: holding 1, names: {off: 0}") ==
        "press.yaml:3:32: ram.names: expected whole numbers with texts such as {0: idle}, got 'off': '0'");
  CHECK(of_signal("at: holding 1, names: {0: off, 1: off}") == "press.yaml:3:43: ram.names: 'off' twice");
  CHECK(of_signal("at: holding 1, bits: {16: door}") ==
        "press.yaml:3:31: ram.bits: expected bits from 0 to 15, got '16'");
  CHECK(of_signal("at: holding 1, bits: {1: Door}") ==
        "press.yaml:3:34: ram.bits.1: expected a name of a-z, 0-9 and _, a letter first, got 'Door'");
  CHECK(of_signal("at: holding 1, scale: 2, names: {0: off}") == "press.yaml:3:24: ram.scale: not for an enumeration");
  CHECK(of_signal("at: holding 1, type: string 8, unit: mm") == "press.yaml:3:40: ram.unit: not for a string");
  CHECK(of_signal("at: coil 1, unit: mm") == "press.yaml:3:21: ram.unit: not for a bit");
  CHECK(of_signal("at: holding 1, type: uint16, invalid: [-1]") ==
        "press.yaml:3:47: ram.invalid: expected values that uint16 can hold, got a list");
  CHECK(of_signal("at: holding 1, unit: {x: mm}") ==
        "press.yaml:3:30: ram.unit: expected one value, got keys by member; only structures have them");
  CHECK(of_signal("at: holding 1, every: 10 ms") ==
        "press.yaml:3:31: ram.every: expected 0.05 to 86400 s, got '10 ms'");
  CHECK(of_signal("at: holding 1, show: graph") ==
        "press.yaml:3:30: ram.show: expected one of plot, lamp, gauge, slider, button, none, got 'graph'");
}

TEST_CASE("a string is simulated by a text that fits it") {
  const auto of_text = [](const std::string& sim) { return of_signal("at: holding 1, type: string 5, sim: " + sim); };
  CHECK(of_text("hello").empty());
  CHECK(of_text("{constant: hello}").empty());
  CHECK(of_text("12").empty());
  const std::string only =
      "press.yaml:3:45: ram.sim: expected {constant: TEXT}, as a string has no other behaviour, got ";
  CHECK(of_text("{sine: 2}") == only + "a map");
  CHECK(of_text("[1, 2]") == only + "a list");
  CHECK(of_text("toolong") == "press.yaml:3:45: ram.sim: expected at most 5 bytes, got 7");
}

TEST_CASE("a virtual PLC says which types it would have to guess") {
  const auto of_plc = [](const std::string& device, const std::string& belts) {
    return problems_of("device: " + device + "\nprotocol: ads\nsignals:\n  belts: {at: GVL.aBelt, " + belts +
                       "}\n  set: {at: \"GVL.aCmd[1].fSpeed\", write: {limits: [0, 1], rate: none, confirm: "
                       "\"gvl.abelt[1].fSpeedSet\"}}\n");
  };
  const std::string names = "unit: {fSpeed: m/s}, names: {eState: {0: off}}";
  CHECK(of_plc("virtual", names) ==
        "press.yaml:4:3: belts: a virtual PLC cannot ask for the type of GVL.aBelt: expected `type: \"ARRAY [1..N] OF "
        "ST_belts\"` and `types: {ST_belts: {eState: INT, fSpeed: LREAL, fSpeedSet: LREAL}}`");
  CHECK(of_plc("virtual", "every: 1 s").find("belts: a virtual PLC cannot ask") != std::string::npos);
  CHECK(of_plc("\"ads://10.0.0.1\"", names).empty());  // a real one is asked
}

TEST_CASE("noise decides nothing, and a control on the page fits its output") {
  CHECK(problems_of("signals:\n  a: {at: holding 1}\narm: {enable: \"a > noise()\"}\n") ==
        "press.yaml:3:15: press.arm.enable: noise() is only for the virtual device");
  CHECK(of_signal("at: holding 1, show: slider") ==
        "press.yaml:3:3: ram.show: slider: expected an output, got a signal without `write`");
  const std::string number = "at: holding 1, write: {limits: [0, 1], rate: none, watchdog: ";
  CHECK(of_signal(number + "none}, show: slider").empty());
  CHECK(of_signal(number + "none}, show: button") == "press.yaml:3:3: ram.show: button: expected a bit, got a number");
  CHECK(
      of_signal(number + "1 s}, show: slider") ==
      "press.yaml:3:3: ram.show: slider: expected a watchdog of at least 5 s, as a slider sends once, got 1 s; without "
      "`show` the page jogs it");
  CHECK(of_signal("at: coil 1, write: level, show: button").empty());
  CHECK(of_signal("at: coil 1, write: level, show: slider") ==
        "press.yaml:3:3: ram.show: slider: expected a number, got a bit");
}

TEST_CASE("a bit is confirmed by a bit and a register by a register") {
  CHECK(of_signal("at: coil 1, write: {level: true, confirm: holding 5}") ==
        "press.yaml:3:3: ram.write.confirm: expected a bit such as 'discrete 9' or 'holding 5.3', got holding 5");
  CHECK(of_signal("at: coil 1, write: {level: true, confirm: holding 5.3}").empty());
  CHECK(of_write("limits: [0, 1], rate: none, confirm: discrete 9") ==
        "press.yaml:3:3: ram.write.confirm: expected a register, got discrete 9");
  CHECK(of_write("limits: [0, 1], rate: none, confirm: input 9").empty());
}

TEST_CASE("an idle rule that would never happen is refused") {
  const std::string next = " never happens without `watchdog`; add `watchdog: 500 ms`, or write `idle: hold`";
  CHECK(of_write("limits: [0, 2], rate: none, idle: zero") == "press.yaml:3:3: ram: idle: zero" + next);
  CHECK(of_write("limits: [0, 2], rate: none, idle: leave, watchdog: none") ==
        "press.yaml:3:3: ram: idle: leave" + next);
  CHECK(of_write("limits: [0, 2], rate: none, idle: follow ram") == "press.yaml:3:3: ram: idle: follow ram" + next);
  CHECK(of_signal("at: coil 1, write: {pulse: 1 s, watchdog: 1 s, idle: zero}") ==
        "press.yaml:3:3: ram: idle: zero never happens, as a pulse ends by itself; remove `idle`");
  CHECK(of_write("limits: [0, 2], rate: none, idle: hold").empty());
  CHECK(of_write("limits: [0, 2], rate: none, idle: zero, watchdog: 1 s").empty());
  // Of speeds those of `arm` count; without a watchdog they hold.
  CHECK(of_signal("at: holding 1, unit: m/s, write: {limits: [0, 2], rate: none, idle: zero}").empty());
  CHECK(of_signal("at: holding 1, unit: m/s, write: {limits: [0, 2], rate: none, watchdog: none}").empty());
}

TEST_CASE("an output needs limits and rate, a bit pulse or level") {
  CHECK(of_write("rate: none") ==
        "press.yaml:3:43: ram.write.limits: missing: a number that can be written needs [lowest, highest]");
  CHECK(of_write("limits: [0, 1]") ==
        "press.yaml:3:43: ram.write.rate: missing: most change per second such as 200 /s, or none for no limit");
  CHECK(of_write("limits: [1, 1], rate: none") ==
        "press.yaml:3:52: ram.write.limits: expected [lowest, highest], got a list");
  CHECK(of_write("limits: [-5000, 1], rate: none") ==
        "press.yaml:3:52: ram.write.limits: expected within -3276.8 to 3276.7, which int16 with this scale "
        "can hold, got -5000 to 1");
  CHECK(of_write("limits: [0, 1], rate: 0 /s") ==
        "press.yaml:3:66: ram.write.rate: expected a rate above 0 such as 200 /s, or none, got '0 /s'");
  CHECK(of_write("limits: [1, 2], rate: none, idle: zero") ==
        "press.yaml:3:78: ram.write.idle: expected a value within the limits 1 to 2, got zero");
  CHECK(of_write("limits: [1, 2], rate: none, idle: stop") ==
        "press.yaml:3:78: ram.write.idle: expected one of hold, zero, leave, follow SIGNAL, got 'stop'");
  CHECK(of_write("limits: [1, 2], rate: none, watchdog: 1 s, idle: follow rum") ==
        "press.yaml:3:3: ram.write.idle: no signal 'rum'; did you mean 'ram'?");
  CHECK(of_write("limits: [1, 2], rate: none, pulse: 1 s") == "press.yaml:3:79: ram.write.pulse: only for bits");
  CHECK(of_signal("at: coil 1, write: {}") ==
        "press.yaml:3:28: ram.write.pulse: missing: a bit needs `pulse: 0.2 s` or `level: true`");
  CHECK(of_signal("at: coil 1, write: {level: true, limits: [0, 1]}") ==
        "press.yaml:3:50: ram.write.limits: not for a bit");
  CHECK(of_signal("at: input 1, write: {limits: [0, 1], rate: none}") ==
        "press.yaml:3:29: ram.write: expected a place in holding or coil, got input 1");
  CHECK(of_signal("at: holding 1, count: 2, write: {limits: [0, 1], rate: none}") ==
        "press.yaml:3:41: ram.write: expected a single value, got 2; declare those that are written one by one");
  CHECK(of_signal("at: holding 1, type: string 4, write: {}") == "press.yaml:3:40: ram.write: not for a string");
}

TEST_CASE("places that overlap are named with both signals") {
  const std::string head = "base: 40001\nsignals:\n  ram: {at: 40011, type: int32}\n";
  CHECK(problems_of(head + "  mode: {at: 40012}\n") ==
        "press.yaml:4:3: ram (40011-40012) and mode (40012) share 40012; `alias: true` allows it");
  CHECK(problems_of(head + "  mode: {at: 40012, alias: true}\n").empty());
  CHECK(problems_of(head + "  mode: {at: 40012, alias: true, write: {limits: [0, 1], rate: none}}\n") ==
        "press.yaml:4:3: ram (40011-40012) and mode (40012) share 40012");
  const std::string writes = ", write: {limits: [0, 1], rate: none}}\n";
  CHECK(problems_of("base: 40001\nsignals:\n  a: {at: 40001, type: int32" + writes + "  b: {at: 40002" + writes) ==
        "press.yaml:4:3: a (40001-40002) and b (40002) both write 40002: expected one writer for each place");
  CHECK(problems_of("base: 40001\nsignals:\n  a: {at: 40001" + writes + "arm: {heartbeat: 40001}\n") ==
        "press.yaml:3:3: a (40001) and the heartbeat both write 40001: expected one writer for each place");
  CHECK(problems_of("signals:\n  a: {at: holding 1.0}\n  b: {at: holding 1.1}\n  c: {at: input 1}\n").empty());
  CHECK(
      problems_of("signals:\n  a: {at: holding 1.1, write: level}\n  b: {at: holding 1.1, write: level}\n") ==
      "press.yaml:3:3: a (holding 1.1) and b (holding 1.1) both write holding 1.1: expected one writer for each place");
  CHECK(problems_of("protocol: ads\nsignals:\n  a: {at: GVL.a" + writes + "  b: {at: \"GVL.a.x[1]\"" + writes) ==
        "press.yaml:4:3: a (GVL.a) and b (GVL.a.x[1]) both write GVL.a.x[1]: expected one writer for each place");
  CHECK(problems_of("protocol: ads\nsignals:\n  a: {at: GVL.a" + writes + "  b: {at: gvl.A" + writes) ==
        "press.yaml:4:3: a (GVL.a) and b (gvl.A) both write gvl.A: expected one writer for each place");
  CHECK(problems_of("protocol: ads\nsignals:\n  a: {at: GVL.a" + writes + "arm: {heartbeat: GVL.A}\n") ==
        "press.yaml:3:3: a (GVL.a) and the heartbeat both write GVL.A: expected one writer for each place");
  CHECK(problems_of("protocol: ads\nsignals:\n  a: {at: GVL.a}\n  b: {at: GVL.a}\n  c: {at: GVL.ab}\n") ==
        "press.yaml:4:3: a (GVL.a) and b (GVL.a) share GVL.a; `alias: true` allows it");
}

TEST_CASE("an output that is also read is noted, as a bit of a register is") {
  const auto press = tandem::generic::testing::must_read(R"(
base: 40001
signals:
  state: {at: 40101}
  valve: {at: 40101, write: {limits: [0, 100], rate: 5 /s}}
  safety: {at: 40105, bits: {0: door}}
  lamp: {at: 40105.3, write: level}
)");
  REQUIRE(press->notes.size() == 2);
  CHECK(press->notes[0] == "press.yaml:5:3: valve is also read as state: confirm by default");
  CHECK(press->notes[1] == "press.yaml:7:3: lamp is also read as safety: confirm by default");
}

TEST_CASE("expressions and behaviours refer to signals of the file") {
  const std::string head = "signals:\n  a: {at: holding 1, bits: {0: door}}\n  s: {at: holding 9, type: string 4}\n";
  CHECK(problems_of(head + "arm: {enable: \"a.dor and a.door\"}\n") ==
        "press.yaml:4:15: arm.enable: no signal 'a.dor'; did you mean 'a.door'?");
  CHECK(problems_of(head + "arm: {enable: \"a.door and\"}\n") ==
        "press.yaml:4:15: press.arm.enable: character 11: expected a number, a signal, a function or '(', got the end");
  CHECK(problems_of(head + "arm: {enable: s}\n") == "press.yaml:4:15: arm.enable: expected a number, got the string s");
  CHECK(problems_of(head + "arm: {on_stop: {a: 0, b: 1}}\n") ==
        "press.yaml:4:6: arm.on_stop.a: expected an output, got a signal without `write`\n"
        "press.yaml:4:6: arm.on_stop.b: no signal 'b'");
  CHECK(of_sim("{first_order: c, gain: 2}") == "press.yaml:3:3: b.sim: no signal 'c'");
  CHECK(of_sim("{expression: a + bb}") == "press.yaml:3:3: b.sim: no signal 'bb'");
  CHECK(of_sim("{expression: a +}") ==
        "press.yaml:3:40: b.sim.expression: character 4: expected a number, a signal, a function or '(', got the end");
}

TEST_CASE("behaviours have the keys of their kind") {
  CHECK(of_sim("{sine: 1, tau: 3 s}") ==
        "press.yaml:3:37: unknown key 'tau' of b.sim (known: constant, ramp, sine, square, step, "
        "follow, first_order, second_order, integrate, table, counter, expression, joint, recording, noise, seed, "
        "mean, amplitude, period, phase)");
  CHECK(of_sim("{sine: 1, step: [0, 1]}") == "press.yaml:3:43: b.sim.step: expected one behaviour, got sine as well");
  CHECK(of_sim("{gain: 1}").starts_with("press.yaml:3:27: b.sim.constant: expected one of constant, ramp, sine"));
  CHECK(of_sim("{sine: {period: 3}}") ==
        "press.yaml:3:43: b.sim.sine.period: expected a duration such as 50 ms, got '3'");
  CHECK(of_sim("{follow: {gain: 3}}") == "press.yaml:3:36: b.sim.follow.signal: missing");
  CHECK(of_sim("{first_order: 3}") == "press.yaml:3:41: b.sim.first_order: expected the name of a signal, got '3'");
  CHECK(of_sim("{integrate: a, wrap: true}") == "press.yaml:3:27: b.sim.wrap: expected `limits`, got none");
  CHECK(of_sim("{table: [[0, 1], [0, 2]]}") ==
        "press.yaml:3:44: b.sim.table: expected [s, value] with a time above the one before, got a list");
  CHECK(of_sim("{joint: x}") == "press.yaml:3:3: b.sim.joint: expected `robot` with a URDF, got none");
  CHECK(of_sim("wave") ==
        "press.yaml:3:27: b.sim: expected a number, one of ramp, sine, square, step, or a behaviour "
        "with its keys, got 'wave'");
}

TEST_CASE("a cycle of behaviours is named") {
  const auto pair = [](const std::string& a, const std::string& b) {
    return problems_of("signals:\n  a: {at: holding 1, sim: " + a + "}\n  b: {at: holding 2, sim: " + b + "}\n");
  };
  CHECK(pair("{follow: b}", "{expression: a + 1}") ==
        "press.yaml:2:3: sim: a -> b -> a: a cycle without first_order, integrate or delay");
  CHECK(pair("{follow: a}", "1") == "press.yaml:2:3: sim: a -> a: a cycle without first_order, integrate or delay");
  CHECK(pair("{follow: b, delay: 10 ms}", "{expression: a + 1}").empty());
  CHECK(pair("{first_order: b, tau: 1 s}", "{expression: a + 1}").empty());
  CHECK(pair("{integrate: b}", "{expression: -a}").empty());
  CHECK(pair("{expression: prev(b)}", "{expression: a + 1}").empty());
}

TEST_CASE("faults are of one kind each") {
  CHECK(of_signal("at: holding 1, fault: {at: 1 s}") ==
        "press.yaml:3:31: ram.fault: expected one of exception, drop, freeze, value, got none");
  CHECK(of_signal("at: holding 1, fault: {exception: 12}") ==
        "press.yaml:3:43: ram.fault.exception: expected a code from 1 to 11, got '12'");
  CHECK(of_signal("at: holding 1, fault: {drop: 1 s, freeze: 1 s}") ==
        "press.yaml:3:51: ram.fault.freeze: expected one fault for each time, got two");
  CHECK(of_signal("at: holding 1, fault: [{drop: 2}]") ==
        "press.yaml:3:39: ram.fault.drop: expected a duration such as 2 s, got '2'");
}

TEST_CASE("a protocol that is not the device's is refused") {
  CHECK(problems_of("device: ads://1.2.3.4\nprotocol: modbus\nsignals:\n  a: {at: holding 1}\n") ==
        "press.yaml:2:11: press.protocol: expected that of the device ads://1.2.3.4, got modbus");
  CHECK(problems_of("device: virtual\nsignals:\n  a: {at: MAIN.a}\n  b: {at: holding 1}\n") ==
        "press.yaml:4:11: b.at: character 8: expected '.', '[' or the end, got ' '");
  CHECK(problems_of("protocol: ads\nsim_shared: true\nsignals:\n  a: {at: MAIN.a}\n") ==
        "press.yaml:2:13: press.sim_shared: only for Modbus");
}

TEST_CASE("structures of the file are laid out and have the members that keys name") {
  const std::string types =
      "protocol: ads\ntypes: {ST_Belt: {fSpeed: REAL, stMotor: ST_Motor}, ST_Motor: {fCurrent: REAL}}\n";
  const auto belts = [&](const std::string& keys) {
    return problems_of(types + "signals:\n  belts: {at: GVL.aBelt, type: \"ARRAY [1..4] OF ST_Belt\", " + keys + "}\n");
  };
  CHECK(belts("unit: {fSpeed: m/s, fCurrent: A, stMotor.fCurrent: mA}").empty());
  CHECK(belts("unit: {fSped: m/s}") ==
        "press.yaml:4:3: belts: no member 'fSped' in ARRAY [1..4] OF ST_Belt; did you mean 'fSpeed'? (known: fSpeed, "
        "fCurrent)");
  CHECK(problems_of("protocol: ads\ntypes: {ST: {a: ST}}\nsignals:\n  a: {at: MAIN.a}\n")
            .starts_with("press.yaml:2:8: types: "));
}
