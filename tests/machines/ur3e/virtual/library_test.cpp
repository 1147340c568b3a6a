// SPDX-License-Identifier: Apache-2.0
// The built-ins of saved programs and drivers beyond motion, and that docs/ur3e.md lists them all.
#include <chrono>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "tandem/machines/ur3e/virtual/builtins/builtins.hpp"
#include "tests/machines/ur3e/virtual/bench.hpp"

using namespace tandem;
using namespace tandem::ur3e;

namespace {

// Runs statements and gives what textmsg has said, a line each.
std::string said_by(Bench& bench, const std::string& statements) {
  bench.controller.messages.clear();
  bench.run("def t():\n" + statements + "\nend\n");
  // That the program has started and stopped says nothing here.
  std::erase_if(bench.controller.messages,
                [](const auto& message) { return std::holds_alternative<ur::primary::KeyMessage>(message); });
  return bench.said();
}

std::string said_by(const std::string& statements) {
  Bench bench;
  return said_by(bench, statements);
}

// As the table of docs/ur3e.md has it.
std::string state_in_words(urscript::Effect effect) {
  switch (effect) {
    case urscript::Effect::full:
      return "implemented";
    case urscript::Effect::stored:
      return "stored only";
    case urscript::Effect::none:
      return "accepted, no effect";
    case urscript::Effect::refused:
      return "refused";
  }
  return "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("a program with a function of another version starts, and fails where it calls it") {
  Bench bench;
  bench.run(
      "def f():\n  if get_steptime() > 1:\n    get_mass_matrix()\n  end\n  write_output_integer_register(0, 7)\nend\n");
  CHECK(bench.state().output_int_register[0] == 7);
  CHECK(bench.says("unknown function 'get_mass_matrix'"));  // a warning at the start
  CHECK_FALSE(bench.says("compile_error"));
  bench.controller.messages.clear();
  bench.run("def f():\n  calldoesntexist()\nend\n");
  bool reported = false;
  for (const auto& message : bench.controller.messages) {
    const auto* error = std::get_if<ur::primary::RuntimeException>(&message);
    if (error == nullptr) continue;
    reported = true;
    CHECK(error->line == 2);
    CHECK(error->column == 3);
    CHECK(error->text == "compile_error_name_not_found:calldoesntexist:");
  }
  CHECK(reported);
}

TEST_CASE("what a saved PolyScope program writes before its own lines is accepted") {
  Bench bench;
  bench.run(
      "def saved():\n"
      "  global _hidden_verificationVariable=0\n  step_count_0123 = 0.0\n"
      "  thread Step_Counter_Thread_0123():\n    while (True):\n      step_count_0123 = step_count_0123 + 1.0\n"
      "      sync()\n    end\n  end\n  run Step_Counter_Thread_0123()\n"
      "  set_standard_analog_input_domain(0, 1)\n  set_standard_analog_input_domain(1, 1)\n"
      "  set_tool_analog_input_domain(0, 1)\n  set_tool_analog_input_domain(1, 1)\n"
      "  set_analog_outputdomain(0, 0)\n  set_analog_outputdomain(1, 0)\n  set_input_actions_to_default()\n"
      "  set_tool_communication(False, 115200, 0, 1, 1.5, 3.5)\n  set_tool_output_mode(0)\n"
      "  set_tool_digital_output_mode(0, 1)\n  set_tool_digital_output_mode(1, 1)\n  set_tool_voltage(0)\n"
      "  set_gravity([0.0, 0.0, 9.82])\n  set_safety_mode_transition_hardness(1)\n"
      "  set_tcp(p[0.0,0.0,0.157,0.0,0.0,0.0], \"TCP\")\n"
      "  set_target_payload(1.5, [-0.003, -0.016, 0.015], [0.003026, 0.003026, 0.003026, 0.0, 0.0, 0.0])\n"
      "  modbus_add_signal(\"192.168.1.3\", 255, 1, 0, \"MODBUS_1\", False)\n"
      "  modbus_set_signal_update_frequency(\"MODBUS_1\", 10)\n"
      "  modbus_add_signal(\"192.168.1.3\", 255, 1, 1, \"MODBUS_2\", False)\n"
      "  modbus_set_runstate_dependent_choice(\"MODBUS_2\",0)\n"
      "  set_runstate_standard_digital_output_to_value(7, 0)\n  set_runstate_tool_digital_output_to_value(0, 0)\n"
      "  $ 1 \"Robot Program\"\n  $ 2 \"Set DO[0]=On\"\n  set_standard_digital_out(0, True)\n"
      "  write_output_integer_register(0, 1)\nend\n");
  CAPTURE(bench.said());
  CHECK(bench.state().output_int_register[0] == 1);
  CHECK(bench.state().actual_digital_output_bits == 1);
  CHECK(bench.state().tool_output_voltage == 0);
  CHECK(bench.state().analog_io_types == 3);
  CHECK(bench.state().tool_analog_input_types == 3);
  CHECK(bench.state().tool_digital_output1_mode == 1);
  CHECK(bench.state().payload_inertia[2] == 0.003026);
  CHECK_FALSE(bench.says("expected"));
}

TEST_CASE("flags and the registers of the Modbus server keep what programs write") {
  Bench bench;
  CHECK(said_by(bench, "set_flag(3, True)\ntextmsg(get_flag(3), get_flag(4))") == "TrueFalse\n");
  CHECK(said_by(bench, "textmsg(get_flag(3))") == "True\n");  // also in the next program
  CHECK(said_by(bench, "write_port_register(128, 40000)\ntextmsg(read_port_register(128))") == "-25536\n");
  CHECK(said_by(bench, "write_port_bit(2050, True)\ntextmsg(read_port_bit(2050), read_port_register(128))") ==
        "True-25532\n");
  CHECK(said_by(bench, "write_port_bit(17, True)\ntextmsg(read_port_register(1))") == "2\n");
  CHECK(bench.state().actual_digital_output_bits == 2);
  bench.controller.variables.state.actual_digital_input_bits = 5;
  CHECK(said_by(bench, "textmsg(read_port_bit(2), read_port_register(0))") == "True5\n");
  CHECK(has(said_by("write_port_register(5, 1)"), "expected a port of the registers 0, 1 or 128 to 255, got 5"));
  CHECK(has(said_by("write_port_register(130, 70000)"), "expected -32768 to 65536, got 70000"));
  CHECK(has(said_by("set_flag(32, True)"), "set_flag: expected 0 to 31, got 32"));
}

TEST_CASE("encoders count what is written and unwind at the end of their range") {
  CHECK(said_by("encoder_enable_set_tick_count(0, 2)\nencoder_set_tick_count(0, 1234)\n"
                "textmsg(encoder_get_tick_count(0), \" \")\ntextmsg(encoder_get_tick_count(0, opt=\"raw\"))\n"
                "textmsg(encoder_unwind_delta_tick_count(0, 864 - 65530))\n"
                "textmsg(encoder_unwind_delta_tick_count(0, 100))") == "1234 \n1234\n870\n100\n");
  CHECK(said_by("set_conveyor_tick_count(24543, 0)\ntextmsg(get_conveyor_tick_count())") == "24543\n");
  CHECK(has(said_by("encoder_set_tick_count(1, 3)"), "encoder_enable_set_tick_count has enabled"));
  CHECK(has(said_by("encoder_enable_set_tick_count(0, 1)\nencoder_set_tick_count(0, 256)"),
            "expected 0 to 255, got 256"));
  CHECK(said_by("encoder_enable_pulse_decode(0, 1, 8, 9)\nconveyor_pulse_decode(2, 3)\n"
                "textmsg(encoder_get_tick_count(0))") == "0\n");
}

TEST_CASE("outputs follow the program as set_runstate wants them") {
  Bench bench;
  const auto bits = [&] { return bench.state().actual_digital_output_bits; };
  bench.controller.program(
      "def f():\n  set_runstate_standard_digital_output_to_value(0, 1)\n"
      "  set_runstate_standard_digital_output_to_value(1, 2)\n  set_runstate_standard_digital_output_to_value(2, 3)\n"
      "  set_runstate_configurable_digital_output_to_value(3, 4)\n  set_runstate_tool_digital_output_to_value(1, 5)\n"
      "  set_runstate_gp_boolean_output_to_value(64, 3)\n  set_runstate_standard_analog_output_to_value(1, 2)\n"
      "  set_runstate_standard_digital_output_to_value(7, 6)\n"
      "  set_standard_digital_out(0, True)\n  set_configurable_digital_out(3, True)\n  sleep(0.1)\nend\n");
  bench.cycles(10);
  CHECK(bits() == (1u << 0 | 1u << 2 | 1u << 11 | 1u << 17 | 1u << 7));
  CHECK(ur::output_bit(bench.state(), 64));
  REQUIRE(bench.until([&] { return !bench.controller.programs.running(); }, 1) >= 0);
  bench.cycles(1);
  CHECK(bits() == (1u << 1 | 1u << 11 | 1u << 17 | 1u << 7));  // ended as it should: 4 and 5 stay
  CHECK_FALSE(ur::output_bit(bench.state(), 64));
  CHECK(bench.state().standard_analog_output[1] > 0.019);  // 20 mA
  bench.run("def g():\n  sleep(0.02)\n  x = 1 / 0\nend\n");
  bench.cycles(1);
  CHECK(bits() == (1u << 1 | 1u << 7));  // failed
  bench.controller.power.power_off();
  bench.cycles(2);
  CHECK((bits() & 1u << 7) == 0);
  CHECK(has(said_by("set_runstate_tool_digital_output_to_value(0, 6)"), "expected 0 to 5, got 6"));
}

TEST_CASE("an input with the action freedrive lets a hand guide the arm, but never while a program runs") {
  Bench bench;
  bench.run("set_standard_digital_input_action(3, \"freedrive\")\n");
  bench.controller.variables.state.actual_digital_input_bits = 1u << 3;
  bench.cycles(2);
  CHECK(bench.controller.motion.drive() == Drive::freedrive);
  bench.controller.program("def f():\n  sleep(0.1)\nend\n");
  bench.cycles(3);
  CHECK(bench.controller.motion.drive() == Drive::servo);
  REQUIRE(bench.until([&] { return !bench.controller.programs.running(); }, 1) >= 0);
  bench.cycles(2);
  CHECK(bench.controller.motion.drive() == Drive::freedrive);
  bench.controller.variables.state.actual_digital_input_bits = 0;
  bench.cycles(2);
  CHECK(bench.controller.motion.drive() == Drive::servo);
  bench.run("set_input_actions_to_default()\n");
  bench.controller.variables.state.actual_digital_input_bits = 1u << 3;
  bench.cycles(2);
  CHECK(bench.controller.motion.drive() == Drive::servo);
  CHECK(has(said_by("set_tool_digital_input_action(0, \"teach\")"), "expected \"default\" or \"freedrive\""));
}

TEST_CASE("freedrive tells how near a singularity is, and the Jacobian gives the tool's speed") {
  ControllerSetup setup = aside();
  CHECK(said_by("textmsg(get_freedrive_status())") == "0\n");
  setup.start[4] = 0;  // wrist 2 straight: wrist 1 and wrist 3 turn about the same axis
  Bench straight(setup);
  CHECK(said_by(straight, "textmsg(get_freedrive_status())") == "2\n");
  setup.start[4] = 0.05;
  Bench near(setup);
  CHECK(said_by(near, "textmsg(get_freedrive_status())") == "1\n");
  // The derivative against a difference of forward kinematics.
  CHECK(said_by("q = get_joint_positions()\nh = 0.00001\nq2 = [q[0] + h, q[1], q[2], q[3], q[4], q[5]]\n"
                "a = get_forward_kin(q)\nb = get_forward_kin(q2)\nj = get_jacobian(q)\n"
                "textmsg(norm(j[0, 0] - (b[0] - a[0]) / h) < 0.00001, norm(j[1, 0] - (b[1] - a[1]) / h) < 0.00001)\n"
                "d = get_jacobian_time_derivative(q, [1, 0, 0, 0, 0, 0])\nj2 = get_jacobian(q2)\n"
                "textmsg(norm(d[0, 1] - (j2[0, 1] - j[0, 1]) / h) < 0.0001)") == "TrueTrue\nTrue\n");
}

TEST_CASE("time counts from the start of the controller, or is that of the system") {
  Bench bench;
  bench.cycles(600);
  CHECK(said_by(bench, "t = time()\ntextmsg(t.sec, \" \")\ntextmsg(t.nanosec)") == "1 \n202000000\n");
  const auto now =
      std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch());
  const std::string system = said_by("textmsg(time(2).sec)");
  CHECK(std::abs(std::stoll(system) - now.count()) < 120);
  CHECK(has(said_by("x = time(1)"), "expected 0 (controller) or 2 (system), got 1"));
  CHECK(said_by("set_gravity([0, 9.82, 0])\ntextmsg(get_gravity(), get_tool_temp())") == "[0,9.82,0]28\n");
}

