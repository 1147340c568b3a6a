// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/rtde/fields.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>

#include "tandem/protocols/ur/rtde/recipe.hpp"
#include "tests/protocols/ur/bytes_by_hand.hpp"

using namespace tandem;
using namespace tandem::ur;

namespace {

// UR's list of outputs, by type.
const std::map<std::string, std::string> outputs{
    {"DOUBLE",
     "timestamp actual_execution_time target_execution_time speed_scaling target_speed_fraction actual_momentum "
     "actual_main_voltage actual_robot_voltage actual_robot_current standard_analog_input0 standard_analog_input1 "
     "standard_analog_output0 standard_analog_output1 io_current euromap67_24V_voltage euromap67_24V_current "
     "tool_analog_input0 tool_analog_input1 tool_output_current tool_temperature tcp_force_scalar "
     "joint_position_deviation_ratio collision_detection_ratio payload actual_robot_energy_consumed "
     "actual_robot_braking_energy_dissipated output_double_register_0 output_double_register_47 "
     "input_double_register_0 input_double_register_47"},
    {"VECTOR6D",
     "target_q target_qd target_qdd target_current target_moment actual_q actual_qd actual_current "
     "actual_current_window actual_current_as_torque joint_control_output actual_TCP_pose actual_TCP_speed "
     "actual_TCP_force target_TCP_pose target_TCP_speed tcp_offset actual_TCP_acceleration target_TCP_acceleration "
     "joint_temperatures actual_joint_voltage ft_raw_wrench wrench_calc_from_currents payload_inertia "
     "target_base_acceleration target_base_wrench"},
    {"VECTOR3D", "actual_tool_accelerometer elbow_position elbow_velocity payload_cog target_gravity"},
    {"VECTOR6INT32", "joint_mode"},
    {"UINT64",
     "actual_digital_input_bits actual_configurable_digital_input_bits actual_digital_output_bits "
     "actual_configurable_digital_output_bits control_step"},
    {"INT32",
     "robot_mode safety_mode safety_status tool_output_voltage time_scale_source encoder0_raw encoder1_raw "
     "output_int_register_0 output_int_register_47 input_int_register_0 input_int_register_47"},
    {"UINT32",
     "runtime_state robot_status_bits safety_status_bits analog_io_types euromap67_input_bits euromap67_output_bits "
     "tool_mode tool_analog_input_types script_control_line output_bit_registers0_to_31 output_bit_registers32_to_63 "
     "input_bit_registers0_to_31 input_bit_registers32_to_63"},
    {"UINT8", "tool_output_mode tool_digital_output0_mode tool_digital_output1_mode"},
    {"BOOL", "output_bit_register_64 output_bit_register_127 input_bit_register_64 input_bit_register_127"}};

const std::map<std::string, std::string> inputs{
    {"UINT32", "speed_slider_mask input_bit_registers0_to_31 input_bit_registers32_to_63"},
    {"DOUBLE",
     "speed_slider_fraction standard_analog_output_0 standard_analog_output_1 input_double_register_0 "
     "input_double_register_47"},
    {"UINT8",
     "standard_digital_output_mask standard_digital_output configurable_digital_output_mask "
     "configurable_digital_output tool_digital_output_mask tool_digital_output standard_analog_output_mask "
     "standard_analog_output_type"},
    {"BOOL", "input_bit_register_64 input_bit_register_127"},
    {"INT32", "input_int_register_0 input_int_register_47"},
    {"VECTOR6D", "external_force_torque"}};

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> list;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    list.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return list;
}

}  // namespace

TEST_CASE("every output of the list is there with its type") {
  for (const auto& [type, names] : outputs)
    for (const std::string& wanted : words(names)) {
      CAPTURE(wanted);
      const auto field = field_named(wanted);
      REQUIRE(field);
      CHECK(fields()[*field].output);
      CHECK(std::string(name(fields()[*field].type)) == type);
    }
}

