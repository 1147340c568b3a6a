// SPDX-License-Identifier: Apache-2.0
// Green threads: who runs when, critical sections, join, kill, and loops that never wait.
#include <doctest/doctest.h>

#include <memory>

#include "tests/urscript/script_rig.hpp"

namespace tandem::urscript {

TEST_CASE("sync waits one cycle and sleep as many as fit") {
  ScriptRig rig;
  REQUIRE(rig.load("x = 0 while True: x = x + 1 sync() end"));
  rig.step(7);
  CHECK(rig.global("x") == "7");
  REQUIRE(rig.load("x = 0 sleep(0.1) x = 1"));
  rig.step(50);
  CHECK(rig.global("x") == "0");
  rig.step(1);
  CHECK(rig.global("x") == "1");
  CHECK(rig.program().state() == Interpreter::State::finished);
}

TEST_CASE("threads are served in the order they were started") {
  ScriptRig rig;
  REQUIRE(
      rig.load("def m():\n"
               "  thread a(): while True: textmsg(\"a\") sync() end end\n"
               "  thread b(): while True: textmsg(\"b\") sync() end end\n"
               "  run a()\n run b()\n while True: textmsg(\"m\") sync() end\nend"));
  rig.step(3);
  CHECK(rig.all_said() == "m|a|b|m|a|b|m|a|b");
  CHECK(rig.program().thread_count() == 3);
}

TEST_CASE("a thread can stop in the middle of an expression inside nested calls") {
  ScriptRig rig;
  CHECK(rig.run("def m():\n"
                "  def slow(v): sleep(0.01) return v end\n"
                "  def twice(v): return slow(v) + [slow(1), slow(2)][1] * slow(10) end\n"
                "  thread t(): global other = twice(100) end\n"
                "  h = run t()\n  x = twice(1) + slow(1000)\n  join h\nend") == "1021");
  CHECK(rig.global("other") == "120");
}

TEST_CASE("the end of the main function ends the threads and halt ends all") {
  ScriptRig rig;
  CHECK(rig.run("def m(): thread t(): while True: sync() end end run t() x = 1 sync() end") == "1");
  CHECK(rig.program().thread_count() == 0);
  REQUIRE(rig.load("def m(): thread t(): sleep(0.01) halt end run t() while True: sync() end end"));
  REQUIRE(rig.finish(20));
  CHECK(rig.program().state() == Interpreter::State::halted);
  REQUIRE(rig.load("while True: sync() end"));
  rig.step();
  rig.program().stop();
  CHECK(rig.program().state() == Interpreter::State::halted);
  CHECK(rig.program().thread_count() == 0);
}

TEST_CASE("join waits and goes on in the cycle in which the thread ends") {
  ScriptRig rig;
  REQUIRE(rig.load("def m(): y = 0 thread t(): sync() sync() global x = 5 end h = run t() join h y = x sync() end"));
  rig.step(2);
  CHECK(rig.global("y") == "0");
  rig.step(1);
  CHECK(rig.global("y") == "5");
}

TEST_CASE("join and kill of nothing do nothing") {
  ScriptRig rig;
  CHECK(rig.run("t = 0 join t kill t kill 12345 join -1 x = 3") == "3");
  CHECK(rig.run("x = 1 kill \"a\"").find("needs the handle of a thread") != std::string::npos);
}

TEST_CASE("kill ends a thread at once and lets go of what it waited for") {
  struct Held {
    explicit Held(int& count) : count_(count) { ++count_; }
    ~Held() { --count_; }
    Held(const Held&) = delete;
    Held& operator=(const Held&) = delete;
    int& count_;
  };
  ScriptRig rig;
  int held = 0;
  rig.builtins.add_waiting("hold", {}, [&](Call& call) -> Outcome {
    if (!call.resumed()) call.state = std::make_shared<Held>(held);
    return wait;
  });
  REQUIRE(rig.load("def m(): thread t(): hold() end h = run t() sync() sync() kill h sync() x = 1 sync() end"));
  rig.step(2);
  CHECK(held == 1);
  rig.step(1);
  CHECK(held == 0);
  CHECK(rig.program().thread_count() == 1);
  REQUIRE(rig.load("hold()"));
  rig.step(1);
  CHECK(held == 1);
  rig.program().stop();
  CHECK(held == 0);
}

TEST_CASE("a critical section is not interrupted and what waits in it lets others run") {
  // With turns of one instruction, two threads that read, add and write lose counts, unless the section is critical.
  const auto count = [](const char* enter, const char* leave) {
    ScriptRig rig;
    Limits limits;
    limits.instructions_per_turn = 1;
    const std::string body = std::string(enter) + " y = x x = y + 1 " + leave;
    const std::string script = "def m():\n x = 0\n thread t(): i = 0 while i < 100: " + body +
                               " i = i + 1 end end\n a = run t()\n b = run t()\n join a\n join b\nend";
    REQUIRE(rig.load(script, limits));
    REQUIRE(rig.finish());
    return rig.global("x");
  };
  CHECK(count("enter_critical", "exit_critical") == "200");
  CHECK(count("", "") != "200");

  ScriptRig rig;
  CHECK(rig.run(
            "def m():\n x = 0\n thread t(): x = 7 end\n enter_critical\n h = run t()\n join h\n exit_critical\nend") ==
        "7");
}

TEST_CASE("a loop that never waits is an error that names its line and others go on until then") {
  ScriptRig rig;
  REQUIRE(rig.load(
      "def m():\n  x = 0\n  thread t():\n    y = 0\n    while True:\n      y = y + 1\n    end\n  end\n  run t()\n"
      "  while True:\n    x = x + 1\n    sync()\n  end\nend"));
  rig.step(40);
  CHECK(rig.program().running());
  CHECK(rig.global("x") == "40");
  REQUIRE(rig.finish(40));
  REQUIRE(rig.program().error());
  CHECK(rig.program().error()->text.find("infinite loop detected") != std::string::npos);
  CHECK(rig.program().error()->line >= 5);
  CHECK(rig.program().error()->line <= 7);
  CHECK(rig.run("while True: end").find("infinite loop detected") != std::string::npos);
  // Long work that ends is none.
  CHECK(rig.run("x = 0 while x < 20000: x = x + 1 end") == "20000");
}

TEST_CASE("there are at most fifty threads at once") {
  ScriptRig rig;
  const std::string text =
      rig.run("def m(): x = 0 thread t(): while True: sync() end end while True: run t() x = x + 1 end end");
  CHECK(text.find("at most 50 threads") != std::string::npos);
  CHECK(rig.run("def m(): x = 0 thread t(): x = x + 1 end while x < 500: h = run t() join h end end") == "500");
}

TEST_CASE("a secondary program takes no time") {
  ScriptRig rig;
  CHECK(rig.run("sec f(): x = sqrt(16) end") == "4");
  CHECK(rig.program().secondary());
  CHECK_FALSE(rig.load("sec f():\n  sync()\nend"));
  CHECK(rig.refused == "line 2, column 3: a secondary program cannot call 'sync', which takes time");
  CHECK_FALSE(rig.load("sec f(): thread t(): end run t() end"));
}

TEST_CASE("a built-in that waits is asked once a cycle with its arguments and what it left") {
  ScriptRig rig;
  rig.builtins.add_waiting("count_to", {"most", Parameter("by", 1)}, [](Call& call) -> Outcome {
    const int done = call.resumed() ? std::any_cast<int>(call.state) + *call[1].integer() : 0;
    call.state = done;
    if (done < *call[0].integer()) return wait;
    return Value(std::int32_t{done});
  });
  rig.builtins.add("fails", {}, [](Call&) -> Outcome { return Error{Fault::device, "the device is not there"}; });
  REQUIRE(rig.load("x = 0 x = count_to(3) + count_to(by=2, most=4)"));
  rig.step(3);
  CHECK(rig.global("x") == "0");
  rig.step(3);
  CHECK(rig.global("x") == "7");
  CHECK(rig.run("\n\n x = fails()") == "error: line 3: fails: the device is not there");
}

}  // namespace tandem::urscript