TEST_CASE("the arm is steady after half a second of rest") {
  Bench bench;
  CHECK(said_by(bench,
                "sleep(0.6)\ntextmsg(is_steady())\nq = get_joint_positions()\nq[0] = q[0] + 0.1\nmovej(q)\n"
                "sleep(0.1)\ntextmsg(is_steady())\nsleep(0.6)\ntextmsg(is_steady())") == "True\nFalse\nTrue\n");
}

TEST_CASE("analogue signals are read in amperes or volts") {
  Bench bench;
  bench.controller.variables.state.standard_analog_input = {0.012, 3.5};
  bench.controller.variables.state.tool_analog_input = {1.25, 2.5};
  CHECK(said_by(bench,
                "set_standard_analog_input_domain(1, 1)\ntextmsg(get_standard_analog_in(0), \" A\")\n"
                "textmsg(get_analog_in(1), get_analog_in(3))\nset_analog_outputdomain(0, 1)\n"
                "set_standard_analog_out(0, 0.5)\ntextmsg(get_standard_analog_out(0))") == "0.012 A\n3.52.5\n5\n");
}

TEST_CASE("set_analog_inputrange chooses between volts and amperes") {
  Bench bench;
  bench.run("set_analog_inputrange(1, 2)\n");
  CHECK(bench.state().analog_io_types == 2);
  bench.run("set_analog_inputrange(0, 0)\n");
  CHECK(bench.state().analog_io_types == 3);
  bench.run("set_analog_inputrange(3, 1)\n");
  CHECK(bench.state().tool_analog_input_types == 2);
  bench.run("set_analog_inputrange(3, 2)\n");
  CHECK(bench.state().tool_analog_input_types == 0);
  CHECK(has(said_by("set_analog_inputrange(0, 1)"), "expected 0 or 2 for a controller input, got 1"));
}