TEST_CASE("every input of the list is there with its type") {
  for (const auto& [type, names] : inputs)
    for (const std::string& wanted : words(names)) {
      CAPTURE(wanted);
      const auto field = field_named(wanted);
      REQUIRE(field);
      CHECK(fields()[*field].input);
      CHECK(std::string(name(fields()[*field].type)) == type);
    }
}

TEST_CASE("names are unique and places do not overlap") {
  std::set<std::string> names;
  std::vector<int> owner(sizeof(Variables), 0);
  for (const Field& field : fields()) {
    CHECK(names.insert(field.name).second);
    REQUIRE(field.offset + size_of(field.type) <= sizeof(Variables));
    for (std::size_t i = 0; i < size_of(field.type); ++i) CHECK(owner[field.offset + i]++ == 0);
    CHECK((field.output || field.input));
  }
  CHECK_FALSE(field_named("actual_tcp_pose"));  // the wire's spelling counts
  CHECK_FALSE(field_named(""));
  CHECK_FALSE(field_named("output_int_register_48"));
  CHECK_FALSE(field_named("input_bit_register_63"));
  CHECK_FALSE(fields()[*field_named("speed_slider_mask")].output);
}

TEST_CASE("types have the sizes of the protocol") {
  const std::map<std::string, std::size_t> sizes{
      {"BOOL", 1},   {"UINT8", 1},     {"UINT32", 4},    {"UINT64", 8},        {"INT32", 4},
      {"DOUBLE", 8}, {"VECTOR3D", 24}, {"VECTOR6D", 48}, {"VECTOR6INT32", 24}, {"VECTOR6UINT32", 24}};
  for (const auto& [text, size] : sizes) {
    const auto type = type_named(text);
    REQUIRE(type);
    CHECK(size_of(*type) == size);
    CHECK(std::string(name(*type)) == text);
  }
  CHECK_FALSE(type_named("NOT_FOUND"));
}

TEST_CASE("a recipe writes values in its order and big-endian") {
  Variables variables;
  variables.state.timestamp = 123.5;
  variables.state.actual_q = {1, -2, 3, -4, 5, -6};
  variables.state.robot_mode = RobotMode::running;
  variables.state.actual_digital_input_bits = 0x0102030405060708;
  variables.state.output_bit_register[1] = 1;
  variables.state.output_int_register[0] = -2;
  variables.state.output_int_register[1] = 7;
  Recipe recipe;
  for (const char* wanted : {"output_int_register_0", "output_int_register_1", "timestamp", "robot_mode", "actual_q",
                             "actual_digital_input_bits", "output_bit_register_65", "output_bit_register_64"})
    recipe.add(*field_named(wanted));
  test::Packet seen;
  recipe.encode(variables, seen);
  test::Hand expected;
  expected.u32(0xfffffffe).u32(7).real(123.5).u32(7);
  for (const double q : {1.0, -2.0, 3.0, -4.0, 5.0, -6.0}) expected.real(q);
  expected.u64(0x0102030405060708).u8(1).u8(0);
  CHECK(seen == expected.bytes);
  CHECK(recipe.size() == expected.bytes.size());

  Variables back;
  REQUIRE(recipe.decode(seen, back));
  CHECK(back.state.actual_q == variables.state.actual_q);
  CHECK(back.state.output_int_register[0] == -2);
  CHECK_FALSE(recipe.decode(Bytes(seen).first(seen.size() - 1), back));
}

TEST_CASE("any byte but zero is true and is kept as one") {
  Recipe recipe;
  recipe.add(*field_named("input_bit_register_64"));
  recipe.add(*field_named("input_bit_register_65"));
  Variables variables;
  REQUIRE(recipe.decode(test::hex("ff 00"), variables));
  CHECK(variables.inputs.input_bit_register[0] == 1);
  CHECK(input_bit(variables.inputs, 64));
  CHECK_FALSE(input_bit(variables.inputs, 65));
  write_output_bit(variables.state, 33, true);
  CHECK(variables.state.output_bit_registers[1] == 2u);
  write_output_bit(variables.state, 33, false);
  write_output_bit(variables.state, 128, true);
  CHECK(variables.state.output_bit_registers[1] == 0u);
}
