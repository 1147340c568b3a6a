// SPDX-License-Identifier: Apache-2.0
// The control program in our own interpreter, over registers and motions that are only counted.
#include <doctest/doctest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tandem/machines/ur3e/device/control_script.hpp"
#include "tandem/urscript/link/program.hpp"
#include "tandem/urscript/run/interpreter.hpp"

using namespace tandem;
using namespace tandem::ur3e;
using urscript::Call;
using urscript::Value;

namespace {

constexpr std::int32_t identity = 4711;

// Registers, and motions that take as many cycles as they are told to.
class Bench {
 public:
  Bench() {
    urscript::add_language_library(builtins_);
    const auto index = [](const Value& value) { return static_cast<std::size_t>(*urscript::integer_of(value)); };
    builtins_.add("read_input_integer_register", {"n"},
                  [=, this](Call& call) { return urscript::Outcome(inputs.input_int_register.at(index(call[0]))); });
    builtins_.add("read_input_float_register", {"n"},
                  [=, this](Call& call) { return urscript::Outcome(inputs.input_double_register.at(index(call[0]))); });
    builtins_.add("write_output_integer_register", {"n", "value"}, [=, this](Call& call) {
      outputs[index(call[0])] = *urscript::integer_of(call[1]);
      return urscript::Outcome(urscript::None{});
    });
    builtins_.add("get_steptime", {}, [](Call&) { return urscript::Outcome(0.002); });
    for (const char* name : {"movej", "movel"}) motion(name, {"to", "a", "v", "t", "r"});
    motion("movep", {"to", "a", "v", "r"});
    motion("movec", {"via", "to", "a", "v", "r", "mode"});
    motion("servoj", {"q", "a", "v", "t", "lookahead_time", "gain"});
    for (const char* name : {"speedj", "speedl"}) motion(name, {"qd", "a", "t"});
    for (const char* name : {"stopj", "stopl"}) motion(name, {"a"});
    note("set_tcp", {"pose"});
    note("set_payload", {"m", "cog"});
    for (const char* name : {"freedrive_mode", "end_freedrive_mode", "end_force_mode", "zero_ftsensor"}) note(name, {});
    note("force_mode", {"task_frame", "selection_vector", "wrench", "type", "limits"});
    for (const char* name : {"set_standard_digital_out", "set_configurable_digital_out", "set_tool_digital_out",
                             "set_standard_analog_out"})
      note(name, {"n", "b"});

    const auto program = urscript::Program::parse(script::text(identity));
    REQUIRE_MESSAGE(program.ok(), (program ? "" : program.error().text));
    const auto code = program->link(builtins_);
    REQUIRE_MESSAGE(code.ok(), (code ? "" : code.error().text));
    interpreter.emplace(*code);
  }

  void step(int cycles = 1) {
    for (int i = 0; i < cycles; ++i) {
      if (alive) ++inputs.input_int_register[script::inputs::heartbeat];
      interpreter->step({++cycle_, 0.002});
      REQUIRE_MESSAGE(!interpreter->error(), (interpreter->error() ? interpreter->error()->text : ""));
    }
  }

  // All writes of the command, each after the one before was taken.
  std::int32_t command(const command::Any& what) {
    for (const script::Write& write : script::writes_for(what)) {
      script::place(write, ++sequence_, inputs);
      step(2);
      CHECK(output(script::outputs::taken) == sequence_);
    }
    return sequence_;
  }

  std::int32_t output(std::size_t place) { return outputs[place]; }
  int times(const std::string& name) {
    int count = 0;
    for (const std::string& line : log) count += line.starts_with(name + "(") ? 1 : 0;
    return count;
  }

  ur::ControllerInputs inputs;
  std::map<std::size_t, std::int32_t> outputs;
  std::vector<std::string> log;  // "movej([..], 1.4, ..)" when it began, "movej done" when it ended
  int motion_cycles = 5;
  bool alive = true;
  std::optional<urscript::Interpreter> interpreter;

 private:
  static std::string line(const std::string& name, const Call& call) {
    std::string text = name + "(";
    for (std::size_t i = 0; i < call.arguments.size(); ++i)
      text += (i == 0 ? "" : "; ") + urscript::to_text(call.arguments[i]);
    return text + ")";
  }
  static std::vector<urscript::Parameter> parameters(const std::vector<std::string>& names) {
    std::vector<urscript::Parameter> out;
    for (const std::string& name : names) out.emplace_back(name.c_str());
    return out;
  }
  void note(const std::string& name, const std::vector<std::string>& names) {
    builtins_.add(name, parameters(names), [=, this](Call& call) {
      log.push_back(line(name, call));
      return urscript::Outcome(urscript::None{});
    });
  }
  void motion(const std::string& name, const std::vector<std::string>& names) {
    builtins_.add_waiting(name, parameters(names), [=, this](Call& call) -> urscript::Outcome {
      if (!call.resumed()) {
        log.push_back(line(name, call));
        call.state = 0;
      }
      int& passed = std::any_cast<int&>(call.state);
      const bool streamed = name == "servoj" || name == "speedj" || name == "speedl";
      if (++passed <= (streamed ? 4 : motion_cycles)) return urscript::wait;
      log.push_back(name + " done");
      return urscript::Outcome(urscript::None{});
    });
  }