TEST_CASE("a program is warned once of a deviation that it wants to know of") {
  for (const bool enabled : {true, false}) {
    CAPTURE(enabled);
    Bench bench;
    bench.controller.program(std::string("def f():\n  position_deviation_warning(") + (enabled ? "True" : "False") +
                             ", 0.02)\n  sleep(5)\nend\n");
    bench.cycles(100);
    CHECK_FALSE(bench.says("position deviation"));
    double most = 0;
    bench.each_cycle = [&] { most = std::max(most, bench.state().joint_position_deviation_ratio); };
    bench.controller.body.push({Eigen::Vector3d(0, 0, -40), Eigen::Vector3d::Zero()});
    bench.cycles(200);
    CHECK(most > 0.02);
    CHECK(bench.controller.power.may_move());
    const std::string said = bench.said();
    const std::size_t first = said.find("position deviation");
    CHECK((first != std::string::npos) == enabled);
    if (enabled) CHECK(said.find("position deviation", first + 1) == std::string::npos);
  }
}

TEST_CASE("a path offset of the type MOTION is across the way that is planned") {
  Bench bench;
  const Eigen::Vector3d start = bench.tool();
  bench.controller.program(
      "def f():\n  p0 = get_target_tcp_pose()\n  path_offset_enable()\n  path_offset_set([0, 0.01, 0, 0, 0, 0], 3)\n"
      "  sleep(0.6)\n  write_output_integer_register(0, 1)\n  sleep(0.1)\n"
      "  movel(pose_add(p0, p[0, 0.10, 0, 0, 0, 0]), a=0.5, v=0.05)\n  write_output_integer_register(0, 2)\n"
      "  sleep(0.6)\n  write_output_integer_register(0, 3)\n  sleep(1)\nend\n");
  const auto reaches = [&](int step) {
    return bench.until([&] { return bench.state().output_int_register[0] == step; }, 10) >= 0;
  };
  // Before the first move there is no way yet: the axes of the base. What the offset itself does is no way either.
  REQUIRE(reaches(1));
  CHECK((bench.tool() - start - Eigen::Vector3d(0, 0.01, 0)).norm() < 5e-4);
  CHECK(bench.controller.motion.velocity().cwiseAbs().maxCoeff() < 1e-4);
  // X along the way (y of the base), Y = X cross the tool's z (down): minus x of the base.
  bench.cycles(500);
  CHECK(bench.tool().x() - start.x() == doctest::Approx(-0.01).epsilon(0.05));
  CHECK(std::abs(bench.tool().z() - start.z()) < 5e-4);
  REQUIRE(reaches(3));
  CAPTURE(bench.said());
  CHECK((bench.tool() - start - Eigen::Vector3d(-0.01, 0.10, 0)).norm() < 1e-3);
}

