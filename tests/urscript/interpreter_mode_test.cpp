// SPDX-License-Identifier: Apache-2.0
// Statements line by line while a program runs, and their answers.
#include <doctest/doctest.h>

#include "tandem/urscript/run/interpreter_mode.hpp"
#include "tests/urscript/script_rig.hpp"

namespace tandem::urscript {

namespace {

struct ModeBench {
  ModeBench() { mode.add_builtins(rig.builtins); }

  void load(std::string_view text) {
    REQUIRE(rig.load(text));
    mode.reset();
  }
  // A line and its answer, without the line end.
  std::string say(std::string_view line) {
    Interpreter* program = running ? &rig.program() : nullptr;
    mode.receive(line, program, answers);
    return taken();
  }
  std::string taken() {
    std::string text = std::move(*answers);
    answers->clear();
    if (!text.empty()) text.pop_back();
    return text;
  }
  void cycles(int count) {
    for (int i = 0; i < count; ++i) {
      mode.step(rig.program());
      rig.step();
    }
  }

  ScriptRig rig;
  InterpreterMode mode{rig.builtins};
  InterpreterMode::Answers answers = std::make_shared<std::string>();
  bool running = true;
};

constexpr const char* entering = "def p():\n  global n = 1\n  interpreter_mode()\n  textmsg(\"left\")\nend";

}  // namespace

TEST_CASE("statements are acknowledged with ids, run in order, and see the program") {
  ModeBench bench;
  bench.load(
      "def p():\n  global n = 1\n  def twice(v):\n    return v * 2\n  end\n  interpreter_mode()\n  "
      "textmsg(\"left\")\nend");
  bench.cycles(2);
  CHECK(bench.say("statelastexecuted") == "state: 0: statelastexecuted");
  CHECK(bench.say("textmsg(\"one\") n = twice(n + 4)\r") == "ack: 1: textmsg(\"one\") n = twice(n + 4)");
  CHECK(bench.say("textmsg(\"two\")") == "ack: 2: textmsg(\"two\")");
  CHECK(bench.say("  ") == "");
  CHECK(bench.say("stateunexecuted") == "state: 2: stateunexecuted");
  CHECK(bench.say("statelastinterpreted") == "state: 2: statelastinterpreted");
  bench.cycles(4);
  CHECK(bench.rig.all_said() == "one|two");
  CHECK(bench.rig.global("n") == "10");
  CHECK(bench.say("statelastexecuted") == "state: 2: statelastexecuted");
  CHECK(bench.say("stateunexecuted") == "state: 0: stateunexecuted");
  CHECK(bench.say("def hello(): textmsg(\"hello\") end") == "ack: 3: def hello(): textmsg(\"hello\") end");
  CHECK(bench.say("hello()") == "ack: 4: hello()");
  CHECK(bench.say("end_interpreter()") == "ack: 5: end_interpreter()");
  bench.cycles(6);
  CHECK(bench.rig.all_said() == "one|two|hello|left");
  CHECK_FALSE(bench.rig.program().running());
  CHECK_FALSE(bench.rig.program().error());
  CHECK(bench.say("statelastcleared") == "state: 5: statelastcleared");
}

TEST_CASE("what cannot be compiled, or comes without a program, is discarded with the reason") {
  ModeBench bench;
  bench.load(entering);
  bench.cycles(2);
  CHECK(bench.say("no_such(1)") == "discard: line 1, column 1: unknown function 'no_such': no_such(1)");
  CHECK(bench.say("x = (1").starts_with("discard: line 1, column 7: expected ')'"));
  CHECK(bench.say("textmsg(\"never\") no_such(1)").starts_with("discard: "));
  CHECK(bench.say("textmsg(no_such)") ==
        "discard: line 1, column 9: the variable 'no_such' is never given a value: textmsg(no_such)");
  CHECK(bench.say("no_such[0] = 1").starts_with("discard: line 1, column 1: the variable 'no_such'"));
  CHECK(bench.say("sleep(1, 2)").starts_with("discard: line 1"));
  CHECK(bench.say("textmsg(\"fine\")") == "ack: 1: textmsg(\"fine\")");
  bench.cycles(3);
  CHECK(bench.rig.all_said() == "fine");
  bench.running = false;
  CHECK(bench.say("textmsg(\"late\")") == "discard: no program is running: textmsg(\"late\")");
}

TEST_CASE("skipbuffer drops what has not begun, abort is passed on") {
  ModeBench bench;
  int aborts = 0;
  bench.mode.abort = [&] { ++aborts; };
  bench.load(entering);
  bench.cycles(2);
  bench.say("sleep(0.02)");
  bench.cycles(1);
  bench.say("textmsg(\"skipped\")");
  CHECK(bench.say("skipbuffer") == "ack: 0: skipbuffer");
  CHECK(bench.say("textmsg(\"after\")") == "ack: 3: textmsg(\"after\")");
  CHECK(bench.say("abort") == "ack: 0: abort");
  CHECK(aborts == 1);
  bench.cycles(5);
  CHECK(bench.rig.said.empty());  // the first one still sleeps
  bench.cycles(10);
  CHECK(bench.rig.all_said() == "after");
}

TEST_CASE("clear_interpreter forgets functions and threads, and answers later lines after it") {
  ModeBench bench;
  bench.load(entering);
  bench.cycles(2);
  bench.say("def tick(): textmsg(\"tick\") end");
  bench.say("thread t(): while True: n = n + 1 sync() end end");
  bench.say("run t()");
  bench.say("own = 5");
  bench.cycles(6);
  CHECK(bench.rig.program().thread_count() == 2);
  CHECK(bench.say("clear_interpreter()") == "ack: 5: clear_interpreter()");
  CHECK(bench.say("tick()") == "");
  CHECK(bench.say("textmsg(n > 1)") == "");
  CHECK(bench.say("stateunexecuted") == "state: 3: stateunexecuted");
  bench.cycles(3);
  CHECK(bench.taken() == "discard: line 1, column 1: unknown function 'tick': tick()\nack: 6: textmsg(n > 1)");
  CHECK(bench.say("statelastcleared") == "state: 5: statelastcleared");
  CHECK(bench.rig.global("own") == "no such global");
  bench.cycles(2);
  CHECK(bench.rig.all_said() == "True");
  CHECK(bench.rig.program().thread_count() == 1);
}

TEST_CASE("statements sent before the mode are dropped or kept, interpreted ones stay when asked") {
  ModeBench bench;
  bench.load(
      "def p():\n  sleep(0.01)\n  interpreter_mode()\n  textmsg(\"first\")\n"
      "  interpreter_mode(clearQueueOnEnter=False, clearOnEnd=False)\n  interpreter_mode(False)\nend");
  bench.cycles(1);
  CHECK(bench.say("textmsg(\"early\")") == "ack: 1: textmsg(\"early\")");
  bench.cycles(8);
  CHECK(bench.rig.said.empty());
  bench.say("end_interpreter()");
  bench.say("def kept(): textmsg(\"kept\") end");
  bench.cycles(5);
  bench.say("end_interpreter()");
  bench.cycles(4);
  CHECK(bench.say("kept()").starts_with("ack: "));
  bench.cycles(3);
  CHECK(bench.rig.all_said() == "first|kept");
  bench.say("end_interpreter()");
  bench.cycles(4);
  CHECK_FALSE(bench.rig.program().running());
}

TEST_CASE("what waits is limited in number and in bytes, and clearing makes room") {
  ModeBench bench;
  bench.load(entering);
  for (int i = 0; i < 1000; ++i) REQUIRE(bench.say("n = 2").starts_with("ack: "));
  CHECK(bench.say("n = 3").starts_with("discard: too many statements are waiting"));
  bench.say("skipbuffer");
  std::string large;
  while (large.size() < 60'000) large += "n = \"" + std::string(1000, 'a') + "\" ";
  std::size_t taken = 0;
  while (taken < 200'000'000 && bench.say(large).starts_with("ack: ")) taken += large.size();
  CHECK(taken > 3u << 20);
  CHECK(taken <= 4u << 20);
  bench.say("skipbuffer");
  CHECK(bench.say("n = 3").starts_with("ack: "));
}

TEST_CASE("an unknown function is discarded also in a program with more warnings than are kept") {
  ModeBench bench;
  std::string text = "def p():\n  interpreter_mode()\n";
  for (int i = 0; i < 120; ++i) text += "  missing_" + std::to_string(i) + "()\n";
  bench.load(text + "end");
  bench.cycles(2);
  CHECK(bench.say("no_such(1)") == "discard: line 1, column 1: unknown function 'no_such': no_such(1)");
  CHECK(bench.say("x = 1") == "ack: 1: x = 1");
}

TEST_CASE("interpreter mode is for the main thread, once") {
  ModeBench bench;
  bench.load(entering);
  bench.cycles(2);
  CHECK(bench.say("interpreter_mode()").starts_with("ack: 1"));
  bench.cycles(2);
  REQUIRE(bench.rig.program().error());
  CHECK(bench.rig.program().error()->text.find("only the main thread") != std::string::npos);
}

TEST_CASE("another thread of the program ends the mode and what runs in it") {
  ModeBench bench;
  bench.load(
      "def p():\n  thread t():\n    sleep(0.02)\n    end_interpreter()\n  end\n  run t()\n  interpreter_mode()\n"
      "  textmsg(\"left\")\nend");
  bench.cycles(2);
  bench.say("while True: sync() end");
  bench.cycles(20);
  CHECK(bench.rig.all_said() == "left");
  CHECK_FALSE(bench.rig.program().running());
}

}  // namespace tandem::urscript
