// SPDX-License-Identifier: Apache-2.0
#include "tandem/protocols/ur/rtde/fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace tandem::ur {
namespace {

struct TypeRow {
  const char* name;
  std::uint8_t size, element;
};
constexpr std::array<TypeRow, 10> types{{{"BOOL", 1, 1},
                                         {"UINT8", 1, 1},
                                         {"UINT32", 4, 4},
                                         {"UINT64", 8, 8},
                                         {"INT32", 4, 4},
                                         {"DOUBLE", 8, 8},
                                         {"VECTOR3D", 24, 8},
                                         {"VECTOR6D", 48, 8},
                                         {"VECTOR6INT32", 24, 4},
                                         {"VECTOR6UINT32", 24, 4}}};

template <typename T>
constexpr Type type_of() {
  if constexpr (std::is_enum_v<T>)
    return type_of<std::underlying_type_t<T>>();
  else if constexpr (std::is_same_v<T, std::uint8_t>)
    return Type::uint8;
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return Type::uint32;
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return Type::uint64;
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return Type::int32;
  else if constexpr (std::is_same_v<T, double>)
    return Type::real;
  else if constexpr (std::is_same_v<T, Vector3>)
    return Type::vector3;
  else if constexpr (std::is_same_v<T, Vector6>)
    return Type::vector6;
  else
    return std::enable_if_t<std::is_same_v<T, Integers6>, std::integral_constant<Type, Type::integers6>>::value;
}

// Rows are made from members, so that a name, its type and its place cannot disagree.
class Table {
 public:
  Table() {
    motion();
    modes_and_signals();
    tool_and_load();
    registers("output", origin_.state.output_bit_registers, origin_.state.output_bit_register,
              origin_.state.output_int_register, origin_.state.output_double_register, false);
    inputs();
    for (std::size_t i = 0; i < rows.size(); ++i) sorted.push_back(i);
    std::ranges::sort(sorted, {}, [this](std::size_t i) -> std::string_view { return rows[i].name; });
  }

  std::vector<Field> rows;
  std::vector<std::size_t> sorted;  // places in rows, by name

 private:
  template <typename T>
  Field& row(std::string name, const T& member, Type type = type_of<T>()) {
    const auto* from = reinterpret_cast<const std::byte*>(&origin_);
    const auto* place = reinterpret_cast<const std::byte*>(&member);
    rows.push_back({std::move(name), type, static_cast<std::uint32_t>(place - from), true, false, Concern::none});
    return rows.back();
  }
  template <typename T>
  void input(std::string name, const T& member, Concern concern, Type type = type_of<T>()) {
    Field& added = row(std::move(name), member, type);
    added.output = concern == Concern::registers;  // of the inputs, only registers are read back
    added.input = true;
    added.concern = concern;
  }

  void motion();
  void modes_and_signals();
  void tool_and_load();
  void inputs();
  void registers(const std::string& way, const std::array<std::uint32_t, 2>& words,
                 const std::array<std::uint8_t, bit_register_count>& bits,
                 const std::array<std::int32_t, register_count>& integers,
                 const std::array<double, register_count>& reals, bool writable);