TEST_CASE("a path offset of the type WORLD keeps the tool in the world, within the limits") {
  const auto moved = [](const char* limits, const char* base) {
    Bench bench;
    const Pose start = bench.controller.tool(bench.q());
    bench.controller.program(std::string("def f():\n  ") + limits + "\n  path_offset_enable()\n  path_offset_set(" +
                             base + ", 4)\n  sleep(5)\nend\n");
    bench.cycles(1000);
    CAPTURE(bench.said());
    CHECK(bench.controller.power.may_move());
    const Pose now = bench.controller.tool(bench.q());
    const Eigen::AngleAxisd turn(Eigen::Matrix3d(now.linear() * start.linear().transpose()));
    Twist6 change;
    change << now.translation() - start.translation(), turn.angle() * turn.axis();
    return change;
  };
  const auto near = [](const Twist6& a, const Twist6& b) { return (a - b).cwiseAbs().maxCoeff() < 1e-3; };
  Twist6 wanted = Twist6::Zero();
  wanted[0] = -0.02;  // the base has gone the other way
  CHECK(near(moved("sync()", "[0.02,0,0,0,0,0]"), wanted));
  wanted[0] = -0.1;
  CHECK(near(moved("sync()", "[0.5,0,0,0,0,0]"), wanted));
  wanted[0] = -0.03;
  CHECK(near(moved("path_offset_set_max_offset(0.03, 0.1)", "[0.5,0,0,0,0,0]"), wanted));
  const Twist6 turned = moved("path_offset_set_max_offset(0.03, 0.1)", "[0,0,0,0,0,1]");
  CHECK(turned.head<3>().cwiseAbs().maxCoeff() < 0.031);
  CHECK(turned[5] == doctest::Approx(-0.1).epsilon(0.02));
}

