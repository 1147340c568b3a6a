// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <sstream>

#include "tandem/machines/ur3e/virtual/builtins/builtins.hpp"
#include "tests/machines/ur3e/virtual/bench.hpp"

using namespace tandem;
using namespace tandem::ur3e;

namespace {

// What the programs of three clients call: the control script of SDU's ur_rtde, the external control of Universal
// Robots' client library, and the seed's own (facts collected from their sources).
constexpr const char* ur_rtde_calls =
    "end_force_mode end_teach_mode force_mode force_mode_set_damping force_mode_set_gain_scaling "
    "get_actual_joint_positions_history get_actual_tcp_pose get_forward_kin get_inverse_kin get_joint_torques "
    "get_steptime get_target_payload get_target_payload_cog get_target_waypoint get_tcp_offset is_steady "
    "is_within_safety_limits movej movel movep movec pose_add pose_trans protective_stop read_input_float_register "
    "read_input_integer_register rtde_set_watchdog servoc servoj set_payload set_tcp speedj speedl stopj stopl sync "
    "teach_mode textmsg tool_contact write_output_float_register write_output_integer_register zero_ftsensor";
constexpr const char* client_library_calls =
    "direct_torque enable_external_ft_sensor end_force_mode end_freedrive_mode force_mode force_mode_set_damping "
    "force_mode_set_gain_scaling freedrive_mode ft_rtde_input_enable get_actual_joint_positions_history "
    "get_actual_tcp_speed get_inverse_kin get_joint_positions get_list_length get_steptime get_target_joint_positions "
    "get_target_joint_speeds movec movej movel movep norm optimovej optimovel popup pow servoj set_gravity set_payload "
    "set_target_payload set_tcp set_tool_voltage sleep socket_close socket_open socket_read_binary_integer "
    "socket_send_int speedj speedl stopj stopl str_cat sync textmsg to_str tool_contact zero_ftsensor";
constexpr const char* seed_calls =
    "movej movel movep movec servoj speedj speedl stopj stopl set_tcp set_payload set_gravity get_inverse_kin "
    "read_input_float_register write_output_boolean_register write_output_float_register freedrive_mode "
    "end_freedrive_mode force_mode end_force_mode sleep sync popup textmsg set_standard_digital_out "
    "set_configurable_digital_out set_standard_analog_out";
constexpr const char* usual_calls =
    "get_actual_joint_positions get_actual_joint_speeds get_target_tcp_pose get_target_tcp_speed get_tcp_force force "
    "get_inverse_kin_has_solution get_joint_temp get_controller_temp get_standard_digital_in get_standard_digital_out "
    "get_configurable_digital_in get_configurable_digital_out get_tool_digital_in get_tool_digital_out "
    "set_tool_digital_out get_standard_analog_in get_standard_analog_out get_tool_analog_in "
    "read_input_boolean_register read_output_boolean_register read_output_integer_register read_output_float_register "
    "write_output_boolean_register set_payload_mass set_payload_cog powerdown set_digital_out get_digital_in";

}  // namespace

TEST_CASE("every function that known clients call is there") {
  Bench bench;
  urscript::Builtins builtins;
  add_robot_library(builtins, bench.controller);
  for (const char* calls : {ur_rtde_calls, client_library_calls, seed_calls, usual_calls}) {
    std::istringstream names(calls);
    for (std::string name; names >> name;) {
      CAPTURE(name);
      CHECK(builtins.find(name) != nullptr);
    }
  }
}

TEST_CASE("functions take their arguments by the names that clients use") {
  Bench bench;
  bench.controller.program(
      "def signatures():\n"
      "  q = get_joint_positions()\n"
      "  p0 = get_forward_kin(q, p[0,0,0,0,0,0])\n"
      "  q1 = get_inverse_kin(p0, q, 0.001, 0.001)\n"
      "  q2 = get_inverse_kin(p0, qnear=q, maxPositionError=1e-4, maxOrientationError=1e-4)\n"
      "  write_output_float_register(0, norm([q1[0]-q[0],q1[1]-q[1],q1[2]-q[2],q1[3]-q[3],q1[4]-q[4],q1[5]-q[5]]))\n"
      "  if False:\n"
      "    movej(q, a=1, v=1, t=0, r=0)\n    movel(p0, a = 1, v = 1, t = 0, r = 0)\n    movep(p0, a=1, v=1, r=0)\n"
      "    movec(p0, p0, a=1, v=1, r=0, mode=0)\n    movec(p0, p0, 1, 1, 0, 1)\n"
      "    servoj(q, t=0.002, lookahead_time=0.03, gain=2000)\n    servoj(q, 0.002, lookahead_time=0.03, gain=1000)\n"
      "    servoc(p0, a=1, v=1, r=0)\n    speedl(q, a=1, t=1)\n    speedj(q, 40.0, 0.002)\n    stopl(10)\n"
      "    popup(\"a\", title=\"b\", blocking=False, warning=True, error=True)\n"
      "    tool_contact(direction = get_actual_tcp_speed())\n    direct_torque(q, friction_comp=True)\n"
      "    direct_torque(q, viscous_scale=q, coulomb_scale=q)\n"
      "    ft_rtde_input_enable(True, 0.1, [0,0,0], [0,0,0])\n    force_mode(p0, q, q, 2, q)\n"
      "    optimovej(q, a = 1, v = 1, r = 0)\n    optimovel(p0, a = 1, v = 1, r = 0)\n"
      "  end\n"
      "  write_output_integer_register(0, 1)\nend\n");
  bench.cycles(5);
  CAPTURE(bench.said());
  CHECK(bench.state().output_int_register[0] == 1);
  CHECK(std::abs(bench.state().output_double_register[0]) < 1e-6);
}