  urscript::Builtins builtins_;
  std::uint64_t cycle_ = 0;
  std::int32_t sequence_ = 0;
};

}  // namespace

TEST_CASE("The control program parses and links and says who it is") {
  Bench bench;
  bench.inputs.input_int_register[script::inputs::sequence] = 0;
  bench.step();
  CHECK(bench.output(script::outputs::identity) == identity);
  CHECK(bench.output(script::outputs::ending) == 0);
  CHECK(bench.interpreter->running());
}

TEST_CASE("A program that starts does not do the last command of the past again") {
  Bench bench;
  script::place(script::writes_for(command::MoveJoints{}).front(), 99, bench.inputs);
  bench.step(20);
  CHECK(bench.output(script::outputs::taken) == 99);
  CHECK(bench.log.empty());
}

TEST_CASE("A move is taken at once and told when it is finished") {
  Bench bench;
  bench.step();
  const auto sequence = bench.command(command::MoveJoints{{0.1, 0.2, 0.3, 0.4, 0.5, 0.6}, 1.5, 2.5, 3.5, 0.25});
  CHECK(bench.output(script::outputs::motion) == static_cast<int>(script::Code::movej));
  CHECK(bench.output(script::outputs::finished) == 0);
  bench.step(10);
  CHECK(bench.output(script::outputs::finished) == sequence);
  CHECK(bench.output(script::outputs::motion) == 0);
  REQUIRE(bench.log.size() == 2);
  CHECK(bench.log[0] == "movej([0.1, 0.2, 0.3, 0.4, 0.5, 0.6]; 1.5; 2.5; 3.5; 0.25)");
}

TEST_CASE("Every other command reaches its function with its numbers") {
  Bench bench;
  bench.step();
  bench.command(command::MoveLine{{1, 2, 3, 4, 5, 6}, 1.5, 2.5, 3.5, 0.5});
  bench.step(10);
  bench.command(command::MoveProcess{{1, 2, 3, 4, 5, 6}, 1.5, 2.5, 0.5});
  bench.step(10);
  bench.command(command::MoveCircle{{1, 2, 3, 4, 5, 6}, {6, 5, 4, 3, 2, 1}, 1.5, 2.5, 0.5, true});
  bench.step(10);
  bench.command(command::ToolCentre{{1, 2, 3, 4, 5, 6}});
  bench.command(command::Payload{1.5, {0.25, 0.5, 0.75}});
  bench.command(command::DigitalOut{command::Bank::standard, 3, true});
  bench.command(command::DigitalOut{command::Bank::configurable, 4, false});
  bench.command(command::DigitalOut{command::Bank::tool, 1, true});
  bench.command(command::AnalogOut{1, 0.5});
  bench.command(command::ZeroForceSensor{});
  bench.command(command::Nothing{});
  std::vector<std::string> begun;
  for (const std::string& line : bench.log)
    if (!line.ends_with(" done")) begun.push_back(line);
  const std::vector<std::string> expected = {"movel(p[1, 2, 3, 4, 5, 6]; 1.5; 2.5; 3.5; 0.5)",
                                             "movep(p[1, 2, 3, 4, 5, 6]; 1.5; 2.5; 0.5)",
                                             "movec(p[1, 2, 3, 4, 5, 6]; p[6, 5, 4, 3, 2, 1]; 1.5; 2.5; 0.5; 1)",
                                             "set_tcp(p[1, 2, 3, 4, 5, 6])",
                                             "set_payload(1.5; [0.25, 0.5, 0.75])",
                                             "set_standard_digital_out(3; True)",
                                             "set_configurable_digital_out(4; False)",
                                             "set_tool_digital_out(1; True)",
                                             "set_standard_analog_out(1; 0.5)",
                                             "zero_ftsensor()"};
  REQUIRE(begun.size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) CHECK(begun[i] == expected[i]);
}

TEST_CASE("Force mode gets its compliant axes as a list and ends with a stop") {
  Bench bench;
  bench.step();
  bench.command(
      command::ForceMode{{}, {false, false, true, false, true, false}, {0, 0, -10, 0, 0, 0}, 2, {1, 1, 1, 1, 1, 1}});
  REQUIRE(bench.times("force_mode") == 1);
  CHECK(bench.log[0].find("[0, 0, 1, 0, 1, 0]") != std::string::npos);
  bench.command(command::StopJoints{3.0});
  bench.step(10);
  CHECK(bench.times("end_force_mode") == 1);
}