TEST_CASE("pause pauses the program until it is resumed") {
  Bench bench;
  bench.controller.program("def f():\n  pause\n  write_output_integer_register(0, 1)\nend\n");
  bench.cycles(20);
  CHECK(bench.controller.programs.paused());
  CHECK(bench.state().output_int_register[0] == 0);
  bench.controller.programs.resume();
  bench.cycles(5);
  CHECK(bench.state().output_int_register[0] == 1);
}

TEST_CASE("a path offset shifts the tool while a move goes on, and filters and limits hold") {
  Bench bench;
  const Eigen::Vector3d start = bench.tool();
  bench.controller.program(
      "def f():\n  path_offset_enable()\n  path_offset_set_alpha_filter(0.1)\n  path_offset_set([0, 0, 0.01, 0, 0, 0], "
      "1)\n"
      "  p0 = get_target_tcp_pose()\n  movel(pose_add(p0, p[0, 0.05, 0, 0, 0, 0]), a=0.5, v=0.1)\n  sleep(0.3)\n"
      "  write_output_integer_register(0, 1)\n  o = path_offset_get(1)\n  write_output_float_register(0, o[2])\n  "
      "sleep(1)\n"
      "  path_offset_disable()\nend\n");
  const int reached = bench.until([&] { return bench.state().output_int_register[0] == 1; }, 10);
  CAPTURE(bench.said());
  REQUIRE(reached >= 0);
  bench.cycles(2);
  const Eigen::Vector3d shift = bench.tool() - start;
  CHECK(std::abs(shift.x()) < 0.001);
  CHECK(std::abs(shift.y() - 0.05) < 0.001);
  CHECK(std::abs(shift.z() - 0.01) < 0.001);
  CHECK(std::abs(bench.state().output_double_register[0] - 0.01) < 1e-6);
  REQUIRE(bench.until([&] { return !bench.controller.programs.running(); }, 10) >= 0);
  CAPTURE(bench.said());
  CHECK(bench.controller.power.may_move());
  CHECK(has(said_by("path_offset_set([0,0,0,0,0,0], 5)"), "expected 1 to 4, got 5"));
  CHECK(has(said_by("path_offset_set_alpha_filter(2)"), "expected 0 to 1, got 2"));
  CHECK(said_by("path_offset_set_max_offset(0.005, 0.1)\npath_offset_enable()\npath_offset_set([0.01,0,0,0,0,0], 2)\n"
                "sleep(0.2)\no = path_offset_get(2)\ntextmsg(o)") == "p[0.005,0,0,0,0,0]\n");
}