TEST_CASE("the old names of outputs count the tool's after the standard ones") {
  Bench bench;
  bench.controller.variables.state.actual_digital_input_bits = 1u << 17;
  // As python-urx sends them, each a program of its own.
  bench.run("digital_out[1]=True\n");
  bench.run("digital_out[8]=get_digital_in(9)\n");
  CHECK(bench.state().actual_digital_output_bits == (1u << 1 | 1u << 16));
  bench.run("digital_out[1]=False\n");
  bench.run("set_digital_out(9, True)\n");
  CHECK(bench.state().actual_digital_output_bits == (1u << 16 | 1u << 17));
  bench.run("digital_out[10]=True\n");
  CHECK(bench.said().find("expected a number of 0 to 9, got 10") != std::string::npos);
  CHECK(bench.state().actual_digital_output_bits == (1u << 16 | 1u << 17));
}

TEST_CASE("setup lines of python-urx and its gripper are taken") {
  Bench bench;
  bench.run("set_payload(2, (0, 0, 0.1))\n");
  CHECK(bench.state().payload == 2);
  CHECK(bench.state().payload_cog[2] == 0.1);
  bench.run(
      "def myProg():\n\tset_analog_inputrange(2,0)\n\tset_analog_outputdomain(0,0)\n\tset_tool_voltage(0)\n"
      "\tset_runstate_outputs([])\n\tset_payload(0.85)\n\ttextmsg(\"ready\")\nend\n");
  CHECK(bench.says("ready"));
  bench.run("set_runstate_outputs(1)\n");
  CHECK(bench.says("set_runstate_outputs: expected a list, got 1"));
}

TEST_CASE("inputs and outputs and registers are seen by programs and clients alike") {
  Bench bench;
  bench.controller.variables.state.actual_digital_input_bits = 1u << 2 | 1u << 9;
  bench.controller.variables.inputs.input_double_register[30] = 2.5;
  ur::write_input_bit(bench.controller.variables.inputs, 70, true);
  bench.run(
      "def io():\n  set_standard_digital_out(1, get_standard_digital_in(2))\n"
      "  set_configurable_digital_out(0, get_configurable_digital_in(1))\n  set_tool_digital_out(1, True)\n"
      "  set_standard_analog_out(0, 0.5)\n  write_output_float_register(3, read_input_float_register(30) * 2)\n"
      "  write_output_boolean_register(64, read_input_boolean_register(70))\n"
      "  write_output_boolean_register(33, True)\nend\n");
  const ur::ControllerState& state = bench.state();
  CHECK(state.actual_digital_output_bits == (1u << 1 | 1u << 8 | 1u << 17));
  CHECK(state.standard_analog_output[0] == doctest::Approx(0.012));
  CHECK(state.output_double_register[3] == 5.0);
  CHECK(state.output_bit_register[0] == 1);
  CHECK(state.output_bit_registers[1] == 2);
  // Masks: only what they name is written.
  auto& in = bench.controller.variables.inputs;
  in.standard_digital_output_mask = 0b0110;
  in.standard_digital_output = 0b0101;
  in.speed_slider_mask = 1;
  in.speed_slider_fraction = 0.25;
  bench.write(
      {"standard_digital_output_mask", "standard_digital_output", "speed_slider_mask", "speed_slider_fraction"});
  CHECK((state.actual_digital_output_bits & 0xff) == 0b0100);
  CHECK(state.target_speed_fraction == 0.25);
}

TEST_CASE("the tool centre point is read back exactly as it was set") {
  // Also a rotation vector that is longer than half a turn, which a pose would give back the other way round.
  Bench bench;
  bench.run("def tool():\n  set_tcp(p[0.1,0.2,0.3,0.4,0.5,4.6])\n  textmsg(get_tcp_offset())\nend\n");
  bench.cycles(1);
  CHECK(bench.state().tcp_offset == ur::Vector6{0.1, 0.2, 0.3, 0.4, 0.5, 4.6});
  CHECK(bench.says("p[0.1,0.2,0.3,0.4,0.5,4.6]"));
}

TEST_CASE("the tool centre point moves what poses mean") {
  Bench bench;
  const double before = bench.state().actual_tcp_pose[2];
  bench.run("set_tcp(p[0,0,0.1,0,0,0])\n");
  bench.cycles(1);
  CHECK(bench.state().actual_tcp_pose[2] == doctest::Approx(before - 0.1).epsilon(1e-3));
  CHECK(bench.state().tcp_offset[2] == 0.1);
  const Joints start = bench.q();
  bench.run("movel(get_actual_tcp_pose())\n");
  CHECK((bench.q() - start).cwiseAbs().maxCoeff() < 1e-3);
  // A turn about the TCP leaves it where it is.
  const auto at = bench.state().actual_tcp_pose;
  bench.run("movel(pose_trans(get_actual_tcp_pose(), p[0,0,0,0.3,0,0]), a=0.5, v=0.1)\n");
  bench.cycles(50);
  for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(bench.state().actual_tcp_pose[i] - at[i]) < 1e-3);
  CHECK((bench.q() - start).cwiseAbs().maxCoeff() > 0.1);
}
