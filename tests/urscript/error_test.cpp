// SPDX-License-Identifier: Apache-2.0
// What is refused, where, and with which words.
#include <doctest/doctest.h>

#include <random>

#include "tests/urscript/script_rig.hpp"

namespace tandem::urscript {

namespace {

std::string refusal(std::string_view text) {
  ScriptRig rig;
  return rig.load(text) ? "accepted" : rig.refused;
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("errors of syntax name line and column and what was expected") {
  CHECK(has(refusal("def f():\n  if x\n  end\nend"),
            "line 3, column 3: expected ':' after the condition of 'if', got 'end'"));
  CHECK(has(refusal("def f():\n  x = (1 + 2\nend"), "to close the '(' of line 2, column 7"));
  CHECK(has(refusal("def f():\n while True:\n  sync()\n end\n"), "expected 'end' to close 'f' of line 1"));
  CHECK(has(refusal("end"), "line 1, column 1: 'end' closes nothing"));
  CHECK(has(refusal("x = "), "expected a value, got the end of the program"));
  CHECK(has(refusal("x = 1 @ 2"), "'@' is not part of the language"));
  CHECK(has(refusal("1 + 2"), "expression without effect"));
  CHECK(has(refusal("f() = 3"), "only a variable"));
  CHECK(has(refusal("break"), "'break' outside of a loop"));
  CHECK(has(refusal(""), "empty"));
  CHECK(has(refusal("# nothing\n\n"), "empty"));
  CHECK(has(refusal("def f(a): end"), "a program takes no parameters"));
  CHECK(has(refusal("thread t(): end"), "not a thread"));
  CHECK(has(refusal("def a(): end def b(): end"), "no statement that runs one"));
  CHECK(has(refusal("x = 0x1FFFFFFFF"), "does not fit in 32 bits"));
  CHECK(has(refusal("x = 1e999"), "out of range"));
}

TEST_CASE("an unknown function is an error when the program comes to it, in the controller's words") {
  ScriptRig rig;
  REQUIRE(rig.load("def f():\n  textmsg(\"started\")\n  textmgs(\"oops\")\nend"));
  CHECK(rig.finish());
  CHECK(rig.all_said() == "started");
  REQUIRE(rig.program().error());
  CHECK(rig.program().error()->text == "compile_error_name_not_found:textmgs:");
  CHECK(rig.program().error()->line == 3);
  CHECK(rig.program().error()->column == 3);
  CHECK(has(rig.run("x = run nobody()"), "compile_error_name_not_found:nobody:"));
}

TEST_CASE("an unknown function or a wrong call that is never reached does not refuse the program") {
  CHECK(ScriptRig().run("x = 1\nif x > 2:\n  x = not_of_this_version(p[0,0,0,0,0,0], new=True)\nend\nx = x + 1") ==
        "2");
  CHECK(ScriptRig().run("def later():\n  run no_thread()\nend\nx = 3") == "3");
  CHECK(ScriptRig().run("x = 1\nif x > 2:\n  x = sin(1, 2, 3)\n  sleep(seconds=3)\nend") == "1");
  CHECK(has(ScriptRig().run("x = sin(1, 2, 3)"), "'sin' takes at most 1 arguments"));
  CHECK(has(ScriptRig().run("x = 1\nsleep(seconds=3)"), "line 2: 'sleep' has no parameter 'seconds'"));
}

TEST_CASE("what will fail is known before the program runs, and the nearest name is offered") {
  const auto warned = [](std::string_view text) {
    ScriptRig rig;
    const auto code = Program::parse(text)->link(rig.builtins);
    return code.ok() && (*code)->warnings.size() == 1 ? (*code)->warnings[0].text : std::string("no warning");
  };
  CHECK(warned("def f():\n  textmgs(\"oops\")\nend") ==
        "line 2, column 3: unknown function 'textmgs'; did you mean 'textmsg'?");
  CHECK(has(warned("x = sqroot(2)"), "did you mean 'sqrt'?"));
  CHECK(has(warned("def speed_up(): end spee_up()"), "did you mean 'speed_up'?"));
  CHECK(has(warned("run nobody()"), "unknown function 'nobody'"));
  CHECK(warned("qqqqqqqqqqqqq()").find("did you mean") == std::string::npos);
  CHECK(warned("x = sqrt(2)") == "no warning");
}

TEST_CASE("nesting and length are bounded everywhere") {
  CHECK(has(refusal("x = " + std::string(100'000, '(')), "nested at most"));
  CHECK(has(refusal("x = " + std::string(100'000, '[')), "nested at most"));
  CHECK(has(refusal("x = " + std::string(100'000, '-') + "1"), "nested at most"));
  std::string nots = "x = ";
  std::string ifs;
  std::string sum = "x = 1";
  for (int i = 0; i < 5'000; ++i) nots += "not ", ifs += "if True: ", sum += " + 1";
  CHECK(has(refusal(nots + "True"), "nested at most"));
  CHECK(has(refusal(ifs), "nested at most"));
  CHECK(has(refusal(sum), "too long or too deeply nested"));
  CHECK(has(refusal(std::string(5u << 20, ' ')), "at most 4194304 bytes"));
  CHECK(has(refusal("x = " + std::string(300, 'a')), "longer than 256"));
  CHECK(has(refusal(std::string(3u << 20, '1') + "\n"), "out of range"));
}

TEST_CASE("lists and strings cannot grow without end") {
  ScriptRig rig;
  CHECK(has(rig.run("x = [1] while True: x = [x] end"), "nested at most 16 deep"));
  CHECK(has(rig.run("x = \"ab\" while True: x = x + x end"), "string: expected at most"));
  CHECK(has(rig.run("x = [1, 2] while True: x = [x, x, x, x, x, x, x, x] end"), "at most"));
  CHECK(has(rig.run("x = make_list(1000000)"), "a list of 1000000 elements"));
  CHECK(has(rig.run("x = [1] while True: x.extend(x) end"), "list: expected at most"));
}

TEST_CASE("all values together cannot use up the memory") {
  ScriptRig rig;
  Limits limits;
  limits.value_bytes = 8u << 20;
  limits.instructions_per_cycle = 10'000'000;
  std::string script = "x = 0\n";
  for (int i = 0; i < 100; ++i) script += "a" + std::to_string(i) + " = make_list(50000)\n";
  REQUIRE(rig.load(script, limits));
  REQUIRE(rig.finish());
  REQUIRE(rig.program().error());
  CHECK(has(rig.program().error()->text, "too much memory"));
}

TEST_CASE("random bytes and random cuts of a real program never do more than fail") {
  std::mt19937_64 random(7);
  const std::string words[] = {
      "def ",  "f",    "()",      ":",      " end ",   "\n",      "if ",   "while ",   "x",     " = ",    "1",
      "2.5",   "[",    "]",       ",",      "p[",      "(",       ")",     "+",        "-",     "*",      "/",
      "%",     "and ", "or",      "not",    "\"s\"",   "#c\n",    "run ",  "kill ",    "join ", "sync()", "return ",
      "break", ".a",   "global ", "local ", "thread ", "switch ", "case ", "default:", "for ",  "in "};
  const std::string real =
      "def m():\n thread t(x): while x > 0: x = x - 1 sync() end end\n h = run t(3)\n a = [1, [2, 3], p[1,2,3,4,5,6]]\n"
      " a[1][0] = a[0] * 2 + 7 % 3\n s = struct(b=a, c=\"end\") s.c = s.b\n if a[0] == 1 and not False: join h\n"
      " elif True xor False: kill h else: halt end\n switch a[0]: case 1: x = 2 end default: x = 3 end end\n"
      " for i in a: textmsg(i, length(a)) end # done\nend\n";
  int accepted = 0;
  for (int round = 0; round < 3'000; ++round) {
    std::string text = round % 2 == 0 ? real : "";
    for (std::uint64_t i = random() % (round % 2 == 0 ? 4 : 40); i > 0; --i) {
      const std::size_t at = text.empty() || round % 2 == 1 ? text.size() : random() % text.size();
      if (random() % 2 == 0) text.erase(at, random() % 6);
      text.insert(at, words[random() % std::size(words)]);
    }
    if (round % 5 == 0 && !text.empty()) text[random() % text.size()] = static_cast<char>(random());
    ScriptRig rig;
    if (!rig.load(text)) {
      CHECK_FALSE(rig.refused.empty());
      continue;
    }
    ++accepted;
    rig.finish(5);
  }
  CHECK(accepted > 100);
}

}  // namespace tandem::urscript