TEST_CASE("optimovej takes parts of what the arm can do") {
  Bench bench;
  const double slow = bench.run(
      "def f():\n  q = get_joint_positions()\n  q[0] = q[0] + 0.5\n"
      "  optimovej(q, a=0.1, v=0.1)\nend\n");
  const double fast = bench.run(
      "def f():\n  q = get_joint_positions()\n  q[0] = q[0] - 0.5\n"
      "  optimovej(goal=q, a=1, v=1)\nend\n");
  CAPTURE(bench.said());
  CHECK(std::abs(bench.q()[0]) < 0.01);
  CHECK(fast < slow / 2);
  CHECK(has(said_by("optimovej(get_joint_positions(), a=2)"), "expected 0 to 1, got 2"));
}

TEST_CASE("Modbus signals keep what is written to them") {
  CHECK(said_by("modbus_add_signal(\"10.0.0.1\", 255, 5, 1, \"out\")\nmodbus_set_output_signal(\"out\", True)\n"
                "modbus_add_signal(\"10.0.0.1\", 255, 9, 16, \"regs\", False, 3)\n"
                "modbus_set_output_register(\"regs\", [7, 8])\n"
                "textmsg(modbus_get_signal_status(\"out\"), modbus_get_signal_status(\"regs\"))") ==
        "Modbus signals are stored; this virtual controller does not contact a device\nTrue[7,8,0]\n");
  CHECK(has(said_by("x = modbus_get_signal_status(\"none\")"), "modbus_add_signal has added, got 'none'"));
}