TEST_CASE("A path runs through its points in their order") {
  Bench bench;
  bench.step();
  command::MovePath path;
  path.points.push_back(command::MoveJoints{{1, 0, 0, 0, 0, 0}, 1.25, 1.5, 0, 0.25});
  path.points.push_back(command::MoveLine{{2, 0, 0, 0, 0, 0}, 1.25, 1.5, 0, 0.25});
  path.points.push_back(command::MoveProcess{{3, 0, 0, 0, 0, 0}, 1.25, 1.5, 0});
  const auto sequence = bench.command(path);
  bench.step(40);
  CHECK(bench.output(script::outputs::finished) == sequence);
  REQUIRE(bench.log.size() == 6);
  CHECK(bench.log[0] == "movej([1, 0, 0, 0, 0, 0]; 1.25; 1.5; 0; 0.25)");
  CHECK(bench.log[2].starts_with("movel(p[2"));
  CHECK(bench.log[4].starts_with("movep(p[3"));
}

TEST_CASE("A stop kills the motion and is told when it is done") {
  Bench bench;
  bench.motion_cycles = 1000;
  bench.step();
  bench.command(command::MoveLine{});
  bench.motion_cycles = 5;
  const auto sequence = bench.command(command::StopJoints{3.0});
  bench.step(20);
  CHECK(bench.output(script::outputs::finished) == sequence);
  CHECK(bench.times("movel") == 1);
  CHECK(std::ranges::count(bench.log, "movel done") == 0);
  CHECK(bench.times("stopj") == 1);
}

TEST_CASE("A move that replaces another brakes first") {
  Bench bench;
  bench.motion_cycles = 1000;
  bench.step();
  bench.command(command::MoveJoints{});
  bench.motion_cycles = 5;
  const auto sequence = bench.command(command::MoveLine{});
  bench.step(30);
  CHECK(bench.output(script::outputs::finished) == sequence);
  REQUIRE(bench.log.size() == 5);
  CHECK(bench.log[1] == "stopj(4)");
  CHECK(bench.log[3].starts_with("movel"));
  // And the one after that does not.
  bench.command(command::MoveJoints{});
  bench.step(20);
  CHECK(bench.times("stopj") == 1);
}

TEST_CASE("Targets of a stream reach the same servoj loop") {
  Bench bench;
  bench.step();
  for (int i = 0; i < 20; ++i) bench.command(command::Servo{{0.01 * i, 0, 0, 0, 0, 0}});
  CHECK(bench.times("servoj") >= 5);
  CHECK(bench.times("stopj") == 0);
  CHECK(bench.log.back().find("servoj") != std::string::npos);
  bench.command(command::StopJoints{});
  bench.step(20);
  const int before = bench.times("servoj");
  bench.step(20);
  CHECK(bench.times("servoj") == before);
}

TEST_CASE("A speed that has a time ends by itself and one without goes on") {
  Bench bench;
  bench.step();
  const auto timed = bench.command(command::SpeedJoints{{0.1, 0, 0, 0, 0, 0}, 1.5, 0.5});
  bench.step(30);
  CHECK(bench.output(script::outputs::finished) == timed);
  CHECK(bench.times("stopj") == 1);
  bench.command(command::SpeedLine{{0.1, 0, 0, 0, 0, 0}, 1.5, 0});
  bench.step(100);
  CHECK(bench.times("speedl") > 10);
}

TEST_CASE("R14 silence of the heartbeat stops the arm after 200 ms and a stream after 20 ms") {
  struct Case {
    command::Any command;
    int before, after;  // cycles of silence: still running, stopped
  };
  const Case cases[] = {{command::MoveJoints{}, 95, 115},
                        {command::Servo{}, 8, 20},
                        {command::SpeedJoints{{0.1, 0, 0, 0, 0, 0}}, 8, 20},
                        {command::Nothing{}, 95, 115}};
  for (const Case& each : cases) {
    Bench bench;
    bench.motion_cycles = 100'000;
    bench.step();
    bench.command(each.command);
    bench.motion_cycles = 3;
    bench.alive = false;
    bench.step(each.before);
    CHECK(bench.interpreter->running());
    CHECK(bench.output(script::outputs::ending) == 0);
    bench.step(each.after - each.before + 5);
    CHECK(bench.output(script::outputs::ending) == static_cast<int>(script::Ending::watchdog));
    CHECK(!bench.interpreter->running());
    CHECK(bench.times("stopj") == 1);
    CHECK(bench.interpreter->thread_count() == 0);
  }
}

TEST_CASE("The program ends when it is told to") {
  Bench bench;
  bench.step();
  script::place({.code = script::Code::end}, 1000, bench.inputs);
  bench.step(20);
  CHECK(!bench.interpreter->running());
  CHECK(bench.output(script::outputs::ending) == static_cast<int>(script::Ending::asked));
  CHECK(bench.output(script::outputs::taken) == 1000);
}
