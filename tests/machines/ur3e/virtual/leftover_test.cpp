// SPDX-License-Identifier: Apache-2.0
// What a program, a stop or a client leaves behind moves nothing and breaks nothing. The truth is the body's position.
#include <cmath>

#include "tandem/machines/ur3e/virtual/ports/dashboard.hpp"
#include "tests/machines/ur3e/virtual/bench.hpp"

using namespace tandem;
using namespace tandem::ur3e;

namespace {

constexpr const char* unlock = "set unlock protective stop\n";
constexpr int unlock_cycles = 200;
constexpr std::uint64_t input_3 = 1u << 3;

// The arm stays where it is for half a second.
void stays(Bench& bench) {
  const Joints held = bench.q();
  bench.cycles(250);
  CHECK((bench.q() - held).cwiseAbs().maxCoeff() < 1e-3);
}

// A program that goes on moving by itself until register 24 is set.
std::string moving(const std::string& motion) {
  return "def p():\n  " + motion + "\n  while read_input_integer_register(24) == 0:\n    sync()\n  end\nend\n";
}

void press(Bench& bench, std::uint64_t inputs) { bench.controller.variables.state.actual_digital_input_bits = inputs; }

}  // namespace

TEST_CASE("a speed or a servo target that was held ends with its program") {
  for (const char* motion : {"speedj([0.3,0,0,0,0,0], 2)", "speedl([0,0.1,0,0,0,0], 0.5)",
                             "servoj([2.5,-1.57,1.57,-1.57,-1.57,0], t=0.002)"})
    for (const char* ending : {"paused", "protective stop", "replaced", "slider"}) {
      CAPTURE(motion);
      CAPTURE(ending);
      Bench bench(soon_unlocked());
      const std::string way = ending;
      bench.controller.program(moving(motion));
      bench.cycles(150);
      REQUIRE(bench.controller.body.measured().velocity.cwiseAbs().maxCoeff() > 0.02);
      if (way == "slider") {
        bench.controller.program("set speed 0\n");
        bench.cycles(200);
        bench.controller.variables.inputs.input_int_register[24] = 1;
      } else if (way == "protective stop") {
        bench.controller.protective_stop(stop_codes::collision, "test");
        bench.cycles(unlock_cycles);
      } else {
        bench.controller.program("pause program\n");
        bench.cycles(200);
      }
      bench.controller.program(way == "replaced" ? "def q():\n  sleep(0.5)\nend\n" : "set speed 0\n");
      if (way != "replaced" && way != "slider") bench.controller.program("stop program\n");
      bench.cycles(3);
      if (way != "replaced") CHECK_FALSE(bench.controller.programs.running());
      bench.controller.program(unlock);
      bench.controller.program("set speed 1\n");
      bench.cycles(50);
      stays(bench);
      CHECK(bench.state().safety_mode == ur::SafetyMode::normal);
    }
}

TEST_CASE("the stop after a program goes on to its end when a safeguard opens meanwhile") {
  Bench bench(soon_unlocked());
  bench.controller.program(moving("speedj([1,0,0,0,0,0], 4)"));
  bench.cycles(250);
  bench.controller.program("stop program\n");
  bench.cycles(3);
  REQUIRE_FALSE(bench.controller.programs.running());
  REQUIRE(bench.state().target_qd[0] > 0.5);
  double before = bench.state().target_qd[0], jerkiest = 0;
  bench.each_cycle = [&] {
    jerkiest = std::max(jerkiest, std::abs(bench.state().target_qd[0] - before));
    before = bench.state().target_qd[0];
  };
  bench.controller.power.safeguard(true);
  bench.cycles(100);
  CHECK(bench.state().target_qd[0] == 0);
  CHECK(jerkiest < 0.02);  // 8 rad/s^2 are 0.016 rad/s per cycle
  stays(bench);
  bench.controller.power.safeguard(false);
  stays(bench);
}

TEST_CASE("a program that ends within a protective stop does not make it longer") {
  Bench bench(soon_unlocked());
  bench.controller.program(moving("speedj([2.5,0,0,0,0,0], 14)"));
  bench.cycles(150);
  REQUIRE(bench.state().actual_qd[0] > 2);
  bench.controller.protective_stop(stop_codes::collision, "test");
  bench.cycles(1);
  bench.controller.program("stop program\n");
  bench.cycles(75);
  CHECK(std::abs(bench.state().actual_qd[0]) < 2e-2);
  stays(bench);
}