TEST_CASE("no Modbus device answers, and a program can see it") {
  const std::string signal = "modbus_add_signal(\"10.0.0.1\", 255, 5, 1, \"out\")\nsleep(0.5)\n";
  const std::string said = said_by(signal +
                                   "textmsg(modbus_get_error(\"out\"))\ntextmsg(modbus_get_error(\"out\", 1))\n"
                                   "textmsg(modbus_get_error(\"out\", 2))\n"
                                   "t = modbus_get_time_since_signal_invalid(\"out\")\ntextmsg(t > 0.4 and t < 0.6)");
  // The upper half is the connection's error: -2, disconnected; the lower half the device's: none was reached.
  CHECK(has(said, "-131072\n0\n-2\nTrue\n"));
  CHECK(has(said_by(signal + "x = modbus_get_error(\"out\", 3)"), "expected 0 to 2, got 3"));
}

TEST_CASE("set_pos is refused, as the arm would be elsewhere at once") {
  Bench bench;
  const Joints start = bench.q();
  CHECK(has(said_by(bench, "set_pos([1, -1, 1, 0, 0, 0])"), "set_pos: expected a simulated robot"));
  bench.cycles(200);
  CHECK((bench.q() - start).cwiseAbs().maxCoeff() < 1e-3);
  CHECK(has(said_by("set_pos([1, 2])"), "expected six numbers"));
}

TEST_CASE("pause_on_error_code pauses the program when that error is reported, until its end") {
  const auto paused = [](const char* call) {
    Bench bench;
    bench.controller.program(std::string("def f():\n  ") + call + "\n  sleep(5)\nend\n");
    bench.cycles(5);
    REQUIRE_FALSE(bench.controller.programs.paused());
    bench.controller.ignore_script();  // C210A0, which stops nothing by itself
    bench.cycles(2);
    const bool was = bench.controller.programs.paused();
    bench.controller.program("def g():\n  sleep(5)\nend\n");
    bench.cycles(5);
    bench.controller.ignore_script();
    bench.cycles(2);
    CHECK_FALSE(bench.controller.programs.paused());  // the next program has not asked for it
    return was;
  };
  CHECK(paused("pause_on_error_code(210)"));
  CHECK(paused("pause_on_error_code(210, 0)"));
  CHECK_FALSE(paused("pause_on_error_code(210, 3)"));
  CHECK_FALSE(paused("pause_on_error_code(173)"));
  CHECK_FALSE(paused("sync()"));
}

TEST_CASE("textmsg writes six significant digits and no blanks, to_str six decimals") {
  // A public log of a UR10e: p[0.605825,-0.720087,...,-0.0111368].
  CHECK(said_by("textmsg(\"at \", p[0.6058254, -0.7200871, 0.2359999, -0.001221, 3.1161949, -0.01113684])") ==
        "at p[0.605825,-0.720087,0.236,-0.001221,3.11619,-0.0111368]\n");
  CHECK(said_by("textmsg([1, 2.5, True], 1234567.0)") == "[1,2.5,True]1.23457e+06\n");
  CHECK(said_by("textmsg(to_str(p[0.6058254, 0, 0, 0, 0, -0.01113684]))") == "p[0.605825, 0, 0, 0, 0, -0.011137]\n");
  CHECK(said_by("textmsg(str_cat(\"\", [0.01113684]))") == "[0.011137]\n");
}

TEST_CASE("what has no effect is checked, accepted and logged once") {
  const std::string said = said_by("i = 0\nwhile i < 3:\n  set_baselight_off()\n  i = i + 1\nend");
  CHECK(said == "set_baselight_off: accepted, it has no effect on this virtual controller\n");
  CHECK(has(said_by("set_baselight_solid(0, 0, 256)"), "expected 0 to 255, got 256"));
}

