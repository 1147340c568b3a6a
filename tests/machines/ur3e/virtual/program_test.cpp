// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "tests/machines/ur3e/virtual/bench.hpp"

using namespace tandem;
using namespace tandem::ur3e;

namespace {

// The program is refused or fails with these words, and the arm does not move.
void fails(const std::string& text, const std::string& words) {
  CAPTURE(text);
  Bench bench;
  const Joints start = bench.q();
  bench.controller.program(text);
  CHECK(bench.until([&] { return !bench.controller.programs.running(); }, 5) >= 0);
  bench.cycles(50);
  CAPTURE(bench.said());
  CHECK(bench.says(words));
  CHECK((bench.q() - start).cwiseAbs().maxCoeff() < 1e-3);
  CHECK(bench.state().safety_mode == ur::SafetyMode::normal);
}

}  // namespace

TEST_CASE("programs that cannot be done fail with words and the arm holds still") {
  fails("movej([0,0,0,0,0], a=1)\n", "expected six numbers");
  fails("movej([9,0,0,0,0,0])\n", "outside its limits");
  fails("movej(p[0,0,3,0,0,0])\n", "script: movej: ur3e: too ");
  fails("movej([0,-1.5,1.5,-1.5,-1.5,0], a=-1)\n", "movej");
  fails("movej([0,-1.5,1.5,-1.5,-1.5,0], v=0)\n", "movej");
  fails("movej([0,-1.5,1.5,-1.5,-1.5,0], t=-1)\n", "time t");
  fails("movej([0,-1.5,1.5,-1.5,-1.5,0], r=-0.1)\n", "radius r");
  fails("movej(\"home\")\n", "movej");
  fails("def f():\n  x = sqrt(-1)\n  movej([x,0,0,0,0,0])\nend\n", "line 2");
  fails("servoj([0,0,0,0,0,99])\n", "servoj");
  fails("get_inverse_kin(p[5,5,5,0,0,0])\n", "get_inverse_kin");
  fails("def f():\n  mooovej([0,0,0,0,0,0])\nend\n", "mooovej");
  fails("def f():\n  movej([0,0,\nend\n", "line");
  fails("set_standard_digital_out(8, True)\n", "0 to 7");
  fails("write_output_integer_register(48, 1)\n", "0 to 47");
  fails("set_payload(40)\n", "0 to 6 kg");
  fails("rtde_set_watchdog(\"nothing\", 10, \"stop\")\n", "nothing");
}

TEST_CASE("an endless loop without sync is a runtime error that names its line") {
  fails("def spin():\n  x = 1\n  while True:\n    x = x + 1\n  end\nend\n", "line");
}

TEST_CASE("a program that cannot be read leaves the running one alone") {
  Bench bench;
  bench.controller.program("def loop():\n  while True:\n    sync()\n  end\nend\n");
  bench.cycles(5);
  bench.controller.program("def broken(:\nend\n");
  bench.controller.program("def own(a):\nend\nown()\n");
  bench.controller.program("loop()\n");  // as some clients do behind the program itself
  bench.controller.program("textmsg(unknown)\n");
  bench.cycles(5);
  CHECK(bench.says("compile_error_name_not_found:loop:"));
  CHECK(bench.says("the variable 'unknown' is never given a value"));
  CHECK(bench.controller.programs.running());
  CHECK(bench.controller.programs.name() == "loop");
}

TEST_CASE("a secondary program runs beside the main one and may not take time") {
  Bench bench;
  bench.controller.program("def loop():\n  while True:\n    sync()\n  end\nend\n");
  bench.cycles(3);
  bench.controller.program(
      "sec light():\n  set_standard_digital_out(3, True)\n  write_output_integer_register(5, 42)\nend\n");
  bench.cycles(3);
  CHECK(bench.controller.programs.name() == "loop");
  CHECK((bench.state().actual_digital_output_bits >> 3 & 1) == 1);
  CHECK(bench.state().output_int_register[5] == 42);
  bench.controller.program("sec slow():\n  movej([0,0,0,0,0,0])\nend\n");
  bench.cycles(3);
  CHECK(bench.controller.programs.running());
  CHECK(bench.said().find("slow") != std::string::npos);
}

TEST_CASE("two threads cannot move the arm at once") {
  Bench bench;
  bench.run(
      "def both():\n  thread other():\n    movej([1,-1.5,1.5,-1.5,-1.5,0], a=1, v=1)\n  end\n"
      "  h = run other()\n  sync()\n  sync()\n  movej([-1,-1.5,1.5,-1.5,-1.5,0], a=1, v=1)\nend\n");
  CHECK(bench.says("another thread is already controlling the robot"));
}