TEST_CASE("a secondary program's path offset or force moves nothing without a main program") {
  for (const char* text :
       {"sec off():\n  path_offset_enable()\n  path_offset_set([0,0.05,0,0,0,0], 1)\nend\n",
        "sec push():\n  force_mode(p[0,0,0,0,0,0], [0,1,0,0,0,0], [0,30,0,0,0,0], 2, [0.1,0.1,0.1,1,1,1])\nend\n"}) {
    CAPTURE(text);
    Bench bench(soon_unlocked());
    const Joints start = bench.q();
    bench.controller.protective_stop(stop_codes::collision, "test");
    bench.cycles(10);
    bench.controller.program(text);
    bench.cycles(unlock_cycles);
    bench.controller.program(unlock);
    bench.cycles(500);
    CHECK(bench.state().safety_mode == ur::SafetyMode::normal);
    bench.controller.program(text);
    bench.cycles(500);
    CHECK((bench.q() - start).cwiseAbs().maxCoeff() < 1e-3);
    // Nor does the next program find it.
    bench.run("sleep(0.5)\n");
    CHECK((bench.q() - start).cwiseAbs().maxCoeff() < 1e-3);
  }
}

TEST_CASE("a watchdog of a secondary program guards the main program, and nothing without one") {
  Bench bench(soon_unlocked());
  const char* watch = "sec w():\n  rtde_set_watchdog(\"input_int_register_24\", 10, \"stop\")\nend\n";
  bench.controller.program(watch);
  bench.cycles(500);
  CHECK_FALSE(bench.says("RTDE watchdog"));
  bench.controller.program("sec s():\n  write_output_integer_register(0, 7)\nend\n");
  bench.cycles(5);
  CHECK(bench.state().output_int_register[0] == 7);
  // A main program that comes later starts without it.
  bench.run("sleep(0.5)\n");
  CHECK_FALSE(bench.says("RTDE watchdog"));
  bench.controller.program("sleep(5)\n");
  bench.cycles(5);
  bench.controller.program(watch);
  bench.cycles(200);
  CHECK_FALSE(bench.controller.programs.running());
  const std::string said = bench.said();
  const std::size_t first = said.find("RTDE watchdog");
  REQUIRE(first != std::string::npos);
  CHECK(said.find("RTDE watchdog", first + 1) == std::string::npos);
}

TEST_CASE("after a stop the freedrive input has to be released before it acts again") {
  for (const bool power_cycle : {false, true}) {
    CAPTURE(power_cycle);
    Bench bench(soon_unlocked());
    const auto slack = [&] {
      bench.cycles(5);
      return bench.controller.motion.drive() == Drive::freedrive;
    };
    bench.run("set_standard_digital_input_action(3, \"freedrive\")\n");
    press(bench, input_3);
    CHECK(slack());
    if (power_cycle) {
      bench.controller.program("power off\n");
      bench.cycles(10);
      bench.controller.program("set robotmode run\n");
    } else {
      bench.controller.protective_stop(stop_codes::collision, "test");
      bench.cycles(unlock_cycles);
      bench.controller.program(unlock);
    }
    REQUIRE(bench.until([&] { return bench.controller.power.may_move(); }, 5) >= 0);
    CHECK_FALSE(slack());
    press(bench, 0);
    CHECK_FALSE(slack());
    press(bench, input_3);
    CHECK(slack());
  }
}

TEST_CASE("a freedrive input that was high does not end the freedrive of a program") {
  Bench bench(soon_unlocked());
  bench.run("set_standard_digital_input_action(3, \"freedrive\")\n");
  press(bench, input_3);
  bench.cycles(5);
  bench.controller.program("def f():\n  freedrive_mode()\n  sleep(0.2)\n  end_freedrive_mode()\n  sleep(9)\nend\n");
  bench.cycles(5);
  CHECK(bench.controller.motion.drive() == Drive::freedrive);
  bench.cycles(200);
  CHECK(bench.controller.motion.drive() == Drive::servo);
}

TEST_CASE("an abort that comes while the program is paused ends the move once it goes on") {
  Bench bench(soon_unlocked());
  const auto answers = std::make_shared<std::string>();
  bench.controller.program("interpreter_mode()\n");
  bench.cycles(5);
  bench.controller.statement("movej([2,-1.57,1.57,-1.57,-1.57,0], a=1, v=0.5)", answers);
  bench.controller.statement("write_output_integer_register(0, 5)", answers);
  bench.cycles(300);
  bench.controller.program("pause program\n");
  bench.cycles(200);
  bench.controller.statement("abort", answers);
  bench.cycles(20);
  CHECK(bench.state().output_int_register[0] == 0);
  bench.controller.program("resume program\n");
  REQUIRE(bench.until([&] { return bench.state().output_int_register[0] == 5; }, 1) >= 0);
  CHECK(bench.q()[0] < 0.5);
  // One that found no move does not wait for the next.
  bench.controller.statement("abort", answers);
  bench.cycles(5);
  bench.controller.statement("movej([0.3,-1.57,1.57,-1.57,-1.57,0], a=2, v=1)", answers);
  bench.cycles(1000);
  CHECK(bench.q()[0] == doctest::Approx(0.3).epsilon(1e-3));
}