  Variables origin_;
};

void Table::motion() {
  const ControllerState& s = origin_.state;
  row("timestamp", s.timestamp);
  row("target_q", s.target_q);
  row("target_qd", s.target_qd);
  row("target_qdd", s.target_qdd);
  row("target_current", s.target_current);
  row("target_moment", s.target_moment);
  row("actual_q", s.actual_q);
  row("actual_qd", s.actual_qd);
  row("actual_current", s.actual_current);
  row("actual_current_window", s.actual_current_window);
  row("actual_current_as_torque", s.actual_current_as_torque);
  row("joint_control_output", s.joint_control_output);
  row("actual_TCP_pose", s.actual_tcp_pose);
  row("actual_TCP_speed", s.actual_tcp_speed);
  row("actual_TCP_force", s.actual_tcp_force);
  row("actual_TCP_acceleration", s.actual_tcp_acceleration);
  row("target_TCP_pose", s.target_tcp_pose);
  row("target_TCP_speed", s.target_tcp_speed);
  row("target_TCP_acceleration", s.target_tcp_acceleration);
  row("tcp_offset", s.tcp_offset);
  row("joint_temperatures", s.joint_temperatures);
  row("actual_execution_time", s.actual_execution_time);
  row("target_execution_time", s.target_execution_time);
  row("actual_tool_accelerometer", s.actual_tool_accelerometer);
  row("speed_scaling", s.speed_scaling);
  row("target_speed_fraction", s.target_speed_fraction);
  row("actual_momentum", s.actual_momentum);
  row("elbow_position", s.elbow_position);
  row("elbow_velocity", s.elbow_velocity);
  row("joint_position_deviation_ratio", s.joint_position_deviation_ratio);
  row("collision_detection_ratio", s.collision_detection_ratio);
  row("time_scale_source", s.time_scale_source);
  row("target_gravity", s.target_gravity);
  row("target_base_acceleration", s.target_base_acceleration);
  row("target_base_wrench", s.target_base_wrench);
  row("control_step", s.control_step);
}

void Table::modes_and_signals() {
  const ControllerState& s = origin_.state;
  row("robot_mode", s.robot_mode);
  row("joint_mode", s.joint_mode);
  row("safety_mode", s.safety_mode);
  row("safety_status", s.safety_status);
  row("runtime_state", s.runtime_state);
  row("robot_status_bits", s.robot_status_bits);
  row("safety_status_bits", s.safety_status_bits);
  row("script_control_line", s.script_control_line);
  row("actual_digital_input_bits", s.actual_digital_input_bits);
  row("actual_configurable_digital_input_bits", s.actual_configurable_digital_input_bits);
  row("actual_digital_output_bits", s.actual_digital_output_bits);
  row("actual_configurable_digital_output_bits", s.actual_configurable_digital_output_bits);
  row("analog_io_types", s.analog_io_types);
  for (std::size_t i = 0; i < 2; ++i) {
    row(fmt::format("standard_analog_input{}", i), s.standard_analog_input[i]);
    row(fmt::format("standard_analog_output{}", i), s.standard_analog_output[i]);
  }
  row("io_current", s.io_current);
  row("euromap67_input_bits", s.euromap67_input_bits);
  row("euromap67_output_bits", s.euromap67_output_bits);
  row("euromap67_24V_voltage", s.euromap67_24v_voltage);
  row("euromap67_24V_current", s.euromap67_24v_current);
  row("actual_main_voltage", s.actual_main_voltage);
  row("actual_robot_voltage", s.actual_robot_voltage);
  row("actual_robot_current", s.actual_robot_current);
  row("actual_joint_voltage", s.actual_joint_voltage);
  row("encoder0_raw", s.encoder0_raw);
  row("encoder1_raw", s.encoder1_raw);
  row("actual_robot_energy_consumed", s.actual_robot_energy_consumed);
  row("actual_robot_braking_energy_dissipated", s.actual_robot_braking_energy_dissipated);
}

void Table::tool_and_load() {
  const ControllerState& s = origin_.state;
  row("tool_mode", s.tool_mode);
  row("tool_analog_input_types", s.tool_analog_input_types);
  for (std::size_t i = 0; i < 2; ++i) row(fmt::format("tool_analog_input{}", i), s.tool_analog_input[i]);
  row("tool_output_voltage", s.tool_output_voltage);
  row("tool_output_current", s.tool_output_current);
  row("tool_temperature", s.tool_temperature);
  row("tool_output_mode", s.tool_output_mode);
  row("tool_digital_output0_mode", s.tool_digital_output0_mode);
  row("tool_digital_output1_mode", s.tool_digital_output1_mode);
  row("tcp_force_scalar", s.tcp_force_scalar);
  row("ft_raw_wrench", s.ft_raw_wrench);
  row("wrench_calc_from_currents", s.wrench_calc_from_currents);
  row("payload", s.payload);
  row("payload_cog", s.payload_cog);
  row("payload_inertia", s.payload_inertia);
}

void Table::inputs() {
  const ControllerInputs& i = origin_.inputs;
  input("speed_slider_mask", i.speed_slider_mask, Concern::speed_slider);
  input("speed_slider_fraction", i.speed_slider_fraction, Concern::speed_slider);
  input("standard_digital_output_mask", i.standard_digital_output_mask, Concern::standard_digital);
  input("standard_digital_output", i.standard_digital_output, Concern::standard_digital);
  input("configurable_digital_output_mask", i.configurable_digital_output_mask, Concern::configurable_digital);
  input("configurable_digital_output", i.configurable_digital_output, Concern::configurable_digital);
  input("tool_digital_output_mask", i.tool_digital_output_mask, Concern::tool_digital);
  input("tool_digital_output", i.tool_digital_output, Concern::tool_digital);
  input("standard_analog_output_mask", i.standard_analog_output_mask, Concern::standard_analog);
  input("standard_analog_output_type", i.standard_analog_output_type, Concern::standard_analog);
  input("standard_analog_output_0", i.standard_analog_output[0], Concern::standard_analog);
  input("standard_analog_output_1", i.standard_analog_output[1], Concern::standard_analog);
  registers("input", i.input_bit_registers, i.input_bit_register, i.input_int_register, i.input_double_register, true);
  input("external_force_torque", i.external_force_torque, Concern::force_torque);
}

void Table::registers(const std::string& way, const std::array<std::uint32_t, 2>& words,
                      const std::array<std::uint8_t, bit_register_count>& bits,
                      const std::array<std::int32_t, register_count>& integers,
                      const std::array<double, register_count>& reals, bool writable) {
  const std::size_t first = rows.size();
  row(way + "_bit_registers0_to_31", words[0]);
  row(way + "_bit_registers32_to_63", words[1]);
  for (std::size_t i = 0; i < bits.size(); ++i)
    row(fmt::format("{}_bit_register_{}", way, first_bit_register + i), bits[i], Type::boolean);
  for (std::size_t i = 0; i < integers.size(); ++i) row(fmt::format("{}_int_register_{}", way, i), integers[i]);
  for (std::size_t i = 0; i < reals.size(); ++i) row(fmt::format("{}_double_register_{}", way, i), reals[i]);
  if (!writable) return;
  for (std::size_t i = first; i < rows.size(); ++i) {
    rows[i].input = true;
    rows[i].concern = Concern::registers;
  }
}

const Table& table() {
  static const Table the;
  return the;
}

}  // namespace

const char* name(Type type) { return types[static_cast<std::size_t>(type)].name; }
std::size_t size_of(Type type) { return types[static_cast<std::size_t>(type)].size; }
std::size_t element_size(Type type) { return types[static_cast<std::size_t>(type)].element; }

std::optional<Type> type_named(std::string_view name) {
  for (std::size_t i = 0; i < types.size(); ++i)
    if (name == types[i].name) return static_cast<Type>(i);
  return std::nullopt;
}

std::span<const Field> fields() { return table().rows; }

std::optional<std::size_t> field_named(std::string_view name) {
  const Table& all = table();
  const auto name_of = [&all](std::size_t i) -> std::string_view { return all.rows[i].name; };
  const auto found = std::ranges::lower_bound(all.sorted, name, {}, name_of);
  if (found == all.sorted.end() || name_of(*found) != name) return std::nullopt;
  return *found;
}

}  // namespace tandem::ur