TEST_CASE("killing a thread that moves stops the arm smoothly") {
  Bench bench;
  double before = 0, jerkiest = 0;
  bench.each_cycle = [&] {
    jerkiest = std::max(jerkiest, std::abs(bench.state().target_qd[0] - before));
    before = bench.state().target_qd[0];
  };
  bench.run(
      "def stop_it():\n  thread other():\n    movej([2,-1.57,1.57,-1.57,-1.57,0], a=3, v=1)\n  end\n"
      "  h = run other()\n  sleep(0.8)\n  kill h\n  stopj(5)\n  write_output_integer_register(0, 7)\nend\n");
  CHECK(bench.state().output_int_register[0] == 7);
  CHECK(bench.state().target_qd[0] == 0);
  CHECK(bench.q()[0] > 0.3);
  CHECK(bench.q()[0] < 1.2);
  CHECK(jerkiest < 0.03);
}

TEST_CASE("the watchdog of a program stops it when the client is silent") {
  Bench bench;
  bench.controller.program(
      "def watched():\n  rtde_set_watchdog(\"input_int_register_24\", 10, \"stop\")\n"
      "  while True:\n    speedj([0.2,0,0,0,0,0], 2, 0.002)\n  end\nend\n");
  for (int i = 0; i < 300; ++i) {
    if (i % 20 == 0) bench.write({"input_int_register_24"});
    if (i % 20 == 10) bench.write({"input_int_register_25"});
    bench.cycles(1);
  }
  CHECK(bench.controller.programs.running());
  CHECK(bench.state().actual_qd[0] == doctest::Approx(0.2).epsilon(0.05));
  // Another variable does not count.
  for (int i = 0; i < 60; ++i) {
    bench.write({"input_int_register_25"});
    bench.cycles(1);
  }
  CHECK(!bench.controller.programs.running());
  bench.cycles(100);
  CHECK(std::abs(bench.state().actual_qd[0]) < 1e-3);
}

TEST_CASE("a loop that takes commands from registers moves the arm and answers") {
  Bench bench;
  bench.controller.program(
      "def server():\n"
      "  global target = [0,0,0,0,0,0]\n"
      "  thread mover():\n    movej(target, a=2, v=1)\n    write_output_integer_register(1, 1)\n  end\n"
      "  def read_target():\n    i = 0\n    while i < 6:\n      target[i] = read_input_float_register(24 + i)\n"
      "      i = i + 1\n    end\n  end\n"
      "  handle = 0\n  while read_input_integer_register(24) != 255:\n"
      "    cmd = read_input_integer_register(24)\n"
      "    if cmd == 1:\n      enter_critical\n      read_target()\n      exit_critical\n"
      "      handle = run mover()\n      write_output_integer_register(0, 1)\n"
      "      while read_input_integer_register(24) == 1:\n        sync()\n      end\n"
      "    elif cmd == 2:\n      kill handle\n      stopj(5)\n      write_output_integer_register(0, 2)\n"
      "      while read_input_integer_register(24) == 2:\n        sync()\n      end\n    end\n    sync()\n  "
      "end\nend\n");
  bench.cycles(5);
  auto& in = bench.controller.variables.inputs;
  const Joints start = bench.q();
  for (int i = 0; i < 6; ++i) in.input_double_register[static_cast<std::size_t>(24 + i)] = start[i];
  in.input_double_register[24] += 0.5;
  in.input_int_register[24] = 1;
  CHECK(bench.until([&] { return bench.state().output_int_register[1] == 1; }, 10) > 100);
  CHECK(bench.q()[0] - start[0] == doctest::Approx(0.5).epsilon(0.01));
  in.input_int_register[24] = 0;
  bench.cycles(3);
  in.input_double_register[24] = start[0];
  in.input_int_register[24] = 1;
  bench.cycles(200);
  in.input_int_register[24] = 2;
  CHECK(bench.until([&] { return bench.state().output_int_register[0] == 2; }, 2) >= 0);
  CHECK(bench.q()[0] - start[0] > 0.1);
  in.input_int_register[24] = 255;
  CHECK(bench.until([&] { return !bench.controller.programs.running(); }, 1) >= 0);
  CAPTURE(bench.said());
  CHECK(!bench.says("line "));
}

TEST_CASE("a pop-up that blocks waits until it is closed") {
  Bench bench;
  bench.controller.program(
      "def ask():\n  popup(\"ready?\", blocking=True)\n  write_output_integer_register(0, 3)\nend\n");
  bench.cycles(100);
  CHECK(bench.says("popup: ready?"));
  CHECK(bench.controller.programs.running());
  bench.controller.popup_open = false;
  bench.cycles(3);
  CHECK(bench.state().output_int_register[0] == 3);
}