TEST_CASE("abort ends a move of the interpreter mode, and the next statement goes on") {
  Bench bench;
  const auto answers = std::make_shared<std::string>();
  bench.controller.program("interpreter_mode()\n");
  bench.cycles(5);
  bench.controller.statement("movej([2,-1.57,1.57,-1.57,-1.57,0], a=1, v=0.5)", answers);
  bench.controller.statement("write_output_integer_register(0, 5)", answers);
  bench.cycles(300);
  CHECK(bench.state().output_int_register[0] == 0);
  bench.controller.statement("abort", answers);
  REQUIRE(bench.until([&] { return bench.state().output_int_register[0] == 5; }, 2) >= 0);
  CHECK(bench.controller.body.measured().velocity.cwiseAbs().maxCoeff() < 0.05);
  CHECK(bench.q()[0] < 1.0);
  bench.controller.statement("end_interpreter()", answers);
  REQUIRE(bench.until([&] { return !bench.controller.programs.running(); }, 1) >= 0);
  bench.controller.statement("textmsg(\"late\")", answers);
  CHECK(*answers ==
        "ack: 1: movej([2,-1.57,1.57,-1.57,-1.57,0], a=1, v=0.5)\nack: 2: write_output_integer_register(0, 5)\n"
        "ack: 0: abort\nack: 3: end_interpreter()\ndiscard: no program is running: textmsg(\"late\")\n");
}

// The table "Built-in functions" of docs/ur3e.md: | `name` | state |
TEST_CASE("the documentation lists every built-in with its state") {
  std::ifstream file(TANDEM_UR3E_PAGE);
  REQUIRE(file.good());
  std::map<std::string, std::string> listed;
  bool within = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("#")) within = line == "### Built-in functions";
    if (!within || !line.starts_with("| ")) continue;
    const std::size_t bar = line.find(" | ");
    const std::string state = line.substr(2, bar - 2);
    std::istringstream names(line.substr(bar + 3));
    for (std::string name; names >> name;) {
      if (!name.starts_with('`')) continue;
      name = name.substr(1, name.find('`', 1) - 1);
      CAPTURE(name);
      CHECK(listed.emplace(name, state).second);  // once
    }
  }
  Bench bench;
  urscript::Builtins builtins;
  add_robot_library(builtins, bench.controller);
  for (const std::string_view name : builtins.names()) {
    const std::string expected = state_in_words(builtins.find(name)->effect);
    CAPTURE(name);
    CHECK(listed[std::string(name)] == expected);
  }
  for (const auto& [name, state] : listed) {
    CAPTURE(name);
    CHECK((builtins.find(name) != nullptr) == (state != "not there"));
  }
  // And every function of the script manual, whether it is there or not.
  std::ifstream index(TANDEM_SCRIPT_FUNCTIONS);
  REQUIRE(index.good());
  std::set<std::string> functions;
  for (std::string line; std::getline(index, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream names(line.substr(line.find(':') + 1));
    for (std::string name; names >> name;) functions.insert(name);
  }
  CHECK(functions.size() > 250);
  for (const std::string& name : functions) {
    CAPTURE(name);
    CHECK(listed.contains(name));
  }
  for (const auto& [name, state] : listed) {
    CAPTURE(name);
    CHECK((state != "not there" || functions.contains(name)));
  }
}

TEST_CASE("a process path ends the program where it is called, and the start says so") {
  Bench bench;
  bench.run(
      "def f():\n  write_output_integer_register(0, 1)\n  mc_initialize(0, p[0,0,0,0,0,0])\n"
      "  write_output_integer_register(0, 2)\nend\n");
  CHECK(bench.state().output_int_register[0] == 1);
  CHECK(bench.says("unknown function 'mc_initialize'"));
  CHECK(bench.says("compile_error_name_not_found:mc_initialize:"));
}