TEST_CASE("in local control statements of the interpreter mode are discarded") {
  Bench bench(soon_unlocked());
  const auto answers = std::make_shared<std::string>();
  bench.controller.program("interpreter_mode()\n");
  bench.cycles(5);
  bench.controller.remote_control = false;
  bench.controller.statement("movej([2,-1.57,1.57,-1.57,-1.57,0])", answers);
  CHECK(answers->starts_with("discard: "));
  CHECK(answers->find("local control") != std::string::npos);
  stays(bench);
}

TEST_CASE("a program that is played over one in interpreter mode inherits none of its statements") {
  for (const char* next : {"empty.urp", "idle.urp"}) {
    CAPTURE(next);
    ControllerSetup setup = aside();
    setup.files["idle.urp"] = "def idle():\n  while True:\n    sync()\n  end\nend\n";
    Bench bench(setup);
    Dashboard dashboard(bench.controller);
    const auto answers = std::make_shared<std::string>();
    bench.controller.program("interpreter_mode()\n");
    bench.cycles(5);
    for (const char* line : {"sleep(9)", "def own(): textmsg(\"own\") end", "own()", "clear_interpreter()", "x = 1"})
      bench.controller.statement(line, answers);
    bench.cycles(3);
    CHECK_FALSE(dashboard.perform(ur::dashboard::parse(std::string("load ") + next)));
    CHECK_FALSE(dashboard.perform(ur::dashboard::parse("play")));
    bench.cycles(10);
    CHECK_FALSE(bench.says("own"));
    CHECK_FALSE(bench.says("line "));
    answers->clear();
    bench.controller.program("interpreter_mode()\n");
    bench.cycles(5);
    bench.controller.statement("write_output_integer_register(0, 5)", answers);
    bench.cycles(5);
    CHECK(*answers == "ack: 1: write_output_integer_register(0, 5)\n");
    CHECK(bench.state().output_int_register[0] == 5);
  }
}

TEST_CASE("a move that is to take years is planned at once") {
  Bench bench(soon_unlocked());
  bench.controller.program("movel(pose_add(get_target_tcp_pose(), p[0,0.01,0,0,0,0]), t=1000000000)\n");
  bench.cycles(10);
  CHECK(bench.controller.programs.running());
  CHECK_FALSE(bench.says("line "));
}

TEST_CASE("outputs that follow the program see a protective stop before its end, and a program in its place") {
  Bench bench(soon_unlocked());
  const auto bits = [&] { return bench.state().actual_digital_output_bits; };
  const char* outputs =
      "def f():\n  set_runstate_standard_digital_output_to_value(0, 4)\n"
      "  set_runstate_standard_digital_output_to_value(1, 2)\n  set_standard_digital_out(0, True)\n"
      "  set_standard_digital_out(1, False)\n  sleep(100)\nend\n";
  bench.controller.program(outputs);
  bench.cycles(10);
  CHECK(bits() == 1);
  bench.controller.program("def g():\n  sleep(100)\nend\n");
  bench.cycles(3);
  CHECK(bits() == 3);  // replaced, not failed
  bench.controller.program(outputs);
  bench.cycles(10);
  CHECK(bits() == 1);
  bench.controller.protective_stop(stop_codes::collision, "test");
  bench.cycles(unlock_cycles);
  bench.controller.program(unlock);
  bench.cycles(10);
  CHECK(bits() == 1);
  bench.controller.program("stop program\n");
  bench.cycles(3);
  CHECK(bits() == 2);
}

TEST_CASE("a reboot forgets what programs had configured") {
  Bench bench(soon_unlocked());
  const auto answers = std::make_shared<std::string>();
  bench.run("set_standard_digital_input_action(3, \"freedrive\")\n");
  bench.run("set_gp_boolean_input_action(70, \"freedrive\")\n");
  bench.run("set_flag(3, True)\n");
  bench.controller.program("interpreter_mode()\n");
  bench.cycles(5);
  bench.controller.statement("sleep(9)", answers);
  bench.controller.reboot();
  bench.cycles(5);
  CHECK(bench.controller.settings.freedrive_inputs == 0);
  CHECK(bench.controller.settings.freedrive_registers.none());
  CHECK_FALSE(bench.controller.settings.flags[3]);
  CHECK_FALSE(bench.controller.statements.active());
}
